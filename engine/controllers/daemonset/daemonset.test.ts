/** Situations of DaemonSets; the test plays scheduler and kubelet. */
import { describe, expect, it } from 'vitest';
import { newInternalError } from '../../apimachinery/errors.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { controllerRevisions, daemonSets, nodes, pods } from '../../client/resources.ts';
import { daemonSetController } from './controller.ts';
import { targetNodeOf } from './nodes.ts';
import { DaemonBench, makeDaemonSet, rolling, templateOf } from './testing/daemon-bench.ts';

const noExecute = { taints: [{ key: 'odd', effect: 'NoExecute' }] };
const noSchedule = { taints: [{ key: 'odd', effect: 'NoSchedule' }] };

describe('daemonset-controller', () => {
  it('makes a pod for each node, pinned to it, and says how it stands', async () => {
    const bench = await DaemonBench.with(makeDaemonSet());
    expect(bench.where()).toEqual(['a=one', 'b=one', 'c=one']);
    expect(bench.eventTexts().sort()).toEqual(
      bench
        .created(pods)
        .map((name) => `Normal SuccessfulCreate Created pod: ${name}`)
        .sort(),
    );
    expect(bench.status()).toEqual({
      currentNumberScheduled: 3,
      desiredNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: 0,
      numberUnavailable: 3,
      observedGeneration: 1,
      updatedNumberScheduled: 3,
    });
    await bench.serve();
    expect(bench.status()).toMatchObject({ numberReady: 3, numberAvailable: 3 });
    bench.clear();
    bench.change(daemonSets, 'default', 'agent', (set) => ({ ...set, metadata: { ...set.metadata, labels: { a: 'b' } } }));
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('makes pods that bear the troubles of a node, with hash and owner', async () => {
    const bench = await DaemonBench.with(makeDaemonSet({}, { hostNetwork: true, tolerations: [{ key: 'mine', operator: 'Exists' }] }), ['a']);
    const [revision] = bench.list(controllerRevisions);
    const hash = revision?.metadata.labels?.['controller-revision-hash'];
    expect(revision?.metadata.name).toBe(`agent-${hash}`);
    const [pod] = bench.list(pods);
    expect(pod?.metadata.labels).toEqual({ app: 'agent', 'pod-template-generation': '1', 'controller-revision-hash': hash });
    expect(pod?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'DaemonSet', name: 'agent', uid: 'set-uid', controller: true });
    const tolerations = (pod?.spec?.tolerations ?? []).map(({ key, operator, effect }) => [key, operator, effect].join(' '));
    expect(tolerations).toEqual([
      'mine Exists ',
      'node.kubernetes.io/not-ready Exists NoExecute',
      'node.kubernetes.io/unreachable Exists NoExecute',
      'node.kubernetes.io/disk-pressure Exists NoSchedule',
      'node.kubernetes.io/memory-pressure Exists NoSchedule',
      'node.kubernetes.io/pid-pressure Exists NoSchedule',
      'node.kubernetes.io/unschedulable Exists NoSchedule',
      'node.kubernetes.io/network-unavailable Exists NoSchedule',
    ]);
    expect(pod?.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
    });
  });

  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
      },
    },
  };

  it.each([
    ['a node selector', { nodeSelector: { disk: 'ssd' } }, { spec: {}, labels: { disk: 'ssd' } }, ['b=one']],
    ['an affinity', { affinity }, { spec: {}, labels: { disk: 'ssd' } }, ['b=one']],
    ['a node name', { nodeName: 'b' }, { spec: {}, labels: {} }, ['b=one']],
    ['a taint', {}, { spec: noSchedule, labels: {} }, ['a=one', 'c=one']],
    ['a taint that it bears', { tolerations: [{ key: 'odd', operator: 'Exists' }] }, { spec: noSchedule, labels: {} }, ['a=one', 'b=one', 'c=one']],
    [
      'a node closed for others',
      {},
      { spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] }, labels: {} },
      ['a=one', 'b=one', 'c=one'],
    ],
  ])('chooses nodes by %s', async (_, podSpec, { spec, labels }, want) => {
    const bench = new DaemonBench();
    bench.addNode('a');
    bench.addNode('b', spec, labels);
    bench.addNode('c');
    bench.add(daemonSets, makeDaemonSet({}, podSpec));
    await bench.run(daemonSetController);
    await bench.advance(1_000);
    expect(bench.where()).toEqual(want);
    expect(bench.status()?.desiredNumberScheduled).toBe(want.length);
  });

  it('follows nodes that come, change and are tainted', async () => {
    const bench = await DaemonBench.serving();
    bench.addNode('d');
    await bench.advance(1_000);
    expect(bench.where()).toEqual(['a=one', 'b=one', 'c=one', 'd=one']);
    await bench.serve();
    bench.editNode('b', noSchedule);
    await bench.advance(1_000);
    expect(bench.where()).toEqual(['a=one', 'b=one', 'c=one', 'd=one']);
    bench.editNode('a', noExecute);
    await bench.advance(1_000);
    expect(bench.where()).toEqual(['a=one going', 'b=one', 'c=one', 'd=one']);
    await bench.endGoing();
    expect(bench.status()).toMatchObject({ desiredNumberScheduled: 2, currentNumberScheduled: 2, numberMisscheduled: 1 });
    bench.editNode('b', { taints: [] });
    await bench.advance(1_000);
    expect(bench.status()).toMatchObject({ desiredNumberScheduled: 3, numberMisscheduled: 0 });
  });

  it('removes a pod that waits for a node that is gone', async () => {
    const bench = await DaemonBench.with(makeDaemonSet());
    bench.remove(nodes, undefined, 'b');
    bench.change(daemonSets, 'default', 'agent', (set) => ({ ...set, metadata: { ...set.metadata, labels: { a: 'b' } } }));
    await bench.advance(1_000);
    expect(bench.where()).toEqual(['a=one', 'c=one']);
  });

  it('keeps the oldest pod of a node', async () => {
    const bench = await DaemonBench.serving();
    const [first] = bench.list(pods);
    bench.add(pods, {
      metadata: { namespace: 'default', name: 'second', labels: { app: 'agent' }, creationTimestamp: bench.time(5_000) },
      spec: { nodeName: targetNodeOf(first as Pod) },
    });
    await bench.advance(1_000);
    await bench.endGoing();
    expect(bench.get(pods, 'default', 'second')).toBeUndefined();
    expect(bench.list(pods)).toHaveLength(3);
  });

  it('makes failed pods anew, each time after twice as long', async () => {
    const bench = await DaemonBench.with(makeDaemonSet(), ['a']);
    const madeAtMs: number[] = [];
    for (let i = 0; i < 4; i++) {
      const startMs = bench.nowMs;
      const name = bench.list(pods)[0]?.metadata.name;
      bench.put(bench.list(pods)[0] as Pod, { phase: 'Failed' });
      while (bench.list(pods)[0]?.metadata.name === name) await bench.advance(100);
      madeAtMs.push(bench.nowMs - startMs);
    }
    expect(madeAtMs[0]).toBeLessThanOrEqual(200);
    expect(madeAtMs.slice(1).map((ms) => Math.round(ms / 500) / 2)).toEqual([1, 2, 4]);
    expect(bench.eventTexts().filter((text) => text.includes('FailedDaemonPod'))[0]).toMatch(
      /^Warning FailedDaemonPod Found failed daemon pod default\/agent-\w{5} on node a, will try to kill it$/,
    );
  });

  it('makes another one at once while it may surge: failed pods that wait do not count, as with the real controller', async () => {
    const bench = await DaemonBench.with(makeDaemonSet(rolling({ maxSurge: 1, maxUnavailable: 0 })), ['a']);
    for (let i = 0; i < 5; i++) {
      for (const pod of bench.list(pods)) if (pod.status?.phase !== 'Failed') bench.put(pod, { phase: 'Failed' });
      await bench.advance(100);
    }
    const failed = bench.list(pods).filter(({ status }) => status?.phase === 'Failed');
    expect([failed.length, bench.list(pods).length]).toEqual([4, 5]);
  });

  it('makes a pod anew that has ended well', async () => {
    const bench = await DaemonBench.with(makeDaemonSet(), ['a']);
    const [pod] = bench.list(pods);
    bench.put(pod as Pod, { phase: 'Succeeded' });
    await bench.advance(1_000);
    expect(bench.eventTexts()).toContain(
      `Normal SucceededDaemonPod Found succeeded daemon pod default/${pod?.metadata.name} on node a, will try to delete it`,
    );
    expect(bench.list(pods)[0]?.metadata.name).not.toBe(pod?.metadata.name);
  });

  it.each([
    [1, ['a=one going', 'b=one', 'c=one']],
    [2, ['a=one going', 'b=one going', 'c=one']],
    ['34%', ['a=one going', 'b=one going', 'c=one']],
  ])('updates with so many away at once: %s', async (maxUnavailable, want) => {
    const bench = await DaemonBench.serving(rolling({ maxUnavailable }));
    bench.edit({ template: templateOf('two') });
    await bench.advance(1_000);
    expect(bench.where().filter((text) => text.endsWith('going'))).toHaveLength(want.filter((text) => text.endsWith('going')).length);
    await bench.endGoing();
    expect(bench.where().filter((text) => text.endsWith('two'))).toHaveLength(want.filter((text) => text.endsWith('going')).length);
    await bench.settleAll();
    expect(bench.where()).toEqual(['a=two', 'b=two', 'c=two']);
    expect(bench.status()).toMatchObject({ updatedNumberScheduled: 3, numberAvailable: 3, observedGeneration: 2 });
  });

  it('replaces old pods that serve nobody at once', async () => {
    const bench = await DaemonBench.with(makeDaemonSet(rolling({ maxUnavailable: 1 })));
    bench.edit({ template: templateOf('two') });
    await bench.advance(1_000);
    expect(bench.where()).toEqual(['a=two', 'b=two', 'c=two']);
  });

  it('surges: the new pod comes first, the old one goes when it serves', async () => {
    const bench = await DaemonBench.serving(rolling({ maxSurge: 1, maxUnavailable: 0 }));
    bench.edit({ template: templateOf('two') });
    await bench.advance(1_000);
    expect(bench.where().filter((text) => text.endsWith('=two'))).toHaveLength(1);
    expect(bench.where().filter((text) => text.includes('going'))).toEqual([]);
    await bench.serve('two');
    expect(bench.where().filter((text) => text.endsWith('=one going'))).toHaveLength(1);
    await bench.settleAll();
    expect(bench.where()).toEqual(['a=two', 'b=two', 'c=two']);
  });

  it('leaves pods alone until somebody deletes them, when told so', async () => {
    const bench = await DaemonBench.serving({ updateStrategy: { type: 'OnDelete' } });
    bench.edit({ template: templateOf('two') });
    await bench.advance(60_000);
    expect(bench.where()).toEqual(['a=one', 'b=one', 'c=one']);
    expect(bench.status()?.updatedNumberScheduled).toBeUndefined();
    bench.remove(pods, 'default', bench.list(pods)[0]?.metadata.name ?? '');
    await bench.advance(1_000);
    expect(bench.where().filter((text) => text.endsWith('=two'))).toHaveLength(1);
  });

  it('goes back to an old revision, and forgets the oldest beyond its limit', async () => {
    const bench = await DaemonBench.serving({ revisionHistoryLimit: 1 });
    for (const image of ['two', 'three', 'two']) {
      bench.edit({ template: templateOf(image) });
      await bench.settleAll();
    }
    expect(bench.where()).toEqual(['a=two', 'b=two', 'c=two']);
    expect(
      bench
        .list(controllerRevisions)
        .map(({ revision }) => revision)
        .sort(),
    ).toEqual([3, 4]);
  });

  it('counts a collision of names and goes on', async () => {
    const plain = await DaemonBench.with(makeDaemonSet(), []);
    const taken = plain.list(controllerRevisions)[0]?.metadata.name ?? '';
    const bench = new DaemonBench();
    bench.add(controllerRevisions, { metadata: { namespace: 'default', name: taken }, data: { other: true }, revision: 1 });
    bench.add(daemonSets, makeDaemonSet());
    await bench.run(daemonSetController);
    await bench.advance(1_000);
    expect(bench.status()?.collisionCount).toBe(1);
    expect(bench.list(controllerRevisions)).toHaveLength(2);
  });

  it('adopts pods and revisions that nobody owns, and restarts none of them', async () => {
    const bench = await DaemonBench.serving();
    for (const type of [pods, controllerRevisions] as const)
      for (const { metadata } of bench.list<Pod>(type as typeof pods))
        bench.change<Pod>(type as typeof pods, 'default', metadata.name ?? '', (object) => {
          const { ownerReferences: _, ...rest } = object.metadata;
          return { ...object, metadata: rest };
        });
    const names = bench.list(pods).map(({ metadata }) => metadata.name);
    await bench.advance(1_000);
    expect(bench.list(pods).map(({ metadata }) => metadata.name)).toEqual(names);
    for (const { metadata } of [...bench.list(pods), ...bench.list(controllerRevisions)]) expect(metadata.ownerReferences?.[0]?.uid).toBe('set-uid');
  });

  it('counts a pod as available when it has been ready for long enough', async () => {
    const bench = await DaemonBench.with(makeDaemonSet({ minReadySeconds: 10 }), ['a']);
    await bench.serve();
    expect(bench.status()).toMatchObject({ numberReady: 1, numberUnavailable: 1 });
    await bench.advance(11_000);
    expect(bench.status()).toMatchObject({ numberReady: 1, numberAvailable: 1 });
  });

  it('refuses to select everything', async () => {
    const bench = new DaemonBench();
    bench.addNode('a');
    bench.add(daemonSets, makeDaemonSet({ selector: {} }));
    await bench.run(daemonSetController);
    expect(bench.eventTexts()).toEqual(['Warning SelectingAll This daemon set is selecting all pods. A non-empty selector is required.']);
    expect(bench.list(pods)).toEqual([]);
  });

  it('does nothing while it is being deleted', async () => {
    const bench = await DaemonBench.serving();
    bench.change(daemonSets, 'default', 'agent', (set) => ({
      ...set,
      metadata: { ...set.metadata, deletionTimestamp: bench.time(), finalizers: ['foregroundDeletion'] },
    }));
    bench.remove(pods, 'default', bench.list(pods)[0]?.metadata.name ?? '');
    await bench.advance(60_000);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('makes at most 250 pods in one go', async () => {
    const bench = new DaemonBench();
    for (let i = 0; i < 300; i++) bench.addNode(`n${i}`);
    bench.add(daemonSets, makeDaemonSet());
    await bench.run(daemonSetController);
    await bench.advance(10_000);
    expect(bench.list(pods)).toHaveLength(300);
    const creations = bench.writes.filter(({ resource, verb }) => resource === 'pods' || verb === 'updateStatus');
    expect(creations.findIndex(({ verb }) => verb === 'updateStatus')).toBe(250);
  });

  it('ends the same whichever of its writes fails', async () => {
    const play = async (failing: number): Promise<DaemonBench> => {
      const bench = new DaemonBench();
      let writes = 0;
      bench.refuse = () => {
        if (writes++ === failing) throw newInternalError('etcdserver: request timed out');
      };
      for (const name of ['a', 'b', 'c']) bench.addNode(name);
      bench.add(daemonSets, makeDaemonSet(rolling({ maxUnavailable: 2 })));
      await bench.run(daemonSetController);
      await bench.settleAll();
      bench.edit({ template: templateOf('two') });
      await bench.settleAll();
      return bench;
    };
    const end = (bench: DaemonBench): unknown => [
      bench.where(),
      bench.list(controllerRevisions).map(({ metadata, revision }) => [metadata.name, revision]),
      bench.status(),
    ];
    const undisturbed = await play(-1);
    const count = undisturbed.writes.length;
    expect(count).toBeGreaterThan(10);
    for (let failing = 0; failing < count; failing++) expect(end(await play(failing)), `write ${failing} fails`).toEqual(end(undisturbed));
  });
});
