/**
 * With which configurations of its plugins an API server does not start, and what it says: as a real 1.36.3 and a real 1.13.12 did.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../../engine/cluster/settings.ts';
import { readConfigurationFile } from '../../../engine/host/commands/configuration-files.ts';
import { getRelease } from '../../../engine/releases/releases.ts';
import { laterStartCases, type StartCase, startCases } from './start-cases.ts';
import facts from './start-facts.json' with { type: 'json' };

/** Words of decoders that are others here; it is refused all the same (docs/differences.md). */
const otherWords: ReadonlySet<string> = new Set([
  ...['events: a text for a number', 'events: a list that is none', 'images: a text for a number', 'images: a policy that is none'],
  ...['tolerations: a list that is none', 'quota: a list that is none', 'security: a list that is none'],
  ...['images: a kubeconfig that is no YAML', 'no YAML', 'plugins that are no list', 'a name that is a number'],
]);
const option = 'admission-control-config-file';
const folder = mkdtempSync(join(tmpdir(), 'wavetank-start-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Release 1.13 has other names for its schemes, a capital where it speaks of a kubeconfig, prints lists as Go does and knew of no newer group (docs/differences.md). */
const otherThen =
  /^(?:events: (?:no file|no limits|an empty list|fields|another)|tolerations: another|quota: another|of |an older|the newer|another|images: (?:nothing|an empty|no kube|a kubeconfig (?:that is (?:a folder|empty)|of another|without a|with no cluster|with a list)))/;

function refusal({ plugins, text, kubeconfig }: StartCase, release: string): string {
  const path = join(folder, 'configuration.json');
  if (text !== undefined) writeFileSync(path, text.replaceAll('FOLDER', folder));
  if (kubeconfig !== undefined) writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
  try {
    const file = text === undefined ? {} : { [option]: readConfigurationFile(option, path) };
    new Settings({ 'enable-admission-plugins': plugins, ...file }, getRelease(release));
    return '';
  } catch (error) {
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }
}

/** The real server goes through what is supported in any order. */
const sorted = (text: string): string =>
  text.replaceAll(/(?<=supported values: )"[^\]]*?"(?=$|\]|, limits)/g, (values) => values.split(', ').sort().join(', '));

describe.each(['1.36', '1.13'] as const)('release %s', (release) => {
  const told = facts[release] as { readonly [name: string]: string };
  const cases = release === '1.36' ? [...startCases, ...laterStartCases] : startCases;
  it.each(cases)('$name', (one) => {
    const [ours, theirs] = [refusal(one, release), told[one.name] ?? 'never asked'];
    const isOther = otherWords.has(one.name) || (release === '1.13' && otherThen.test(one.name));
    if (isOther) expect(ours.split(':')[0]).toBe(theirs.split(':')[0]);
    else expect(sorted(ours)).toBe(sorted(theirs));
  });
});

it.each([
  ['of plugins', '/nowhere/plugins', `failed to read plugin config: unable to read admission control configuration from "/nowhere/plugins" [OPEN]`],
  ['of one plugin', undefined, "Couldn't open admission plugin configuration /nowhere/plugins: OPEN"],
])('the configuration %s is nowhere', (_name, file, words) => {
  const path = join(folder, 'names-another.json');
  writeFileSync(path, JSON.stringify({ plugins: [{ name: 'PodSecurity', path: '/nowhere/plugins' }] }));
  const said = words.replace('OPEN', 'open /nowhere/plugins: no such file or directory');
  expect(() => readConfigurationFile(option, file ?? path)).toThrow(said);
});
