/**
 * Records what the real API server says; run it against one server for each set of plugins (`--enable-admission-plugins`).
 *   KUBECONFIG=… node build/with-node.mjs test/contract/admission/record.ts 'GROUP' …
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Answered, type Said, saidOf } from './answers.ts';
import { groups, type Step } from './cases.ts';

const config = readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8');
const server = /server: "([^"]*)"/.exec(config)?.[1] ?? '';
const token = /token: "?([0-9a-f]+)"?/.exec(config)?.[1] ?? '';
const file = new URL('facts.json', import.meta.url);

function ask({ method, path, body, contentType = 'application/json', as }: Step): Answered {
  const headers = [
    `Authorization: Bearer ${token}`,
    `Content-Type: ${contentType}`,
    'User-Agent: test',
    ...(as === undefined ? [] : [`Impersonate-User: ${as}`]),
  ];
  const args = ['-sk', '-D', '-', '-X', method, ...headers.flatMap((header) => ['-H', header]), '--data-binary', '@-', server + path];
  const { stdout } = spawnSync('curl', args, { input: body === undefined ? '' : JSON.stringify(body), encoding: 'utf8' });
  const at = stdout.lastIndexOf('\r\n\r\n');
  const head = stdout.slice(0, at);
  const code = Number(/^HTTP\/[\d.]+ (\d+)/m.exec(head.slice(head.lastIndexOf('HTTP/')))?.[1]);
  const text = stdout.slice(at + 4);
  return {
    code,
    warnings: [...head.matchAll(/^warning: (.*)$/gim)].map(([, line = '']) => line.trim()),
    body: text.startsWith('{') ? JSON.parse(text) : { message: text },
  };
}

const known = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as { [group: string]: readonly (Said | null)[] };
for (const { name, steps } of groups) {
  if (!process.argv.includes(name)) continue;
  known[name] = steps.map((step) => {
    const answered = ask(step);
    return step.isSetup === true ? null : saidOf(step, answered);
  });
}
writeFileSync(file, `${JSON.stringify(known, null, 1)}\n`);
