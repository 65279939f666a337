/**
 * Sets the replicas of a target after what its pods use. Looks at each autoscaler once in a period, whatever happens. Mirrors
 * pkg/controller/podautoscaler/horizontal.go.
 */
import type { HorizontalPodAutoscaler, MetricStatus } from '../../api/autoscaling/v2/types.gen.ts';
import type { Scale } from '../../api/autoscaling/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { isConflict } from '../../apimachinery/errors.ts';
import { parseSelector, type Selector, SelectorError } from '../../apimachinery/labels.ts';
import { parseGroupVersion } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { ResourceType } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { horizontalPodAutoscalers, pods } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { text as textCodec } from '../../base/codecs.ts';
import { decide, type Memory, memoryCodec, rememberScale, type Rules } from './behavior.ts';
import { firstFailure } from './first-failure.ts';
import { measure, MetricFailure, type MetricSources, tolerancesOf } from './metrics.ts';
import { PodSelectors } from './selectors.ts';
import { StatusDraft } from './status.ts';

/** How often a scale is tried again when somebody else wrote it (client-go's DefaultRetry). */
const conflictTriesMax = 5;
/** Kinds that moved to another group and are still called by the old one. */
const movedGroups: ReadonlyMap<string, string> = new Map([['extensions', 'apps']]);

/** What ends a sync: it has been told, and is looked at again after the period. */
class SyncStopped extends Error {}

/** One sync of one autoscaler. */
interface Sync {
  readonly context: ReconcileContext;
  readonly key: string;
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly namespace: string;
  readonly draft: StatusDraft;
}

interface Target {
  readonly type: ResourceType<Scale>;
  readonly scale: Scale;
}

interface Outcome {
  readonly desired: number;
  readonly reason: string;
  readonly metrics: readonly MetricStatus[];
}

class HorizontalController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #autoscalers: Informer<HorizontalPodAutoscaler>;
  readonly #pods: Informer<Pod>;
  readonly #memories: Map<string, Memory>;
  /** By autoscaler: the selector of its target, once it is known. */
  readonly #selectorTexts: Map<string, string>;
  readonly #selectors = new PodSelectors();

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#autoscalers = environment.informer(horizontalPodAutoscalers);
    this.#pods = environment.informer(pods);
    this.#memories = environment.slots.map('memories', memoryCodec);
    this.#selectorTexts = environment.slots.map('selectors', textCodec);
    environment.slots.onRestored(() => {
      for (const [key, text] of this.#selectorTexts) this.#selectors.put(key, splitKey(key).namespace ?? '', text);
    });
  }

  /** Every change waits for the end of the period that runs. */
  seen({ object, type, causes }: InformerEvent<HorizontalPodAutoscaler>): void {
    const key = keyOf(object);
    if (type === 'delete') this.#environment.enqueue(key, causes);
    else this.#environment.enqueueAfter(key, this.#options.syncPeriodMs, causes);
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace = '', name } = splitKey(key);
    const autoscaler = this.#autoscalers.get(namespace, name);
    if (autoscaler === undefined) {
      this.#memories.delete(key);
      this.#selectorTexts.delete(key);
      this.#selectors.forget(key);
      return;
    }
    const draft = new StatusDraft(autoscaler, this.#environment.nowMs());
    try {
      await this.#sync({ context, key, autoscaler, namespace, draft });
    } catch (error) {
      if (!(error instanceof SyncStopped)) throw error;
    } finally {
      this.#environment.enqueueAfter(key, this.#options.syncPeriodMs, context.causes);
    }
  }

  get #options(): ControllerEnvironment['options']['horizontalPodAutoscaler'] {
    return this.#environment.options.horizontalPodAutoscaler;
  }

  async #sync(sync: Sync): Promise<void> {
    const { draft, autoscaler, key } = sync;
    const target = await this.#findTarget(sync);
    draft.condition('AbleToScale', true, 'SucceededGetScale', "the HPA controller was able to get the target's current scale");
    const current = target.scale.spec?.replicas ?? 0;
    const memory = this.#memoryOf(key, current);
    const outcome = await this.#outcome(sync, target, memory);
    if (outcome.desired === current) draft.counted(current, outcome.metrics, current);
    else {
      await this.#rescale(sync, target, current, outcome);
      this.#noteZero(sync, current, outcome.desired);
      rememberScale(memory, rulesOf(autoscaler), current, outcome.desired, this.#environment.nowMs());
      draft.counted(current, outcome.metrics, outcome.desired);
      draft.rescaled();
    }
    await this.#writeStatus(sync);
  }

  #memoryOf(key: string, current: number): Memory {
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory: Memory = { recommendations: [{ replicas: current, atMs: this.#environment.nowMs() }], ups: [], downs: [] };
    this.#memories.set(key, memory);
    return memory;
  }

  /** The scale of what the autoscaler points at. */
  async #findTarget(sync: Sync): Promise<Target> {
    const { apiVersion = '', kind = '', name = '' } = sync.autoscaler.spec?.scaleTargetRef ?? {};
    const groupVersion = parseGroupVersion(apiVersion);
    if (groupVersion === undefined) return this.#noTarget(sync, `unexpected GroupVersion string: ${apiVersion}`);
    const found = this.#resourceOf(groupVersion.group, kind);
    if (found === undefined)
      return this.#noTarget(sync, `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(groupVersion.group)}`);
    const type = found as ResourceType<Scale>;
    try {
      return { type, scale: await sync.context.client.get(type, sync.namespace, name, { subresource: 'scale' }) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return this.#noTarget(sync, error.status.message ?? '');
    }
  }

  #resourceOf(group: string, kind: string): ResourceType | undefined {
    const all = this.#environment.deletableResources();
    const groups = [group, movedGroups.get(group)];
    return groups.map((one) => all.find((type) => type.group === one && type.kind === kind && type.namespaced)).find((type) => type !== undefined);
  }

  async #noTarget(sync: Sync, message: string): Promise<never> {
    this.#tell(sync, 'Warning', 'FailedGetScale', message);
    sync.draft.condition('AbleToScale', false, 'FailedGetScale', `the HPA controller was unable to get the target's current scale: ${message}`);
    return this.#stop(sync);
  }

  /** How many replicas there shall be, and why. */
  async #outcome(sync: Sync, target: Target, memory: Memory): Promise<Outcome> {
    const { autoscaler, draft } = sync;
    const current = target.scale.spec?.replicas ?? 0;
    const max = autoscaler.spec?.maxReplicas ?? 1;
    const min = autoscaler.spec?.minReplicas ?? 1;
    // Who was scaled to zero by its autoscaler, and not by somebody's hand, comes back by it.
    const wasScaledToZero = this.#options.scalesToZero && draft.isTrue('ScaledToZero');
    if (current === 0 && !(wasScaledToZero && (min !== 0 || mayScaleFromZero(autoscaler)))) {
      draft.condition('ScalingActive', false, 'ScalingDisabled', 'scaling is disabled since the replica count of the target is zero');
      if (!this.#options.scalesToZero) draft.without('ScaledToZero');
      return { desired: 0, reason: '', metrics: [] };
    }
    if (current > max) return { desired: max, reason: 'Current number of replicas above Spec.MaxReplicas', metrics: [] };
    if (current > 0 && current < min) return { desired: min, reason: 'Current number of replicas below Spec.MinReplicas', metrics: [] };
    const { wanted, name, metrics } = await this.#measureAll(sync, target);
    const reason = wanted > current ? `${name} above target` : wanted < current ? 'All metrics below target' : '';
    const { downscaleStabilizationMs } = this.#options;
    const wish = { current, wanted, min, max, nowMs: this.#environment.nowMs(), downscaleStabilizationMs };
    const { replicas, ableToScale, limited } = decide(memory, rulesOf(autoscaler), wish);
    draft.condition('AbleToScale', true, ableToScale.reason, ableToScale.message);
    draft.condition('ScalingLimited', limited.is, limited.reason, limited.message);
    if (current === 0 && replicas < min) return { desired: min, reason: reason || 'Current number of replicas below Spec.MinReplicas', metrics };
    return { desired: replicas, reason, metrics };
  }

  /** Tells, with each rescale, whether that was the one that took the last replica away. */
  #noteZero({ autoscaler, draft }: Sync, current: number, desired: number): void {
    if (!this.#options.scalesToZero) return draft.without('ScaledToZero');
    if (current > 0 && desired === 0 && autoscaler.spec?.minReplicas === 0 && mayScaleFromZero(autoscaler))
      draft.condition('ScaledToZero', true, 'ScaledToZero', 'the HPA controller scaled the workload to zero');
    else draft.condition('ScaledToZero', false, 'NotScaledToZero', 'the HPA controller did not scale the workload to zero');
  }

  /** The most that any metric asks for; where one is silent, the others may scale up, not down. */
  async #measureAll(
    sync: Sync,
    target: Target,
  ): Promise<{ readonly wanted: number; readonly name: string; readonly metrics: readonly MetricStatus[] }> {
    const sources = await this.#sourcesOf(sync, target);
    const specs = sync.autoscaler.spec?.metrics ?? [];
    const metrics: MetricStatus[] = [];
    const failures: MetricFailure[] = [];
    let wanted = 0;
    let name = '';
    for (const spec of specs) {
      try {
        const found = await measure(spec, sources);
        metrics.push(found.status);
        if (wanted === 0 || found.replicas > wanted) ({ replicas: wanted, name } = found);
      } catch (error) {
        if (!(error instanceof MetricFailure)) throw error;
        if (this.#environment.options.traits.failsAtFirstMetric) return this.#endedBy(sync, sources.currentReplicas, error);
        this.#tell(sync, 'Warning', error.reason, error.message);
        failures.push(error);
        metrics.push({ type: '' });
      }
    }
    const [first] = failures;
    if (first !== undefined && (failures.length === specs.length || wanted < sources.currentReplicas)) {
      sync.draft.condition('ScalingActive', false, first.reason, `the HPA was unable to compute the replica count: ${first.message}`);
      const summary = `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ${first.summary}`;
      return this.#notComputed(sync, sources.currentReplicas, metrics, summary);
    }
    sync.draft.condition('ScalingActive', true, 'ValidMetricFound', `the HPA was able to successfully calculate a replica count from ${name}`);
    return { wanted, name, metrics };
  }

  #endedBy(sync: Sync, current: number, failure: MetricFailure): Promise<never> {
    const { told, whole } = firstFailure(failure);
    this.#tell(sync, 'Warning', failure.reason, told);
    sync.draft.condition('ScalingActive', false, failure.reason, `the HPA was unable to compute the replica count: ${told}`);
    return this.#notComputed(sync, current, sync.autoscaler.status?.currentMetrics ?? [], whole);
  }

  async #sourcesOf(sync: Sync, { scale }: Target): Promise<MetricSources> {
    const { autoscaler, namespace, context } = sync;
    const text = scale.status?.selector ?? '';
    const selector = await this.#selectorOf(sync, text, scale.spec?.replicas ?? 0);
    const chosen = this.#pods.list(namespace).filter((pod) => selector.matches(pod.metadata.labels ?? {}));
    const others = this.#selectors.choosing(namespace, chosen);
    if (others.length > 1) {
      const message = `pods by selector ${text} are controlled by multiple HPAs: [${others.join(' ')}]`;
      this.#tell(sync, 'Warning', 'AmbiguousSelector', message);
      sync.draft.condition('ScalingActive', false, 'AmbiguousSelector', message);
      return this.#notComputed(sync, scale.spec?.replicas ?? 0, [], message);
    }
    const { tolerance, hasOwnTolerance, cpuInitializationMs, initialReadinessDelayMs } = this.#options;
    const environment = this.#environment;
    const servers = {
      client: context.client,
      versionsOf: (group: string) => environment.versionsOf(group),
      resourceOf: (group: string, kind: string) => environment.deletableResources().find((type) => type.group === group && type.kind === kind),
    };
    return {
      client: context.client,
      servers,
      namespace,
      selector: text,
      pods: chosen,
      currentReplicas: scale.spec?.replicas ?? 0,
      statusReplicas: scale.status?.replicas ?? 0,
      tolerances: tolerancesOf(autoscaler, tolerance, hasOwnTolerance),
      calculator: { nowMs: this.#environment.nowMs(), cpuInitializationMs, initialReadinessDelayMs },
    };
  }

  async #selectorOf(sync: Sync, text: string, current: number): Promise<Selector> {
    const refuse = (reason: string, message: string, condition: string): Promise<never> => {
      this.#tell(sync, 'Warning', reason, message);
      sync.draft.condition('ScalingActive', false, 'InvalidSelector', condition);
      return this.#notComputed(sync, current, [], message);
    };
    if (text === '') return refuse('SelectorRequired', 'selector is required', "the HPA target's scale is missing a selector");
    try {
      const selector = parseSelector(text);
      this.#selectorTexts.set(sync.key, text);
      this.#selectors.put(sync.key, sync.namespace, text);
      return selector;
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      const message = `couldn't convert selector into a corresponding internal selector object: ${error.message}`;
      return refuse('InvalidSelector', message, message);
    }
  }

  async #notComputed(sync: Sync, current: number, metrics: readonly MetricStatus[], message: string): Promise<never> {
    sync.draft.counted(current, metrics);
    await this.#writeStatus(sync);
    this.#tell(sync, 'Warning', 'FailedComputeMetricsReplicas', message);
    throw new SyncStopped(message);
  }

  async #rescale(sync: Sync, { type, scale }: Target, current: number, { desired, reason, metrics }: Outcome): Promise<void> {
    const { client } = sync.context;
    const { draft, namespace } = sync;
    let latest = scale;
    for (let tries = 1; ; tries++) {
      try {
        await client.update(type, { ...latest, spec: { ...latest.spec, replicas: desired } }, { subresource: 'scale' });
        break;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (isConflict(error) && tries < conflictTriesMax) {
          latest = await client.get(type, namespace, scale.metadata.name ?? '', { subresource: 'scale' });
          continue;
        }
        const message = error.status.message ?? '';
        this.#tell(sync, 'Warning', 'FailedRescale', `New size: ${desired}; reason: ${reason}; error: ${message}`);
        draft.condition('AbleToScale', false, 'FailedUpdateScale', `the HPA controller was unable to update the target scale: ${message}`);
        draft.counted(current, metrics);
        return this.#stop(sync);
      }
    }
    draft.condition('AbleToScale', true, 'SucceededRescale', `the HPA controller was able to update the target scale to ${desired}`);
    this.#tell(sync, 'Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${reason}`);
  }

  async #stop(sync: Sync): Promise<never> {
    await this.#writeStatus(sync);
    throw new SyncStopped();
  }

  async #writeStatus(sync: Sync): Promise<void> {
    const { autoscaler, draft, context } = sync;
    const status = draft.changed();
    if (status === undefined) return;
    try {
      await context.client.updateStatus(horizontalPodAutoscalers, { ...autoscaler, status });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#tell(sync, 'Warning', 'FailedUpdateStatus', error.status.message ?? '');
    }
  }

  #tell({ autoscaler, context }: Sync, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#environment.recorder.event(autoscaler, type, reason, message, context.causes);
  }
}

function rulesOf({ spec }: HorizontalPodAutoscaler): Rules | undefined {
  const { scaleUp, scaleDown } = spec?.behavior ?? {};
  return scaleUp === undefined || scaleDown === undefined ? undefined : { up: scaleUp, down: scaleDown };
}

/** Metrics of pods have nothing to say where there are none. */
function mayScaleFromZero({ spec }: HorizontalPodAutoscaler): boolean {
  return spec?.metrics?.some(({ type }) => type === 'Object' || type === 'External') === true;
}

export const horizontalPodAutoscalerController = defineController<HorizontalController>({
  name: 'horizontal-pod-autoscaler-controller',
  aliases: ['horizontalpodautoscaling', 'horizontal-pod-autoscaler'],
  serviceAccount: 'horizontal-pod-autoscaler',
  eventSource: 'horizontal-pod-autoscaler',
  workers: (options) => options.horizontalPodAutoscaler.concurrentSyncs,
  watches: [
    watchOf(horizontalPodAutoscalers, (event, controller: HorizontalController) => {
      controller.seen(event);
      return [];
    }),
    watchOf(pods, () => []),
  ],
  create: (environment) => new HorizontalController(environment),
});
