/**
 * `node build/with-node.mjs test/decisions/tolerations/record.ts KUBECONFIG` puts each toleration before each taint in a real API server and
 * scheduler (no controllers, both with --feature-gates=TaintTolerationComparisonOperators=true) and keeps in `facts.json` where pods came.
 */
import { writeFileSync } from 'node:fs';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { peerCalls } from '../peer-calls.ts';
import { key, operators, taintValues, toleratedValues } from './cases.ts';

const ask = peerCalls(readPeerKubeconfig(process.argv[2] ?? ''));
const inDefault = '/api/v1/namespaces/default';
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

await ask('POST', `${inDefault}/serviceaccounts`, { metadata: { name: 'default' } });
for (const [place, value] of taintValues.entries()) {
  const allocatable = { cpu: '100', memory: '160Gi', pods: '110' };
  const labels = { 'kubernetes.io/hostname': `n${place}` };
  await ask('POST', '/api/v1/nodes', { metadata: { name: `n${place}`, labels }, status: { allocatable, capacity: allocatable } });
  await ask('PATCH', `/api/v1/nodes/n${place}`, { spec: { taints: [{ key, value, effect: 'NoSchedule' }] } });
}
await sleep(1000);
const refusals = new Map<string, string>();
for (const operator of operators)
  for (const value of toleratedValues)
    for (const place of taintValues.keys()) {
      const spec = {
        nodeSelector: { 'kubernetes.io/hostname': `n${place}` },
        tolerations: [{ key, operator, value, effect: 'NoSchedule' }],
        containers: [{ name: 'c', image: 'nginx' }],
      };
      const metadata = { generateName: 'p-', annotations: { toleration: `${operator} ${value}`, place: String(place) } };
      const { code, object } = await ask<{ readonly message: string }>('POST', `${inDefault}/pods`, { metadata, spec });
      if (code >= 400) refusals.set(`${operator} ${value}`, object.message.replace(/"p-[a-z0-9]*"/, '"p"'));
    }
await sleep(8000);
const { items } = (await ask<{ readonly items: readonly Pod[] }>('GET', `${inDefault}/pods`)).object;
const facts: Record<string, string> = {};
for (const operator of operators)
  for (const value of toleratedValues) {
    const name = `${operator} ${value}`;
    const placed = items.filter(({ metadata, spec }) => metadata.annotations?.['toleration'] === name && spec?.nodeName !== undefined);
    facts[name] =
      refusals.get(name) ??
      placed
        .map(({ metadata }) => metadata.annotations?.['place'])
        .toSorted()
        .join(' ');
  }
writeFileSync(new URL('facts.json', import.meta.url), `${JSON.stringify(facts, null, 2)}\n`);
process.exit(0);
