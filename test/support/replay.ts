/** What a replay does, without a session file. */
import { expect } from 'vitest';
import type { RecordedInput } from '../../engine/cluster/inputs.ts';
import type { TestCluster } from './cluster.ts';

/** Runs the inputs again at their places in a cluster that has just started, and then as far as the first run went. */
export async function replayInputs({ cluster: { loop }, door }: TestCluster, inputs: readonly RecordedInput[], untilMs: number): Promise<void> {
  door.beginReplay();
  for (const input of inputs) {
    await loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    expect(loop.tasksRun).toBe(input.tasksRun);
    loop.advanceIdleTo(input.nowMs);
    door.replay(input);
  }
  await loop.run(untilMs);
}
