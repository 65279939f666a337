/** Bad examples for the checkers of amounts and times: quotas, jobs, CronJobs, evictions, nodes. */
import { put, remove } from '../../support/worlds.ts';
import {
  minuteMs,
  startText,
  controlled,
  meta,
  pod,
  node,
  down,
  unreachable,
  nodeController,
  ttlController,
  cron,
  run,
  ended,
  type Case,
} from './example.ts';
import { cronJobsKeepTheirSchedule } from './cron-jobs.ts';
import { evictionsAreInTime } from './evictions.ts';
import { jobsCountRight, jobsLiveTheirTime } from './jobs.ts';
import { limitRangesHold } from './limit-ranges.ts';
import { podsGoWithTheirNodes, silenceIsNoticed, taintsComeAtTheRate } from './nodes.ts';
import { quotasHold, quotasSayWhatIsUsed } from './quotas.ts';

const unreachableSince = (timeAdded: string): object => ({ taints: unreachable.taints.map((taint) => ({ ...taint, timeAdded })) });

export const examplesOfTime: readonly Case[] = [
  {
    name: 'more than a quota allows',
    checker: quotasHold,
    bad: [
      put('resourcequotas', { metadata: meta('q'), status: { hard: { pods: '1' } } }),
      put('pods', { kind: 'Pod', ...pod('a') }),
      put('pods', { kind: 'Pod', ...pod('b') }),
    ],
    good: [put('resourcequotas', { metadata: meta('q'), status: { hard: { pods: '1' } } }), put('pods', { kind: 'Pod', ...pod('a') })],
  },
  {
    name: 'a container above the most',
    checker: limitRangesHold,
    bad: [
      put('limitranges', { metadata: meta('l'), spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } }),
      put('pods', pod('a', { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '2' } } }] } })),
    ],
    good: [
      put('limitranges', { metadata: meta('l'), spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
      put('pods', pod('a', { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '2' } } }] } })),
    ],
  },
  {
    name: 'a default that was not given',
    checker: limitRangesHold,
    bad: [
      put('limitranges', { metadata: meta('l'), spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
      put('pods', pod('a', { spec: { containers: [{ name: 'c' }] } })),
    ],
  },
  {
    name: 'a quota that miscounts',
    checker: quotasSayWhatIsUsed,
    bad: [put('resourcequotas', { metadata: meta('q'), spec: { hard: { pods: '5' } }, status: { used: { pods: '2' } } }), put('pods', pod('a'))],
    restMs: minuteMs,
  },
  {
    name: 'a completion counted twice',
    checker: jobsCountRight,
    bad: [
      put('pods', { metadata: meta('a', controlled('uid-j', 'Job')), status: { phase: 'Succeeded' } }),
      put('jobs', { metadata: meta('j'), status: { succeeded: 2 } }),
    ],
    good: [
      put('pods', { metadata: meta('a', controlled('uid-j', 'Job')), status: { phase: 'Succeeded' } }),
      put('jobs', { metadata: meta('j'), status: { succeeded: 1 } }),
    ],
  },
  {
    name: 'a job that gave up early',
    checker: jobsCountRight,
    bad: [
      put('pods', { metadata: meta('a', controlled('uid-j', 'Job')), status: { phase: 'Failed' } }),
      put('jobs', {
        metadata: meta('j'),
        spec: { backoffLimit: 1, template: { spec: { restartPolicy: 'Never' } } },
        ...ended('Failed', 'BackoffLimitExceeded', { failed: 1 }),
      }),
    ],
  },
  {
    name: 'a job that overstays',
    checker: jobsCountRight,
    bad: [put('jobs', { metadata: meta('j'), spec: { ttlSecondsAfterFinished: 5 }, ...ended('Complete') })],
    restMs: minuteMs,
  },
  {
    name: 'a job cleaned up early',
    checker: jobsLiveTheirTime,
    bad: [
      put('jobs', { metadata: meta('j'), spec: { ttlSecondsAfterFinished: 50 }, ...ended('Complete') }),
      remove('jobs', meta('j'), { by: ttlController, afterMs: 20_000 }),
    ],
    good: [
      put('jobs', { metadata: meta('j'), spec: { ttlSecondsAfterFinished: 10 }, ...ended('Complete') }),
      remove('jobs', meta('j'), { by: ttlController, afterMs: 20_000 }),
    ],
  },
  {
    name: 'a suspended CronJob that ran',
    checker: cronJobsKeepTheirSchedule,
    bad: [put('cronjobs', cron({ suspend: true })), run(1, {}, { afterMs: minuteMs })],
    good: [put('cronjobs', cron({})), run(1, {}, { afterMs: minuteMs })],
  },
  {
    name: 'a run past its deadline',
    checker: cronJobsKeepTheirSchedule,
    bad: [put('cronjobs', cron({ startingDeadlineSeconds: 10 })), run(1, {}, { afterMs: minuteMs + 30_000 })],
  },
  {
    name: 'a run that is off the schedule',
    checker: cronJobsKeepTheirSchedule,
    bad: [put('cronjobs', cron({ schedule: '*/2 * * * *', concurrencyPolicy: 'Forbid' })), run(1, {}, { afterMs: minuteMs })],
  },
  {
    name: 'a run beside another',
    checker: cronJobsKeepTheirSchedule,
    bad: [put('cronjobs', cron({ concurrencyPolicy: 'Forbid' })), run(1, {}, { afterMs: minuteMs }), run(2, {}, { afterMs: minuteMs })],
  },
  { name: 'a time without its run', checker: cronJobsKeepTheirSchedule, bad: [put('cronjobs', cron({}))], restMs: minuteMs + 30_000 },
  {
    name: 'too much history',
    checker: cronJobsKeepTheirSchedule,
    bad: [
      put('cronjobs', cron({ failedJobsHistoryLimit: 1, suspend: true })),
      run(1, ended('Failed'), { by: 'x' }),
      run(2, ended('Failed'), { by: 'x' }),
    ],
    restMs: minuteMs,
  },
  {
    name: 'an eviction before its time',
    checker: evictionsAreInTime,
    bad: [
      put('minions', node('n', { spec: { taints: [{ key: 'odd', effect: 'NoExecute' }] } })),
      put('pods', pod('a', { spec: { nodeName: 'n', tolerations: [{ key: 'odd', operator: 'Exists', tolerationSeconds: 60 }] } })),
      put(
        'pods',
        {
          metadata: meta('a', { deletionTimestamp: startText }),
          spec: { nodeName: 'n', tolerations: [{ key: 'odd', operator: 'Exists', tolerationSeconds: 60 }] },
        },
        { by: nodeController, afterMs: 10_000 },
      ),
    ],
  },
  {
    name: 'an eviction that never comes',
    checker: evictionsAreInTime,
    bad: [put('minions', node('n', { spec: { taints: [{ key: 'odd', effect: 'NoExecute' }] } })), put('pods', pod('a', { spec: { nodeName: 'n' } }))],
    good: [
      // Given up: upstream tries five times within 50 ms.
      put('sim.wavetank.dev/faults', { metadata: meta('f'), spec: { type: 'api-errors' }, status: { phase: 'Active' } }),
      put('minions', node('n', { spec: { taints: [{ key: 'odd', effect: 'NoExecute' }] } })),
      put('pods', pod('a', { spec: { nodeName: 'n' } })),
    ],
    restMs: minuteMs,
  },
  {
    name: 'an eviction that does not come when the API fails no more',
    checker: evictionsAreInTime,
    bad: [
      put('sim.wavetank.dev/faults', { metadata: meta('f'), spec: { type: 'api-errors' }, status: { phase: 'Healed' } }),
      put('minions', node('n', { spec: { taints: [{ key: 'odd', effect: 'NoExecute' }] } }), { afterMs: minuteMs }),
      put('pods', pod('a', { spec: { nodeName: 'n' } })),
    ],
    restMs: minuteMs,
  },
  { name: 'a silence that nobody hears', checker: silenceIsNoticed, bad: [put('minions', node('n'))], restMs: 3 * minuteMs },
  {
    name: 'nodes tainted all at once',
    checker: () => taintsComeAtTheRate(9),
    bad: [
      put('minions', node('x')),
      put('minions', node('n', down)),
      put('minions', node('m', down)),
      put('minions', node('n', { ...down, spec: unreachable })),
      put('minions', node('m', { ...down, spec: unreachable })),
    ],
  },
  {
    name: 'nodes whose taints were decided one just after the other',
    checker: () => taintsComeAtTheRate(9),
    bad: [
      put('minions', node('x')),
      put('minions', node('n', { ...down, spec: unreachableSince('2026-01-01T00:00:10Z') })),
      put('minions', node('m', { ...down, spec: unreachableSince('2026-01-01T00:00:15Z') }), { afterMs: minuteMs }),
    ],
    good: [
      put('minions', node('x')),
      put('minions', node('n', { ...down, spec: unreachableSince('2026-01-01T00:00:10Z') })),
      put('minions', node('m', { ...down, spec: unreachableSince('2026-01-01T00:00:20Z') })),
    ],
  },
  {
    name: 'a node that is never tainted',
    checker: () => taintsComeAtTheRate(9),
    bad: [put('minions', node('x')), put('minions', node('n', down))],
    restMs: 5 * minuteMs,
  },
  {
    name: 'a small zone that is mostly down',
    checker: () => taintsComeAtTheRate(9),
    bad: [
      put('minions', node('x')),
      ...['n', 'm', 'o'].map((name) => put('minions', node(name, down))),
      put('minions', node('n', { ...down, spec: unreachable }), { afterMs: 5 * minuteMs }),
    ],
  },
  {
    name: 'a pod that outlives its node',
    checker: podsGoWithTheirNodes,
    bad: [put('minions', node('n')), put('pods', pod('a', { spec: { nodeName: 'n' } })), remove('minions', { name: 'n' })],
    restMs: 5 * minuteMs,
  },
  {
    name: 'a pod on a node that never was',
    checker: podsGoWithTheirNodes,
    bad: [put('pods', { ...pod('a'), metadata: meta('a', { creationTimestamp: startText }), spec: { nodeName: 'nowhere' } })],
    good: [put('minions', node('n')), put('pods', { ...pod('a'), metadata: meta('a', { creationTimestamp: startText }), spec: { nodeName: 'n' } })],
    restMs: 5 * minuteMs,
  },
];
