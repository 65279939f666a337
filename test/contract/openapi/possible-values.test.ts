import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Cluster } from '../../../engine/cluster/cluster.ts';
import { testConfig, testHost } from '../../support/cluster.ts';
import { possibleValues } from './possible-values.ts';

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'possible-values.json'), 'utf8')) as { [field: string]: readonly string[] };

async function listed(more: Partial<Parameters<typeof testConfig>[0]>): Promise<ReturnType<typeof possibleValues>> {
  const cluster = new Cluster(testConfig({ seed: 1, nodes: 0, ...more }), testHost());
  await cluster.start();
  const request = {
    method: 'GET',
    path: '/openapi/v2',
    query: '',
    headers: {},
    body: new Uint8Array(),
    identity: { name: 'u', groups: ['system:masters'] },
  };
  const answer = cluster.door.serveAtOnce(request);
  if (!('body' in answer)) throw new Error('no document');
  return possibleValues(
    JSON.parse(
      Buffer.concat([...(typeof answer.body === 'string' ? [answer.body] : answer.body)].map((one) => Buffer.from(one as string))).toString(),
    ) as Parameters<typeof possibleValues>[0],
  );
}

it('lists the possible values that a real 1.36.3 lists', async () => {
  const found = await listed({});
  expect(Object.keys(recorded).length).toBeGreaterThan(95);
  expect(Object.fromEntries(Object.keys(recorded).map((field) => [field, found[field]]))).toEqual(recorded);
});

it('lists none without the gate OpenAPIEnums, and none in release 1.13', async () => {
  expect(await listed({ options: { 'feature-gates': 'OpenAPIEnums=false' } })).toEqual({});
  expect(await listed({ release: '1.13' })).toEqual({});
});
