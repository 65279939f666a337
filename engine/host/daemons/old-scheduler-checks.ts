/** What the scheduler of release 1.13 finds wrong with its options. Mirrors pkg/scheduler/apis/config/validation of that release, slips included. */
import type { FlagValues } from './flag-set.ts';

/** In the order of that release. */
export function oldSchedulerFaults(flags: FlagValues): readonly string[] {
  const required = (path: string, name: string): readonly string[] => (flags.text(name) === '' ? [`${path}: Required value`] : []);
  const lockFaults = [
    ...required('leaderElection.lockObjectNamespace', 'lock-object-namespace'),
    ...required('leaderElection.lockObjectName', 'lock-object-name'),
  ];
  const weight = flags.number('hard-pod-affinity-symmetric-weight');
  const burst = flags.number('kube-api-burst');
  return [
    ...(burst < 0 ? [`clientConnection.burst: Invalid value: ${burst}: must be non-negative`] : []),
    ...electionFaults(flags),
    ...(flags.isOn('leader-elect') ? lockFaults : []),
    ...required('schedulerName', 'scheduler-name'),
    ...(weight < 0 || weight > 100 ? [`hardPodAffinitySymmetricWeight: Invalid value: ${weight}: not in valid range 0-100`] : []),
    ...(flags.isOn('use-legacy-policy-config') && flags.text('policy-config-file') === ''
      ? ['policyConfigFile: Required value: required when --use-legacy-policy-config is true']
      : []),
  ];
}

function electionFaults(flags: FlagValues): readonly string[] {
  if (!flags.isOn('leader-elect')) return [];
  const [lease = 0, renew = 0, retry = 0] = ['lease-duration', 'renew-deadline', 'retry-period'].map((name) =>
    flags.milliseconds(`leader-elect-${name}`),
  );
  const fault = (field: string, valueMs: number, why: string): string =>
    `leaderElectionConfiguration.${field}: Invalid value: v1.Duration{Duration:${nanoseconds(valueMs)}}: ${why}`;
  const positive = 'must be greater than zero';
  return [
    ...(lease <= 0 ? [fault('leaseDuration', lease, positive)] : []),
    // It shows the other duration than the one that it judges.
    ...(renew <= 0 ? [fault('renewDeadline', lease, positive)] : []),
    ...(retry <= 0 ? [fault('retryPeriod', retry, positive)] : []),
    ...(lease < renew ? [fault('leaseDuration', renew, 'LeaseDuration must be greater than RenewDeadline')] : []),
    ...(flags.isGiven('leader-elect-resource-lock') && flags.text('leader-elect-resource-lock') === ''
      ? [fault('resourceLock', renew, 'resourceLock is required')]
      : []),
  ];
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6));
}
