/** Keeps the status of disruption budgets, which evictions ask. Mirrors pkg/controller/disruption/disruption.go. */
import { setOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { Condition } from '../../api/meta/v1/types.gen.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/policy/v1/types.gen.ts';
import { isConflict } from '../../apimachinery/errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { deployments, podDisruptionBudgets, pods, replicaSets, replicationControllers, statefulSets } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { Resync } from '../lib/resync.ts';
import { toMatcher } from '../lib/label-selector.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type Expectation, expectationOf, NoController, type Scales } from './expected.ts';

/** How long an evicted pod may take to go before it counts again. */
const deletionTimeoutMs = 2 * 60_000;
const staleConditionMs = 2 * 60_000;
const podKeyMark = 'pod ';

class DisruptionController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #resync: Resync;
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #pods: Informer<Pod>;
  readonly #scales: Omit<Scales, 'client'>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#budgets = environment.informer(podDisruptionBudgets);
    this.#resync = new Resync(environment, 'disruption-controller', this.#budgets);
    this.#pods = environment.informer(pods);
    this.#scales = {
      deployments: environment.informer(deployments),
      replicaSets: environment.informer(replicaSets),
      statefulSets: environment.informer(statefulSets),
      replicationControllers: environment.informer(replicationControllers),
      resources: () => environment.deletableResources(),
      versionsOf: (group) => environment.versionsOf(group),
      hasSubresource: (type, name) => environment.hasSubresource(type, name),
    };
  }

  start(): void {
    this.#resync.start();
  }

  onTimer(): void {
    this.#resync.onTimer();
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const { object, type, causes } = event;
    const staleInMs = type === 'delete' ? undefined : staleAfterMs(object, this.#environment.nowMs());
    if (staleInMs !== undefined) this.#environment.enqueueAfter(`${podKeyMark}${keyOf(object)}`, staleInMs, causes);
    const budgets = this.#budgets.list(object.metadata.namespace).filter((budget) => toMatcher(budget.spec?.selector)(object.metadata.labels));
    const [first] = budgets;
    if (first === undefined) return [];
    if (budgets.length > 1) {
      const { namespace, name } = object.metadata;
      const text = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${first.metadata.name}" arbitrarily.`;
      this.#environment.recorder.event(object, 'Warning', 'MultiplePodDisruptionBudgets', text, causes);
    }
    return [keyOf(first)];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(podKeyMark)) return this.#resetStale(context, key.slice(podKeyMark.length));
    const { namespace, name } = splitKey(key);
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined) return;
    try {
      await this.#sync(context, key, budget);
    } catch (error) {
      if (isConflict(error) || !(error instanceof RetryError || error instanceof StatusError)) throw error;
      await this.#failSafe(context, budget, error.message);
    }
  }

  async #sync(context: ReconcileContext, key: string, budget: PodDisruptionBudget): Promise<void> {
    const matches = toMatcher(budget.spec?.selector);
    const selected = this.#pods.list(budget.metadata.namespace).filter((pod) => matches(pod.metadata.labels));
    const tell = (type: 'Normal' | 'Warning', reason: string, text: string): void =>
      this.#environment.recorder.event(budget, type, reason, text, context.causes);
    if (selected.length === 0) tell('Normal', 'NoPods', 'No matching pods found');
    const expectation = await this.#expect(context, budget, selected, tell);
    if (expectation.unmanaged) tell('Warning', 'UnmanagedPods', unmanagedText(budget));
    const nowMs = this.#environment.nowMs();
    const { disrupted, recheckMs } = this.#disrupted(budget, selected, context);
    const healthy = selected.filter(
      (pod) => pod.metadata.deletionTimestamp === undefined && disrupted[pod.metadata.name ?? ''] === undefined && isReady(pod),
    ).length;
    await this.#write(context, budget, healthy, expectation, disrupted);
    if (recheckMs !== undefined) this.#environment.enqueueAfter(key, recheckMs - nowMs, context.causes);
  }

  async #expect(
    { client }: ReconcileContext,
    budget: PodDisruptionBudget,
    selected: readonly Pod[],
    tell: (type: 'Warning', reason: string, text: string) => void,
  ): Promise<Expectation> {
    const { countsUnmanagedPods, budgetsFollowScales } = this.#environment.options.traits;
    const scales = { ...this.#scales, client: budgetsFollowScales ? client : undefined };
    try {
      return await expectationOf(budget, selected, scales, countsUnmanagedPods);
    } catch (error) {
      if (error instanceof NoController && !countsUnmanagedPods) tell('Warning', 'NoControllers', error.message);
      if (error instanceof RetryError || error instanceof StatusError)
        tell('Warning', 'CalculateExpectedPodCountFailed', `Failed to calculate the number of expected pods: ${error.message}`);
      throw error;
    }
  }

  /** Evictions that were allowed and whose pods are still there; those that took too long are forgotten. */
  #disrupted(
    { metadata, status }: PodDisruptionBudget,
    selected: readonly Pod[],
    { causes }: ReconcileContext,
  ): { readonly disrupted: Readonly<Record<string, string>>; readonly recheckMs: number | undefined } {
    const disrupted: Record<string, string> = {};
    let recheckMs: number | undefined;
    for (const pod of selected) {
      const name = pod.metadata.name ?? '';
      const since = status?.disruptedPods?.[name];
      if (since === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      const dueMs = Date.parse(since) + deletionTimeoutMs;
      if (dueMs <= this.#environment.nowMs()) {
        const text = `Pod was expected by PDB ${metadata.namespace}/${metadata.namespace} to be deleted but it wasn't`;
        this.#environment.recorder.event(pod, 'Warning', 'NotDeleted', text, causes);
      } else {
        recheckMs = Math.min(recheckMs ?? dueMs, dueMs);
        setOwn(disrupted, name, since);
      }
    }
    return { disrupted, recheckMs };
  }

  async #write(
    { client }: ReconcileContext,
    budget: PodDisruptionBudget,
    currentHealthy: number,
    { expected, desired }: Expectation,
    disruptedPods: Readonly<Record<string, string>>,
  ): Promise<void> {
    const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desired);
    const observedGeneration = budget.metadata.generation ?? 0;
    const enough = disruptionsAllowed > 0;
    const condition = {
      type: 'DisruptionAllowed',
      status: enough ? 'True' : 'False',
      observedGeneration,
      reason: enough ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    };
    const status: PodDisruptionBudgetStatus = {
      observedGeneration,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy: desired,
      expectedPods: expected,
      ...(this.#environment.options.traits.explainsBudgets ? { conditions: this.#withCondition(budget, condition) } : {}),
    };
    if (deepEqual((budget.status ?? null) as JsonValue, status as unknown as JsonValue)) return;
    await client.updateStatus(podDisruptionBudgets, { ...budget, status });
  }

  /** A budget that cannot be counted allows nothing. */
  async #failSafe({ client }: ReconcileContext, budget: PodDisruptionBudget, message: string): Promise<void> {
    const { status } = budget;
    if (!this.#environment.options.traits.explainsBudgets) {
      await client.updateStatus(podDisruptionBudgets, {
        ...budget,
        status: { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status, disruptionsAllowed: 0 },
      });
      return;
    }
    const observedGeneration = status?.observedGeneration ?? 0;
    const conditions = this.#withCondition(budget, { type: 'DisruptionAllowed', status: 'False', observedGeneration, reason: 'SyncFailed', message });
    const next: PodDisruptionBudgetStatus = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status, disruptionsAllowed: 0, conditions };
    await client.updateStatus(podDisruptionBudgets, { ...budget, status: next });
  }

  #withCondition({ status }: PodDisruptionBudget, next: Omit<Condition, 'lastTransitionTime'>): readonly Condition[] {
    const conditions = status?.conditions ?? [];
    const old = conditions.find(({ type }) => type === next.type);
    const lastTransitionTime = old?.status === next.status ? old.lastTransitionTime : formatTime(this.#environment.nowMs());
    const { type, status: state, observedGeneration, reason, message } = next;
    const made: Condition = { type, status: state, ...(observedGeneration ? { observedGeneration } : {}), lastTransitionTime, reason, message };
    return old === undefined ? [...conditions, made] : conditions.map((each) => (each === old ? made : each));
  }

  /** A pod that was to go and did not is no longer a target. */
  async #resetStale({ client, causes }: ReconcileContext, podKey: string): Promise<void> {
    const { namespace, name } = splitKey(podKey);
    const pod = this.#pods.get(namespace, name);
    const leftMs = pod === undefined ? undefined : staleAfterMs(pod, this.#environment.nowMs());
    if (pod === undefined || leftMs === undefined) return;
    if (leftMs > 0) return this.#environment.enqueueAfter(`${podKeyMark}${podKey}`, leftMs, causes);
    const lastTransitionTime = formatTime(this.#environment.nowMs());
    const conditions = (pod.status?.conditions ?? []).map((each) =>
      each.type === 'DisruptionTarget' ? { type: each.type, status: 'False', lastProbeTime: null, lastTransitionTime } : each,
    );
    await client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } } as unknown as Pod);
  }
}

function staleAfterMs({ metadata, status }: Pod, nowMs: number): number | undefined {
  if (metadata.deletionTimestamp !== undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  const target = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (target?.status !== 'True' || target.reason === 'TerminationByKubelet') return undefined;
  return Math.max(0, staleConditionMs - (nowMs - Date.parse(target.lastTransitionTime ?? '')));
}

function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

function unmanagedText({ spec }: PodDisruptionBudget): string {
  const labels = Object.entries(spec?.selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  return (
    `Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{},}) were found ` +
    'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}

export const disruptionController = defineController<DisruptionController>({
  name: 'disruption-controller',
  aliases: ['disruption'],
  serviceAccount: 'disruption-controller',
  eventSource: 'controllermanager',
  workers: () => 1,
  watches: [
    watchOf(podDisruptionBudgets, ({ type, object }) => (type === 'delete' ? [] : [keyOf(object)])),
    watchOf(pods, (event, controller: DisruptionController) => controller.keysOfPod(event)),
    watchOf(deployments, () => []),
    watchOf(replicaSets, () => []),
    watchOf(statefulSets, () => []),
    watchOf(replicationControllers, () => []),
  ],
  create: (environment) => new DisruptionController(environment),
});
