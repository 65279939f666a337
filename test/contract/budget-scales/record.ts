/**
 * Records what the real disruption controller makes of owners that are known by their scale alone, before a control plane:
 *   KUBECONFIG=… NODE_TLS_REJECT_UNAUTHORIZED=0 node build/with-node.mjs test/contract/budget-scales/record.ts [compare]
 * With `compare` it tells what differs from the record, and records nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { bringAbout, budgetStep, definitions, factsOf, namespaceOf, ownerCases, reads, type Step } from './cases.ts';

const { server, token } = readPeerKubeconfig(process.env['KUBECONFIG'] ?? '');
/** The manager looks which kinds there are each half minute. */
const discoveryMs = 35_000;
const settleMs = 6_000;

async function send({ method, path, body }: Step): Promise<{ readonly metadata: { readonly uid?: string } }> {
  for (let tries = 1; ; tries++) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const response = await fetch(server + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const answer = (await response.json()) as { readonly metadata: { readonly uid?: string } };
    if (response.ok || response.status === 409) return answer;
    if (tries > 60) throw new Error(JSON.stringify(answer));
    await setTimeout(250);
  }
}

for (const step of definitions) await send(step);
for (const each of ownerCases) await send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespaceOf(each) } } });
await setTimeout(discoveryMs);
for (const each of ownerCases) await bringAbout(each, send);
// All pods are seen before the first budget is.
await setTimeout(settleMs);
for (const each of ownerCases) await send(budgetStep(each));
await setTimeout(settleMs);
const told: Record<string, object> = {};
for (const each of ownerCases) {
  const [budget, events] = reads(each);
  told[each.name] = factsOf(await send({ method: 'GET', path: budget }), await send({ method: 'GET', path: events }));
}
const file = new URL('recorded.json', import.meta.url);
if (!process.argv.includes('compare')) writeFileSync(file, `${JSON.stringify(told, undefined, 1)}\n`);
else {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  const others = ownerCases.filter(({ name }) => !isDeepStrictEqual(recorded[name], told[name]));
  for (const { name } of others) console.log(name, JSON.stringify({ recorded: recorded[name], told: told[name] }, undefined, 1));
  console.log(`${ownerCases.length - others.length} of ${ownerCases.length} as recorded`);
}
