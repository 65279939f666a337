import { describe, expect, it } from 'vitest';
import { newForbidden } from '../../apimachinery/errors.ts';
import { pods, replicaSets } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import type { Draft } from '../../../test/support/bench.ts';
import { replicaSetController } from './controller.ts';

function makeReplicaSet(replicas: number, extra: object = {}): Draft {
  return {
    metadata: { namespace: 'default', name: 'web', uid: 'rs-uid' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
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
    const bench = new ControllerBench();
    bench.add(replicaSets, makeReplicaSet(3));
    await bench.run(replicaSetController);
    const created = bench.list(pods);
    const names = created.map((pod) => pod.metadata.name ?? '');
    expect(names).toEqual([1, 2, 3].map(() => expect.stringMatching(/^web-.{5}$/)));
    expect(created[0]?.metadata.ownerReferences).toEqual(owned);
    expect(bench.eventTexts().toSorted()).toEqual(names.map((name) => `Normal SuccessfulCreate Created pod: ${name}`));
    expect(bench.get(replicaSets, 'default', 'web')?.status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      terminatingReplicas: 0,
      observedGeneration: 1,
    });
    bench.clear();
    bench.change(replicaSets, 'default', 'web', (rs) => ({ ...rs, metadata: { ...rs.metadata, annotations: { a: 'b' } } }));
    await bench.settle();
    expect(bench.writeTexts()).toEqual([]);
  });

  it('creates at most 500 pods at a time', async () => {
    const bench = new ControllerBench();
    bench.add(replicaSets, makeReplicaSet(600));
    await bench.run(replicaSetController);
    expect(bench.list(pods).length).toBe(600);
    const firstStatus = bench.writes.findIndex((write) => write.verb === 'updateStatus');
    expect(firstStatus).toBe(500);
  });

  it('deletes by rank: unassigned, pending, not ready, cheap, crowded, young', async () => {
    const bench = new ControllerBench();
    const at = '2025-12-31T00:00:00Z';
    bench.add(replicaSets, makeReplicaSet(2));
    bench.add(pods, makePod('steady', { spec: { nodeName: 'n1' }, status: ready(at) }));
    bench.add(
      pods,
      makePod(
        'dear',
        { spec: { nodeName: 'n2' }, status: ready(at) },
        { ownerReferences: owned, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '10' } },
      ),
    );
    bench.add(
      pods,
      makePod(
        'cheap',
        { spec: { nodeName: 'n3' }, status: ready(at) },
        { ownerReferences: owned, annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-10' } },
      ),
    );
    bench.add(pods, makePod('sick', { spec: { nodeName: 'n4' }, status: { phase: 'Running' } }));
    bench.add(pods, makePod('starting', { spec: { nodeName: 'n5' }, status: { phase: 'Pending' } }));
    bench.add(pods, makePod('waiting', { spec: {}, status: { phase: 'Pending' } }));
    await bench.run(replicaSetController);
    const deleted = bench.writes.filter((write) => write.verb === 'delete').map((write) => write.name);
    expect(deleted).toEqual(['waiting', 'starting', 'sick', 'cheap']);
    expect(bench.get(replicaSets, 'default', 'web')?.status).toMatchObject({ replicas: 2, readyReplicas: 2, terminatingReplicas: 3 });
  });

  it('adopts matching orphans and releases pods that match no more', async () => {
    const bench = new ControllerBench();
    bench.add(replicaSets, makeReplicaSet(1));
    bench.add(pods, makePod('orphan', {}, {}));
    bench.add(pods, makePod('stray', {}, { ownerReferences: owned, labels: { app: 'other' } }));
    await bench.run(replicaSetController);
    expect(bench.get(pods, 'default', 'orphan')?.metadata.ownerReferences).toEqual(owned);
    expect(bench.get(pods, 'default', 'stray')?.metadata.ownerReferences ?? []).toEqual([]);
    expect(bench.list(pods).length).toBe(2);
  });

  it('says why it cannot create pods, and that it can again', async () => {
    const bench = new ControllerBench();
    bench.refuse = (write) => {
      if (write.verb === 'create') throw newForbidden(pods, 'web-x', 'exceeded quota');
    };
    bench.add(replicaSets, makeReplicaSet(4));
    await bench.run(replicaSetController);
    expect(bench.get(replicaSets, 'default', 'web')?.status?.conditions).toEqual([
      {
        type: 'ReplicaFailure',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'FailedCreate',
        message: 'pods "web-x" is forbidden: exceeded quota',
      },
    ]);
    expect(bench.eventTexts()).toContain('Warning FailedCreate Error creating: pods "web-x" is forbidden: exceeded quota');
    bench.refuse = undefined;
    await bench.advance(1000);
    expect(bench.list(pods).length).toBe(4);
    expect(bench.get(replicaSets, 'default', 'web')?.status?.conditions).toBeUndefined();
  });

  it('counts a pod as available after minReadySeconds', async () => {
    const bench = new ControllerBench();
    bench.add(replicaSets, makeReplicaSet(1, { minReadySeconds: 10 }));
    bench.add(pods, makePod('a', { status: ready('2026-01-01T00:00:00Z') }));
    await bench.run(replicaSetController);
    expect(bench.get(replicaSets, 'default', 'web')?.status?.availableReplicas).toBeUndefined();
    await bench.advance(9_999);
    expect(bench.get(replicaSets, 'default', 'web')?.status?.availableReplicas).toBeUndefined();
    await bench.advance(1);
    expect(bench.get(replicaSets, 'default', 'web')?.status?.availableReplicas).toBe(1);
  });

  it('replaces a pod that ends, and carries causes', async () => {
    const bench = new ControllerBench();
    bench.add(replicaSets, makeReplicaSet(1));
    await bench.run(replicaSetController);
    bench.clear();
    const [first] = bench.list(pods);
    bench.change(pods, 'default', first?.metadata.name ?? '', (pod) => ({ ...pod, status: { phase: 'Failed' } }));
    await bench.settle();
    expect(bench.writeTexts()[0]).toMatch(/^create pods default\/web-/);
    expect(bench.writes[0]?.causes.some((cause) => cause.startsWith('rev:'))).toBe(true);
  });
});
