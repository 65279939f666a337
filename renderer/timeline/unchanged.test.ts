import { expect, it } from 'vitest';
import type { Timeline, TimelineFault } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { keepUnchanged } from './unchanged.ts';

const fault = { name: 'slow', uid: 'f', fromMs: 5 } as unknown as TimelineFault;

function answer(parts: Partial<Timeline> = {}): Timeline {
  const area = { pods: [0, 3, 3, 3, 10, 3, 2, 3], nodes: [0, 1, 1, 1] };
  return { rows: [], total: 0, cluster: area, faults: [{ ...fault }], ...parts } as unknown as Timeline;
}

it('what is said of the cluster and of faults as before is what is shown', () => {
  const before = answer();
  const after = keepUnchanged(answer({ total: 4 }), before);
  expect(after.total).toBe(4);
  expect(after.cluster).toBe(before.cluster);
  expect(after.faults).toBe(before.faults);
});

it('another figure, one more and another fault are told', () => {
  const before = answer();
  const other = [
    { cluster: { ...before.cluster, pods: [0, 3, 3, 3, 10, 3, 1, 3] } },
    { cluster: { ...before.cluster, nodes: [0, 1, 1, 1, 7, 1, 0, 1] } },
    { cluster: { ...before.cluster, nodes: [] } },
  ];
  for (const part of other) expect(keepUnchanged(answer(part), before).cluster).toEqual(part.cluster);
  const faults = [{ ...fault, toMs: 9 }] as unknown as Timeline['faults'];
  expect(keepUnchanged(answer({ faults }), before).faults).toEqual(faults);
  expect(keepUnchanged(answer({ faults: [] }), before).faults).toEqual([]);
});

it('a first answer is as it is', () => {
  const first = answer();
  expect(keepUnchanged(first, undefined)).toBe(first);
});
