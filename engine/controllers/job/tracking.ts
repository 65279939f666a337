/**
 * Counts finished pods exactly once: their UIDs are noted in the status, then their finalizers are removed, then they are counted
 * and the notes dropped. Mirrors trackJobStatusAndRemoveFinalizers of pkg/controller/job/job_controller.go.
 */
import { formatTime } from '../../apimachinery/time.ts';
import type { JobCondition } from '../../api/batch/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import type { Client } from '../../client/client.ts';
import { jobs, pods } from '../../client/resources.ts';
import { allDone } from '../lib/slow-start.ts';
import { formatIndexes, hasIndex, indexOf, isIndexed, total, validIndexOf, withIndexes } from './indexes.ts';
import { isPodFailed, judgeFailure } from './policies.ts';
import { conditionOf, ensureCondition, hasFinalizer, newCondition, statusOf, trackingFinalizer } from './status.ts';
import type { JobSync } from './sync.ts';

const uncountedMax = 500;

export class Tracking {
  readonly #sync: JobSync;
  /** Pods that still have the finalizer. */
  readonly #tracked = new Set<string>();
  readonly #toRelease: Pod[] = [];
  readonly #newIndexes: number[] = [];
  #needsWrite = false;
  #full = false;

  constructor(sync: JobSync) {
    this.#sync = sync;
    for (const pod of sync.pods) if (hasFinalizer(pod) && !sync.removedFinalizers.has(uidOf(pod))) this.#tracked.add(uidOf(pod));
  }

  async run(needsWrite: boolean): Promise<void> {
    const { environment, context, key } = this.#sync;
    this.#dropCounted();
    const hasCounted = this.#needsWrite;
    this.#needsWrite = needsWrite;
    this.#notePods();
    if (isIndexed(this.#sync.job)) this.#noteIndexes();
    this.#noteEnd();
    // While pods wait for the limiter to be let go, what was counted alone is not told: that would take their calls.
    const isPostponed = hasCounted && !this.#needsWrite && this.#toRelease.length >= environment.callsAvailable();
    this.#needsWrite ||= hasCounted && !isPostponed;
    await this.#flush();
    this.#needsWrite = isPostponed;
    const isDone = await this.#releasePods();
    if (isDone) await this.#finish();
    else environment.enqueue(key, context.causes);
  }

  /** Pods that were noted and have lost their finalizer since are counted now. */
  #dropCounted(): void {
    const { draft } = this.#sync;
    const succeeded = draft.uncountedSucceeded.filter((uid) => this.#tracked.has(uid));
    const failed = draft.uncountedFailed.filter((uid) => this.#tracked.has(uid));
    const counted = draft.uncountedSucceeded.length - succeeded.length + draft.uncountedFailed.length - failed.length;
    if (counted === 0) return;
    draft.succeeded += draft.uncountedSucceeded.length - succeeded.length;
    draft.failed += draft.uncountedFailed.length - failed.length;
    draft.uncountedSucceeded = succeeded;
    draft.uncountedFailed = failed;
    this.#needsWrite = true;
  }

  #notePods(): void {
    const { job, draft } = this.#sync;
    const ordered = isIndexed(job) ? this.#sync.pods.toSorted((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)) : this.#sync.pods;
    const knownFailed = new Set(draft.uncountedFailed);
    const knownSucceeded = new Set(draft.uncountedSucceeded);
    const newSucceeded: string[] = [];
    const newFailed: string[] = [];
    for (const pod of ordered) {
      if (!this.#tracked.has(uidOf(pod)) || !this.#mayRelease(pod)) continue;
      this.#toRelease.push(pod);
      if (pod.status?.phase === 'Succeeded' && !knownFailed.has(uidOf(pod))) this.#noteSucceeded(pod, knownSucceeded, newSucceeded);
      else if (this.#countsAsFailed(pod) && !knownFailed.has(uidOf(pod))) newFailed.push(uidOf(pod));
      const noted = this.#newIndexes.length + knownSucceeded.size + newSucceeded.length + knownFailed.size + newFailed.length;
      if (noted >= uncountedMax) {
        this.#full = true;
        break;
      }
    }
    if (newSucceeded.length + newFailed.length + this.#newIndexes.length === 0) return;
    draft.uncountedSucceeded = [...draft.uncountedSucceeded, ...newSucceeded];
    draft.uncountedFailed = [...draft.uncountedFailed, ...newFailed];
    this.#needsWrite = true;
  }

  #noteSucceeded(pod: Pod, known: ReadonlySet<string>, added: string[]): void {
    const { job, oldSucceededIndexes } = this.#sync;
    if (!isIndexed(job)) {
      if (!known.has(uidOf(pod))) added.push(uidOf(pod));
      return;
    }
    const index = validIndexOf(job, pod);
    if (index !== undefined && !hasIndex(oldSucceededIndexes, index)) this.#newIndexes.push(index);
  }

  #countsAsFailed(pod: Pod): boolean {
    const { job, finished } = this.#sync;
    const ends = finished !== undefined && finished.type !== 'SuccessCriteriaMet';
    if (!isPodFailed(pod, job) && !ends) return false;
    return (!isIndexed(job) || validIndexOf(job, pod) !== undefined) && judgeFailure(job, pod).counts;
  }

  #mayRelease(pod: Pod): boolean {
    const { job, finished, delayed, hasLimitPerIndex } = this.#sync;
    if (job.metadata.deletionTimestamp !== undefined || finished !== undefined || pod.status?.phase === 'Succeeded') return true;
    if (!isPodFailed(pod, job)) return false;
    const index = hasLimitPerIndex ? indexOf(pod) : undefined;
    return index === undefined || delayed.get(index)?.metadata.uid !== pod.metadata.uid;
  }

  #noteIndexes(): void {
    const { draft, failedIndexes } = this.#sync;
    const succeeded = withIndexes(this.#sync.succeededIndexes, this.#newIndexes);
    const completed = formatIndexes(succeeded);
    const failed = failedIndexes === undefined ? undefined : formatIndexes(failedIndexes);
    if (completed !== draft.completedIndexes || failed !== draft.failedIndexes) this.#needsWrite = true;
    draft.succeeded = total(succeeded);
    draft.completedIndexes = completed;
    draft.failedIndexes = failed;
  }

  /** The interim condition is written first; the final one follows when all pods have ended. */
  #noteEnd(): void {
    const { draft, finished, environment } = this.#sync;
    if (finished === undefined || (finished.type !== 'FailureTarget' && finished.type !== 'SuccessCriteriaMet')) return;
    if (conditionOf(draft.conditions, finished.type) === undefined) {
      draft.conditions = [...draft.conditions, finished];
      this.#needsWrite = true;
    }
    const type = finished.type === 'FailureTarget' ? 'Failed' : 'Complete';
    this.#sync.finished = newCondition(type, finished.reason ?? '', finished.message ?? '', environment.nowMs());
  }

  async #flush(): Promise<void> {
    if (!this.#needsWrite) return;
    await this.#write();
    this.#sync.memory.setBackoff(this.#sync.key, this.#sync.backoff);
    this.#needsWrite = false;
  }

  async #write(): Promise<void> {
    const { job, draft, context } = this.#sync;
    this.#sync.job = await context.client.updateStatus(jobs, { ...job, status: statusOf(draft) });
  }

  /** False when some are left for the next turn. */
  async #releasePods(): Promise<boolean> {
    const { context, memory, key } = this.#sync;
    const now = this.#sync.affordable(this.#toRelease);
    const failures = await allDone(
      now.map(async (pod) => {
        memory.expectFinalizerRemoved(key, uidOf(pod));
        try {
          await releasePod(context.client, pod);
        } catch (error) {
          memory.finalizerRemovalObserved(key, uidOf(pod));
          if (!isNotFound(error)) throw error;
        }
        this.#tracked.delete(uidOf(pod));
      }),
    );
    this.#dropCounted();
    if (failures[0] === undefined) return now.length === this.#toRelease.length;
    if (this.#needsWrite) await this.#write();
    throw failures[0];
  }

  async #finish(): Promise<void> {
    const { draft, finished, terminating, environment, memory } = this.#sync;
    const isOver = !this.#full && finished !== undefined && draft.uncountedSucceeded.length + draft.uncountedFailed.length === 0 && terminating === 0;
    if (isOver) {
      const { type, reason = '', message = '', lastTransitionTime } = finished;
      draft.conditions = ensureCondition(draft.conditions, type, 'True', reason, message, environment.nowMs());
      if (type === 'Complete') draft.completionTime = lastTransitionTime ?? formatTime(environment.nowMs());
      this.#needsWrite = true;
    }
    if (!this.#needsWrite) return;
    await this.#write();
    if (!isOver) return;
    memory.finished.add(this.#sync.job.metadata.uid ?? '');
    this.#tell(finished);
  }

  #tell({ type, reason = '', message = '' }: JobCondition): void {
    const { job, draft, environment, context } = this.#sync;
    const { recorder } = environment;
    if (type !== 'Complete') {
      recorder.event(job, 'Warning', reason, message, context.causes);
      return;
    }
    const { completions } = job.spec ?? {};
    if (completions !== undefined && draft.succeeded > completions) {
      recorder.event(job, 'Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached', context.causes);
    }
    recorder.event(job, 'Normal', 'Completed', 'Job completed', context.causes);
  }
}

/** Takes the job's finalizer off a pod: it may go, and no status counts it any more. What the job itself takes away has not failed. */
export async function releasePod(client: Client, { metadata: { namespace, name = '' } }: Pod): Promise<void> {
  await client.patch(pods, namespace, name, 'strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } });
}

function uidOf(pod: Pod): string {
  return pod.metadata.uid ?? '';
}
