/** One reconcile of one DaemonSet. Mirrors syncDaemonSet, manage and syncNodes of pkg/controller/daemon/daemon_controller.go. */
import type { DaemonSet } from '../../api/apps/v1/types.gen.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { controllerRevisions, daemonSets, nodes, pods } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { ControllerEnvironment } from '../controller.ts';
import type { CanonicalForm } from '../lib/canonical-form.ts';
import { claim, controllerIndex, orphansOf } from '../lib/controller-ref.ts';
import type { Expectations } from '../lib/expectations.ts';
import { toMatcher } from '../lib/label-selector.ts';
import { isPodTerminal } from '../lib/pod.ts';
import { createPod, deletePod, mayBeLeft } from '../lib/pod-control.ts';
import type { RevisionData } from '../lib/revision-data.ts';
import { revisionLabel } from '../lib/revision-history.ts';
import { allDone, slowStartBatch } from '../lib/slow-start.ts';
import type { WrittenVersions } from '../lib/written-versions.ts';
import type { FailedPodBackoff } from './backoff.ts';
import { cleanUpHistory, constructHistory } from './history.ts';
import { type Fitness, NodeFitness, podMaker, targetNodeOf } from './nodes.ts';
import { type Plan, type PlanContext, planNodes, planUpdate, type PodsByNode } from './plan.ts';
import { countNodes, isNews, newStatus } from './status.ts';

/** Pods made or deleted in one go. */
const burst = 250;

/** What outlives a sync. */
export interface DaemonMemory {
  readonly expectations: Expectations;
  readonly backoff: FailedPodBackoff;
  readonly written: WrittenVersions;
  readonly form: CanonicalForm;
  readonly data: RevisionData;
}

export class DaemonSync {
  readonly #environment: ControllerEnvironment;
  readonly #context: ReconcileContext;
  readonly #memory: DaemonMemory;
  readonly #key: string;
  readonly #set: DaemonSet;
  readonly #nodes: readonly Node[];
  readonly #nodeFitness: NodeFitness;
  readonly #fitness = new Map<Node, Fitness>();

  constructor(environment: ControllerEnvironment, context: ReconcileContext, memory: DaemonMemory, key: string, daemonSet: DaemonSet) {
    this.#environment = environment;
    this.#context = context;
    this.#memory = memory;
    this.#key = key;
    this.#set = daemonSet;
    this.#nodes = environment.informer(nodes).list();
    this.#nodeFitness = new NodeFitness(daemonSet, environment.options);
  }

  async run(): Promise<void> {
    const { current, old } = await constructHistory({
      client: this.#context.client,
      cache: this.#environment.informer(controllerRevisions),
      data: this.#memory.data,
      forms: this.#environment.options.podTemplateForms,
      owner: { object: this.#set, type: daemonSets, matches: toMatcher(this.#set.spec?.selector) },
      daemonSet: this.#set,
      listPods: () => this.#claimPods(),
    });
    const hash = current.metadata.labels?.[revisionLabel] ?? '';
    // Not before the last sync's pods are seen; the status alone may change meanwhile.
    if (!this.#memory.expectations.satisfied(this.#key)) return this.#updateStatus(hash, false);
    let failure: StatusError | RetryError | undefined;
    try {
      await this.#updatePods(hash);
      await cleanUpHistory(this.#context.client, this.#set, old, await this.#claimPods());
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      failure = error;
    }
    try {
      await this.#updateStatus(hash, true);
    } catch (error) {
      if (failure === undefined || !(error instanceof StatusError)) throw error;
    }
    if (failure !== undefined) throw failure;
  }

  async #updatePods(hash: string): Promise<void> {
    const plan = planNodes(this.#plan(hash), await this.#podsByNode(), {
      backoff: this.#memory.backoff,
      tell: (type, reason, message) => this.#environment.recorder.event(this.#set, type, reason, message, this.#context.causes),
      wait: (delayMs) => this.#environment.enqueueAfter(this.#key, delayMs, this.#context.causes),
    });
    await this.#carryOut(plan, hash);
    if (this.#set.spec?.updateStrategy?.type !== 'RollingUpdate' || !this.#memory.expectations.satisfied(this.#key)) return;
    await this.#carryOut(planUpdate(this.#plan(hash), await this.#podsByNode()), hash);
  }

  #plan(hash: string): PlanContext {
    return { daemonSet: this.#set, hash, nowMs: this.#environment.nowMs(), nodes: this.#nodes, fitnessOf: (node) => this.#fitnessOf(node) };
  }

  #fitnessOf(node: Node): Fitness {
    const known = this.#fitness.get(node) ?? this.#nodeFitness.of(node);
    this.#fitness.set(node, known);
    return known;
  }

  #claimPods(): Promise<readonly Pod[]> {
    const { uid = '', namespace } = this.#set.metadata;
    const cache = this.#environment.informer(pods);
    const matches = toMatcher(this.#set.spec?.selector);
    const orphans = cache.byIndex(controllerIndex, orphansOf(namespace)).filter(({ metadata }) => matches(metadata.labels));
    const options = { client: this.#context.client, owner: this.#set, ownerType: daemonSets, type: pods, matches };
    return claim(options, [...cache.byIndex(controllerIndex, uid), ...orphans]);
  }

  /** Pods that have ended and are being removed are nobody's business any more. */
  async #podsByNode(): Promise<PodsByNode> {
    const byNode = new Map<string, Pod[]>();
    for (const pod of await this.#claimPods()) {
      if (isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined) continue;
      const node = targetNodeOf(pod);
      if (node === undefined) continue;
      const there = byNode.get(node);
      if (there === undefined) byNode.set(node, [pod]);
      else there.push(pod);
    }
    return byNode;
  }

  /** As many as the limiter lets pass at this instant; what is left waits as a key in the queue. */
  async #carryOut({ nodes: needing, doomed }: Plan, hash: string): Promise<void> {
    const room = Math.max(1, this.#environment.callsAvailable());
    const creations = Math.min(needing.length, burst, room);
    const deletions = Math.min(doomed.length, burst, Math.max(creations === 0 ? 1 : 0, room - creations));
    this.#memory.expectations.expect(this.#key, creations, deletions);
    const failures = [await this.#create(needing.slice(0, creations), hash), await this.#delete(doomed.slice(0, deletions))];
    const failure = failures.find((error) => error !== undefined);
    if (failure !== undefined) throw failure;
    const isCut = creations < Math.min(needing.length, burst) || deletions < Math.min(doomed.length, burst);
    if (isCut) this.#environment.enqueue(this.#key, this.#context.causes);
  }

  async #create(names: readonly string[], hash: string): Promise<StatusError | RetryError | undefined> {
    if (names.length === 0) return undefined;
    const { expectations, form, written } = this.#memory;
    const makePod = podMaker(this.#set, hash, form, this.#environment.options);
    const owner = { object: this.#set, type: daemonSets };
    const { succeeded, error } = await slowStartBatch(names.length, async (i) => {
      try {
        written.wrote(this.#key, pods, await createPod(this.#context, this.#environment.recorder, owner, makePod(names[i] ?? '')));
      } catch (refusal) {
        if (!mayBeLeft(refusal, this.#environment.options.traits)) throw refusal;
      }
    });
    for (let skipped = names.length - succeeded; skipped > 0; skipped--) expectations.creationObserved(this.#key);
    return error;
  }

  async #delete(doomed: readonly Pod[]): Promise<StatusError | RetryError | undefined> {
    const owner = { object: this.#set, type: daemonSets };
    const [failure] = await allDone(
      doomed.map(async (pod) => {
        try {
          await deletePod(this.#context, this.#environment.recorder, owner, pod);
        } catch (error) {
          this.#memory.expectations.deletionObserved(this.#key);
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    return failure;
  }

  async #updateStatus(hash: string, isObserved: boolean): Promise<void> {
    const counts = countNodes(this.#plan(hash), await this.#podsByNode());
    if (isNews(this.#set, counts)) {
      const generation = isObserved ? Number(this.#set.metadata.generation ?? 0) : undefined;
      const write = (set: DaemonSet): Promise<DaemonSet> =>
        this.#context.client.updateStatus(daemonSets, { ...set, status: newStatus(set.status, counts, generation) });
      this.#memory.written.wrote(this.#key, daemonSets, await this.#retryOnce(write));
    }
    const { minReadySeconds = 0 } = this.#set.spec ?? {};
    if (minReadySeconds > 0 && counts.ready !== counts.available) {
      this.#environment.enqueueAfter(this.#key, minReadySeconds * 1000, this.#context.causes);
    }
  }

  /** A refusal is answered with one more try on the object as it is now. */
  async #retryOnce(write: (set: DaemonSet) => Promise<DaemonSet>): Promise<DaemonSet> {
    try {
      return await write(this.#set);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return write(await this.#context.client.get(daemonSets, this.#set.metadata.namespace, this.#set.metadata.name ?? ''));
    }
  }
}
