/** Jobs count each pod once, end when they should, and go when their time is over. */
import type { Job, JobCondition } from '../../../engine/api/batch/v1/types.gen.ts';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { controllerUid, nameOf, prefixOf, type World } from '../world.ts';
import type { Checker } from './checker.ts';

const lateMs = 15_000;

/** What became of the pods of a job, by UID. */
interface Tally {
  readonly succeeded: Set<string>;
  readonly failed: Set<string>;
}

export function jobsCountRight(): Checker {
  const tallies = new Map<string, Tally>();
  return {
    name: 'jobs count right',
    onChange({ key, current, previous }) {
      if (prefixOf(key) === 'pods') notePod(tallies, (current ?? previous)?.value as Pod, current === undefined);
      if (prefixOf(key) !== 'jobs' || current === undefined) return [];
      return wrongCounts(current.value as Job, previous?.value as Job | undefined, tallies.get(current.value.metadata.uid ?? ''));
    },
    inspect: (world) => world.all<Job>('jobs').flatMap((job) => overstayed(job, world)),
  };
}

function notePod(tallies: Map<string, Tally>, pod: Pod, gone: boolean): void {
  const owner = controllerUid(pod);
  if (owner === undefined) return;
  const tally = tallies.get(owner) ?? { succeeded: new Set<string>(), failed: new Set<string>() };
  tallies.set(owner, tally);
  const { uid = '', deletionTimestamp } = pod.metadata;
  if (pod.status?.phase === 'Succeeded') tally.succeeded.add(uid);
  // A pod that is deleted before its end counts as failed.
  else if (pod.status?.phase === 'Failed' || deletionTimestamp !== undefined || gone) tally.failed.add(uid);
}

function wrongCounts(job: Job, before: Job | undefined, tally: Tally | undefined): readonly string[] {
  const { spec, status } = job;
  const found: string[] = [];
  const uncounted = status?.uncountedTerminatedPods;
  const succeeded = (status?.succeeded ?? 0) + (uncounted?.succeeded?.length ?? 0);
  const failed = (status?.failed ?? 0) + (uncounted?.failed?.length ?? 0);
  if (succeeded > (tally?.succeeded.size ?? 0)) found.push(`${nameOf(job)} counts ${succeeded} of ${tally?.succeeded.size ?? 0} successes`);
  if (failed > (tally?.failed.size ?? 0)) found.push(`${nameOf(job)} counts ${failed} of ${tally?.failed.size ?? 0} failures`);
  const end = endOf(job);
  if (end === undefined || (before !== undefined && endOf(before) !== undefined)) return found;
  return [...found, ...wrongEnd(job, end, succeeded, failed, spec?.completions)];
}

/** Judged when the end is written. */
function wrongEnd(job: Job, { type, reason }: JobCondition, succeeded: number, failed: number, completions: number | undefined): readonly string[] {
  const { backoffLimit = 6, parallelism = 1, template } = job.spec ?? {};
  if (type === 'Complete')
    return completions !== undefined && succeeded < completions ? [`${nameOf(job)} is complete at ${succeeded} of ${completions}`] : [];
  if (reason !== 'BackoffLimitExceeded' || template?.spec?.restartPolicy !== 'Never') return [];
  const found = failed <= backoffLimit ? [`${nameOf(job)} gave up after ${failed} failures with a limit of ${backoffLimit}`] : [];
  // One at a time leaves no room for a failure too many.
  if (parallelism === 1 && job.metadata.generation === 1 && failed > backoffLimit + 1)
    found.push(`${nameOf(job)} gave up after ${failed} failures, one at a time, with a limit of ${backoffLimit}`);
  return found;
}

function overstayed(job: Job, world: World): readonly string[] {
  const end = endOf(job);
  const { ttlSecondsAfterFinished: ttl } = job.spec ?? {};
  if (end === undefined || job.metadata.deletionTimestamp !== undefined) return [];
  const overMs = world.nowMs - Date.parse(end.lastTransitionTime ?? '');
  return ttl !== undefined && overMs > ttl * 1000 + lateMs ? [`${nameOf(job)} has been over for ${overMs} ms and was to go after ${ttl} s`] : [];
}

export function endOf({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True');
}

/** Nobody but the clock: a job of its own time to live goes no sooner than it is over. */
export function jobsLiveTheirTime(): Checker {
  const cleaner = 'system:serviceaccount:kube-system:ttl-after-finished-controller';
  return {
    name: 'jobs live their time',
    onChange({ key, current, previous, meta }, world) {
      if (prefixOf(key) !== 'jobs' || meta.identity !== cleaner || previous === undefined) return [];
      const job = previous.value as Job;
      const end = endOf(job);
      const dueMs = Date.parse(end?.lastTransitionTime ?? '') + (job.spec?.ttlSecondsAfterFinished ?? Number.POSITIVE_INFINITY) * 1000;
      const marked = job.metadata.deletionTimestamp !== undefined;
      return marked || (end !== undefined && world.nowMs >= dueMs)
        ? []
        : [`${nameOf((current ?? previous).value)} was cleaned up ${dueMs - world.nowMs} ms early`];
    },
  };
}
