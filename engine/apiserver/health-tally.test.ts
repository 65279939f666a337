import { expect, test } from 'vitest';
import { HealthTally } from './health-tally.ts';

// The page of a kube-scheduler 1.36.3 that cannot reach its server, asked for /healthz and /livez once and for /readyz twice.
const recorded = `# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.
# TYPE kubernetes_healthcheck gauge
kubernetes_healthcheck{name="leaderElection",type="healthz"} 1
kubernetes_healthcheck{name="leaderElection",type="readyz"} 1
kubernetes_healthcheck{name="ping",type="livez"} 1
kubernetes_healthcheck{name="sched-handler-sync",type="readyz"} 0
kubernetes_healthcheck{name="shutdown",type="readyz"} 1
# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.
# TYPE kubernetes_healthchecks_total counter
kubernetes_healthchecks_total{name="leaderElection",status="success",type="healthz"} 1
kubernetes_healthchecks_total{name="leaderElection",status="success",type="readyz"} 2
kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 1
kubernetes_healthchecks_total{name="sched-handler-sync",status="error",type="readyz"} 2
kubernetes_healthchecks_total{name="shutdown",status="success",type="readyz"} 2
# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.
# TYPE process_start_time_seconds gauge
process_start_time_seconds 1.79543782259e+09
`;

test('checks are counted as the real scheduler counts them', () => {
  const tally = new HealthTally();
  tally.count('leaderElection', 'healthz', true);
  tally.count('ping', 'livez', true);
  for (let i = 0; i < 2; i++) {
    tally.count('shutdown', 'readyz', true);
    tally.count('sched-handler-sync', 'readyz', false);
    tally.count('leaderElection', 'readyz', true);
  }
  expect(tally.page(1_795_437_822_590)).toBe(recorded);
});

test('before anybody asks there is only the start', () => {
  expect(new HealthTally().page(0).split('\n')[2]).toBe('process_start_time_seconds 0');
});
