/**
 * Records what a real 1.13.12 makes of each object: `node build/with-node.mjs test/contract/old-release/record-gates.ts
 * http://127.0.0.1:PORT off|on`, the server started by ../shared/peers/old-apiserver.sh with OLD_KCM=none and
 * OLD_FLAGS="--disable-admission-plugins=ServiceAccount --feature-gates=…", which `record-gates.ts flags off|on` prints.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allGates, at, gated } from './gates.ts';

const [, , server = '', state = ''] = process.argv;
if (server === 'flags') console.log(allGates(state === 'on'));
else {
  const file = join(import.meta.dirname, 'gates.json');
  const facts = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as { [state: string]: { [name: string]: unknown } };
  const told: { [name: string]: unknown } = {};
  for (const { name, path, body, shown } of gated) {
    const answer = await fetch(server + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const object = (await answer.json()) as { readonly message?: string };
    told[name] = answer.status === 201 ? at(object, shown) : object.message;
    await fetch(`${server}${path}/${body.metadata.name}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: '{"gracePeriodSeconds":0,"propagationPolicy":"Background"}',
    });
  }
  writeFileSync(file, `${JSON.stringify({ ...facts, [state]: told }, null, 2)}\n`);
}
