import { describe, expect, it } from 'vitest';
import { nodeDark } from '../base/fault-points.ts';
import { nodePools } from './nodepool.ts';
import { Rig } from './testing/rig.ts';

async function poolOfThree(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 3 });
  rig.clear();
  return rig;
}

describe('machines of a pool', () => {
  it('leave when it shrinks', async () => {
    const rig = await poolOfThree();
    rig.change(nodePools, undefined, 'pool', (pool) => ({ ...pool, spec: { count: 1 } }));
    await rig.advance(1_000);
    expect(rig.nodes.nodeNames()).toEqual(['pool-0']);
    expect(rig.writeTexts()).toContain('delete nodes pool-2');
  });

  it('leave when it shrinks while they are off, and while they boot', async () => {
    const rig = await poolOfThree();
    for (const node of ['pool-1', 'pool-2']) rig.strike(`dark ${node}`, node, nodeDark);
    await rig.advance(60_000);
    rig.points.heal('dark pool-2', []);
    await rig.advance(1);
    rig.change(nodePools, undefined, 'pool', (pool) => ({ ...pool, spec: { count: 1 } }));
    await rig.advance(1_000);
    expect(rig.writeTexts().filter((text) => text.startsWith('delete nodes'))).toEqual(['delete nodes pool-1', 'delete nodes pool-2']);
  });
});
