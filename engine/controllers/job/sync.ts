/**
 * One reconcile of one job: counts its pods, decides whether it has ended, creates or deletes pods, and hands over to
 * `tracking.ts`. Mirrors syncJob and manageJob of pkg/controller/job/job_controller.go.
 */
import { secondsToMs } from '../../base/int64.ts';
import type { Job, JobCondition } from '../../api/batch/v1/types.gen.ts';
import type { Pod, PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { jobs } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import type { StatusError } from '../../apimachinery/status.ts';
import type { RetryError } from '../../controller-runtime/retry-error.ts';
import { isPodActive, isPodReady, isPodTerminating } from '../lib/pod.ts';
import { createPod, deletePod, isNamespaceTerminating, podFromTemplate } from '../lib/pod-control.ts';
import { allDone, slowStartBatch } from '../lib/slow-start.ts';
import { parseTime } from '../lib/time.ts';
import { finishedMs, nextBackoff, remainingBackoffMs, type BackoffRecord } from './backoff.ts';
import {
  firstPending,
  hasIndex,
  indexAnnotation,
  indexedGenerateName,
  indexesOf,
  type Indexes,
  isIndexed,
  merge,
  parseIndexes,
  podsForRemoval,
  total,
  validIndexOf,
  withIndexes,
} from './indexes.ts';
import { absoluteFailures, countFailures, failureCounts, withIndexVariable } from './index-pods.ts';
import type { JobMemory } from './memory.ts';
import { isPodFailed, judgeFailure, matchSuccessPolicy, onlyReplacesFailed } from './policies.ts';
import { conditionOf, createDraft, ensureCondition, hasFinalizer, newCondition, type StatusDraft, trackingFinalizer } from './status.ts';
import { releasePod, Tracking } from './tracking.ts';

const podsPerSyncMax = 500;
export const batchPeriodMs = 1000;

type Failure = StatusError | RetryError | undefined;

export interface JobSyncInput {
  readonly environment: ControllerEnvironment;
  readonly context: ReconcileContext;
  readonly memory: JobMemory;
  readonly key: string;
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** The group of the pods that it makes. */
  readonly podGroup: string | undefined;
}

export class JobSync {
  readonly environment: ControllerEnvironment;
  readonly context: ReconcileContext;
  readonly memory: JobMemory;
  readonly key: string;
  readonly pods: readonly Pod[];
  readonly draft: StatusDraft;
  readonly removedFinalizers: ReadonlySet<string>;
  readonly backoff: BackoffRecord;
  job: Job;
  /** How the job ends, once decided. */
  finished: JobCondition | undefined;
  oldSucceededIndexes: Indexes = [];
  succeededIndexes: Indexes = [];
  failedIndexes: Indexes | undefined;
  /** By index, the failed pod that stays until it has been replaced, for its failure count. */
  readonly delayed = new Map<number, Pod>();
  /** Calls are left over that must wait for the rate limiter: they do so as the job's key in the queue. */
  isCut = false;
  readonly #podGroup: string | undefined;
  readonly #active: readonly Pod[];
  #activeCount: number;
  #ready: number;
  #terminating: number;
  #succeeded: number;
  #failed: number;

  constructor({ environment, context, memory, key, job, pods, podGroup }: JobSyncInput) {
    this.environment = environment;
    this.context = context;
    this.memory = memory;
    this.key = key;
    this.job = job;
    this.pods = pods;
    this.#podGroup = podGroup;
    this.draft = createDraft(job);
    this.removedFinalizers = memory.removedFinalizers(key);
    this.#active = pods.filter(isPodActive);
    this.#activeCount = this.#active.length;
    this.#ready = this.#active.filter(isPodReady).length;
    this.#terminating = pods.filter(isPodTerminating).length;
    const succeeded = this.#uncountedPods(this.draft.uncountedSucceeded).filter((pod) => pod.status?.phase === 'Succeeded');
    const failed = this.#uncountedPods(this.draft.uncountedFailed).filter((pod) => isPodFailed(pod, job));
    const counting = failed.filter((pod) => judgeFailure(job, pod).counts).length;
    this.#succeeded = this.draft.succeeded + succeeded.length + this.draft.uncountedSucceeded.length;
    this.#failed = this.draft.failed + counting + this.draft.uncountedFailed.length;
    this.backoff = nextBackoff(memory.backoffOf(key), succeeded, failed);
  }

  get terminating(): number {
    return this.#terminating;
  }

  get hasLimitPerIndex(): boolean {
    return this.job.spec?.backoffLimitPerIndex !== undefined;
  }

  async run(): Promise<void> {
    const { draft } = this;
    if (draft.startTime === undefined && !this.#suspended) draft.startTime = formatTime(this.#nowMs);
    const satisfied = this.memory.expectations.satisfied(this.key);
    this.finished = this.#decideEnd();
    if (isIndexed(this.job)) this.#countIndexes();
    const before = { conditions: draft.conditions, active: draft.active, ready: draft.ready, terminating: draft.terminating };
    const failure = this.finished === undefined ? await this.#continue(satisfied) : await this.#end(satisfied);
    // Upstream's sync waits in its calls and writes no status meanwhile.
    if (this.isCut && failure === undefined) return this.environment.enqueue(this.key, this.context.causes);
    draft.active = this.#activeCount;
    draft.ready = this.#ready;
    draft.terminating = this.#terminating;
    const changed =
      before.conditions !== draft.conditions ||
      before.active !== draft.active ||
      before.ready !== draft.ready ||
      before.terminating !== draft.terminating;
    await new Tracking(this).run(changed);
    if (failure !== undefined) throw failure;
  }

  /** As many of a batch as may be called for now; the rest of the batch comes when the limiter lets it. */
  affordable<T>(items: readonly T[]): readonly T[] {
    const batch = Math.min(items.length, this.memory.batchLeft(this.key) ?? items.length);
    const count = Math.min(batch, Math.max(1, this.environment.callsAvailable()));
    this.isCut = count < batch;
    this.memory.setBatchLeft(this.key, batch - count);
    return count === items.length ? items : items.slice(0, count);
  }

  get #nowMs(): number {
    return this.environment.nowMs();
  }

  get #suspended(): boolean {
    return this.job.spec?.suspend === true;
  }

  /** Finished pods that no status has counted yet, or that are no more to be counted, left out. */
  #uncountedPods(counted: readonly string[]): readonly Pod[] {
    return this.pods.filter((pod) => {
      const { uid = '' } = pod.metadata;
      if (!hasFinalizer(pod) || counted.includes(uid) || this.removedFinalizers.has(uid)) return false;
      return !isIndexed(this.job) || validIndexOf(this.job, pod) !== undefined;
    });
  }

  #decideEnd(): JobCondition | undefined {
    const { spec } = this.job;
    const met = conditionOf(this.draft.conditions, 'SuccessCriteriaMet');
    if (met?.status === 'True') return met;
    const target = conditionOf(this.draft.conditions, 'FailureTarget');
    if (target?.status === 'True') return newCondition('Failed', target.reason ?? '', target.message ?? '', this.#nowMs);
    const message = this.#policyFailure();
    if (message !== undefined) return this.#failure('PodFailurePolicy', message);
    if (this.#failed > (spec?.backoffLimit ?? 6) || this.#restartsExceedLimit()) {
      return this.#failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    }
    const startMs = parseTime(this.draft.startTime);
    if (spec?.activeDeadlineSeconds === undefined || startMs === undefined || this.#suspended) return undefined;
    const leftMs = startMs + secondsToMs(spec.activeDeadlineSeconds) - this.#nowMs;
    if (leftMs <= 0) return this.#failure('DeadlineExceeded', 'Job was active longer than specified deadline');
    this.environment.enqueueAfter(this.key, leftMs, this.context.causes);
    return undefined;
  }

  #failure(reason: string, message: string): JobCondition {
    return newCondition('FailureTarget', reason, message, this.#nowMs);
  }

  #policyFailure(): string | undefined {
    if (this.job.spec?.podFailurePolicy === undefined) return undefined;
    for (const pod of this.pods) {
      const message = isPodFailed(pod, this.job) ? judgeFailure(this.job, pod).jobFailure : undefined;
      if (message !== undefined) return message;
    }
    return undefined;
  }

  /** Pods that restart in place fail without ever ending. */
  #restartsExceedLimit(): boolean {
    const { spec } = this.job;
    if (spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
    let restarts = 0;
    for (const { status } of this.pods) {
      if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
      for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) restarts += restartCount;
    }
    const limit = spec.backoffLimit ?? 6;
    return limit === 0 ? restarts > 0 : restarts >= limit;
  }

  #countIndexes(): void {
    const completions = this.job.spec?.completions ?? 0;
    this.oldSucceededIndexes = parseIndexes(this.draft.completedIndexes, completions);
    const indexed = this.pods.filter((pod) => hasFinalizer(pod) && validIndexOf(this.job, pod) !== undefined);
    this.succeededIndexes = withIndexes(this.oldSucceededIndexes, indexesOf(indexed.filter((pod) => pod.status?.phase === 'Succeeded')));
    this.#succeeded = total(this.succeededIndexes);
    if (this.hasLimitPerIndex) this.#countFailedIndexes(indexed, completions);
    const message = this.finished === undefined ? matchSuccessPolicy(this.job, this.succeededIndexes) : undefined;
    if (message !== undefined) this.finished = newCondition('SuccessCriteriaMet', 'SuccessPolicy', message, this.#nowMs);
  }

  #countFailedIndexes(indexed: readonly Pod[], completions: number): void {
    const failed = withIndexes(parseIndexes(this.draft.failedIndexes, completions), indexesOf(indexed.filter((pod) => this.#failsIndex(pod))));
    this.failedIndexes = failed;
    const { maxFailedIndexes } = this.job.spec ?? {};
    if (this.finished === undefined && total(failed) > 0) {
      if (maxFailedIndexes !== undefined && total(failed) > maxFailedIndexes) {
        this.finished = this.#failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
      } else if (total(failed) + total(this.succeededIndexes) >= completions) {
        this.finished = this.#failure('FailedIndexes', 'Job has failed indexes');
      }
    }
    this.#delayDeletions(failed);
  }

  #failsIndex(pod: Pod): boolean {
    if (!isPodFailed(pod, this.job)) return false;
    const { action, counts } = judgeFailure(this.job, pod);
    return action === 'FailIndex' || (counts && countFailures(pod) >= (this.job.spec?.backoffLimitPerIndex ?? 0));
  }

  #delayDeletions(failed: Indexes): void {
    const active = indexesOf(this.#active);
    for (const pod of this.#uncountedPods([])) {
      const index = validIndexOf(this.job, pod);
      if (index === undefined || !isPodFailed(pod, this.job)) continue;
      if (hasIndex(this.succeededIndexes, index) || hasIndex(failed, index) || active.has(index)) continue;
      const last = this.delayed.get(index);
      if (last === undefined || (absoluteFailures(last) <= absoluteFailures(pod) && finishedMs(pod) >= finishedMs(last)))
        this.delayed.set(index, pod);
    }
  }

  /** The job has ended: its pods go. Its end is told when all of them are known to. */
  async #end(satisfied: boolean): Promise<Failure> {
    const { deleted, failure } = await this.#deletePods(this.#active, false);
    if (deleted !== this.#active.length || !satisfied) this.finished = undefined;
    return failure;
  }

  async #continue(satisfied: boolean): Promise<Failure> {
    const manages = satisfied && this.job.metadata.deletionTimestamp === undefined;
    const failure = manages ? await this.#managePods() : undefined;
    const { completions } = this.job.spec ?? {};
    const isComplete = this.#activeCount === 0 && (completions === undefined ? this.#succeeded > 0 : this.#succeeded >= completions);
    if (isComplete)
      this.finished = newCondition('SuccessCriteriaMet', 'CompletionsReached', 'Reached expected number of succeeded pods', this.#nowMs);
    else if (manages && !this.isCut) this.#noteSuspension();
    return failure;
  }

  #noteSuspension(): void {
    const { draft } = this;
    const [status, verb] = this.#suspended ? (['True', 'suspended'] as const) : (['False', 'resumed'] as const);
    const conditions = ensureCondition(
      draft.conditions,
      'Suspended',
      status,
      this.#suspended ? 'JobSuspended' : 'JobResumed',
      `Job ${verb}`,
      this.#nowMs,
    );
    if (conditions === draft.conditions) return;
    draft.conditions = conditions;
    draft.startTime = this.#suspended ? undefined : formatTime(this.#nowMs);
    this.environment.recorder.event(this.job, 'Normal', this.#suspended ? 'Suspended' : 'Resumed', `Job ${verb}`, this.context.causes);
  }

  async #managePods(): Promise<Failure> {
    const { spec } = this.job;
    const active = this.#active.length;
    if (this.#suspended) return (await this.#deletePods(podsForRemoval(this.job, this.#active, active), true)).failure;
    const parallelism = spec?.parallelism ?? 1;
    const unlimited = this.#succeeded > 0 ? active : parallelism;
    const wanted = spec?.completions === undefined ? unlimited : Math.max(0, Math.min(parallelism, spec.completions - this.#succeeded));
    const surplus = podsForRemoval(this.job, this.#active, Math.max(0, active - wanted)).slice(0, podsPerSyncMax);
    if (surplus.length > 0) return (await this.#deletePods(surplus, true)).failure;
    const missing = wanted - active - (onlyReplacesFailed(this.job) ? this.#terminating : 0);
    return missing > 0 ? this.#createPods(Math.min(missing, podsPerSyncMax)) : undefined;
  }

  async #deletePods(all: readonly Pod[], expected: boolean): Promise<{ readonly deleted: number; readonly failure: Failure }> {
    const doomed = this.affordable(all);
    if (expected) this.memory.expectations.expectDeletions(this.key, doomed.length);
    let deleted = 0;
    const failures = await allDone(
      doomed.map(async (pod) => {
        try {
          if (expected && hasFinalizer(pod)) await releasePod(this.context.client, pod);
          await deletePod(this.context, this.environment.recorder, { object: this.job, type: jobs }, pod);
        } catch (error) {
          if (expected) this.memory.expectations.deletionObserved(this.key);
          if (!isNotFound(error)) throw error;
        }
        deleted++;
        if (isPodReady(pod)) this.#ready--;
      }),
    );
    this.#activeCount -= deleted;
    this.#terminating += deleted;
    return { deleted, failure: failures[0] };
  }

  async #createPods(missing: number): Promise<Failure> {
    const indexes = isIndexed(this.job) ? this.#indexesToAdd(missing) : undefined;
    const waitMs = this.#waitMs(indexes);
    if (waitMs > 0) {
      this.environment.enqueueAfter(this.key, Math.max(waitMs, batchPeriodMs), this.context.causes);
      return undefined;
    }
    const due = indexes?.filter((index) => !this.hasLimitPerIndex || this.#indexWaitMs(index) === 0);
    const now = this.affordable(due ?? Array.from<undefined>({ length: missing }));
    const count = now.length;
    this.memory.expectations.expectCreations(this.key, count);
    let created = 0;
    const { recorder } = this.environment;
    const owner = { object: this.job, type: jobs };
    const plain = due === undefined ? this.#podOf(undefined) : undefined;
    const { succeeded, error } = await slowStartBatch(count, async (i) => {
      try {
        await createPod(this.context, recorder, owner, plain ?? this.#podOf(now[i]));
      } catch (refusal) {
        if (!isNamespaceTerminating(refusal)) throw refusal;
      }
      created++;
    });
    for (let skipped = count - succeeded; skipped > 0; skipped--) this.memory.expectations.creationObserved(this.key);
    this.#activeCount += created;
    return error;
  }

  /** How long no pod at all may be created. */
  #waitMs(indexes: readonly number[] | undefined): number {
    if (!this.hasLimitPerIndex || indexes === undefined)
      return remainingBackoffMs(this.backoff, this.#nowMs, this.environment.options.jobBackoffMaxMs);
    const waits = indexes.map((index) => this.#indexWaitMs(index));
    return waits.length === 0 ? 0 : Math.min(...waits);
  }

  #indexWaitMs(index: number): number {
    const last = this.delayed.get(index);
    if (last === undefined) return 0;
    const failures = absoluteFailures(last) + 1;
    return remainingBackoffMs({ failures, lastFailureMs: finishedMs(last) }, this.#nowMs, this.environment.options.jobBackoffMaxMs);
  }

  #indexesToAdd(count: number): readonly number[] {
    let taken = withIndexes(this.succeededIndexes, indexesOf(this.#active));
    if (onlyReplacesFailed(this.job)) taken = withIndexes(taken, indexesOf(this.pods.filter(isPodTerminating)));
    if (this.failedIndexes !== undefined) taken = merge(taken, this.failedIndexes);
    return firstPending(taken, count, this.job.spec?.completions ?? 0);
  }

  #podOf(index: number | undefined): Pod {
    const template = this.job.spec?.template;
    const { metadata, spec } = template ?? {};
    const finalizers = [...new Set([...(metadata?.finalizers ?? []), trackingFinalizer])];
    const owner = { object: this.job, type: jobs };
    if (index === undefined) return podFromTemplate({ ...template, metadata: { ...metadata, finalizers } } as PodTemplateSpec, owner);
    const jobName = this.job.metadata.name ?? '';
    const mark = { [indexAnnotation]: String(index) };
    const annotations = { ...metadata?.annotations, ...mark, ...(this.hasLimitPerIndex ? failureCounts(this.job, this.delayed.get(index)) : {}) };
    const podSpec = {
      ...spec,
      ...(this.#podGroup === undefined ? {} : { schedulingGroup: { podGroupName: this.#podGroup } }),
      ...(spec?.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withIndexVariable) }),
      containers: (spec?.containers ?? []).map(withIndexVariable),
      hostname: `${jobName}-${index}`,
    };
    const indexed = { metadata: { ...metadata, annotations, labels: { ...metadata?.labels, ...mark }, finalizers }, spec: podSpec };
    return podFromTemplate(indexed as unknown as PodTemplateSpec, owner, indexedGenerateName(jobName, index));
  }
}
