import { describe, expect, it } from 'vitest';
import type { Node, Taint, Toleration } from '../../api/core/v1/types.gen.ts';
import { newInternalError } from '../../apimachinery/errors.ts';
import { nodes, pods } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { taintEvictionController } from './controller.ts';

const unreachable: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

async function makeCluster(tolerations: readonly Toleration[]): Promise<ControllerBench> {
  const bench = new ControllerBench();
  bench.add(nodes, { metadata: { name: 'n1' }, spec: {} });
  bench.add(pods, {
    metadata: { namespace: 'default', name: 'p', uid: 'p-uid' },
    spec: { nodeName: 'n1', tolerations },
    status: { phase: 'Running' },
  });
  await bench.run(taintEvictionController);
  return bench;
}

function taint(bench: ControllerBench, taints: readonly Taint[]): void {
  bench.change(nodes, undefined, 'n1', (node: Node) => ({ ...node, spec: { ...node.spec, taints } }));
}

const tolerateFor = (tolerationSeconds?: number): Toleration => ({
  key: unreachable.key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('taint-eviction-controller', () => {
  it.each([
    { name: 'not tolerated', tolerations: [], afterMs: 0 },
    { name: 'tolerated for a while', tolerations: [tolerateFor(300)], afterMs: 300_000 },
    { name: 'tolerated for ever', tolerations: [tolerateFor()], afterMs: undefined },
    { name: 'tolerated for no time', tolerations: [tolerateFor(0)], afterMs: 0 },
  ])('$name', async ({ tolerations, afterMs }) => {
    const bench = await makeCluster(tolerations);
    taint(bench, [unreachable]);
    const revision = `rev:${bench.get(nodes, undefined, 'n1')?.metadata.resourceVersion}`;
    if (afterMs !== 0) await bench.advance(afterMs === undefined ? 1e9 : afterMs - 1);
    if (afterMs === undefined || afterMs > 0) expect(bench.writeTexts()).toEqual([]);
    if (afterMs === undefined) return;
    await bench.advance(1);
    expect(bench.writeTexts()).toEqual(['patch pods/status default/p', 'delete pods default/p']);
    expect(bench.writes[0]?.body).toMatchObject({
      status: {
        conditions: [
          { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' },
        ],
      },
    });
    expect(bench.writes[1]?.causes[0]).toMatch(/^rev:/);
    expect(revision).toMatch(/^rev:/);
    expect(bench.eventTexts()).toEqual(['Normal TaintManagerEviction Marking for deletion Pod default/p']);
  });

  it('cancels when the taint goes, and keeps its date while taints change', async () => {
    const bench = await makeCluster([{ operator: 'Exists', tolerationSeconds: 100 }]);
    taint(bench, [unreachable]);
    await bench.advance(50_000);
    taint(bench, [{ ...unreachable, key: 'node.kubernetes.io/not-ready' }]);
    await bench.advance(49_999);
    expect(bench.writeTexts()).toEqual([]);
    taint(bench, []);
    await bench.advance(1e6);
    expect(bench.writeTexts()).toEqual([]);
    expect(bench.eventTexts()).toEqual(['Normal TaintManagerEviction Cancelling deletion of Pod default/p']);
  });

  it('evicts pods that come to a tainted node, naming the taint as cause', async () => {
    const bench = await makeCluster([tolerateFor()]);
    taint(bench, [unreachable]);
    const tainted = `rev:${Number(bench.get(nodes, undefined, 'n1')?.metadata.resourceVersion)}`;
    bench.add(pods, { metadata: { namespace: 'default', name: 'late' }, spec: { nodeName: 'n1' } });
    await bench.settle();
    expect(bench.writeTexts()).toEqual(['patch pods/status default/late', 'delete pods default/late']);
    expect(bench.writes[0]?.causes).toHaveLength(2);
    expect(Number(bench.writes[0]?.causes[0]?.slice(4))).toBeLessThanOrEqual(Number(tainted.slice(4)));
  });

  it('tries a deletion five times within a moment, then leaves the pod to the next change of taints', async () => {
    const bench = await makeCluster([]);
    let tries = 0;
    bench.refuse = () => {
      tries++;
      throw newInternalError('the API fails');
    };
    taint(bench, [unreachable]);
    await bench.advance(3_600_000);
    expect(tries).toBe(5);
    expect(bench.get(pods, 'default', 'p')?.metadata.deletionTimestamp).toBeUndefined();
    expect(bench.eventTexts()).toEqual(['Normal TaintManagerEviction Marking for deletion Pod default/p']);
    bench.refuse = undefined;
    taint(bench, [{ ...unreachable, key: 'node.kubernetes.io/not-ready' }]);
    await bench.advance(1);
    expect(bench.writeTexts()).toEqual(['patch pods/status default/p', 'delete pods default/p']);
  });
});
