/** Records what a real 1.13.12 answers to each misfit: `node build/with-node.mjs test/contract/old-release/record-bodies.ts http://127.0.0.1:PORT` (../shared/peers/old-apiserver.sh). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { misfits, there } from './bodies.ts';

const server = process.argv[2] ?? '';
const facts: { [name: string]: object } = {};
for (const { name, method = 'POST', path, type = 'application/json', body } of [there, ...misfits]) {
  const answer = await fetch(server + path, { method, headers: { 'content-type': type }, body });
  const { reason = null, message = null } = (await answer.json()) as { readonly reason?: string; readonly message?: string };
  if (name !== there.name) facts[name] = { code: answer.status, reason, message };
}
writeFileSync(join(import.meta.dirname, 'bodies.json'), `${JSON.stringify(facts, null, 2)}\n`);
