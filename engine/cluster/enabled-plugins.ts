/** Which admission plugins are on. */
import type { Release } from '../contracts/release.ts';

/** In the order in which they come to be, which is that in which they are asked. */
export function enabledPlugins(
  { admissionOrder, admissionDefaults }: Pick<Release, 'admissionOrder' | 'admissionDefaults'>,
  settings: { list(option: string): readonly string[] },
): readonly string[] {
  const [on, off] = [new Set(settings.list('enable-admission-plugins')), new Set(settings.list('disable-admission-plugins'))];
  return admissionOrder.filter((name) => on.has(name) || (admissionDefaults.includes(name) && !off.has(name)));
}
