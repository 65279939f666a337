/** Evictions of release 1.13 without taints: what its doEvictionPass and DeletePods do. */
import { describe, expect, it } from 'vitest';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { daemonSets, nodes, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { release } from '../../releases/1.13/release.ts';
import { nodeLifecycleController } from './controller.ts';

const timeoutMs = 300_000;
const options = { evictsByTaints: false, podEvictionTimeoutMs: timeoutMs, nodeMonitorGracePeriodMs: 40_000, traits: release.controllers };

type Ready = 'True' | 'False';

function nodeOf(name: string, status: Ready, bench: ControllerBench, turned = bench.time()): Pick<Node, 'metadata' | 'spec' | 'status'> {
  const conditions = [{ type: 'Ready', status, lastHeartbeatTime: bench.time(), lastTransitionTime: turned }];
  return { metadata: { name, uid: `uid-${name}` }, spec: {}, status: { conditions } };
}

/** Nodes speak every ten seconds, each with its readiness; those that are not named are silent. */
async function live(bench: ControllerBench, seconds: number, speaking: { readonly [name: string]: readonly [status: Ready, turned: string] }) {
  for (let i = 0; i < seconds / 10; i++) {
    for (const [name, [status, turned]] of Object.entries(speaking))
      bench.change(nodes, undefined, name, (node) => ({ ...node, status: nodeOf(name, status, bench, turned).status ?? {} }));
    await bench.advance(10_000);
  }
}

async function aBench(): Promise<ControllerBench> {
  const bench = new ControllerBench({ options });
  for (const name of ['a', 'b']) bench.add(nodes, nodeOf(name, 'True', bench));
  const pod = (name: string, labels: { readonly [key: string]: string }): unknown =>
    bench.add(pods, {
      metadata: { namespace: 'default', name, uid: name, labels },
      spec: { nodeName: 'b', containers: [], tolerations: [{ operator: 'Exists' }] },
      status: { phase: 'Running' },
    });
  pod('web', { app: 'web' });
  pod('daemon', { app: 'daemon' });
  const template = { metadata: { labels: { app: 'daemon' } }, spec: { containers: [] } };
  bench.add(daemonSets, {
    metadata: { namespace: 'default', name: 'd', uid: 'd' },
    spec: { selector: { matchLabels: { app: 'daemon' } }, template },
  });
  await bench.run(nodeLifecycleController);
  await bench.advance(0);
  return bench;
}

const namesOf = (bench: ControllerBench): readonly string[] =>
  ['daemon', 'late', 'web'].filter(
    (name) => bench.get(pods, 'default', name) !== undefined && !bench.get(pods, 'default', name)?.metadata.deletionTimestamp,
  );

describe('evictions without taints', () => {
  it('delete all pods but those of daemons once a node has been silent for the timeout, and say so', async () => {
    const bench = await aBench();
    const begun = bench.time();
    await live(bench, 290, { a: ['True', begun] });
    expect(namesOf(bench)).toEqual(['daemon', 'web']);
    await live(bench, 30, { a: ['True', begun] });
    expect(namesOf(bench)).toEqual(['daemon']);
    expect(bench.get(pods, 'default', 'daemon')?.status).toMatchObject({
      reason: 'NodeLost',
      message: 'Node b which was running pod daemon is unresponsive',
    });
    expect(bench.get(nodes, undefined, 'b')?.spec?.taints?.some(({ effect }) => effect === 'NoExecute')).not.toBe(true);
    expect(bench.eventTexts()).toEqual(
      expect.arrayContaining([
        'Normal DeletingAllPods Node b event: Deleting all Pods from Node b.',
        'Normal NodeControllerEviction Marking for deletion Pod web from Node b',
      ]),
    );
    // The turn is over: who comes later stays.
    bench.add(pods, { metadata: { namespace: 'default', name: 'late', uid: 'late' }, spec: { nodeName: 'b', containers: [] } });
    await live(bench, 60, { a: ['True', begun] });
    expect(namesOf(bench)).toEqual(['daemon', 'late']);
  });

  it('count from the turn where a kubelet says that it is not ready, and not from its last word', async () => {
    const bench = await aBench();
    const begun = bench.time();
    await live(bench, 60, { a: ['True', begun], b: ['True', begun] });
    const turned = bench.time();
    await live(bench, 290, { a: ['True', begun], b: ['False', turned] });
    expect(namesOf(bench)).toEqual(['daemon', 'web']);
    await live(bench, 40, { a: ['True', begun], b: ['False', turned] });
    expect(namesOf(bench)).toEqual(['daemon']);
  });

  it('are called off where the node is well again in time', async () => {
    const bench = await aBench();
    const begun = bench.time();
    await live(bench, 280, { a: ['True', begun] });
    await live(bench, 400, { a: ['True', begun], b: ['True', bench.time()] });
    expect(namesOf(bench)).toEqual(['daemon', 'web']);
  });

  it('stop while nobody is ready, and begin anew with the first who is', async () => {
    const bench = await aBench();
    await live(bench, 250, {});
    const back = bench.time();
    await live(bench, 290, { a: ['True', back] });
    expect(namesOf(bench)).toEqual(['daemon', 'web']);
    await live(bench, 30, { a: ['True', back] });
    expect(namesOf(bench)).toEqual(['daemon']);
  });
});
