/** Services of one family and of two: what the real API server made of each case, is what Wavetank makes. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../engine/base/json.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { cases, type ClusterName, clusters, play, type Send, type StepFact } from './cases.ts';

const facts = JSON.parse(readFileSync(new URL('./facts.json', import.meta.url), 'utf8')) as {
  readonly [name in ClusterName]: { readonly [name: string]: readonly StepFact[] };
};

describe.each(Object.entries(clusters) as [ClusterName, string][])('Services where addresses are of %s', (name, ranges) => {
  let tank: TestCluster;
  const send: Send = (method, path, body, type) => {
    const { status, object } = tank.ask(method, `/api/v1/namespaces/default/services${path}`, body, type);
    return Promise.resolve({ code: status, value: object as unknown as JsonObject });
  };

  beforeAll(async () => {
    tank = await aCluster({ nodes: 0, options: { 'service-cluster-ip-range': ranges } });
  });

  it.each(cases.map((one) => [one.name, one] as const))('%s', async (what, one) => {
    expect(await play(one, send)).toEqual(facts[name][what]);
  });
});
