/**
 * CronJobs as they were before each had a time of its own: every ten seconds all of them are listed and looked at, one after the other,
 * with nothing in between. Mirrors pkg/controller/cronjob/cronjob_controller.go and utils.go of 1.13.
 */
import { secondsToMs } from '../../base/int64.ts';
import { timerCause } from '../../base/causes.ts';
import type { CronJob, CronJobStatus, Job } from '../../api/batch/v1/types.gen.ts';
import type { ObjectReference } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { cronJobs, jobs } from '../../client/resources.ts';
import { CronParseError, parseCronSchedule } from '../../component-helpers/cron/parse.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { controllerOf, newControllerRef } from '../lib/controller-ref.ts';
import { finishedConditionOf } from '../lib/job-state.ts';
import { compact, nonEmpty, nonEmptyMap } from '../lib/json.ts';
import { parseTime } from '../lib/time.ts';
import type { CronJobWatcher } from './controller.ts';
import { formatRfc1123 } from './order.ts';
import { beyondHistory, removeJob, type Tell } from './removal.ts';

const pollMs = 10_000;
const pollTimer = 'poll';
const missedMax = 100;

/** Why it is not said which times were missed. */
class Unmet extends Error {}

export class PolledCronJobs implements CronJobWatcher {
  readonly #environment: ControllerEnvironment;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
  }

  start(): void {
    this.#environment.setTimer(0, pollTimer);
  }

  /** Between two polls nothing is heard. */
  keysOfCronJob(): readonly string[] {
    return [];
  }

  keysOfJob(): readonly string[] {
    return [];
  }

  async reconcile(): Promise<void> {
    // All work is done in polls; no key is ever queued.
  }

  async onTimer(): Promise<void> {
    const causes = [timerCause('controller/cronjob-controller', pollTimer)];
    const client = this.#environment.client.because(causes);
    try {
      // Children first: who sees a job that was orphaned sees that its parent goes.
      const children = await client.list(jobs, undefined);
      for (const cronJob of (await client.list(cronJobs, undefined)).items) {
        const owned = children.items.filter((job) => isChildOf(job, cronJob));
        await new Round(this.#environment, { client, causes }, cronJob, owned).run();
      }
    } catch (error) {
      // The next poll lists anew.
      if (!(error instanceof StatusError)) throw error;
    } finally {
      this.#environment.setTimer(pollMs, pollTimer);
    }
  }
}

function isChildOf(job: Job, { metadata }: CronJob): boolean {
  const reference = controllerOf(job);
  return reference?.kind === 'CronJob' && reference.uid === metadata.uid;
}

/** One look at one CronJob. */
class Round {
  readonly #environment: ControllerEnvironment;
  readonly #context: ReconcileContext;
  readonly #jobs: readonly Job[];
  #cronJob: CronJob;
  #active: readonly ObjectReference[];

  constructor(environment: ControllerEnvironment, context: ReconcileContext, cronJob: CronJob, owned: readonly Job[]) {
    this.#environment = environment;
    this.#context = context;
    this.#cronJob = cronJob;
    this.#jobs = owned;
    this.#active = cronJob.status?.active ?? [];
  }

  async run(): Promise<void> {
    await this.#start();
    await this.#cleanUp();
  }

  async #start(): Promise<void> {
    this.#lookAtJobs();
    if (!(await this.#writeStatus(this.#cronJob.status?.lastScheduleTime))) return;
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp !== undefined || spec?.suspend === true) return;
    const atMs = this.#dueMs();
    if (atMs === undefined) return;
    const deadline = spec?.startingDeadlineSeconds;
    if (deadline !== undefined && atMs + secondsToMs(deadline) < this.#environment.nowMs())
      return this.#tell('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${formatRfc1123(atMs)}`);
    if (spec?.concurrencyPolicy === 'Forbid' && this.#active.length > 0) return;
    if (spec?.concurrencyPolicy === 'Replace' && !(await this.#deleteActive())) return;
    await this.#create(atMs);
  }

  #lookAtJobs(): void {
    for (const job of this.#jobs) {
      const { uid, name = '' } = job.metadata;
      const isActive = this.#active.some((reference) => reference.uid === uid);
      const isFinished = finishedConditionOf(job) !== undefined;
      if (!isActive && !isFinished) this.#tell('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      else if (isActive && isFinished) {
        this.#drop(uid);
        this.#tell('Normal', 'SawCompletedJob', `Saw completed job: ${name}`);
      }
    }
    const known = new Set(this.#jobs.map(({ metadata }) => metadata.uid));
    for (const { uid, name = '' } of this.#active) {
      if (known.has(uid)) continue;
      this.#tell('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#drop(uid);
    }
  }

  /** The last time that was missed; undefined without one. */
  #dueMs(): number | undefined {
    try {
      return lastUnmet(this.#cronJob, this.#environment.nowMs());
    } catch (error) {
      if (!(error instanceof Unmet)) throw error;
      this.#tell('Warning', 'FailedNeedsStart', `Cannot determine if job needs to be started: ${error.message}`);
      return undefined;
    }
  }

  async #deleteActive(): Promise<boolean> {
    for (const { namespace, name = '' } of this.#active) {
      try {
        if (!(await this.#delete(await this.#context.client.get(jobs, namespace, name)))) return false;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        this.#tell('Warning', 'FailedGet', `Get job: ${error.message}`);
        return false;
      }
    }
    return true;
  }

  #delete(job: Job): Promise<boolean> {
    return removeJob(this.#context, job, (uid) => this.#drop(uid), this.#tell);
  }

  async #create(atMs: number): Promise<void> {
    const { metadata, spec } = this.#cronJob;
    const { labels = {}, annotations = {} } = spec?.jobTemplate?.metadata ?? {};
    const meta = compact({
      name: `${metadata.name}-${Math.floor(atMs / 1000)}`,
      namespace: metadata.namespace,
      labels: nonEmptyMap(labels),
      annotations: nonEmptyMap(annotations),
      ownerReferences: [newControllerRef(this.#cronJob, betaCronJobs)],
    });
    let job: Job;
    try {
      job = await this.#context.client.create(jobs, { kind: 'Job', apiVersion: 'batch/v1', metadata: meta, spec: spec?.jobTemplate?.spec } as Job);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return this.#tell('Warning', 'FailedCreate', `Error creating job: ${error.message}`);
    }
    const { namespace, name = '', uid, resourceVersion } = job.metadata;
    this.#tell('Normal', 'SuccessfulCreate', `Created job ${name}`);
    this.#active = [...this.#active, compact({ kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion })];
    await this.#writeStatus(formatTime(atMs));
  }

  async #cleanUp(): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec ?? {};
    if (successfulJobsHistoryLimit === undefined && failedJobsHistoryLimit === undefined) return;
    const surplus = [
      ...beyondHistory(this.#jobs, 'Complete', successfulJobsHistoryLimit),
      ...beyondHistory(this.#jobs, 'Failed', failedJobsHistoryLimit),
    ];
    for (const job of surplus) await this.#delete(job);
    await this.#writeStatus(this.#cronJob.status?.lastScheduleTime);
  }

  /** Written whether or not it has changed; false when it was refused, which the next poll mends. */
  async #writeStatus(lastScheduleTime: string | undefined): Promise<boolean> {
    const status = compact({ ...this.#cronJob.status, active: nonEmpty(this.#active), lastScheduleTime }) as CronJobStatus;
    try {
      this.#cronJob = await this.#context.client.updateStatus(cronJobs, { ...this.#cronJob, status });
      return true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return false;
    }
  }

  #drop(uid: string | undefined): void {
    this.#active = this.#active.filter((reference) => reference.uid !== uid);
  }

  readonly #tell: Tell = (type, reason, message) => {
    this.#environment.recorder.event(this.#cronJob, type, reason, message, this.#context.causes);
  };
}

/** What owners are called by their Jobs. */
const betaCronJobs = { ...cronJobs, version: 'v1beta1' };

/** Older ones than the last are lost. Throws `Unmet` when the schedule cannot be read or too many were missed. */
function lastUnmet({ metadata, spec, status }: CronJob, nowMs: number): number | undefined {
  const text = spec?.schedule ?? '';
  let fromMs = parseTime(status?.lastScheduleTime) ?? parseTime(metadata.creationTimestamp) ?? 0;
  if (spec?.startingDeadlineSeconds !== undefined) fromMs = Math.max(fromMs, nowMs - secondsToMs(spec.startingDeadlineSeconds));
  if (fromMs > nowMs) return undefined;
  let last: number | undefined;
  let missed = 0;
  for (let at = next(text, fromMs); at === undefined || at <= nowMs; at = next(text, at)) {
    // What is never due is due at Go's zero time, again and again.
    if (at === undefined || ++missed > missedMax)
      throw new Unmet('Too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew.');
    last = at;
  }
  return last;
}

function next(schedule: string, fromMs: number): number | undefined {
  try {
    return parseCronSchedule(schedule, 'v1').next(fromMs);
  } catch (error) {
    if (error instanceof CronParseError) throw new Unmet(`Unparseable schedule: ${schedule} : ${error.message}`);
    throw error;
  }
}
