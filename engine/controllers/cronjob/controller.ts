/** Creates Jobs on a schedule. Mirrors pkg/controller/cronjob/cronjob_controllerv2.go; one reconcile is in `sync.ts`. */
import type { CronJob, Job } from '../../api/batch/v1/types.gen.ts';
import { CronParseError, parseCronSchedule } from '../../component-helpers/cron/parse.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { cronJobs, jobs } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { controllerOf, sameControllerRef } from '../lib/controller-ref.ts';
import { nextDelay } from './missed.ts';
import { PolledCronJobs } from './polled.ts';
import { keepZones } from '../../component-helpers/cron/time-zone.ts';
import { scheduleTextOf } from '../../component-helpers/cron/schedule-text.ts';
import { CronJobSync } from './sync.ts';

/** What hears of CronJobs and their Jobs. */
export interface CronJobWatcher extends Controller {
  keysOfCronJob(event: InformerEvent<CronJob>): readonly string[];
  keysOfJob(event: InformerEvent<Job>): readonly string[];
}

/** Jobs by the name of what controls them: upstream asks no more, so those of a CronJob that had the name before count too. */
const nameIndex = 'controller-name';

function nameIndexValues(job: Job): readonly string[] {
  const reference = controllerOf(job);
  return reference === undefined ? [] : [`${job.metadata.namespace}/${reference.name}`];
}

class CronJobController implements CronJobWatcher {
  readonly #environment: ControllerEnvironment;
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;
  readonly #loadZone = keepZones();

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#cronJobs = environment.informer(cronJobs);
    this.#jobs = environment.informer(jobs);
    this.#jobs.addIndex(nameIndex, nameIndexValues);
  }

  /** A new schedule starts with its next time; what the old one missed is lost. */
  keysOfCronJob(event: InformerEvent<CronJob>): readonly string[] {
    const cronJob = event.object;
    const key = keyOf(cronJob);
    const { spec } = cronJob;
    if (event.type !== 'update' || (event.old.spec?.schedule === spec?.schedule && event.old.spec?.timeZone === spec?.timeZone)) return [key];
    try {
      const nowMs = this.#environment.nowMs();
      const delayMs = nextDelay(cronJob, parseCronSchedule(scheduleTextOf(cronJob, this.#loadZone), 'v3', this.#loadZone), nowMs);
      if (delayMs !== undefined) this.#environment.enqueueAfter(key, delayMs, event.causes);
    } catch (error) {
      if (!(error instanceof CronParseError)) throw error;
      const message = `unparseable schedule for cronjob: ${spec?.schedule ?? ''}`;
      this.#environment.recorder.event(cronJob, 'Warning', 'UnParseableCronJobSchedule', message, event.causes);
    }
    return [];
  }

  keysOfJob(event: InformerEvent<Job>): readonly string[] {
    const keys = this.#ownerKeys(event.object);
    const changed = event.type === 'update' && !sameControllerRef(controllerOf(event.object), controllerOf(event.old));
    return changed ? [...this.#ownerKeys(event.old), ...keys] : keys;
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const cronJob = this.#cronJobs.get(namespace, name);
    if (cronJob === undefined) return;
    const owned = this.#jobs.byIndex(nameIndex, key);
    const delayMs = await new CronJobSync(this.#environment, context, cronJob, owned, this.#loadZone).run();
    if (delayMs !== undefined) this.#environment.enqueueAfter(key, delayMs, context.causes);
  }

  #ownerKeys(job: Job): readonly string[] {
    const reference = controllerOf(job);
    if (reference?.kind !== 'CronJob') return [];
    const owner = this.#cronJobs.get(job.metadata.namespace, reference.name);
    return owner?.metadata.uid === reference.uid && owner !== undefined ? [keyOf(owner)] : [];
  }
}

export const cronJobController = defineController<CronJobWatcher>({
  name: 'cronjob-controller',
  aliases: ['cronjob'],
  serviceAccount: 'cronjob-controller',
  eventSource: 'cronjob-controller',
  workers: (options) => options.concurrentCronJobSyncs,
  watches: [
    watchOf(cronJobs, (event, controller: CronJobWatcher) => controller.keysOfCronJob(event)),
    watchOf(jobs, (event, controller: CronJobWatcher) => controller.keysOfJob(event)),
  ],
  create: (environment) => (environment.options.traits.timesCronJobs ? new CronJobController(environment) : new PolledCronJobs(environment)),
});
