/**
 * Records what the real API server answers to the definitions that are created: each is sent as a dry run.
 *   KUBECONFIG=… node build/with-node.mjs test/contract/schemas/record-server.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { definitionCases } from './definitions.ts';

const config = readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8');
const server = /server: "([^"]*)"/.exec(config)?.[1] ?? '';
const token = /token: "?([0-9a-f]+)"?/.exec(config)?.[1] ?? '';

interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly object[] };
}

function ask(body: object): object {
  const { stdout } = spawnSync(
    'curl',
    [
      '-sk',
      '-D',
      '-',
      '-H',
      `Authorization: Bearer ${token}`,
      '-H',
      'Content-Type: application/json',
      '--data-binary',
      '@-',
      `${server}/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All`,
    ],
    { input: JSON.stringify(body), encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const at = stdout.lastIndexOf('\r\n\r\n');
  const head = stdout.slice(0, at);
  const code = Number(/^HTTP\/[\d.]+ (\d+)/m.exec(head.slice(head.lastIndexOf('HTTP/')))?.[1]);
  const warnings = [...head.matchAll(/^warning: (.*)$/gim)].map(([, text = '']) => text.trim());
  const status = JSON.parse(stdout.slice(at + 4)) as Status;
  if (code === 201) return { code, warnings };
  return { code, reason: status.reason, message: status.message, causes: status.details?.causes ?? [], warnings };
}

const answers = definitionCases()
  .filter(({ old }) => old === undefined)
  .map(({ name, new: body }) => ({ name, ...ask(body) }));
writeFileSync(new URL('server.jsonl.gz', import.meta.url), gzipSync(answers.map((one) => `${JSON.stringify(one)}\n`).join(''), { level: 9 }));
