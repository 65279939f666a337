/** Situations of StatefulSets; the test plays scheduler and kubelet. Their claims: `claims.test.ts`. */
import { describe, expect, it } from 'vitest';
import { newInternalError } from '../../apimachinery/errors.ts';
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from '../../client/resources.ts';
import { statefulSetController } from './controller.ts';
import { claimTemplates, makeSet, SetBench, templateOf } from './testing/set-bench.ts';

describe('statefulset-controller', () => {
  it('makes pods in order, each when the one before is ready', async () => {
    const bench = await SetBench.with(makeSet(3));
    expect(bench.names()).toEqual(['web-0']);
    bench.put('web-0', { phase: 'Running' });
    await bench.advance(1_000);
    expect(bench.names()).toEqual(['web-0']);
    await bench.serve('web-0');
    expect(bench.names()).toEqual(['web-0', 'web-1']);
    await bench.serve('web-1');
    await bench.serve('web-2');
    expect(bench.eventTexts()).toEqual([0, 1, 2].map((i) => `Normal SuccessfulCreate Create Pod web-${i} in StatefulSet web successful`));
    const [name] = bench.revisions()[0] ?? [];
    expect(bench.status()).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: name,
      updateRevision: name,
      collisionCount: 0,
      availableReplicas: 3,
    });
  });

  it('gives each pod its identity', async () => {
    const bench = await SetBench.with(makeSet(1));
    const [revision] = bench.revisions()[0] ?? [];
    expect(bench.get(pods, 'default', 'web-0')).toMatchObject({
      metadata: {
        name: 'web-0',
        generateName: 'web-',
        labels: {
          app: 'web',
          'apps.kubernetes.io/pod-index': '0',
          'controller-revision-hash': revision,
          'statefulset.kubernetes.io/pod-name': 'web-0',
        },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'set-uid', controller: true, blockOwnerDeletion: true }],
      },
      spec: { hostname: 'web-0', subdomain: 'front' },
    });
  });

  it.each([
    ['all at once where they may', { podManagementPolicy: 'Parallel' }, ['web-0', 'web-1', 'web-2']],
    ['from another first ordinal', { ordinals: { start: 5 } }, ['web-5']],
    ['none of none', { replicas: 0 }, []],
  ])('makes pods %s', async (_, extra, want) => {
    const bench = await SetBench.with(makeSet(3, extra));
    expect(bench.names()).toEqual(want);
    bench.clear();
    bench.change(statefulSets, 'default', 'web', (set) => ({ ...set, metadata: { ...set.metadata, annotations: { a: 'b' } } }));
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('lives through a set of two thousand million pods', async () => {
    const bench = await SetBench.with(makeSet(2_147_483_647, { ordinals: { start: 7 } }));
    expect(bench.names()).toEqual(['web-7']);
  });

  it('makes many at most 500 in a pass', async () => {
    const bench = await SetBench.with(makeSet(600, { podManagementPolicy: 'Parallel' }));
    await bench.advance(1_000);
    expect(bench.names()).toHaveLength(600);
    expect(
      bench.writes.filter(({ resource, verb }) => resource === 'pods' || verb === 'updateStatus').findIndex(({ verb }) => verb === 'updateStatus'),
    ).toBe(500);
  });

  it('scales down one by one from the highest ordinal, each when the one before is gone', async () => {
    const bench = await SetBench.serving(3);
    bench.edit({ replicas: 1 });
    await bench.advance(50);
    expect(bench.names()).toEqual(['web-0', 'web-1', 'web-2 going']);
    await bench.advance(10_000);
    expect(bench.names()).toEqual(['web-0', 'web-1', 'web-2 going']);
    await bench.end('web-2');
    expect(bench.names()).toEqual(['web-0', 'web-1 going']);
    await bench.end('web-1');
    expect(bench.eventTexts()).toEqual([2, 1].map((i) => `Normal SuccessfulDelete Delete Pod web-${i} in StatefulSet web successful`));
    expect(bench.status()).toMatchObject({ replicas: 1, readyReplicas: 1, currentReplicas: 1 });
  });

  it('halts scaling down while a lower pod is not ready, and goes on with it when it is the first', async () => {
    const bench = await SetBench.serving(3);
    bench.put('web-1', { conditions: [{ type: 'Ready', status: 'False' }] });
    await bench.settle();
    bench.edit({ replicas: 1 });
    await bench.advance(50);
    expect(bench.names()).toEqual(['web-0', 'web-1', 'web-2 going']);
    await bench.end('web-2');
    expect(bench.names()).toEqual(['web-0', 'web-1 going']);
  });

  it('waits with everything while a wanted pod is not ready', async () => {
    const bench = await SetBench.serving(3);
    bench.put('web-0', { conditions: [{ type: 'Ready', status: 'False' }] });
    await bench.settle();
    bench.edit({ replicas: 2 });
    await bench.advance(1_000);
    expect(bench.names()).toEqual(['web-0', 'web-1', 'web-2']);
  });

  it('removes all at once where they may go so', async () => {
    const bench = await SetBench.serving(4, { podManagementPolicy: 'Parallel' });
    bench.edit({ replicas: 1 });
    await bench.advance(50);
    expect(bench.names()).toEqual(['web-0', 'web-1 going', 'web-2 going', 'web-3 going']);
  });

  it('updates one by one from the highest ordinal', async () => {
    const bench = await SetBench.serving(3);
    const [old] = bench.revisions()[0] ?? [];
    bench.edit({ template: templateOf('two') });
    await bench.advance(50);
    expect(bench.names()).toEqual(['web-0', 'web-1', 'web-2 going']);
    const update = bench.status()?.updateRevision;
    expect(bench.status()).toMatchObject({ currentRevision: old, currentReplicas: 2, replicas: 3 });
    expect(update).not.toBe(old);
    await bench.end('web-2');
    expect(bench.images()).toEqual(['web-0=one', 'web-1=one', 'web-2=two']);
    await bench.advance(10_000);
    expect(bench.names()).toEqual(['web-0', 'web-1', 'web-2']);
    await bench.serveAll();
    expect(bench.images()).toEqual(['web-0=two', 'web-1=two', 'web-2=two']);
    expect(bench.status()).toMatchObject({ currentRevision: update, updateRevision: update, currentReplicas: 3, updatedReplicas: 3 });
  });

  it('updates down to the partition, and remakes pods below it as they were', async () => {
    const bench = await SetBench.serving(3, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
    bench.edit({ template: templateOf('two') });
    await bench.advance(50);
    await bench.serveAll();
    expect(bench.images()).toEqual(['web-0=one', 'web-1=one', 'web-2=two']);
    expect(bench.status()).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
    await bench.end('web-0');
    await bench.serveAll();
    expect(bench.images()).toEqual(['web-0=one', 'web-1=one', 'web-2=two']);
    bench.edit({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } });
    await bench.advance(50);
    await bench.serveAll();
    expect(bench.images()).toEqual(['web-0=two', 'web-1=two', 'web-2=two']);
  });

  it('leaves pods alone until somebody deletes them, when told so', async () => {
    const bench = await SetBench.serving(2, { updateStrategy: { type: 'OnDelete' } });
    bench.edit({ template: templateOf('two') });
    await bench.advance(10_000);
    expect(bench.images()).toEqual(['web-0=one', 'web-1=one']);
    await bench.end('web-0');
    expect(bench.images()).toEqual(['web-0=two', 'web-1=one']);
  });

  it('is stuck with a pod that never became ready, until somebody deletes it', async () => {
    const bench = await SetBench.serving(2);
    bench.edit({ template: templateOf('broken') });
    await bench.advance(50);
    await bench.end('web-1');
    bench.edit({ template: templateOf('one') });
    await bench.advance(60_000);
    expect(bench.images()).toEqual(['web-0=one', 'web-1=broken']);
    await bench.end('web-1');
    await bench.serveAll();
    expect(bench.images()).toEqual(['web-0=one', 'web-1=one']);
  });

  it('counts up the revision of an old template that is the newest again', async () => {
    const bench = await SetBench.serving(1);
    const [[first]] = bench.revisions() as [[string, number]];
    bench.edit({ template: templateOf('two') });
    await bench.advance(50);
    await bench.serveAll();
    bench.edit({ template: templateOf('one') });
    await bench.advance(50);
    await bench.serveAll();
    expect(new Map(bench.revisions()).get(first)).toBe(3);
    expect(bench.revisions()).toHaveLength(2);
    expect(bench.status()?.currentRevision).toBe(first);
  });

  it.each([
    [true, ['web-0=one']],
    [false, ['web-0=one going']],
  ])('StatefulSetSemanticRevisionComparison=%s: a revision in other words, and its pods', async (comparesRevisions, want) => {
    const bench = await SetBench.serving(1, {}, { options: { comparesRevisions } });
    const [[name = '']] = bench.revisions() as [[string, number]];
    // As servers before 1.34 wrote what has no time.
    bench.change(controllerRevisions, 'default', name, (revision) => {
      const { spec } = revision.data as { readonly spec: { readonly template: { readonly metadata: object } } };
      const { template } = spec;
      const data = { spec: { ...spec, template: { ...template, metadata: { ...template.metadata, creationTimestamp: null } } } };
      return { ...revision, data } as typeof revision;
    });
    bench.edit({ revisionHistoryLimit: 9 });
    await bench.advance(50);
    expect(bench.revisions()).toHaveLength(comparesRevisions ? 1 : 2);
    const going = new Set(bench.names().filter((one) => one.endsWith(' going')));
    expect(bench.images().map((image) => (going.has(`${image.split('=')[0]} going`) ? `${image} going` : image))).toEqual(want);
  });

  it('forgets the oldest revisions beyond its limit, but none that a pod is of', async () => {
    const bench = await SetBench.serving(2, { revisionHistoryLimit: 1, updateStrategy: { type: 'OnDelete' } });
    for (const image of ['two', 'three', 'four', 'five']) {
      bench.edit({ template: templateOf(image) });
      await bench.advance(50);
    }
    // Of the pods, of the template, and one more.
    expect(
      bench
        .revisions()
        .map(([, revision]) => revision)
        .sort(),
    ).toEqual([1, 4, 5]);
  });

  it('makes a revision under another name when its own is taken', async () => {
    const plain = await SetBench.with(makeSet(0));
    const [name] = plain.revisions()[0] ?? [];
    const bench = new SetBench();
    bench.add(controllerRevisions, { metadata: { namespace: 'default', name: name ?? '' }, data: { other: true }, revision: 1 });
    bench.add(statefulSets, makeSet(0));
    await bench.run(statefulSetController);
    await bench.advance(50);
    expect(bench.revisions()).toHaveLength(2);
    expect(bench.status()).toMatchObject({ collisionCount: 1, currentRevision: bench.revisions().find(([other]) => other !== name)?.[0] });
  });

  it.each(['Failed', 'Succeeded'])('makes a pod anew that has %s', async (phase) => {
    const bench = await SetBench.serving(2);
    bench.put('web-0', { phase, conditions: [] });
    await bench.advance(50);
    // One that has ended is gone at once.
    expect(bench.eventTexts()).toEqual([
      'Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful',
      'Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful',
    ]);
    expect(bench.names()).toEqual(['web-0', 'web-1']);
    expect(bench.get(pods, 'default', 'web-0')?.status?.phase).toBe('Pending');
  });

  it('waits until a ready pod has been so for long enough', async () => {
    const bench = await SetBench.with(makeSet(2, { minReadySeconds: 10 }));
    await bench.serve('web-0');
    await bench.advance(9_000);
    expect(bench.names()).toEqual(['web-0']);
    expect(bench.status()).toMatchObject({ readyReplicas: 1, availableReplicas: 0 });
    await bench.advance(2_000);
    expect(bench.names()).toEqual(['web-0', 'web-1']);
    expect(bench.status()).toMatchObject({ availableReplicas: 1 });
  });

  it.each([
    [2, ['web-3 going', 'web-4 going']],
    ['50%', ['web-3 going', 'web-4 going']],
    ['1%', ['web-4 going']],
  ])('updates several at once where the gate allows: maxUnavailable %s', async (maxUnavailable, going) => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable } };
    const bench = await SetBench.serving(5, { updateStrategy }, { options: { maxUnavailableStatefulSet: true } });
    bench.edit({ template: templateOf('two') });
    await bench.advance(50);
    expect(bench.names().filter((name) => name.endsWith('going'))).toEqual(going);
    await bench.serveAll();
    expect(bench.images().every((image) => image.endsWith('=two'))).toBe(true);
  });

  it('updates one at a time where the gate does not', async () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 3 } };
    const bench = await SetBench.serving(5, { updateStrategy });
    bench.edit({ template: templateOf('two') });
    await bench.advance(50);
    expect(bench.names().filter((name) => name.endsWith('going'))).toEqual(['web-4 going']);
  });

  it('adopts pods of its name and releases those that do not match any more', async () => {
    const bench = new SetBench();
    bench.add(pods, { metadata: { namespace: 'default', name: 'web-1', labels: { app: 'web' } } });
    bench.add(pods, { metadata: { namespace: 'default', name: 'web-x', labels: { app: 'web' } } });
    bench.add(statefulSets, makeSet(2));
    await bench.run(statefulSetController);
    await bench.advance(50);
    expect(bench.get(pods, 'default', 'web-1')?.metadata.ownerReferences?.[0]?.uid).toBe('set-uid');
    expect(bench.get(pods, 'default', 'web-x')?.metadata.ownerReferences).toBeUndefined();
    bench.change(pods, 'default', 'web-1', (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { app: 'other' } } }));
    await bench.advance(50);
    expect(bench.get(pods, 'default', 'web-1')?.metadata.ownerReferences).toBeUndefined();
  });

  it('only tells how it stands while it is being deleted', async () => {
    const bench = await SetBench.serving(2);
    bench.change(statefulSets, 'default', 'web', (set) => ({
      ...set,
      metadata: { ...set.metadata, deletionTimestamp: bench.time(), finalizers: ['foregroundDeletion'] },
    }));
    await bench.end('web-1');
    await bench.advance(1_000);
    expect(bench.names()).toEqual(['web-0']);
    expect(bench.status()).toMatchObject({ replicas: 1 });
  });

  it('ends the same whichever of its writes fails', async () => {
    const play = async (failing: number): Promise<SetBench> => {
      const bench = new SetBench();
      let writes = 0;
      bench.refuse = () => {
        if (writes++ === failing) throw newInternalError('etcdserver: request timed out');
      };
      bench.add(statefulSets, makeSet(2, claimTemplates));
      await bench.run(statefulSetController);
      for (let i = 0; i < 3; i++) {
        await bench.advance(2_000);
        await bench.serveAll();
      }
      bench.edit({ template: templateOf('two') });
      for (let i = 0; i < 4; i++) {
        await bench.advance(2_000);
        await bench.serveAll();
      }
      return bench;
    };
    const end = (bench: SetBench): unknown => [
      bench.images(),
      bench.revisions(),
      bench.status(),
      bench.list(persistentVolumeClaims).map(({ metadata }) => metadata.name),
    ];
    const undisturbed = await play(-1);
    const count = undisturbed.writes.length;
    expect(count).toBeGreaterThan(12);
    for (let failing = 0; failing < count; failing++) expect(end(await play(failing)), `write ${failing} fails`).toEqual(end(undisturbed));
  });
});
