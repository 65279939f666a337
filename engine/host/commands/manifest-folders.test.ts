import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ManifestFile } from '../../apiserver/admission/manifests/files.ts';
import { createManifestLoader } from '../../cluster/admission-manifests.ts';
import { defaultRelease } from '../../releases/releases.ts';
import { readConfigurationFile } from './configuration-files.ts';
import { ManifestFolders, readManifestFolder } from './manifest-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'wavetank-manifest-folders-'));
afterAll(() => rmSync(root, { recursive: true }));

const hook = (name: string): string =>
  JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name }, webhooks: [] });
const [first, other] = ['first.static.k8s.io', 'other.static.k8s.io'].map(hook) as [string, string];

function opened(name: string): {
  readonly folders: ManifestFolders;
  readonly folder: string;
  readonly used: (readonly ManifestFile[])[];
  readonly look: () => readonly string[];
} {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.yaml'), first);
  const used: (readonly ManifestFile[])[] = [];
  const folders = new ManifestFolders({
    folders: [{ plugin: 'ValidatingAdmissionWebhook', folder, files: readManifestFolder(folder) as readonly ManifestFile[] }],
    loader: createManifestLoader(defaultRelease, () => ''),
    use: (_plugin, files) => void used.push(files),
    nowMs: () => 7000,
  });
  const look = (): readonly string[] => {
    const lines: string[] = [];
    folders.check((line) => lines.push(line.replaceAll(folder, 'FOLDER')));
    return lines;
  };
  return { folders, folder, used, look };
}

const metric = (name: string, status: string, value: number): string =>
  `apiserver_manifest_admission_config_controller_${name}{apiserver_id_hash="",plugin="ValidatingAdmissionWebhook",status="${status}"} ${value}\n`;
const place = 'plugin="ValidatingAdmissionWebhook" dir="FOLDER"';

test('what lies in the folder now counts, and is counted', () => {
  const { folders, folder, used, look } = opened('a');
  expect(folders.metrics()).toContain(metric('automatic_reloads_total', 'success', 1));
  expect(look()).toEqual([]);
  writeFileSync(join(folder, 'notes.txt'), '[');
  writeFileSync(join(folder, 'empty.yml'), '');
  mkdirSync(join(folder, 'more.yaml'));
  expect([look(), used]).toEqual([[], []]);
  writeFileSync(join(folder, 'B.JSON'), other);
  expect(look()).toEqual([`reloaded admission manifest config ${place}`]);
  expect(used).toEqual([
    ['B.JSON', 'a.yaml', 'empty.yml'].map((name) => ({ path: join(folder, name), text: name === 'B.JSON' ? other : name === 'a.yaml' ? first : '' })),
  ]);
  expect(folders.metrics()).toContain(metric('automatic_reloads_total', 'success', 2));
  expect(folders.metrics()).toContain(metric('automatic_reload_last_timestamp_seconds', 'success', 7));
  expect(folders.metrics()).toMatch(/last_config_info\{apiserver_id_hash="",hash="sha256:[0-9a-f]{64}",plugin="ValidatingAdmissionWebhook"\} 1/);
});

test('what is wrong leaves what was before, and is told of at each look', () => {
  const { folders, folder, used, look } = opened('b');
  writeFileSync(join(folder, 'b.yaml'), first);
  const twice = `reloading admission manifest config: error loading FOLDER/b.yaml: duplicate name "first.static.k8s.io" found in file "FOLDER/b.yaml" (previously seen in "FOLDER/a.yaml") ${place}`;
  expect([...look(), ...look()]).toEqual([twice, twice]);
  expect(folders.metrics()).toContain(metric('automatic_reloads_total', 'failure', 2));
  expect(used).toEqual([]);
  rmSync(join(folder, 'b.yaml'));
  expect(look()).toEqual([]);
});

test('files that go count no more; a folder that goes leaves what was', () => {
  const { folders, folder, used, look } = opened('c');
  rmSync(join(folder, 'a.yaml'));
  expect(look()).toHaveLength(1);
  expect(used).toEqual([[]]);
  expect(folders.metrics()).toContain('hash="",plugin=');
  rmSync(folder, { recursive: true });
  expect(look()).toEqual([
    `reloading admission manifest config: failed to read manifest directory "FOLDER": open FOLDER: no such file or directory ${place}`,
  ]);
  expect(used).toHaveLength(1);
  expect(readManifestFolder(folder)).toBe(`unable to read: stat ${folder}: no such file or directory`);
});

test('what lies in a folder is read with the file that names it, and stands in no file itself', () => {
  const { folder } = opened('d');
  const [file, beside] = ['admission.json', 'webhooks.json'].map((name) => join(root, name)) as [string, string];
  const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', staticManifestsDir: folder };
  const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' };
  const read = (plugin: object): unknown => {
    writeFileSync(file, JSON.stringify({ ...head, plugins: [{ name: 'ValidatingAdmissionWebhook', ...plugin }] }));
    return JSON.parse(readConfigurationFile('admission-control-config-file', file));
  };
  writeFileSync(beside, JSON.stringify(configuration));
  const manifests = [{ path: join(folder, 'a.yaml'), text: first }];
  for (const plugin of [{ configuration }, { path: 'webhooks.json' }])
    expect(read(plugin)).toEqual({ ...head, plugins: [{ name: 'ValidatingAdmissionWebhook', configuration, manifests }] });
  expect(() => read({ configuration, manifests })).toThrow('strict decoding error: unknown field "plugins.manifests"');
});
