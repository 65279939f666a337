import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AuthorizationFile } from './authorization-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-authorization-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n';
const [node, rbac, allow] = ['Node', 'RBAC', 'AlwaysAllow'].map((type) => `- {type: ${type}, name: ${type.toLowerCase()}}\n`);
const first = `${head}${node}${rbac}`;
const kubeconfig = join(folder, 'kubeconfig');
const webhook = `- type: Webhook
  name: gate
  webhook:
    {timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: "${kubeconfig}"}}
`;

function opened(name: string): {
  readonly file: AuthorizationFile;
  readonly used: string[];
  readonly write: (text: string) => readonly string[];
  readonly path: string;
} {
  const path = join(folder, name);
  writeFileSync(path, first);
  const used: string[] = [];
  const file = new AuthorizationFile({ file: path, text: first, use: (text) => void used.push(text), nowMs: () => 7000 });
  const write = (text: string): readonly string[] => {
    const lines: string[] = [];
    writeFileSync(path, text);
    file.check((line) => lines.push(line));
    return lines;
  };
  return { file, used, write, path };
}

test('what the file says now counts, and is counted', () => {
  const { file, used, write } = opened('a');
  expect(file.metrics()).not.toContain('automatic_reloads_total');
  expect(write(first)).toEqual([]);
  // A comment changes nothing.
  expect(write(`# mine\n${first}`)).toEqual([]);
  expect(write(first + allow)).toEqual(['reloaded authz config']);
  expect(used).toEqual([first + allow]);
  expect(file.metrics()).toContain('apiserver_authorization_config_controller_automatic_reloads_total{apiserver_id_hash="",status="success"} 1\n');
  expect(file.metrics()).toContain(
    'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds{apiserver_id_hash="",status="success"} 7\n',
  );
  expect(file.metrics()).toMatch(/last_config_info\{apiserver_id_hash="",hash="sha256:[0-9a-f]{64}"\} 1/);
});

test.each([
  ['no document', ': :', /^reloading authorization config: failed to load AuthorizationConfiguration from file: /],
  ['nobody', head, /authorizers: Required value: at least one authorization mode must be defined$/],
  ['another kind', first.replace('AuthorizationConfiguration', 'Pod'), /failed to load AuthorizationConfiguration from file: /],
  ['fewer than it began with', `${head}${allow}`, /^reloading authorization config: missing required types: \[Node RBAC\]$/],
  [
    'another name and fewer',
    `${head}${rbac?.replace('rbac', 'mine')}`,
    /^reloading authorization config: \[expected name rbac for authorizer RBAC instead of mine, missing required types: \[Node\]\]$/,
  ],
  ['a webhook without its kubeconfig', first + webhook, /connectionInfo.kubeConfigFile: Invalid value: .*: error loading file: stat /],
])('%s leaves what was before', (_what, text, told) => {
  const { file, used, write } = opened('b');
  expect(write(text)).toEqual([expect.stringMatching(told)]);
  // It is told once.
  expect(write(text)).toEqual([]);
  expect(used).toEqual([]);
  expect(file.metrics()).toContain('automatic_reloads_total{apiserver_id_hash="",status="failure"} 1\n');
});

test('a file that goes is told of at each look, and counts on when it is back', () => {
  const { file, used, write, path } = opened('c');
  rmSync(path);
  const lines: string[] = [];
  file.check((line) => lines.push(line));
  file.check((line) => lines.push(line));
  const line = `reloading authorization config: open ${path}: no such file or directory`;
  expect(lines).toEqual([line, line]);
  expect(write(first)).toEqual([]);
  expect(write(first + allow)).toHaveLength(1);
  expect(used).toEqual([first + allow]);
});

test('a kubeconfig that leads nowhere leaves what was before, and the file counts once it is another', () => {
  const { used, write } = opened('d');
  writeFileSync(kubeconfig, 'apiVersion: v1\nkind: Config\ncurrent-context: x\ncontexts: []\n');
  expect(write(first + webhook)).toHaveLength(1);
  expect(used).toEqual([]);
  expect(write(first)).toEqual(['reloaded authz config']);
  expect(used).toEqual([first]);
});
