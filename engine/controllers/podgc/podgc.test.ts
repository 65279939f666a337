import { describe, expect, it } from 'vitest';
import { nodes, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import type { Draft } from '../../../test/support/bench.ts';
import { podGarbageCollectorController } from './controller.ts';

const at = '2025-12-31T00:00:00Z';

function makePod(name: string, extra: { readonly metadata?: object; readonly spec?: object; readonly status?: object } = {}): Draft {
  return {
    metadata: { namespace: 'default', name, uid: `uid-${name}`, creationTimestamp: at, ...extra.metadata },
    spec: { ...extra.spec },
    status: { phase: 'Running', ...extra.status },
  };
}

function makeNode(ready: boolean, taints: readonly object[] = []): Draft {
  return { metadata: { name: 'n1' }, spec: { taints }, status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] } };
}

const deletion = { metadata: { deletionTimestamp: at, deletionGracePeriodSeconds: 30 } };

describe('pod-garbage-collector-controller', () => {
  it('deletes the oldest finished pods above the threshold, evicted ones first', async () => {
    const bench = new ControllerBench({ options: { terminatedPodGcThreshold: 1 } });
    bench.add(pods, makePod('done-new', { metadata: { creationTimestamp: '2025-12-31T02:00:00Z' }, status: { phase: 'Succeeded' } }));
    bench.add(pods, makePod('done-old', { status: { phase: 'Succeeded' } }));
    bench.add(pods, makePod('evicted', { metadata: { creationTimestamp: '2025-12-31T03:00:00Z' }, status: { phase: 'Failed', reason: 'Evicted' } }));
    bench.add(pods, makePod('alive'));
    await bench.run(podGarbageCollectorController);
    await bench.advance(0);
    expect(bench.writeTexts()).toEqual(['delete pods default/evicted', 'delete pods default/done-old']);
    expect(bench.writes[0]?.body).toEqual({ gracePeriodSeconds: 0 });
  });

  it('deletes pods of a vanished node after a quarantine, as failed and disrupted, because of its deletion', async () => {
    const bench = new ControllerBench();
    bench.add(nodes, makeNode(true));
    bench.add(pods, makePod('p', { spec: { nodeName: 'n1' } }));
    await bench.run(podGarbageCollectorController);
    await bench.advance(1_000);
    bench.remove(nodes, undefined, 'n1');
    await bench.advance(58_999);
    expect(bench.writeTexts()).toEqual([]);
    await bench.advance(1);
    expect(bench.writeTexts()).toEqual(['patch pods/status default/p', 'delete pods default/p']);
    expect(bench.writes[0]?.body).toMatchObject({
      metadata: { uid: 'uid-p' },
      status: {
        phase: 'Failed',
        conditions: [
          { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists', observedGeneration: 1 },
        ],
      },
    });
    expect(bench.writes[1]?.causes.some((cause) => cause.startsWith('rev:'))).toBe(true);
  });

  it.each([
    { name: 'terminating without a node', node: makeNode(true), pod: makePod('p', deletion), deleted: true },
    { name: 'terminating on a node', node: makeNode(false), pod: makePod('p', { ...deletion, spec: { nodeName: 'n1' } }), deleted: false },
    {
      name: 'terminating on a node out of service',
      node: makeNode(false, [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }]),
      pod: makePod('p', { ...deletion, spec: { nodeName: 'n1' } }),
      deleted: true,
    },
    {
      name: 'terminating on a ready node out of service',
      node: makeNode(true, [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }]),
      pod: makePod('p', { ...deletion, spec: { nodeName: 'n1' } }),
      deleted: false,
    },
  ])('$name: deleted $deleted', async ({ node, pod, deleted }) => {
    const bench = new ControllerBench();
    bench.add(nodes, node);
    bench.add(pods, pod);
    await bench.run(podGarbageCollectorController);
    await bench.advance(0);
    expect(bench.writeTexts()).toEqual(deleted ? ['patch pods/status default/p', 'delete pods default/p'] : []);
  });
});
