/** Budgets over pods of owners that are known by their scale alone stand as with the real controller (`recorded.json`, by record.ts). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { bringAbout, budgetStep, definitions, factsOf, namespaceOf, ownerCases, reads, type Step } from './cases.ts';

const recorded = JSON.parse(readFileSync(new URL('./recorded.json', import.meta.url), 'utf8')) as { readonly [name: string]: object };

it('owners are found by their scale, and what has none is named', async () => {
  const cluster = await aCluster({ nodes: 0, seed: 1, options: { 'kube-api-qps': '500', 'kube-api-burst': '1000' } });
  const send = async ({ method, path, body }: Step): Promise<{ readonly metadata: { readonly uid?: string } }> =>
    cluster.call(method, path, body, method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  for (const step of definitions) await send(step);
  for (const each of ownerCases) await send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespaceOf(each) } } });
  await cluster.advance(5_000);
  for (const each of ownerCases) await bringAbout(each, send);
  await cluster.advance(5_000);
  for (const each of ownerCases) await send(budgetStep(each));
  await cluster.advance(6_000);
  const told = ownerCases.map((each) => {
    const [budget, events] = reads(each).map((path) => cluster.call<object & { metadata: object }>('GET', path));
    return [each.name, factsOf(budget as object, events as object)] as const;
  });
  expect(Object.fromEntries(told)).toEqual(recorded);
});
