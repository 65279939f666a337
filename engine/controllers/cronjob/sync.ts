/** One reconcile of one CronJob: cleans up, looks after its jobs, starts the job that is due. Mirrors sync of cronjob_controllerv2.go. */
import { secondsToMs } from '../../base/int64.ts';
import type { CronJob, CronJobStatus, Job } from '../../api/batch/v1/types.gen.ts';
import type { ObjectReference } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../../apimachinery/errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { CronParseError, parseCronSchedule } from '../../component-helpers/cron/parse.ts';
import type { CronSchedule } from '../../component-helpers/cron/schedule.ts';
import { scheduleTextOf } from '../../component-helpers/cron/schedule-text.ts';
import type { LoadZone, TimeZone } from '../../component-helpers/cron/time-zone.ts';
import { scheduledAnnotation } from '../../component-helpers/job.ts';
import { cronJobs, jobs } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { isControlledBy, newControllerRef } from '../lib/controller-ref.ts';
import { finishedConditionOf } from '../lib/job-state.ts';
import { compact, nonEmpty, nonEmptyMap } from '../lib/json.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { dueTime, nextDelay } from './missed.ts';
import { formatRfc1123 } from './order.ts';
import { beyondHistory, removeJob, type Tell } from './removal.ts';

export class CronJobSync {
  readonly #environment: ControllerEnvironment;
  readonly #context: ReconcileContext;
  readonly #cronJob: CronJob;
  readonly #jobs: readonly Job[];
  readonly #loadZone: LoadZone;
  #active: readonly ObjectReference[];
  #lastScheduleTime: string | undefined;
  #lastSuccessfulTime: string | undefined;
  #changed = false;

  constructor(environment: ControllerEnvironment, context: ReconcileContext, cronJob: CronJob, owned: readonly Job[], loadZone: LoadZone) {
    this.#environment = environment;
    this.#context = context;
    this.#cronJob = cronJob;
    this.#jobs = owned;
    this.#loadZone = loadZone;
    this.#active = cronJob.status?.active ?? [];
    this.#lastScheduleTime = cronJob.status?.lastScheduleTime;
    this.#lastSuccessfulTime = cronJob.status?.lastSuccessfulTime;
  }

  /** When to come back; undefined when only a change can bring anything new. */
  async run(): Promise<number | undefined> {
    await this.#cleanUp();
    let failure: unknown;
    let delayMs: number | undefined;
    try {
      delayMs = await this.#sync();
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      failure = error;
    }
    if (this.#changed) await this.#writeStatus();
    if (failure !== undefined) throw failure;
    return delayMs;
  }

  async #cleanUp(): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec ?? {};
    await this.#removeOldest('Complete', successfulJobsHistoryLimit);
    await this.#removeOldest('Failed', failedJobsHistoryLimit);
  }

  async #removeOldest(type: 'Complete' | 'Failed', limit: number | undefined): Promise<void> {
    for (const job of beyondHistory(this.#jobs, type, limit)) if (await this.#deleteJob(job)) this.#changed = true;
  }

  #deleteJob(job: Job): Promise<boolean> {
    return removeJob(this.#context, job, (uid) => this.#dropActive(uid), this.#tell);
  }

  async #sync(): Promise<number | undefined> {
    for (const job of this.#jobs) await this.#look(job);
    await this.#dropMissing();
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp !== undefined) return undefined;
    const { timeZone } = spec ?? {};
    if (timeZone !== undefined && this.#loadZone(timeZone) === undefined) {
      this.#tell('Warning', 'UnknownTimeZone', `invalid timeZone: ${goQuote(timeZone)}: unknown time zone ${timeZone}`);
      return undefined;
    }
    const schedule = spec?.suspend === true ? undefined : this.#parse();
    return schedule === undefined ? undefined : this.#start(schedule);
  }

  async #look(job: Job): Promise<void> {
    const { uid = '', name = '' } = job.metadata;
    const isActive = this.#isActive(uid);
    const finished = finishedConditionOf(job);
    if (finished === undefined) {
      if (!isActive) await this.#lookAgain(uid, name);
      return;
    }
    if (isActive) {
      this.#dropActive(uid);
      this.#tell('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${finished.type}`);
      this.#changed = true;
    }
    const completed = job.status?.completionTime;
    if (finished.type !== 'Complete' || completed === undefined) return;
    if (this.#lastSuccessfulTime === undefined || completed > this.#lastSuccessfulTime) {
      this.#lastSuccessfulTime = completed;
      this.#changed = true;
    }
  }

  /** The cache may be behind our own last status write. */
  async #lookAgain(uid: string, name: string): Promise<void> {
    const { namespace, name: own = '' } = this.#cronJob.metadata;
    const fresh = await this.#context.client.get(cronJobs, namespace, own);
    if (fresh.status?.active?.some((reference) => reference.uid === uid)) {
      this.#active = fresh.status.active;
      this.#lastScheduleTime = fresh.status.lastScheduleTime;
      return;
    }
    this.#tell('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
  }

  async #dropMissing(): Promise<void> {
    const known = new Set(this.#jobs.map((job) => job.metadata.uid));
    for (const { uid, namespace, name = '' } of this.#active) {
      if (known.has(uid)) continue;
      if ((await this.#getJob(namespace, name)) !== undefined) continue;
      this.#tell('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#dropActive(uid ?? '');
      this.#changed = true;
    }
  }

  #parse(): CronSchedule | undefined {
    const text = this.#cronJob.spec?.schedule ?? '';
    if (text.includes('TZ')) {
      const url = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
      this.#tell(
        'Warning',
        'UnsupportedSchedule',
        `CRON_TZ or TZ used in schedule ${goQuote(text)} is not officially supported, see ${url} for more details`,
      );
    }
    try {
      return parseCronSchedule(scheduleTextOf(this.#cronJob, this.#loadZone), 'v3', this.#loadZone);
    } catch (error) {
      if (!(error instanceof CronParseError)) throw error;
      this.#tell('Warning', 'UnparseableSchedule', `unparseable schedule: ${goQuote(text)} : ${error.message}`);
      return undefined;
    }
  }

  async #start(schedule: CronSchedule): Promise<number | undefined> {
    const nowMs = this.#environment.nowMs();
    const { spec } = this.#cronJob;
    const { atMs, tooMany, error } = dueTime(this.#cronJob, schedule, nowMs);
    if (tooMany)
      this.#tell('Warning', 'TooManyMissedTimes', 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew');
    if (error !== undefined) {
      this.#tell('Warning', 'InvalidSchedule', `invalid schedule: ${spec?.schedule ?? ''} : ${error}`);
      return undefined;
    }
    if (atMs === undefined) return nextDelay(this.#cronJob, schedule, nowMs);
    if (spec?.startingDeadlineSeconds !== undefined && atMs + secondsToMs(spec.startingDeadlineSeconds) < nowMs) {
      this.#tell('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${formatRfc1123(atMs)}`);
    } else if (this.#isStarted(atMs)) {
      return nextDelay(this.#withStatus(), schedule, nowMs);
    } else if (spec?.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      this.#tell('Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid');
    } else if (!(await this.#replaceAndCreate(atMs))) return undefined;
    return nextDelay(this.#withStatus(), schedule, nowMs);
  }

  #isStarted(atMs: number): boolean {
    const name = this.#jobName(atMs);
    return this.#active.some((reference) => reference.name === name) || this.#lastScheduleTime === formatTime(atMs);
  }

  /** False when somebody else's job has the name, or ours is there already. */
  async #replaceAndCreate(atMs: number): Promise<boolean> {
    if (this.#cronJob.spec?.concurrencyPolicy === 'Replace') await this.#deleteActive();
    const draft = this.#jobAt(atMs);
    let job: Job;
    try {
      job = await this.#context.client.create(jobs, draft);
      this.#tell('Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    } catch (error) {
      if (!isAlreadyExists(error)) {
        if (error instanceof StatusError && !isNamespaceTerminating(error))
          this.#tell('Warning', 'FailedCreate', `Error creating job: ${error.message}`);
        throw error;
      }
      job = await this.#context.client.get(jobs, draft.metadata.namespace, draft.metadata.name ?? '');
      if (!isControlledBy(job, this.#cronJob) || this.#isActive(job.metadata.uid ?? '')) return false;
    }
    const { namespace, name, uid, resourceVersion } = job.metadata;
    this.#active = [...this.#active, { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion } as ObjectReference];
    this.#lastScheduleTime = formatTime(atMs);
    this.#changed = true;
    return true;
  }

  async #deleteActive(): Promise<void> {
    for (const { namespace, name = '' } of this.#active) {
      let job: Job;
      try {
        job = await this.#context.client.get(jobs, namespace, name);
      } catch (error) {
        if (error instanceof StatusError) this.#tell('Warning', 'FailedGet', `Get job: ${error.message}`);
        throw error;
      }
      if (!(await this.#deleteJob(job))) throw new RetryError(`could not replace job ${namespace}/${name}`);
      this.#changed = true;
    }
  }

  #jobName(atMs: number): string {
    return `${this.#cronJob.metadata.name}-${Math.floor(atMs / 60_000)}`;
  }

  #jobAt(atMs: number): Job {
    const { jobTemplate, timeZone } = this.#cronJob.spec ?? {};
    const metadata = compact({
      name: this.#jobName(atMs),
      namespace: this.#cronJob.metadata.namespace,
      labels: nonEmptyMap(jobTemplate?.metadata?.labels ?? {}),
      annotations: { ...jobTemplate?.metadata?.annotations, [scheduledAnnotation]: formatInZone(atMs, this.#loadZone(timeZone ?? '')) },
      ownerReferences: [newControllerRef(this.#cronJob, cronJobs)],
    });
    return { kind: 'Job', apiVersion: 'batch/v1', metadata, spec: jobTemplate?.spec } as Job;
  }

  async #getJob(namespace: string | undefined, name: string): Promise<Job | undefined> {
    try {
      return await this.#context.client.get(jobs, namespace, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #isActive(uid: string): boolean {
    return this.#active.some((reference) => reference.uid === uid);
  }

  #dropActive(uid: string): void {
    this.#active = this.#active.filter((reference) => reference.uid !== uid);
  }

  #withStatus(): CronJob {
    const status = compact({
      active: nonEmpty(this.#active),
      lastScheduleTime: this.#lastScheduleTime,
      lastSuccessfulTime: this.#lastSuccessfulTime,
    });
    return { ...this.#cronJob, status: status as CronJobStatus };
  }

  async #writeStatus(): Promise<void> {
    await this.#context.client.updateStatus(cronJobs, this.#withStatus());
  }

  readonly #tell: Tell = (type, reason, message) => {
    this.#environment.recorder.event(this.#cronJob, type, reason, message, this.#context.causes);
  };
}

/** RFC 3339 with the zone's offset. */
function formatInZone(atMs: number, zone: TimeZone | undefined): string {
  const offsetMs = zone?.offsetMs(atMs) ?? 0;
  if (offsetMs === 0) return formatTime(atMs);
  const minutes = Math.abs(offsetMs) / 60_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${formatTime(atMs + offsetMs).slice(0, -1)}${offsetMs < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
