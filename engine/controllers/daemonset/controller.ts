/** Keeps a pod of each DaemonSet on every node that it is for. Mirrors pkg/controller/daemon/daemon_controller.go. */
import { deepEqual } from '../../base/equal.ts';
import type { ControllerRevision, DaemonSet } from '../../api/apps/v1/types.gen.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { controllerRevisions, daemonSets, nodes, pods } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { CanonicalForm } from '../lib/canonical-form.ts';
import { controllerIndex, controllerIndexValues, controllerOf, sameControllerRef } from '../lib/controller-ref.ts';
import { Expectations } from '../lib/expectations.ts';
import { isEmptySelector, toMatcher } from '../lib/label-selector.ts';
import { isPodReady } from '../lib/pod.ts';
import { podNodeIndex, podNodeIndexValues } from '../lib/pod-node-index.ts';
import { RevisionData } from '../lib/revision-data.ts';
import { WrittenVersions } from '../lib/written-versions.ts';
import { FailedPodBackoff } from './backoff.ts';
import { NodeFitness } from './nodes.ts';
import { type DaemonMemory, DaemonSync } from './sync.ts';

/**
 * Upstream's sync looks at every node and pod, and its workers take such time by themselves, so that what changes meanwhile is
 * answered together; here it must be said. Sets on fewer nodes are synced at once.
 */
const nodesPerSyncMs = 20;

class DaemonSetController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #sets: Informer<DaemonSet>;
  readonly #pods: Informer<Pod>;
  readonly #memory: DaemonMemory;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#sets = environment.informer(daemonSets);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(controllerIndex, controllerIndexValues, { ignoresStatus: true });
    this.#pods.addIndex(podNodeIndex, podNodeIndexValues, { ignoresStatus: true });
    environment.informer(controllerRevisions).addIndex(controllerIndex, controllerIndexValues);
    const nowMs = (): number => environment.nowMs();
    const form = new CanonicalForm();
    this.#memory = {
      expectations: new Expectations(nowMs, environment.slots),
      backoff: new FailedPodBackoff(environment.slots),
      written: new WrittenVersions(nowMs, environment.slots),
      form,
      data: new RevisionData(form, environment.options.traits),
    };
  }

  keysOfSet(event: InformerEvent<DaemonSet>): readonly string[] {
    const key = keyOf(event.object);
    this.#memory.written.saw(daemonSets, event.object);
    if (event.type === 'delete' || (event.type === 'update' && event.old.metadata.uid !== event.object.metadata.uid)) this.#forget(key);
    return [key];
  }

  keysOfRevision(event: InformerEvent<ControllerRevision>): readonly string[] {
    const revision = event.object;
    if (event.type === 'delete' || (event.type === 'add' && revision.metadata.deletionTimestamp !== undefined)) return this.#ownerKeys(revision);
    if (event.type === 'add') return controllerOf(revision) === undefined ? this.#setsMatching(revision) : [];
    return this.#keysOfUpdate(event.old, revision);
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    this.#memory.written.saw(pods, event.object);
    return this.#concerned(event).filter((key) => {
      const delayMs = this.#syncMs(key);
      if (delayMs > 0) this.#environment.enqueueAfter(key, delayMs, event.causes);
      return delayMs === 0;
    });
  }

  /** Sets that have to make or remove a pod there, or whose count of misplaced ones may change. */
  keysOfNode(event: InformerEvent<Node>): readonly string[] {
    const node = event.object;
    if (event.type === 'delete') return [];
    if (event.type === 'update' && deepEqual(node.metadata.labels, event.old.metadata.labels) && deepEqual(node.spec?.taints, event.old.spec?.taints))
      return [];
    const scheduled = new Set<string>();
    for (const pod of this.#pods.byIndex(podNodeIndex, node.metadata.name ?? '')) {
      const reference = controllerOf(pod);
      if (reference?.kind === 'DaemonSet') scheduled.add(`${pod.metadata.namespace}/${reference.name}`);
    }
    const isConcerned = (set: DaemonSet): boolean => {
      const { shouldRun, shouldContinueRunning } = new NodeFitness(set, this.#environment.options).of(node);
      if (!scheduled.has(keyOf(set))) return shouldRun;
      return !shouldContinueRunning || (set.status?.numberMisscheduled ?? 0) > 0;
    };
    return this.#sets.list().filter(isConcerned).map(keyOf);
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const missing = this.#memory.written.missing(key);
    if (missing !== undefined) throw new RetryError(missing);
    const { namespace, name } = splitKey(key);
    const set = this.#sets.get(namespace, name);
    if (set === undefined) {
      this.#forget(key);
      return;
    }
    if (isEmptySelector(set.spec?.selector)) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#environment.recorder.event(set, 'Warning', 'SelectingAll', message, context.causes);
      return;
    }
    // Of one that is being deleted nobody knows which revisions are left.
    if (set.metadata.deletionTimestamp === undefined) await new DaemonSync(this.#environment, context, this.#memory, key, set).run();
  }

  #forget(key: string): void {
    this.#memory.expectations.delete(key);
    this.#memory.written.forget(key);
  }

  #syncMs(key: string): number {
    const { namespace, name } = splitKey(key);
    return Math.floor((this.#sets.get(namespace, name)?.status?.desiredNumberScheduled ?? 0) / nodesPerSyncMs);
  }

  #concerned(event: InformerEvent<Pod>): readonly string[] {
    const pod = event.object;
    if (event.type === 'delete' || pod.metadata.deletionTimestamp !== undefined) {
      const keys = this.#ownerKeys(pod);
      for (const key of keys) this.#memory.expectations.deletionObserved(key);
      return keys;
    }
    if (event.type === 'add') {
      if (controllerOf(pod) === undefined) return this.#setsMatching(pod);
      const keys = this.#ownerKeys(pod);
      for (const key of keys) this.#memory.expectations.creationObserved(key);
      return keys;
    }
    const owner = this.#ownerOf(pod);
    const { minReadySeconds = 0 } = owner?.spec ?? {};
    // A second more, so that the pod's own clock has passed too.
    if (owner !== undefined && minReadySeconds > 0 && !isPodReady(event.old) && isPodReady(pod))
      this.#environment.enqueueAfter(keyOf(owner), (minReadySeconds + 1) * 1000, event.causes);
    return this.#keysOfUpdate(event.old, pod);
  }

  #keysOfUpdate(old: KubeObject, object: KubeObject): readonly string[] {
    const ownerChanged = !sameControllerRef(controllerOf(object), controllerOf(old));
    const oldKeys = ownerChanged ? this.#ownerKeys(old) : [];
    if (controllerOf(object) !== undefined) return [...oldKeys, ...this.#ownerKeys(object)];
    return ownerChanged || !deepEqual(object.metadata.labels, old.metadata.labels) ? [...oldKeys, ...this.#setsMatching(object)] : oldKeys;
  }

  #ownerOf(object: KubeObject): DaemonSet | undefined {
    const reference = controllerOf(object);
    if (reference?.kind !== 'DaemonSet') return undefined;
    const set = this.#sets.get(object.metadata.namespace, reference.name);
    return set?.metadata.uid === reference.uid ? set : undefined;
  }

  #ownerKeys(object: KubeObject): readonly string[] {
    const owner = this.#ownerOf(object);
    return owner === undefined ? [] : [keyOf(owner)];
  }

  #setsMatching({ metadata: { namespace, labels } }: KubeObject): readonly string[] {
    if (labels === undefined) return [];
    return this.#sets
      .list(namespace)
      .filter(({ spec }) => !isEmptySelector(spec?.selector) && toMatcher(spec?.selector)(labels))
      .map(keyOf);
  }
}

export const daemonSetController = defineController<DaemonSetController>({
  name: 'daemonset-controller',
  aliases: ['daemonset'],
  serviceAccount: 'daemon-set-controller',
  eventSource: 'daemonset-controller',
  workers: (options) => options.concurrentDaemonSetSyncs,
  watches: [
    watchOf(daemonSets, (event, controller: DaemonSetController) => controller.keysOfSet(event)),
    watchOf(controllerRevisions, (event, controller: DaemonSetController) => controller.keysOfRevision(event)),
    watchOf(pods, (event, controller: DaemonSetController) => controller.keysOfPod(event)),
    watchOf(nodes, (event, controller: DaemonSetController) => controller.keysOfNode(event)),
  ],
  create: (environment) => new DaemonSetController(environment),
});
