/**
 * Deletes Jobs some time after they have finished, their pods first. Mirrors
 * pkg/controller/ttlafterfinished/ttlafterfinished_controller.go.
 */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { jobs } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { finishedConditionOf } from '../lib/job-state.ts';
import { parseTime } from '../lib/time.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';

class TtlAfterFinishedController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #jobs: Informer<Job>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#jobs = environment.informer(jobs);
  }

  keysOf({ type, object }: InformerEvent<Job>): readonly string[] {
    return type !== 'delete' && needsCleanup(object) ? [keyOf(object)] : [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const cached = this.#jobs.get(namespace, name);
    if (cached === undefined || !this.#isExpired(context, key, cached)) return;
    const fresh = await this.#getFresh(context, cached);
    if (fresh === undefined || !this.#isExpired(context, key, fresh)) return;
    const { uid = '' } = fresh.metadata;
    await context.client.delete(jobs, namespace, name, { propagationPolicy: 'Foreground', preconditions: { uid } });
  }

  /** The time to live may have been changed just now. */
  async #getFresh({ client }: ReconcileContext, { metadata }: Job): Promise<Job | undefined> {
    try {
      return await client.get(jobs, metadata.namespace, metadata.name ?? '');
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** A job that has time left comes back when it is over. */
  #isExpired({ causes }: ReconcileContext, key: string, job: Job): boolean {
    if (!needsCleanup(job)) return false;
    const finishedMs = parseTime(finishedConditionOf(job)?.lastTransitionTime);
    if (finishedMs === undefined) throw new RetryError(`unable to find the time when the Job ${key} finished`);
    const remainingMs = finishedMs + (job.spec?.ttlSecondsAfterFinished ?? 0) * 1000 - this.#environment.nowMs();
    if (remainingMs <= 0) return true;
    this.#environment.enqueueAfter(key, remainingMs, causes);
    return false;
  }
}

function needsCleanup(job: Job): boolean {
  return job.metadata.deletionTimestamp === undefined && job.spec?.ttlSecondsAfterFinished !== undefined && finishedConditionOf(job) !== undefined;
}

export const ttlAfterFinishedController = defineController<TtlAfterFinishedController>({
  name: 'ttl-after-finished-controller',
  aliases: ['ttl-after-finished'],
  serviceAccount: 'ttl-after-finished-controller',
  eventSource: 'ttl-after-finished-controller',
  workers: (options) => options.concurrentTtlAfterFinishedSyncs,
  watches: [watchOf(jobs, (event, controller: TtlAfterFinishedController) => controller.keysOf(event))],
  create: (environment) => new TtlAfterFinishedController(environment),
});
