import { expect, it } from 'vitest';
import type { ScenarioRunStatus } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { runThen } from './run-then.ts';

const status: ScenarioRunStatus = {
  phase: 'Failed',
  startedAt: '2026-11-24T00:00:10Z',
  finishedAt: '2026-11-24T00:01:00Z',
  steps: [
    { name: 'deploy', startedAt: '2026-11-24T00:00:10Z', finishedAt: '2026-11-24T00:00:20Z' },
    { name: 'break', startedAt: '2026-11-24T00:00:20Z' },
  ],
  expectations: [
    { name: 'three pods', result: 'Met', decidedAt: '2026-11-24T00:00:30Z' },
    { name: 'no restarts', result: 'Missed', decidedAt: '2026-11-24T00:01:00Z' },
    { name: 'drained', result: 'Pending' },
  ],
};

it.each([
  ['00:00:09', { phase: 'Pending', step: '', met: 0, missed: 0, all: 3 }],
  ['00:00:19', { phase: 'Running', step: 'deploy', met: 0, missed: 0, all: 3 }],
  ['00:00:20', { phase: 'Running', step: 'break', met: 0, missed: 0, all: 3 }],
  ['00:00:30', { phase: 'Running', step: 'break', met: 1, missed: 0, all: 3 }],
  ['00:01:00', { phase: 'Failed', step: '', met: 1, missed: 1, all: 3 }],
])('a run is told as it stood at %s', (time, told) => expect(runThen(status, Date.parse(`2026-11-24T${time}Z`))).toEqual(told));

it('a run without a status yet has not begun', () =>
  expect(runThen({}, Date.now())).toEqual({ phase: 'Pending', step: '', met: 0, missed: 0, all: 0 }));
