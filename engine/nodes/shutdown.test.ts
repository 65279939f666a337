import { describe, expect, it } from 'vitest';
import { nodeShutdown } from '../base/fault-points.ts';
import { nodes } from '../client/resources.ts';
import type { ShutdownOptions } from './context.ts';
import { Rig } from './testing/rig.ts';

async function aRig(shutdown?: ShutdownOptions): Promise<Rig> {
  const rig = new Rig(shutdown === undefined ? {} : { shutdown });
  await rig.startPool({ count: 1 });
  rig.clear();
  return rig;
}

/** A pod that takes ten seconds to end. */
function slowPod(rig: Rig, name: string, priority: number): void {
  const script = 'trap "sleep 10; exit 0" TERM; while true; do sleep 1; done';
  rig.addPod(name, { priority, containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }] });
}

function readyOf(rig: Rig): string {
  const ready = rig.mustGet(nodes, undefined, 'pool-0').status?.conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} ${ready?.message}`;
}

const reasonsOf = (rig: Rig, ...names: string[]): (string | undefined)[] => names.map((name) => rig.pod(name)?.status?.reason);
const seconds = (count: number): number => count * 1_000;

describe('a machine that is shut down', () => {
  it('ends its pods first, critical ones last, and then goes dark', async () => {
    const rig = await aRig({ graceMs: seconds(40), criticalGraceMs: seconds(20), byPriority: [] });
    slowPod(rig, 'usual', 0);
    slowPod(rig, 'critical', 2_000_000_000);
    await rig.advance(seconds(20));
    rig.strike('x', 'pool-0', nodeShutdown);
    await rig.advance(seconds(5));
    expect(readyOf(rig)).toBe('False node is shutting down');
    expect(rig.pod('critical')?.status?.reason).toBeUndefined();
    await rig.advance(seconds(12));
    expect(rig.pod('usual')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Terminated',
      message: 'Pod was terminated in response to imminent node shutdown.',
    });
    expect(rig.pod('usual')?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason).toBe('TerminationByKubelet');
    await rig.advance(seconds(20));
    expect(reasonsOf(rig, 'usual', 'critical')).toEqual(['Terminated', 'Terminated']);
    rig.clear();
    await rig.advance(seconds(60));
    expect(rig.writeTexts()).toEqual([]);
  });

  it('goes by priorities where these have periods of their own, and kills what takes longer', async () => {
    const byPriority = [
      { priority: 100, graceMs: seconds(30) },
      { priority: 0, graceMs: seconds(4) },
    ];
    const rig = await aRig({ graceMs: 0, criticalGraceMs: 0, byPriority });
    slowPod(rig, 'low', 5);
    slowPod(rig, 'high', 500);
    await rig.advance(seconds(20));
    rig.strike('x', 'pool-0', nodeShutdown);
    await rig.advance(seconds(8));
    expect(reasonsOf(rig, 'low', 'high')).toEqual(['Terminated', undefined]);
    expect(rig.pod('low')?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
    await rig.advance(seconds(12));
    expect(reasonsOf(rig, 'low', 'high')).toEqual(['Terminated', 'Terminated']);
    expect(rig.pod('high')?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(0);
  });

  it('takes no pods meanwhile, and boots when the fault ends', async () => {
    const rig = await aRig({ graceMs: seconds(40), criticalGraceMs: seconds(20), byPriority: [] });
    slowPod(rig, 'usual', 0);
    await rig.advance(seconds(20));
    rig.strike('x', 'pool-0', nodeShutdown);
    await rig.advance(seconds(2));
    rig.addPod('late', { containers: [{ name: 'c', image: 'nginx' }] });
    await rig.advance(seconds(60));
    expect(rig.pod('late')?.status).toMatchObject({ phase: 'Failed', reason: 'NodeShutdown' });
    rig.points.heal('x', []);
    await rig.advance(seconds(60));
    expect(readyOf(rig)).toBe('True kubelet is posting ready status');
  });

  it('goes dark at once where pods have no time', async () => {
    const rig = await aRig();
    slowPod(rig, 'usual', 0);
    await rig.advance(seconds(20));
    rig.strike('x', 'pool-0', nodeShutdown);
    rig.clear();
    await rig.advance(seconds(60));
    expect(rig.writeTexts()).toEqual([]);
  });

  it('tells that it is shut down, and that this was called off', async () => {
    const rig = await aRig({ graceMs: seconds(40), criticalGraceMs: 0, byPriority: [] });
    slowPod(rig, 'usual', 0);
    await rig.advance(seconds(20));
    rig.strike('x', 'pool-0', nodeShutdown);
    await rig.advance(seconds(2));
    rig.points.heal('x', []);
    await rig.advance(seconds(2));
    const told = rig.events.map(({ text }) => text).filter((text) => text.startsWith('Normal NodeShutdown'));
    expect(told).toEqual([
      'Normal NodeShutdown Shutdown manager detected shutdown event',
      'Normal NodeShutdown Shutdown manager detected shutdown cancellation',
    ]);
  });
});
