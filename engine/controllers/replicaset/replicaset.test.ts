import { describe, expect, it } from 'vitest';
import { newForbidden } from '../../apimachinery/errors.ts';
import { pods, replicaSets } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import type { Draft } from '../testing/fake-store.ts';
import { replicaSetController } from './controller.ts';

function makeReplicaSet(replicas: number, extra: object = {}): Draft {
  return {
    metadata: { namespace: 'default', name: 'web', uid: 'rs-uid' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } },
      ...extra,
    },
  };
}

const owned = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs-uid', controller: true, blockOwnerDeletion: true }];

function makePod(name: string, extra: { readonly [key: string]: unknown } = {}, metadata: object = { ownerReferences: owned }): Draft {
  return { metadata: { namespace: 'default', name, uid: `uid-${name}`, labels: { app: 'web' }, ...metadata }, ...extra };
}

function ready(since: string): object {
  return { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }] };
}

describe('replicaset-controller', () => {
  it('creates missing pods, tells of them, and settles', async () => {
    const fake = new FakeCluster();
    fake.add(replicaSets, makeReplicaSet(3));
    await fake.run(replicaSetController);
    const created = fake.list(pods);
    expect(created.map((pod) => pod.metadata.name)).toEqual(['web-00001', 'web-00002', 'web-00003']);
    expect(created[0]?.metadata.ownerReferences).toEqual(owned);
    expect(fake.eventTexts()).toEqual([1, 2, 3].map((i) => `Normal SuccessfulCreate Created pod: web-0000${i}`));
    expect(fake.get(replicaSets, 'default', 'web')?.status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
    fake.clear();
    fake.change(replicaSets, 'default', 'web', (rs) => ({ ...rs, metadata: { ...rs.metadata, annotations: { a: 'b' } } }));
    await fake.settle();
    expect(fake.writeTexts()).toEqual([]);
  });

  it('creates at most 500 pods at a time', async () => {
    const fake = new FakeCluster();
    fake.add(replicaSets, makeReplicaSet(600));
    await fake.run(replicaSetController);
    expect(fake.list(pods).length).toBe(600);
    const firstStatus = fake.writes.findIndex((write) => write.verb === 'updateStatus');
    expect(firstStatus).toBe(500);
  });

  it('deletes by rank: unassigned, pending, not ready, cheap, crowded, young', async () => {
    const fake = new FakeCluster();
    const at = '2025-12-31T00:00:00Z';
    fake.add(replicaSets, makeReplicaSet(2));
    fake.add(pods, makePod('steady', { spec: { nodeName: 'n1' }, status: ready(at) }));
    fake.add(
      pods,
      makePod(
        'dear',
        { spec: { nodeName: 'n2' }, status: ready(at) },
        { ownerReferences: owned, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '10' } },
      ),
    );
    fake.add(
      pods,
      makePod(
        'cheap',
        { spec: { nodeName: 'n3' }, status: ready(at) },
        { ownerReferences: owned, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-10' } },
      ),
    );
    fake.add(pods, makePod('sick', { spec: { nodeName: 'n4' }, status: { phase: 'Running' } }));
    fake.add(pods, makePod('starting', { spec: { nodeName: 'n5' }, status: { phase: 'Pending' } }));
    fake.add(pods, makePod('waiting', { spec: {}, status: { phase: 'Pending' } }));
    await fake.run(replicaSetController);
    const deleted = fake.writes.filter((write) => write.verb === 'delete').map((write) => write.name);
    expect(deleted).toEqual(['waiting', 'starting', 'sick', 'cheap']);
    expect(fake.get(replicaSets, 'default', 'web')?.status).toMatchObject({ replicas: 2, readyReplicas: 2, terminatingReplicas: 3 });
  });

  it('adopts matching orphans and releases pods that match no more', async () => {
    const fake = new FakeCluster();
    fake.add(replicaSets, makeReplicaSet(1));
    fake.add(pods, makePod('orphan', {}, {}));
    fake.add(pods, makePod('stray', {}, { ownerReferences: owned, labels: { app: 'other' } }));
    await fake.run(replicaSetController);
    expect(fake.get(pods, 'default', 'orphan')?.metadata.ownerReferences).toEqual(owned);
    expect(fake.get(pods, 'default', 'stray')?.metadata.ownerReferences ?? []).toEqual([]);
    expect(fake.list(pods).length).toBe(2);
  });

  it('says why it cannot create pods, and that it can again', async () => {
    const fake = new FakeCluster();
    fake.refuse = (write) => {
      if (write.verb === 'create') throw newForbidden(pods, 'web-x', 'exceeded quota');
    };
    fake.add(replicaSets, makeReplicaSet(4));
    await fake.run(replicaSetController);
    expect(fake.get(replicaSets, 'default', 'web')?.status?.conditions).toEqual([
      {
        type: 'ReplicaFailure',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'FailedCreate',
        message: 'pods "web-x" is forbidden: exceeded quota',
      },
    ]);
    expect(fake.eventTexts()).toContain('Warning FailedCreate Error creating: pods "web-x" is forbidden: exceeded quota');
    fake.refuse = undefined;
    await fake.advance(1000);
    expect(fake.list(pods).length).toBe(4);
    expect(fake.get(replicaSets, 'default', 'web')?.status?.conditions).toBeUndefined();
  });

  it('counts a pod as available after minReadySeconds', async () => {
    const fake = new FakeCluster();
    fake.add(replicaSets, makeReplicaSet(1, { minReadySeconds: 10 }));
    fake.add(pods, makePod('a', { status: ready('2026-01-01T00:00:00Z') }));
    await fake.run(replicaSetController);
    expect(fake.get(replicaSets, 'default', 'web')?.status?.availableReplicas).toBeUndefined();
    await fake.advance(9_999);
    expect(fake.get(replicaSets, 'default', 'web')?.status?.availableReplicas).toBeUndefined();
    await fake.advance(1);
    expect(fake.get(replicaSets, 'default', 'web')?.status?.availableReplicas).toBe(1);
  });

  it('replaces a pod that ends, and carries causes', async () => {
    const fake = new FakeCluster();
    fake.add(replicaSets, makeReplicaSet(1));
    await fake.run(replicaSetController);
    fake.clear();
    fake.change(pods, 'default', 'web-00001', (pod) => ({ ...pod, status: { phase: 'Failed' } }));
    await fake.settle();
    expect(fake.writeTexts()[0]).toBe('create pods default/web-00002');
    expect(fake.writes[0]?.causes.some((cause) => cause.startsWith('rev:'))).toBe(true);
  });
});
