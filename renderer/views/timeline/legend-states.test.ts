import { expect, it } from 'vitest';
import { told, toldMarks } from './legend-states.ts';

it('explains what is wrong first, each look once, and never leaves it out for what is well', () => {
  const states = ['Complete', 'ContainerCreating', 'CrashLoopBackOff', 'ErrImageNeverPull', 'Error', 'Exists', 'NotReady', 'Running', 'Succeeded'];
  expect(told([...states, 'ImagePullBackOff', 'Starting', 'Suspended', 'Terminating', 'Unschedulable'])).toEqual([
    ...['CrashLoopBackOff', 'ErrImageNeverPull', 'Error', 'NotReady', 'Unschedulable'],
    ...['Suspended', 'Terminating', 'ContainerCreating', 'Starting'],
  ]);
  expect(told(['Running', 'Complete'])).toEqual(['Complete', 'Running']);
});

it('explains marks that are in the range, warnings among Events apart', () => {
  const rows = [
    {
      marks: [
        { type: 'create', ms: 10 },
        { type: 'event', ms: 20 },
      ],
    },
    {
      marks: [
        { type: 'event', level: 'Warning', ms: 30 },
        { type: 'status', ms: 35 },
        { type: 'restart', ms: 40 },
      ],
    },
  ] as const;
  expect(toldMarks(rows, 0, 100)).toEqual(['warning', 'restart', 'event', 'create']);
  expect(toldMarks(rows, 15, 30)).toEqual(['warning', 'event']);
  expect(toldMarks([], 0, 100)).toEqual([]);
});
