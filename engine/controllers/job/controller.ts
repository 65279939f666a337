/** Runs pods until enough have succeeded. Mirrors pkg/controller/job/job_controller.go; the work on one job is in `sync.ts`. */
import { deepEqual } from '../../base/equal.ts';
import { secondsToMs } from '../../base/int64.ts';
import type { Job } from '../../api/batch/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { PodGroup } from '../../api/scheduling/v1alpha2/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { jobs, podGroups, pods, workloads } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { claim, controllerIndex, controllerIndexValues, controllerOf, orphansOf, sameControllerRef } from '../lib/controller-ref.ts';
import { isJobFinished } from '../lib/job-state.ts';
import { toMatcher } from '../lib/label-selector.ts';
import { parseTime } from '../lib/time.ts';
import { JobGangs } from './gang.ts';
import { JobMemory } from './memory.ts';
import { RecountedJobs } from './recounted.ts';
import { hasFinalizer, trackingFinalizer } from './status.ts';
import { batchPeriodMs, JobSync } from './sync.ts';

/** Keys of pods that may have to be let go; a namespace has no colon. */
const orphanPrefix = 'orphan:';
/** The same for all pods of a job, by the job's UID. */
const orphansPrefix = 'orphans-of:';

/** What hears of jobs and pods, and brings a job forward. */
export interface JobWatcher extends Controller {
  keysOfJob(event: InformerEvent<Job>): readonly string[];
  keysOfPod(event: InformerEvent<Pod>): readonly string[];
  /** Nobody is woken by a group. */
  groupSeen?(group: PodGroup): void;
}

class JobController implements JobWatcher {
  readonly #environment: ControllerEnvironment;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #memory: JobMemory;
  readonly #gangs: JobGangs | undefined;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#jobs = environment.informer(jobs);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(controllerIndex, controllerIndexValues, { ignoresStatus: true });
    this.#memory = new JobMemory(() => environment.nowMs(), environment.slots);
    if (environment.options.jobWorkloads) this.#gangs = new JobGangs(environment, this.#memory);
  }

  keysOfJob(event: InformerEvent<Job>): readonly string[] {
    const job = event.object;
    const key = keyOf(job);
    const { uid = '' } = job.metadata;
    if (event.type === 'delete') {
      this.#memory.finished.delete(uid);
      return [key, orphansPrefix + uid];
    }
    if (event.type === 'add') return [key];
    if (isJobFinished(job)) {
      this.#memory.finished.delete(uid);
      return [orphansPrefix + uid];
    }
    this.#watchDeadline(key, job, event);
    if (job.metadata.generation !== event.old.metadata.generation) return [key];
    return this.#batched(key, event);
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const pod = event.object;
    if (event.type === 'delete' || pod.metadata.deletionTimestamp !== undefined) return this.#podDeleted(pod, event);
    if (event.type === 'update') return this.#podUpdated(event.old, pod, event);
    if (controllerOf(pod) !== undefined) {
      const job = this.#ownerOf(pod);
      if (job === undefined) return [];
      this.#memory.expectations.creationObserved(keyOf(job));
      return this.#batched(keyOf(job), event);
    }
    this.#wakeMatching(pod, event);
    return hasFinalizer(pod) ? [orphanPrefix + keyOf(pod)] : [];
  }

  groupSeen(group: PodGroup): void {
    const owner = controllerOf(group);
    if (owner?.kind === 'Job') this.#memory.gangs.delete(`${group.metadata.namespace}/${owner.name}`);
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(orphansPrefix)) {
      for (const pod of this.#pods.byIndex(controllerIndex, key.slice(orphansPrefix.length))) await this.#letGo(context, pod);
    } else if (key.startsWith(orphanPrefix)) {
      const { namespace, name } = splitKey(key.slice(orphanPrefix.length));
      const pod = this.#pods.get(namespace, name);
      if (pod !== undefined) await this.#letGo(context, pod);
    } else await this.#sync(context, key);
  }

  async #sync(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const job = this.#jobs.get(namespace, name);
    if (job === undefined || isJobFinished(job)) {
      this.#memory.forget(key);
      return;
    }
    if (isManagedElsewhere(job) || this.#memory.finished.has(job.metadata.uid ?? '')) return;
    const mode = job.spec?.completionMode ?? 'NonIndexed';
    if (mode !== 'NonIndexed' && mode !== 'Indexed') {
      this.#environment.recorder.event(
        job,
        'Warning',
        'UnknownCompletionMode',
        'Skipped Job sync because completion mode is unknown',
        context.causes,
      );
      return;
    }
    const owned = await this.#claimPods(context, job);
    const podGroup = await this.#gangs?.groupOf(context, job, owned);
    await new JobSync({ environment: this.#environment, context, memory: this.#memory, key, job, pods: owned, podGroup }).run();
  }

  async #claimPods({ client }: ReconcileContext, owner: Job): Promise<readonly Pod[]> {
    const { uid = '', namespace } = owner.metadata;
    const matches = toMatcher(owner.spec?.selector);
    const orphans = this.#pods.byIndex(controllerIndex, orphansOf(namespace)).filter(({ metadata }) => matches(metadata.labels));
    const candidates = [...this.#pods.byIndex(controllerIndex, uid), ...orphans];
    const claimed = await claim({ client, owner, ownerType: jobs, type: pods, matches, finalizers: [trackingFinalizer] }, candidates);
    return claimed.map((pod) => (controllerOf(pod) === undefined && !hasFinalizer(pod) ? withFinalizer(pod) : pod));
  }

  /** Removes the finalizer of a pod that no unfinished job counts. */
  async #letGo({ client }: ReconcileContext, pod: Pod): Promise<void> {
    const reference = controllerOf(pod);
    if (!hasFinalizer(pod) || (reference !== undefined && (reference.kind !== 'Job' || reference.apiVersion !== 'batch/v1'))) return;
    const job = this.#ownerOf(pod);
    if (job !== undefined && (isManagedElsewhere(job) || !isJobFinished(job))) return;
    const { namespace, name = '' } = pod.metadata;
    try {
      await client.patch(pods, namespace, name, 'strategic', { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #podUpdated(old: Pod, pod: Pod, event: InformerEvent<Pod>): readonly string[] {
    const reference = controllerOf(pod);
    const ownerChanged = !sameControllerRef(reference, controllerOf(old));
    if (ownerChanged) this.#podSeen(old, pod, event);
    if (reference !== undefined) {
      this.#podSeen(pod, pod, event);
      return [];
    }
    if (ownerChanged || !deepEqual(pod.metadata.labels, old.metadata.labels)) this.#wakeMatching(pod, event);
    return hasFinalizer(pod) ? [orphanPrefix + keyOf(pod)] : [];
  }

  /** Wakes the job that owns `owned`; `now` is the pod as it is. */
  #podSeen(owned: Pod, now: Pod, event: InformerEvent<Pod>): void {
    const job = this.#ownerOf(owned);
    if (job === undefined) return;
    const key = keyOf(job);
    if (!hasFinalizer(now)) this.#memory.finalizerRemovalObserved(key, now.metadata.uid ?? '');
    this.#batched(key, event);
  }

  #podDeleted(pod: Pod, event: InformerEvent<Pod>): readonly string[] {
    const job = this.#ownerOf(pod);
    if (job === undefined || isJobFinished(job)) return hasFinalizer(pod) ? [orphanPrefix + keyOf(pod)] : [];
    const key = keyOf(job);
    this.#memory.expectations.deletionObserved(key);
    if (event.type === 'delete' || !hasFinalizer(pod)) this.#memory.finalizerRemovalObserved(key, pod.metadata.uid ?? '');
    return this.#batched(key, event);
  }

  /** Changes of pods and of the status come in swarms; one reconcile a second is enough. */
  #batched(key: string, { causes }: InformerEvent<Job | Pod>): readonly string[] {
    this.#environment.enqueueAfter(key, batchPeriodMs, causes);
    return [];
  }

  #watchDeadline(key: string, job: Job, event: InformerEvent<Job> & { readonly type: 'update' }): void {
    const startMs = parseTime(job.status?.startTime);
    const seconds = job.spec?.activeDeadlineSeconds;
    if (startMs === undefined || seconds === undefined || seconds === event.old.spec?.activeDeadlineSeconds) return;
    this.#environment.enqueueAfter(key, Math.max(0, startMs + secondsToMs(seconds) - this.#environment.nowMs()), event.causes);
  }

  #wakeMatching(pod: Pod, event: InformerEvent<Pod>): void {
    if (pod.metadata.labels === undefined) return;
    for (const job of this.#jobs.list(pod.metadata.namespace))
      if (toMatcher(job.spec?.selector)(pod.metadata.labels)) this.#batched(keyOf(job), event);
  }

  #ownerOf(pod: Pod): Job | undefined {
    const reference = controllerOf(pod);
    if (reference?.kind !== 'Job') return undefined;
    const job = this.#jobs.get(pod.metadata.namespace, reference.name);
    return job?.metadata.uid === reference.uid ? job : undefined;
  }
}

function isManagedElsewhere({ spec }: Job): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== 'kubernetes.io/job-controller';
}

/** Adoption has just added it; the cache does not know yet. */
function withFinalizer(pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), trackingFinalizer] } };
}

function groupSeen(group: PodGroup, controller: JobWatcher): readonly string[] {
  controller.groupSeen?.(group);
  return [];
}

export const jobController = defineController<JobWatcher>({
  name: 'job-controller',
  aliases: ['job'],
  serviceAccount: 'job-controller',
  eventSource: 'job-controller',
  workers: (options) => options.concurrentJobSyncs,
  backoff: { baseMs: 1000, maxMs: 60_000 },
  watches: [
    watchOf(jobs, (event, controller: JobWatcher) => controller.keysOfJob(event)),
    watchOf(pods, (event, controller: JobWatcher) => controller.keysOfPod(event)),
    { ...watchOf(workloads, () => []), when: ({ jobWorkloads }) => jobWorkloads },
    { ...watchOf(podGroups, ({ object }, controller: JobWatcher) => groupSeen(object, controller)), when: ({ jobWorkloads }) => jobWorkloads },
  ],
  gatedRules: {
    gate: 'WorkloadWithJob',
    rules: [{ apiGroups: ['scheduling.k8s.io'], resources: ['workloads', 'podgroups'], verbs: ['get', 'list', 'watch', 'create'] }],
  },
  create: (environment) => (environment.options.traits.tracksJobs ? new JobController(environment) : new RecountedJobs(environment)),
});
