/** The options that switch admission plugins on and off. Mirrors Validate of apiserver pkg/server/options/admission.go. */
import { goQuote } from '../apimachinery/quote.ts';
import type { Release } from '../contracts/release.ts';

/** Names that releases know and that do nothing here. */
const unbuilt: ReadonlySet<string> = new Set([
  'EventRateLimit',
  'ImagePolicyWebhook',
  'Initializers',
  'JobValidation',
  'NodeDeclaredFeatureValidator',
  'PersistentVolumeLabel',
]);

/** One line about the first thing that is wrong, in upstream's words. */
export function pluginMistake(
  textOf: (name: string) => string,
  { admissionOrder, admissionDefaults }: Pick<Release, 'admissionOrder' | 'admissionDefaults'>,
): string | undefined {
  const listOf = (name: string): readonly string[] =>
    textOf(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const [on, off] = [listOf('enable-admission-plugins'), listOf('disable-admission-plugins')];
  for (const [option, names] of [
    ['enable-admission-plugins', on],
    ['disable-admission-plugins', off],
  ] as const) {
    const unknown = names.find((name) => !admissionOrder.includes(name));
    if (unknown !== undefined) return `${option} plugin ${goQuote(unknown)} is unknown`;
  }
  const both = [...new Set(on)].filter((name) => off.includes(name)).sort();
  if (both.length > 0) return `[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`;
  // To name what is on anyway changes nothing.
  const missing = on.find((name) => unbuilt.has(name) && !admissionDefaults.includes(name));
  return missing === undefined ? undefined : `enable-admission-plugins plugin ${goQuote(missing)} is not built`;
}
