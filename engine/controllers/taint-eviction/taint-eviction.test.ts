import { describe, expect, it } from 'vitest';
import type { Node, Taint, Toleration } from '../../api/core/v1/types.gen.ts';
import { nodes, pods } from '../../client/resources.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { taintEvictionController } from './controller.ts';

const unreachable: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

async function makeCluster(tolerations: readonly Toleration[]): Promise<FakeCluster> {
  const fake = new FakeCluster();
  fake.add(nodes, { metadata: { name: 'n1' }, spec: {} });
  fake.add(pods, {
    metadata: { namespace: 'default', name: 'p', uid: 'p-uid' },
    spec: { nodeName: 'n1', tolerations },
    status: { phase: 'Running' },
  });
  await fake.run(taintEvictionController);
  return fake;
}

function taint(fake: FakeCluster, taints: readonly Taint[]): void {
  fake.change(nodes, undefined, 'n1', (node: Node) => ({ ...node, spec: { ...node.spec, taints } }));
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
    const fake = await makeCluster(tolerations);
    taint(fake, [unreachable]);
    const revision = `rev:${fake.get(nodes, undefined, 'n1')?.metadata.resourceVersion}`;
    if (afterMs !== 0) await fake.advance(afterMs === undefined ? 1e9 : afterMs - 1);
    else await fake.settle();
    if (afterMs === undefined || afterMs > 0) expect(fake.writeTexts()).toEqual([]);
    if (afterMs === undefined) return;
    if (afterMs > 0) await fake.advance(1);
    expect(fake.writeTexts()).toEqual(['patch pods/status default/p', 'delete pods default/p']);
    expect(fake.writes[0]?.body).toMatchObject({
      status: {
        conditions: [
          { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' },
        ],
      },
    });
    expect(fake.writes[1]?.causes[0]).toMatch(/^rev:/);
    expect(revision).toMatch(/^rev:/);
    expect(fake.eventTexts()).toEqual(['Normal TaintManagerEviction Marking for deletion Pod default/p']);
  });

  it('cancels when the taint goes, and keeps its date while taints change', async () => {
    const fake = await makeCluster([{ operator: 'Exists', tolerationSeconds: 100 }]);
    taint(fake, [unreachable]);
    await fake.advance(50_000);
    taint(fake, [{ ...unreachable, key: 'node.kubernetes.io/not-ready' }]);
    await fake.advance(49_999);
    expect(fake.writeTexts()).toEqual([]);
    taint(fake, []);
    await fake.advance(1e6);
    expect(fake.writeTexts()).toEqual([]);
    expect(fake.eventTexts()).toEqual(['Normal TaintManagerEviction Cancelling deletion of Pod default/p']);
  });

  it('evicts pods that come to a tainted node, naming the taint as cause', async () => {
    const fake = await makeCluster([tolerateFor()]);
    taint(fake, [unreachable]);
    const tainted = `rev:${Number(fake.get(nodes, undefined, 'n1')?.metadata.resourceVersion)}`;
    fake.add(pods, { metadata: { namespace: 'default', name: 'late' }, spec: { nodeName: 'n1' } });
    await fake.settle();
    expect(fake.writeTexts()).toEqual(['patch pods/status default/late', 'delete pods default/late']);
    expect(fake.writes[0]?.causes).toHaveLength(2);
    expect(Number(fake.writes[0]?.causes[0]?.slice(4))).toBeLessThanOrEqual(Number(tainted.slice(4)));
  });
});
