import { expect, test } from 'vitest';
import { checksAt, managerHealth, schedulerHealth } from './health-checks.ts';

test.each([
  ['/healthz', ['leaderElection']],
  ['/livez', ['ping']],
  ['/readyz', ['leaderElection', 'shutdown', 'sched-handler-sync']],
  ['/healthz/leaderElection', ['leaderElection']],
  ['/livez/ping', ['ping']],
  ['/readyz/shutdown', ['shutdown']],
  ['/healthz/ping', undefined],
  ['/healthz/', undefined],
  ['/healthzz', undefined],
])('a scheduler checks at %s: %j', (path, names) => {
  expect(checksAt(schedulerHealth, path, ['default-scheduler'])).toEqual(names);
});

test.each([
  ['/healthz', ['leaderElection', 'job-controller']],
  ['/healthz/leaderElection', undefined],
  ['/livez', undefined],
])('a controller manager checks at %s: %j', (path, names) => {
  expect(checksAt(managerHealth, path, ['job-controller'])).toEqual(names);
});
