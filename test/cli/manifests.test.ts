/** `staticManifestsDir` of `--admission-control-config-file`: what lies in the folder counts as it is now, through a crash and a restart, and the session runs again the same. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { admissionOf, binding, configurationOf, file, policy } from '../contract/manifests/cases.ts';
import { Home, type Up } from './wavetank.ts';

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const settings = '/apis/sim.wavetank.dev/v1alpha1/settings';
const plugin = 'ValidatingAdmissionPolicy';
const denying = (name: string): string =>
  file(
    policy('p.static.k8s.io', { validations: [{ expression: `object.metadata.name != '${name}'` }] }),
    binding('b.static.k8s.io', 'p.static.k8s.io'),
  );

/** Whether a ConfigMap of this name may be made. */
async function may(up: Up, name: string): Promise<boolean> {
  const configMap = { metadata: { name } };
  return up.call('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', configMap).then(
    () => true,
    () => false,
  );
}

it('counts as the folder is now, through a crash and a restart', async () => {
  const [folder, configuration, session] = [home.file('manifests'), home.file('admission.json'), home.file('session')];
  const lay = (text: string): void => {
    writeFileSync(join(folder, 'next'), text);
    renameSync(join(folder, 'next'), join(folder, 'a.yaml'));
  };
  mkdirSync(folder);
  writeFileSync(configuration, admissionOf([{ name: plugin, configuration: configurationOf(plugin, folder) }]));
  const gate = 'ManifestBasedAdmissionControlConfig=true';
  const options = ['--seed', '3', '--nodes', '0', '--session', session, '--feature-gates', gate, '--admission-control-config-file', configuration];
  const up = (): Promise<Up> => home.up(...options);
  lay(denying('one'));
  const first = await up();
  expect([await may(first, 'one'), await may(first, 'two')]).toEqual([false, true]);
  let now = '';
  const watch = first.watch<{ options: { 'admission-control-config-file': string } }>(`${settings}?watch=true`, ({ object }) => {
    now = object.options['admission-control-config-file'];
  });
  lay(denying('two'));
  await watch.until(() => now.includes("'two'"));
  watch.stop();
  expect([await may(first, 'one'), await may(first, 'two')]).toEqual([true, false]);
  const killed = await first.signal('SIGKILL');
  expect(killed.error).toBe(`wavetank: reloaded manifest config plugin="${plugin}" dir="${folder}"\n`);

  const second = await up();
  expect(await may(second, 'two')).toBe(false);
  // Who is killed in the middle of a line loses it, and is told; nothing else is.
  expect((await second.signal('SIGTERM')).error).not.toMatch(/ignored|reload/);

  lay('kind: ValidatingAdmissionPolicy');
  const refused = await home.run('up', ...options);
  expect(refused.error).toContain(
    `failed to load static policy manifests from "${folder}": error loading ${folder}/a.yaml: Object 'apiVersion' is missing in 'kind: ValidatingAdmissionPolicy'`,
  );
  expect(refused.code).not.toBe(0);

  lay(denying('three'));
  const third = await up();
  expect([await may(third, 'two'), await may(third, 'three')]).toEqual([true, false]);
  expect((await third.signal('SIGTERM')).code).toBe(0);
  const { code, out, error } = await home.run('replay', session, '--output', 'json');
  expect({ code, error, equal: (JSON.parse(out) as { equal: boolean }).equal }).toEqual({ code: 0, error: '', equal: true });
});
