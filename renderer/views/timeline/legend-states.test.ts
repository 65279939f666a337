import { expect, it } from 'vitest';
import { told } from './legend-states.ts';

it('explains what is wrong first, each look once, and never leaves it out for what is well', () => {
  const states = ['Complete', 'ContainerCreating', 'CrashLoopBackOff', 'ErrImageNeverPull', 'Error', 'Exists', 'NotReady', 'Running', 'Succeeded'];
  expect(told([...states, 'ImagePullBackOff', 'Starting', 'Suspended', 'Terminating', 'Unschedulable'])).toEqual([
    ...['CrashLoopBackOff', 'ErrImageNeverPull', 'Error', 'NotReady', 'Unschedulable'],
    ...['Suspended', 'Terminating', 'ContainerCreating', 'Starting'],
  ]);
  expect(told(['Running', 'Complete'])).toEqual(['Complete', 'Running']);
});
