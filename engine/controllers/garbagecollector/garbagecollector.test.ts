import { describe, expect, it } from 'vitest';
import type { OwnerReference } from '../../apimachinery/object.ts';
import { configMaps, deployments, nodes, pods, replicaSets } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import type { Draft } from '../../../test/support/bench.ts';
import { garbageCollectorController } from './controller.ts';

function owner(kind: string, name: string, extra: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: kind === 'Node' ? 'v1' : 'apps/v1', kind, name, uid: `${name}-uid`, ...extra };
}

const labels = { app: 'web' };
const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } } };

function make(name: string, ownerReferences: readonly OwnerReference[] = [], metadata: object = {}): Draft {
  const owned = ownerReferences.length > 0 ? { ownerReferences } : {};
  return { metadata: { namespace: 'default', name, uid: `${name}-uid`, ...owned, ...metadata } };
}

/** A deployment or a set. */
function makeSet(name: string, ownerReferences: readonly OwnerReference[] = [], metadata: object = {}): Draft {
  return { ...make(name, ownerReferences, metadata), spec };
}

async function makeCluster(fill: (bench: ControllerBench) => void): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.deletable = [configMaps, deployments, nodes, pods, replicaSets];
  fill(bench);
  await bench.run(garbageCollectorController);
  return bench;
}

describe('garbage-collector-controller', () => {
  it('deletes dependents of what is gone, and theirs', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(deployments, makeSet('d'));
      cluster.add(replicaSets, makeSet('r', [owner('Deployment', 'd', { controller: true, blockOwnerDeletion: true })]));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r')]));
      cluster.add(pods, make('free'));
    });
    expect(bench.writeTexts()).toEqual([]);
    bench.remove(deployments, 'default', 'd');
    await bench.settle();
    expect(bench.writes.map(({ verb, name, body }) => ({ verb, name, body }))).toMatchObject([
      { verb: 'delete', name: 'r', body: { propagationPolicy: 'Background', preconditions: { uid: 'r-uid' } } },
      { verb: 'delete', name: 'p', body: { propagationPolicy: 'Background', preconditions: { uid: 'p-uid' } } },
    ]);
    expect(bench.writes[0]?.causes.some((cause) => cause.startsWith('rev:'))).toBe(true);
    expect(bench.list(pods).map(({ metadata }) => metadata.name)).toEqual(['free']);
  });

  it('only takes a dead owner away where another lives', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(deployments, makeSet('a'));
      cluster.add(deployments, makeSet('b'));
      cluster.add(replicaSets, makeSet('r', [owner('Deployment', 'a'), owner('Deployment', 'b')]));
    });
    bench.remove(deployments, 'default', 'a');
    await bench.settle();
    expect(bench.get(replicaSets, 'default', 'r')?.metadata.ownerReferences).toEqual([owner('Deployment', 'b')]);
  });

  it('deletes what was made for an owner that never was', async () => {
    const bench = await makeCluster((cluster) => void cluster.add(pods, make('p', [owner('ReplicaSet', 'none')])));
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual(['delete pods default/p']);
  });

  it.each([
    { name: 'blocking', blockOwnerDeletion: true, writes: ['delete pods default/p', 'patch replicasets default/r'] },
    { name: 'not blocking', blockOwnerDeletion: false, writes: ['delete pods default/p', 'patch replicasets default/r'] },
  ])('foreground: the owner goes after $name dependents', async ({ blockOwnerDeletion, writes }) => {
    const bench = await makeCluster((cluster) => {
      cluster.add(replicaSets, makeSet('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion })]));
    });
    bench.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await bench.settle();
    expect(bench.writeTexts()).toEqual(writes);
    expect(bench.list(replicaSets)).toEqual([]);
  });

  it('foreground: waits while a dependent has finalizers of its own', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(replicaSets, makeSet('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion: true })], { finalizers: ['example.com/keep'] }));
    });
    bench.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await bench.settle();
    expect(bench.get(replicaSets, 'default', 'r')).toBeDefined();
    bench.change(pods, 'default', 'p', ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
    await bench.settle();
    expect(bench.list(replicaSets)).toEqual([]);
  });

  it('foreground: waits for no dependent that does not block it', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(replicaSets, makeSet('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion: false })], { finalizers: ['example.com/keep'] }));
    });
    bench.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await bench.settle();
    expect(bench.list(replicaSets)).toEqual([]);
    expect(bench.get(pods, 'default', 'p')?.metadata.deletionTimestamp).toBeDefined();
  });

  it('orphan: sets dependents free and lets the owner go', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(replicaSets, makeSet('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r')]));
    });
    bench.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Orphan' });
    await bench.settle();
    expect(bench.writeTexts()).toEqual(['patch pods default/p', 'patch replicasets default/r']);
    expect(bench.writes[0]?.body).toEqual({ metadata: { uid: 'p-uid', ownerReferences: [{ $patch: 'delete', uid: 'r-uid' }] } });
    expect(bench.get(pods, 'default', 'p')?.metadata.ownerReferences ?? []).toEqual([]);
    expect(bench.list(replicaSets)).toEqual([]);
  });

  it('tells of an owner in another namespace and deletes its dependent', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(replicaSets, makeSet('r', [], { namespace: 'other' }));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r')]));
    });
    await bench.advance(1_000);
    expect(bench.eventTexts()).toContain(
      'Warning OwnerRefInvalidNamespace ownerRef [apps/v1/ReplicaSet, namespace: default, name: r, uid: r-uid] does not exist in namespace "default"',
    );
    expect(bench.writeTexts()).toEqual(['delete pods default/p']);
  });

  it('knows after a restore what it knew before', async () => {
    const bench = await makeCluster((cluster) => {
      cluster.add(replicaSets, makeSet('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion: true })]));
    });
    const other = new ControllerBench();
    other.deletable = bench.deletable;
    for (const object of bench.list(replicaSets)) other.add(replicaSets, object);
    for (const object of bench.list(pods)) other.add(pods, object);
    await other.run(garbageCollectorController, bench.save());
    other.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await other.settle();
    expect(other.writeTexts()).toEqual(['delete pods default/p', 'patch replicasets default/r']);
  });
});
