/**
 * Memory by bytes: what is stored has a quota, as etcd has one. A write beyond it is answered as a real API server passes on etcd's
 * refusal; reads, deletes and dry runs go on, components try again, and what is deleted makes space. (Text, code and the missing reason
 * were seen at a real server with `--quota-backend-bytes=4194304`.)
 */
import { expect, test } from 'vitest';
import { weightOf } from '../../engine/base/weight.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { rememberedMax } from '../../engine/cluster/event-ttl.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';

const mb = 1 << 20;
const maps = '/api/v1/namespaces/default/configmaps';

function map(name: string, bytes: number): object {
  return { metadata: { name }, data: { text: name.padEnd(bytes, '.') } };
}

async function aSmallCluster(megabytes: number, seed = 1): Promise<TestCluster> {
  return aCluster({ nodes: 1, seed, options: { 'quota-backend-bytes': String(megabytes * mb) } });
}

/** Writes ConfigMaps until one is refused; the refusal. */
function fill(tank: TestCluster, bytes: number, prefix = 'big'): { readonly written: number; readonly refusal: unknown } {
  for (let i = 0; ; i++) {
    const { status, object } = tank.ask('POST', maps, map(`${prefix}-${i}`, bytes));
    if (status !== 201) return { written: i, refusal: object };
  }
}

test('a write beyond the quota is refused in etcd’s words; reads, dry runs and deletes go on, and what is deleted makes space', async () => {
  const tank = await aSmallCluster(12);
  const { written, refusal } = fill(tank, mb);
  expect(written).toBeGreaterThan(5);
  expect(refusal).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'etcdserver: mvcc: database space exceeded',
    code: 500,
  });
  const inputs = tank.inputs.length;
  expect(tank.ask('PATCH', `${maps}/big-0`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json').status).toBe(500);
  expect(tank.inputs).toHaveLength(inputs);
  expect(tank.ask('POST', `${maps}?dryRun=All`, map('more', mb)).status).toBe(201);
  expect(tank.ask('GET', `${maps}/big-0`).status).toBe(200);
  expect(tank.ask('DELETE', `${maps}/big-0`).status).toBe(200);
  expect(tank.ask('POST', maps, map('more', mb)).status).toBe(201);
  expect(tank.ask('POST', maps, map('yet-more', mb)).status).toBe(500);
});

test('a full cluster stands still and comes back: heartbeats are refused too, and go on when there is space', async () => {
  const tank = await aSmallCluster(8);
  fill(tank, mb / 2);
  fill(tank, 100, 'small');
  const renewed = (): string =>
    tank.call<KubeObject & { spec: { renewTime: string } }>('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-0').spec
      .renewTime;
  const before = renewed();
  await tank.advance(120_000);
  expect(renewed()).toBe(before);
  tank.call('DELETE', maps);
  await tank.advance(60_000);
  expect(renewed()).not.toBe(before);
  const [ready] = tank
    .call<KubeObject & { status: { conditions: { type: string; status: string }[] } }>('GET', '/api/v1/nodes/node-0')
    .status.conditions.filter(({ type }) => type === 'Ready');
  expect(ready?.status).toBe('True');
});

test('the same writes are refused in a second run and after a restore', async () => {
  const [tank, again] = [await aSmallCluster(12), await aSmallCluster(12)];
  expect(fill(again, mb / 3)).toEqual(fill(tank, mb / 3));
  await tank.advance(30_000);
  await again.advance(30_000);
  await tank.quiet();
  expect(again.cluster.digest).toBe(tank.cluster.digest);
  const restored = madeCluster(tank.cluster.config);
  restored.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())));
  expect(restored.cluster.store.livingWeight).toBe(tank.cluster.store.livingWeight);
  tank.call('DELETE', `${maps}/big-0`);
  restored.call('DELETE', `${maps}/big-0`);
  expect(fill(restored, mb / 10, 'after')).toEqual(fill(tank, mb / 10, 'after'));
});

test('revisions that are remembered give way to what is in force', async () => {
  const tank = await aSmallCluster(24);
  tank.call('POST', maps, map('changing', mb));
  for (let i = 0; i < 40; i++) tank.call('PUT', `${maps}/changing`, map('changing', mb - i));
  await tank.advance(1);
  expect(tank.cluster.store.compactedRevision()).toBeGreaterThan(1);
  expect(fill(tank, mb).written).toBeGreaterThan(15);
  expect(rememberedMax).toBeLessThan(512 * mb);
});

test.each([
  ['a long text', { a: 'x'.repeat(10_000) }, 10_000, 11_000],
  ['a long text of wide letters', { a: '語'.repeat(10_000) }, 20_000, 21_000],
  ['many keys', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key-${i}`, ''])), 60_000, 120_000],
  ['a list of numbers', { a: Array.from({ length: 1000 }, (_, i) => i) }, 8_000, 20_000],
])('%s weighs about what it takes', (_name, value, least, most) => {
  expect(weightOf(value)).toBeGreaterThan(least);
  expect(weightOf(value)).toBeLessThan(most);
});
