/** Words of the view of CronJobs. */
import { formatDuration, plural } from '../lib/format.ts';

type Counts = Readonly<Record<'ran' | 'complete' | 'failed' | 'replaced' | 'deleted' | 'running' | 'missed' | 'skipped', number>>;

export const cronJobs = {
  title: 'CronJobs',
  lanes: 'Lanes',
  calendar: 'Month',
  shapes: 'Form',
  nextTen: 'Next ten',
  nextTenTitle: 'Show the next ten runs of every CronJob',
  follow: 'Follow',
  followTitle: 'Follow now (L)',
  cannotRead: 'The runs cannot be read',
  ofNow: 'The range that is shown has passed; what became of its runs, and what comes next, is told as it is known now.',
  emptyTitle: 'No CronJobs',
  emptyText: 'Create one and its runs appear here:',
  emptyCreate: 'Write one here',
  emptyLine: 'kubectl create cronjob hello --image=busybox --schedule="*/5 * * * *" -- echo hello',
  overTime: 'CronJobs over time',
  runs: 'Runs',
  filters: { '': 'All', ran: 'Ran', failed: 'Failed', missed: 'Missed', skipped: 'Skipped', waiting: 'To come' },
  filtersLabel: 'Which runs',
  fates: {
    Ran: 'Ran',
    Replaced: 'Ran in place of another',
    Missed: 'Missed',
    DeadlineExceeded: 'Deadline passed',
    SkippedByForbid: 'Skipped by Forbid',
    Suspended: 'Suspended',
    Waiting: 'Waiting',
  },
  columns: { cronJob: 'CronJob', planned: 'Planned', fate: 'Fate', late: 'Late by', took: 'Took', result: 'Result', job: 'Job, or why not' },
  startedLate: (duration: string) => `started, late by ${duration}`,
  noneThenTitle: 'There was no CronJob in the shown time',
  noneTitle: 'No run is planned in the shown time',
  noneText: 'Zoom out, or go to another time.',
  noSuchTitle: 'No such run in the shown time',
  noSuchText: 'Zoom out, or choose All.',
  lastDay: 'Show the last day',
  lastDayShort: 'Last day',
  suspended: 'suspended',
  never: 'never due again',
  mayCome: 'more may come',
  leftOut: 'some are left out',
  next: (time: string, inText: string) => `next ${time}, in ${inText}`,
  nextDate: (date: string) => `next ${date}`,
  dueNow: 'due now',
  overdue: (duration: string) => `late by ${duration}`,
  jumpsAhead: (zone: string, date: string, minutes: number) =>
    minutes > 0 ? `${zone}: ${minutes} minutes are missing on ${date}` : `${zone}: ${-minutes} minutes come twice on ${date}`,
  summary: (name: string, { ran, complete, failed, replaced, deleted, running, missed, skipped }: Counts) =>
    [
      `${name}: ${plural(ran, 'run')}`,
      complete + failed > 0
        ? `${Math.round((complete / (complete + failed)) * 100)} % of ${complete + failed} ended well`
        : running > 0 && running === ran
          ? 'none has ended'
          : '',
      replaced > 0 ? `${replaced} replaced` : '',
      deleted > 0 ? `${deleted} deleted` : '',
      missed > 0 ? `${missed} missed` : '',
      skipped > 0 ? `${skipped} skipped` : '',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  usually: (tookMs: number | undefined, lateMs: number | undefined) =>
    [
      tookMs === undefined ? '' : `usually took ${formatDuration(tookMs)}`,
      lateMs === undefined ? '' : `usually started ${formatDuration(lateMs)} late`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  allOfThem: 'All CronJobs',
  day: (date: string, parts: string) => `${date}: ${parts}. Show this day.`,
  nothing: 'nothing planned',
  cut: (instant: string) =>
    `There are more runs than are listed at once: before ${instant} those of some CronJobs are left out. Show less time to see those that are remembered (the newest 2,000 of each).`,
  month: (text: string) => `Runs of ${text} by day`,
  before: 'The month before',
  after: 'The month after',
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
} as const;
