/**
 * CronJob runs against the schedule, by a second, small implementation of the rules: minutes, hours and days as numbers, lists, ranges and
 * steps, zones of a fixed offset; Forbid, Replace, deadline, suspension, history limits.
 */
import type { CronJob, Job } from '../../../engine/api/batch/v1/types.gen.ts';
import { controllerUid, nameOf, prefixOf, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { endOf } from './jobs.ts';

const controller = 'system:serviceaccount:kube-system:cronjob-controller';
const minuteMs = 60_000;
const lateMs = 8_000;
const lagMs = 3_000;
/** The swarm writes no other zones: they know no summer time. */
const zoneOffsetsMs: Readonly<Record<string, number>> = {
  UTC: 0,
  'Asia/Kolkata': 330 * minuteMs,
  'Asia/Tokyo': 540 * minuteMs,
  'America/Phoenix': -420 * minuteMs,
};

/** What has been so of a CronJob, and since when. */
interface Past {
  readonly bornMs: number;
  /** When what decides runs last changed. */
  readonly changedMs: number;
  readonly text: string;
  readonly resumedMs: number;
  readonly deadline: Deadline;
}

/** The deadline in force, and since when: a run that has just begun may go by the one before. */
interface Deadline {
  readonly sinceMs: number;
  readonly seconds: number | undefined;
}

export function cronJobsKeepTheirSchedule(): Checker {
  const past = new Map<string, Past>();
  const ran = new Map<string, Set<number>>();
  return {
    name: 'CronJobs keep their schedule',
    onChange({ key, current, previous, meta }, world) {
      if (current === undefined) return [];
      if (prefixOf(key) === 'cronjobs') note(past, current.value as CronJob, world.nowMs);
      if (prefixOf(key) !== 'jobs' || previous !== undefined || meta.identity !== controller) return [];
      return started(current.value as Job, world, past, ran);
    },
    inspect: (world) => world.all<CronJob>('cronjobs').flatMap((cron) => [...missing(cron, world, past, ran), ...tooMuchHistory(cron, world)]),
  };
}

function note(past: Map<string, Past>, { metadata: { uid = '' }, spec }: CronJob, nowMs: number): void {
  const text = JSON.stringify(spec);
  const known = past.get(uid);
  if (known?.text === text) return;
  const wasSuspended = known?.text.includes('"suspend":true') === true && spec?.suspend !== true;
  const bornMs = known?.bornMs ?? nowMs;
  const seconds = deadlineOf(spec);
  const deadline = known !== undefined && known.deadline.seconds === seconds ? known.deadline : { sinceMs: nowMs, seconds };
  past.set(uid, { bornMs, changedMs: nowMs, text, resumedMs: wasSuspended ? nowMs : (known?.resumedMs ?? nowMs), deadline });
}

function deadlineOf(spec: CronJob['spec']): number | undefined {
  return spec?.startingDeadlineSeconds === undefined ? undefined : Number(spec.startingDeadlineSeconds);
}

function started(job: Job, world: World, past: Map<string, Past>, ran: Map<string, Set<number>>): readonly string[] {
  const uid = controllerUid(job) ?? '';
  const cron = world.all<CronJob>('cronjobs', job.metadata.namespace).find(({ metadata }) => metadata.uid === uid);
  const known = past.get(uid);
  const at = Date.parse(job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '');
  const runs = ran.get(uid) ?? new Set<number>();
  ran.set(uid, runs);
  const twice = runs.has(at);
  runs.add(at);
  if (cron === undefined || known === undefined) return [];
  const say = (why: string): readonly string[] => [`${nameOf(cron)} ran ${new Date(at).toISOString()}: ${why}`];
  // What was suspended runs at once when it is resumed, unless its deadline is over: that needs no time to be heard of.
  const { sinceMs, seconds: deadline } = known.deadline;
  if (deadline !== undefined && world.nowMs - sinceMs >= lagMs && world.nowMs > at + deadline * 1000 + 1_000)
    return say(`past its deadline of ${deadline} s`);
  // Deleted or changed this moment: the controller has not heard of it.
  if (world.nowMs - known.changedMs < lagMs) return [];
  const { suspend, concurrencyPolicy } = cron.spec ?? {};
  if (twice) return say('twice');
  if (Number.isNaN(at) || !isDue(cron, at)) return say('not on its schedule');
  if (at > world.nowMs) return say(`${at - world.nowMs} ms early`);
  if (at < known.bornMs - minuteMs) return say('from before it was made');
  if (suspend === true) return say('while suspended');
  const later = nextDue(cron, at);
  if (later !== undefined && later <= world.nowMs - lagMs) return say('though a later time had come');
  const others = jobsOf(cron, world).filter((other) => other !== job && endOf(other) === undefined && other.metadata.deletionTimestamp === undefined);
  const settled = others.filter((other) => world.ageMs('jobs', other) > lagMs);
  return settled.length > 0 && (concurrencyPolicy === 'Forbid' || concurrencyPolicy === 'Replace')
    ? say(`beside ${settled[0]?.metadata.name}, though its policy is ${concurrencyPolicy}`)
    : [];
}

/** With `Allow` every time has its run. */
function missing(cron: CronJob, world: World, past: Map<string, Past>, ran: Map<string, Set<number>>): readonly string[] {
  const { uid = '', namespace = '', deletionTimestamp } = cron.metadata;
  const known = past.get(uid);
  const { suspend, concurrencyPolicy = 'Allow' } = cron.spec ?? {};
  const limited = world.all('resourcequotas', namespace).length > 0 || namespace !== 'default';
  if (known === undefined || suspend === true || concurrencyPolicy !== 'Allow' || deletionTimestamp !== undefined || limited) return [];
  const last = Math.floor((world.nowMs - lateMs) / minuteMs) * minuteMs;
  if (last <= Math.max(known.changedMs, known.resumedMs) || !isDue(cron, last)) return [];
  return ran.get(uid)?.has(last) === true ? [] : [`${nameOf(cron)} did not run at ${new Date(last).toISOString()}`];
}

function tooMuchHistory(cron: CronJob, world: World): readonly string[] {
  const { successfulJobsHistoryLimit: good = 3, failedJobsHistoryLimit: bad = 1 } = cron.spec ?? {};
  const over = jobsOf(cron, world).filter((job) => job.metadata.deletionTimestamp === undefined);
  return (['Complete', 'Failed'] as const).flatMap((type) => {
    const kept = over.filter((job) => endOf(job)?.type === type);
    const limit = type === 'Complete' ? good : bad;
    const calm = kept.every((job) => world.ageMs('jobs', job) > lateMs);
    return calm && cron.metadata.deletionTimestamp === undefined && kept.length > limit
      ? [`${nameOf(cron)} keeps ${kept.length} jobs that are ${type}, at most ${limit}`]
      : [];
  });
}

function jobsOf(cron: CronJob, world: World): readonly Job[] {
  return world.all<Job>('jobs', cron.metadata.namespace).filter((job) => controllerUid(job) === cron.metadata.uid);
}

function nextDue(cron: CronJob, afterMs: number): number | undefined {
  for (let minute = 1; minute <= 24 * 60; minute++) if (isDue(cron, afterMs + minute * minuteMs)) return afterMs + minute * minuteMs;
  return undefined;
}

export function isDue({ spec }: Pick<CronJob, 'spec'>, atMs: number): boolean {
  const offset = zoneOffsetsMs[spec?.timeZone ?? 'UTC'] ?? 0;
  const local = new Date(atMs + offset);
  const [minutes = '*', hours = '*'] = (spec?.schedule ?? '').split(' ');
  return atMs % minuteMs === 0 && holds(minutes, local.getUTCMinutes(), 59) && holds(hours, local.getUTCHours(), 23);
}

function holds(field: string, value: number, most: number): boolean {
  return field.split(',').some((part) => {
    const [range = '*', step = '1'] = part.split('/');
    const [from = '0', to = part.includes('/') ? String(most) : from] = range === '*' ? ['0', String(most)] : range.split('-');
    return value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0;
  });
}
