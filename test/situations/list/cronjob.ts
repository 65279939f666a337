/** Situations of the CronJob controller. Most begin at the next minute. */
import { cronJob } from '../objects.ts';
import { situation, situationsOf } from '../situation.ts';
import { create, endPods, patch, remove, rest, runPods, untilCount, untilEvent, untilGone, wait } from '../steps.ts';

const tick = 'cronjobs/tick';
const make = (spec: object = {}) => create(cronJob('tick', spec));
const jobs = (count: number, limit = 150) => untilCount('jobs', count, {}, limit);
const runsOnce = [jobs(1), untilCount('pods', 1), runPods(), endPods('Succeeded'), untilCount('jobs', 1, { status: { succeeded: 1 } })];

export const cronjobSituations = situationsOf('cronjob', [
  situation('runs', [make(), jobs(1), rest()]),
  situation('a run is complete', [make(), ...runsOnce, untilEvent('SawCompletedJob')]),
  situation('a run has failed', [
    make({ job: { backoffLimit: 0 } }),
    jobs(1),
    untilCount('pods', 1),
    runPods(),
    endPods('Failed'),
    untilEvent('SawCompletedJob'),
  ]),
  situation('is suspended', [make({ suspend: true }), wait(65)]),
  situation('is suspended after a run', [make(), jobs(1), patch(tick, { spec: { suspend: true } }), wait(60)]),
  situation('forbids a second run', [make({ concurrencyPolicy: 'Forbid' }), jobs(1), untilEvent('JobAlreadyActive', 70)]),
  situation('allows a second run', [make(), jobs(1), jobs(2)]),
  situation('replaces a run', [make({ concurrencyPolicy: 'Replace' }), jobs(1), untilEvent('SuccessfulDelete', 80), rest()]),
  situation('keeps no history', [
    make({ successfulJobsHistoryLimit: 0 }),
    jobs(1),
    untilCount('pods', 1),
    runPods(),
    endPods('Succeeded'),
    jobs(0),
    rest(),
  ]),
  situation('has no good schedule', [make({ schedule: '0 0 31 2 *' }), rest()]),
  situation('has a schedule of another year', [make({ schedule: '0 0 1 1 *' }), rest()]),
  situation('has a time zone', [make({ timeZone: 'Europe/Berlin' }), jobs(1), rest()]),
  situation('goes with its jobs', [make(), jobs(1), remove(tick), untilGone(tick), jobs(0)]),
  situation('job carries labels', [
    make({
      jobTemplate: {
        metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
        spec: {
          template: {
            metadata: { labels: { x: 'y' } },
            spec: { restartPolicy: 'Never', schedulerName: 'played', containers: [{ name: 'c', image: 'i' }] },
          },
        },
      },
    }),
    jobs(1),
    rest(),
  ]),
]);
