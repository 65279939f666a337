import { describe, expect, it } from 'vitest';
import type { OwnerReference } from '../../apimachinery/object.ts';
import { configMaps, deployments, nodes, pods, replicaSets } from '../../client/resources.ts';
import { Slots } from '../../base/slots.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import type { Draft } from '../testing/fake-store.ts';
import { garbageCollectorController } from './controller.ts';

function owner(kind: string, name: string, extra: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: kind === 'Node' ? 'v1' : 'apps/v1', kind, name, uid: `${name}-uid`, ...extra };
}

function make(name: string, ownerReferences: readonly OwnerReference[] = [], metadata: object = {}): Draft {
  return { metadata: { namespace: 'default', name, uid: `${name}-uid`, ...(ownerReferences.length > 0 ? { ownerReferences } : {}), ...metadata } };
}

async function makeCluster(fill: (fake: FakeCluster) => void): Promise<FakeCluster> {
  const fake = new FakeCluster();
  fake.deletable = [configMaps, deployments, nodes, pods, replicaSets];
  fill(fake);
  await fake.run(garbageCollectorController);
  return fake;
}

describe('garbage-collector-controller', () => {
  it('deletes dependents of what is gone, and theirs', async () => {
    const fake = await makeCluster((cluster) => {
      cluster.add(deployments, make('d'));
      cluster.add(replicaSets, make('r', [owner('Deployment', 'd', { controller: true, blockOwnerDeletion: true })]));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r')]));
      cluster.add(pods, make('free'));
    });
    expect(fake.writeTexts()).toEqual([]);
    fake.remove(deployments, 'default', 'd');
    await fake.settle();
    expect(fake.writes.map(({ verb, name, body }) => ({ verb, name, body }))).toMatchObject([
      { verb: 'delete', name: 'r', body: { propagationPolicy: 'Background', preconditions: { uid: 'r-uid' } } },
      { verb: 'delete', name: 'p', body: { propagationPolicy: 'Background', preconditions: { uid: 'p-uid' } } },
    ]);
    expect(fake.writes[0]?.causes.some((cause) => cause.startsWith('rev:'))).toBe(true);
    expect(fake.list(pods).map(({ metadata }) => metadata.name)).toEqual(['free']);
  });

  it('only takes a dead owner away where another lives', async () => {
    const fake = await makeCluster((cluster) => {
      cluster.add(deployments, make('a'));
      cluster.add(deployments, make('b'));
      cluster.add(replicaSets, make('r', [owner('Deployment', 'a'), owner('Deployment', 'b')]));
    });
    fake.remove(deployments, 'default', 'a');
    await fake.settle();
    expect(fake.get(replicaSets, 'default', 'r')?.metadata.ownerReferences).toEqual([owner('Deployment', 'b')]);
  });

  it('deletes what was made for an owner that never was', async () => {
    const fake = await makeCluster((cluster) => void cluster.add(pods, make('p', [owner('ReplicaSet', 'none')])));
    await fake.advance(1_000);
    expect(fake.writeTexts()).toEqual(['delete pods default/p']);
  });

  it.each([
    { name: 'blocking', blockOwnerDeletion: true, writes: ['delete pods default/p', 'patch replicasets default/r'] },
    { name: 'not blocking', blockOwnerDeletion: false, writes: ['delete pods default/p', 'patch replicasets default/r'] },
  ])('foreground: the owner goes after $name dependents', async ({ blockOwnerDeletion, writes }) => {
    const fake = await makeCluster((cluster) => {
      cluster.add(replicaSets, make('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion })]));
    });
    fake.store.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await fake.settle();
    expect(fake.writeTexts()).toEqual(writes);
    expect(fake.list(replicaSets)).toEqual([]);
  });

  it('foreground: waits while a dependent has finalizers of its own', async () => {
    const fake = await makeCluster((cluster) => {
      cluster.add(replicaSets, make('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion: true })], { finalizers: ['example.com/keep'] }));
    });
    fake.store.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await fake.settle();
    expect(fake.get(replicaSets, 'default', 'r')).toBeDefined();
    fake.change(pods, 'default', 'p', ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({ ...rest, metadata }));
    await fake.settle();
    expect(fake.list(replicaSets)).toEqual([]);
  });

  it('orphan: sets dependents free and lets the owner go', async () => {
    const fake = await makeCluster((cluster) => {
      cluster.add(replicaSets, make('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r')]));
    });
    fake.store.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Orphan' });
    await fake.settle();
    expect(fake.writeTexts()).toEqual(['patch pods default/p', 'patch replicasets default/r']);
    expect(fake.writes[0]?.body).toEqual({ metadata: { uid: 'p-uid', ownerReferences: [{ $patch: 'delete', uid: 'r-uid' }] } });
    expect(fake.get(pods, 'default', 'p')?.metadata.ownerReferences ?? []).toEqual([]);
    expect(fake.list(replicaSets)).toEqual([]);
  });

  it('tells of an owner in another namespace and deletes its dependent', async () => {
    const fake = await makeCluster((cluster) => {
      cluster.add(replicaSets, make('r', [], { namespace: 'other' }));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r')]));
    });
    await fake.advance(1_000);
    expect(fake.eventTexts()).toContain(
      'Warning OwnerRefInvalidNamespace ownerRef [apps/v1/ReplicaSet, namespace: default, name: r, uid: r-uid] does not exist in namespace "default"',
    );
    expect(fake.writeTexts()).toEqual(['delete pods default/p']);
  });

  it('knows after a restore what it knew before', async () => {
    const fake = await makeCluster((cluster) => {
      cluster.add(replicaSets, make('r'));
      cluster.add(pods, make('p', [owner('ReplicaSet', 'r', { blockOwnerDeletion: true })]));
    });
    const other = new FakeCluster();
    other.deletable = fake.deletable;
    for (const object of fake.list(replicaSets)) other.add(replicaSets, object);
    for (const object of fake.list(pods)) other.add(pods, object);
    const slots = new Slots();
    const controller = garbageCollectorController.create(other.environment(slots));
    slots.restore({ absent: [] }, 'garbage collector');
    const restored = await other.run({ ...garbageCollectorController, create: () => controller });
    expect(restored).toBe(controller);
    other.store.delete(replicaSets, 'default', 'r', { propagationPolicy: 'Foreground' });
    await other.settle();
    expect(other.writeTexts()).toEqual(['delete pods default/p', 'patch replicasets default/r']);
  });
});
