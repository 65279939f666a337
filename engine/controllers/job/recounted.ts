/**
 * Jobs as they were before their pods carried a finalizer: what is there is counted anew at each look, a pod that is gone is not counted
 * any more, and the back-off is that of the queue. Mirrors pkg/controller/job/job_controller.go of 1.13.
 */
import { number } from '../../base/codecs.ts';
import { secondsToMs } from '../../base/int64.ts';
import type { Job, JobCondition, JobStatus } from '../../api/batch/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { jobs, pods } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { claim, controllerIndex, controllerIndexValues, controllerOf, orphansOf, sameControllerRef } from '../lib/controller-ref.ts';
import { Expectations } from '../lib/expectations.ts';
import { isJobFinished } from '../lib/job-state.ts';
import { compact, nonEmpty, nonZero } from '../lib/json.ts';
import { toMatcher } from '../lib/label-selector.ts';
import { isPodActive } from '../lib/pod.ts';
import { createPod, deletePod, isNamespaceTerminating, mayBeLeft, podFromTemplate } from '../lib/pod-control.ts';
import { compareActivePods } from '../lib/pod-ranking.ts';
import { allDone, slowStartBatch } from '../lib/slow-start.ts';
import { parseTime } from '../lib/time.ts';
import { WrittenVersions } from '../lib/written-versions.ts';
import type { JobWatcher } from './controller.ts';

const backoffBaseMs = 10_000;
const writesMax = 4;

/** What a look found and did. */
interface Look {
  readonly job: Job;
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly startTime: string;
}

interface Outcome {
  readonly active: number;
  readonly failed: number;
  readonly condition?: JobCondition;
  readonly error?: StatusError | RetryError | undefined;
}

export class RecountedJobs implements JobWatcher {
  readonly #environment: ControllerEnvironment;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #expectations: Expectations;
  /** What the cache has not shown yet: a job is not looked at again before. */
  readonly #written: WrittenVersions;
  /** By job, looks in a row that ended in an error: a new failure of a pod is one. */
  readonly #requeues: Map<string, number>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#jobs = environment.informer(jobs);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(controllerIndex, controllerIndexValues);
    this.#expectations = new Expectations(() => environment.nowMs(), environment.slots);
    this.#written = new WrittenVersions(() => environment.nowMs(), environment.slots);
    this.#requeues = environment.slots.map('requeues', number);
  }

  keysOfJob(event: InformerEvent<Job>): readonly string[] {
    const key = keyOf(event.object);
    this.#written.saw(jobs, event.object);
    if (event.type === 'update') this.#watchDeadline(key, event.object, event);
    return [key];
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const pod = event.object;
    if (event.type === 'delete' || pod.metadata.deletionTimestamp !== undefined) return this.#podDeleted(pod);
    const owner = this.#ownerOf(pod);
    if (event.type === 'add') {
      if (owner !== undefined) this.#expectations.creationObserved(keyOf(owner));
      return owner === undefined ? this.#matching(pod) : [keyOf(owner)];
    }
    const keys: string[] = [];
    const hasMoved = !sameControllerRef(controllerOf(pod), controllerOf(event.old));
    const before = hasMoved ? this.#ownerOf(event.old) : undefined;
    if (before !== undefined) keys.push(keyOf(before));
    if (owner === undefined) return [...keys, ...(controllerOf(pod) === undefined ? this.#matching(pod) : [])];
    const waitMs = pod.status?.phase === 'Failed' ? this.#backoffMs((this.#requeues.get(keyOf(owner)) ?? 0) - 1) : 0;
    if (waitMs === 0) return [...keys, keyOf(owner)];
    this.#environment.enqueueAfter(keyOf(owner), waitMs, event.causes);
    return keys;
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    try {
      if (await this.#sync(context, key)) this.#requeues.delete(key);
    } catch (error) {
      // Not thrown on: the runner's back-off is not this one. What the API refused has been told as an Event.
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      const before = this.#requeues.get(key) ?? 0;
      this.#requeues.set(key, before + 1);
      this.#environment.enqueueAfter(key, this.#backoffMs(before), context.causes);
    }
  }

  /** True when earlier failures are forgotten. */
  async #sync(context: ReconcileContext, key: string): Promise<boolean> {
    const { namespace, name } = splitKey(key);
    const job = this.#jobs.get(namespace, name);
    if (job === undefined) this.#expectations.delete(key);
    if (job === undefined || isJobFinished(job)) return true;
    // The event that brings the cache up to date brings the job back.
    if (this.#written.missing(key) !== undefined) return false;
    const isSatisfied = this.#expectations.satisfied(key);
    const found = await this.#claimPods(context, job);
    const startTime = job.status?.startTime ?? this.#start(key, job, context);
    const counted = (phase: string): number => found.filter(({ status }) => status?.phase === phase).length;
    const look: Look = { job, active: found.filter(isPodActive), succeeded: counted('Succeeded'), failed: counted('Failed'), startTime };
    const isNewFailure = look.failed > (job.status?.failed ?? 0);
    const end = this.#whyFailed(look, found, key, isNewFailure);
    const outcome = end === undefined ? await this.#goOn(context, key, look, isSatisfied) : await this.#fail(context, look, end);
    const hasSucceeded = (job.status?.succeeded ?? 0) < look.succeeded;
    if (this.#isTold(look, outcome)) {
      if (hasSucceeded) this.#requeues.delete(key);
      if (outcome.error !== undefined) throw outcome.error;
      return hasSucceeded;
    }
    await this.#write(context, key, look, outcome);
    if (isNewFailure && outcome.condition === undefined) throw new RetryError(`failed pod(s) detected for job key "${key}"`);
    this.#requeues.delete(key);
    if (outcome.error !== undefined) throw outcome.error;
    return true;
  }

  #start(key: string, job: Job, context: ReconcileContext): string {
    const seconds = job.spec?.activeDeadlineSeconds;
    if (seconds !== undefined) this.#environment.enqueueAfter(key, secondsToMs(seconds), context.causes);
    return formatTime(this.#environment.nowMs());
  }

  #whyFailed(
    { job, active, startTime }: Look,
    found: readonly Pod[],
    key: string,
    isNewFailure: boolean,
  ): readonly [reason: string, message: string] | undefined {
    const { backoffLimit = 6, parallelism = 1, activeDeadlineSeconds } = job.spec ?? {};
    const triedTooOften = isNewFailure && active.length !== parallelism && (this.#requeues.get(key) ?? 0) + 1 > backoffLimit;
    if (triedTooOften || restartsExceed(job, found, backoffLimit)) return ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'];
    const lastsMs = this.#environment.nowMs() - (parseTime(startTime) ?? 0);
    const isLate = activeDeadlineSeconds !== undefined && lastsMs >= secondsToMs(activeDeadlineSeconds);
    return isLate ? ['DeadlineExceeded', 'Job was active longer than specified deadline'] : undefined;
  }

  /** What is running goes, and counts as failed. */
  async #fail(context: ReconcileContext, { job, active, failed }: Look, [reason, message]: readonly [string, string]): Promise<Outcome> {
    const { recorder } = this.#environment;
    const failures = await allDone(active.map((pod) => deletePod(context, recorder, { object: job, type: jobs }, pod)));
    recorder.event(job, 'Warning', reason, message, context.causes);
    return { active: 0, failed: failed + active.length, condition: this.#condition('Failed', reason, message), error: failures[0] };
  }

  async #goOn(context: ReconcileContext, key: string, look: Look, isSatisfied: boolean): Promise<Outcome> {
    const { job, active, succeeded, failed } = look;
    const manages = isSatisfied && job.metadata.deletionTimestamp === undefined;
    const managed = manages ? await this.#manage(context, key, look) : { active: active.length, error: undefined };
    const { completions } = job.spec ?? {};
    const isComplete = completions === undefined ? succeeded > 0 && managed.active === 0 : succeeded >= completions;
    if (!isComplete) return { ...managed, failed };
    const tell = (reason: string, message: string): void => this.#environment.recorder.event(job, 'Warning', reason, message, context.causes);
    if (completions !== undefined && managed.active > 0) tell('TooManyActivePods', 'Too many active pods running after completion count reached');
    if (completions !== undefined && succeeded > completions)
      tell('TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
    return { ...managed, failed, condition: this.#condition('Complete') };
  }

  async #manage(context: ReconcileContext, key: string, { job, active, succeeded }: Look): Promise<Pick<Outcome, 'active' | 'error'>> {
    const { parallelism = 1, completions } = job.spec ?? {};
    const surplus = active.length - parallelism;
    if (surplus > 0) return this.#deleteSurplus(context, key, job, active.toSorted(compareActivePods).slice(0, surplus), parallelism);
    if (surplus === 0) return { active: active.length };
    const unlimited = succeeded > 0 ? active.length : parallelism;
    const wanted = completions === undefined ? unlimited : Math.min(parallelism, completions - succeeded);
    const missing = Math.max(0, wanted - active.length);
    this.#expectations.expectCreations(key, missing);
    const owner = { object: job, type: jobs };
    const pod = podFromTemplate(job.spec?.template, owner);
    const { succeeded: made, error } = await slowStartBatch(missing, async () => {
      try {
        await createPod(context, this.#environment.recorder, owner, pod);
      } catch (refusal) {
        if (isNamespaceTerminating(refusal) || !mayBeLeft(refusal, this.#environment.options.traits)) throw refusal;
      }
    });
    for (let skipped = missing - made; skipped > 0; skipped--) this.#expectations.creationObserved(key);
    return { active: active.length + made, error };
  }

  async #deleteSurplus(
    context: ReconcileContext,
    key: string,
    job: Job,
    surplus: readonly Pod[],
    left: number,
  ): Promise<Pick<Outcome, 'active' | 'error'>> {
    this.#expectations.expectDeletions(key, surplus.length);
    const failures = await allDone(
      surplus.map(async (pod) => {
        try {
          await deletePod(context, this.#environment.recorder, { object: job, type: jobs }, pod);
        } catch (error) {
          this.#expectations.deletionObserved(key);
          throw error;
        }
      }),
    );
    return { active: left + failures.length, error: failures[0] };
  }

  #isTold({ job: { status }, succeeded }: Look, { active, failed, condition }: Outcome): boolean {
    const same = (told: number | undefined, now: number): boolean => (told ?? 0) === now;
    return same(status?.active, active) && same(status?.succeeded, succeeded) && same(status?.failed, failed) && condition === undefined;
  }

  /** Over whatever stands there by now. */
  async #write(
    { client }: ReconcileContext,
    key: string,
    { job, succeeded, startTime }: Look,
    { active, failed, condition }: Outcome,
  ): Promise<void> {
    const conditions = [...(job.status?.conditions ?? []), ...(condition === undefined ? [] : [condition])];
    const status = compact({
      conditions: nonEmpty(conditions),
      startTime,
      completionTime: condition?.type === 'Complete' ? condition.lastTransitionTime : job.status?.completionTime,
      active: nonZero(active),
      succeeded: nonZero(succeeded),
      failed: nonZero(failed),
    }) as JobStatus;
    for (let writes = 1; ; writes++) {
      const fresh = await client.get(jobs, job.metadata.namespace, job.metadata.name ?? '');
      try {
        this.#written.wrote(key, jobs, await client.updateStatus(jobs, { ...fresh, status }));
        return;
      } catch (error) {
        if (!(error instanceof StatusError) || writes >= writesMax) throw error;
      }
    }
  }

  #condition(type: 'Complete' | 'Failed', reason?: string, message?: string): JobCondition {
    const now = formatTime(this.#environment.nowMs());
    return compact({ type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message }) as JobCondition;
  }

  #backoffMs(failures: number): number {
    return failures < 0 ? 0 : Math.min(this.#environment.options.jobBackoffMaxMs, backoffBaseMs * 2 ** Math.min(failures, 30));
  }

  async #claimPods({ client }: ReconcileContext, owner: Job): Promise<readonly Pod[]> {
    const { uid = '', namespace } = owner.metadata;
    const matches = toMatcher(owner.spec?.selector);
    const orphans = this.#pods.byIndex(controllerIndex, orphansOf(namespace)).filter(({ metadata }) => matches(metadata.labels));
    return claim({ client, owner, ownerType: jobs, type: pods, matches }, [...this.#pods.byIndex(controllerIndex, uid), ...orphans]);
  }

  #podDeleted(pod: Pod): readonly string[] {
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return [];
    this.#expectations.deletionObserved(keyOf(owner));
    return [keyOf(owner)];
  }

  #matching(pod: Pod): readonly string[] {
    if (pod.metadata.labels === undefined || controllerOf(pod) !== undefined) return [];
    const all = this.#jobs.list(pod.metadata.namespace);
    return all.filter((job) => toMatcher(job.spec?.selector)(pod.metadata.labels)).map(keyOf);
  }

  #ownerOf(pod: Pod): Job | undefined {
    const reference = controllerOf(pod);
    if (reference?.kind !== 'Job') return undefined;
    const job = this.#jobs.get(pod.metadata.namespace, reference.name);
    return job?.metadata.uid === reference.uid ? job : undefined;
  }

  #watchDeadline(key: string, job: Job, event: InformerEvent<Job> & { readonly type: 'update' }): void {
    const startMs = parseTime(job.status?.startTime);
    const seconds = job.spec?.activeDeadlineSeconds;
    if (startMs === undefined || seconds === undefined || seconds === event.old.spec?.activeDeadlineSeconds) return;
    this.#environment.enqueueAfter(key, Math.max(0, startMs + secondsToMs(seconds) - this.#environment.nowMs()), event.causes);
  }
}

/** Pods that restart in place fail without ever ending. */
function restartsExceed({ spec }: Job, found: readonly Pod[], limit: number): boolean {
  if (spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of found) {
    if (status?.phase !== 'Running') continue;
    for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) restarts += restartCount;
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
