/**
 * Keeps as many pods as an owner asks for. ReplicaSets and ReplicationControllers differ in a few words only, which `ReplicaKind`
 * holds. Mirrors pkg/controller/replicaset/replica_set.go.
 */
import { deepEqual } from '../../base/equal.ts';
import type { ReplicaSetStatus } from '../../api/apps/v1/types.gen.ts';
import type { Pod, PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { ResourceType } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { pods } from '../../client/resources.ts';
import type { Controller, ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import type { RetryError } from '../../controller-runtime/retry-error.ts';
import { claim, controllerIndex, controllerIndexValues, controllerOf, orphansOf, sameControllerRef } from './controller-ref.ts';
import { Expectations } from './expectations.ts';
import type { LabelMatcher } from './label-selector.ts';
import { isPodActive, isPodReady, nextAvailabilityMs } from './pod.ts';
import { createPod, deletePod, mayBeLeft, podFromTemplate } from './pod-control.ts';
import { podsToDelete } from './pod-ranking.ts';
import { type PodGroup, PodTally } from './pod-tally.ts';
import { countGroups, countReplicas, nextStatus, type ReplicaCounts } from './replica-status.ts';
import { allDone, slowStartBatch } from './slow-start.ts';

/** An owner of either kind, seen alike. */
export interface ReplicaSpec {
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly matches: LabelMatcher;
  readonly template: PodTemplateSpec | undefined;
  readonly status: ReplicaSetStatus | undefined;
}

export interface ReplicaKind<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly specOf: (owner: T) => ReplicaSpec;
  readonly withStatus: (owner: T, status: ReplicaSetStatus) => T;
  readonly countsTerminating: boolean;
}

/** The active pods of an owner when its sync began. Nobody lists them where their numbers are enough. */
interface OwnPods {
  readonly count: number;
  readonly list: () => readonly Pod[];
  readonly counts: (nowMs: number) => ReplicaCounts;
}

interface Managed {
  readonly error: StatusError | RetryError | undefined;
  readonly isCut: boolean;
}

const burst = 500;
/**
 * Upstream's sync looks at every pod of its owner. Its workers take such time by themselves, and what changes meanwhile is answered
 * together; here it must be said. Owners of fewer pods are synced at once.
 */
const podsPerSyncMs = 20;

export class ReplicaController<T extends KubeObject> implements Controller {
  readonly #kind: ReplicaKind<T>;
  readonly #environment: ControllerEnvironment;
  readonly #owners: Informer<T>;
  readonly #pods: Informer<Pod>;
  readonly #tally = new PodTally();
  readonly #expectations: Expectations;

  constructor(kind: ReplicaKind<T>, environment: ControllerEnvironment) {
    this.#kind = kind;
    this.#environment = environment;
    this.#owners = environment.informer(kind.type);
    this.#owners.addIndex(controllerIndex, controllerIndexValues);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(controllerIndex, controllerIndexValues, { ignoresStatus: true });
    this.#pods.addTally(this.#tally);
    this.#expectations = new Expectations(() => environment.nowMs(), environment.slots);
  }

  keysOfOwner(event: InformerEvent<T>): readonly string[] {
    const key = keyOf(event.object);
    if (event.type === 'delete' || (event.type === 'update' && event.old.metadata.uid !== event.object.metadata.uid)) this.#expectations.delete(key);
    return [key];
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    return this.#concerned(event).filter((key) => {
      const delayMs = this.#syncMs(key);
      if (delayMs > 0) this.#environment.enqueueAfter(key, delayMs, event.causes);
      return delayMs === 0;
    });
  }

  #syncMs(key: string): number {
    const { namespace, name } = splitKey(key);
    const owner = this.#owners.get(namespace, name);
    return owner === undefined ? 0 : Math.floor((this.#kind.specOf(owner).status?.replicas ?? 0) / podsPerSyncMs);
  }

  #concerned(event: InformerEvent<Pod>): readonly string[] {
    const pod = event.object;
    if (event.type === 'delete' || pod.metadata.deletionTimestamp !== undefined) return this.#podDeleted(pod);
    if (event.type === 'update') return this.#podUpdated(event.old, pod, event.causes);
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return controllerOf(pod) === undefined ? this.#ownersMatching(pod) : [];
    const key = keyOf(owner);
    this.#expectations.creationObserved(key);
    return [key];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const owner = this.#owners.get(namespace, name);
    if (owner === undefined) {
      this.#expectations.delete(key);
      return;
    }
    const spec = this.#kind.specOf(owner);
    const mayManage = this.#expectations.satisfied(key) && owner.metadata.deletionTimestamp === undefined;
    const own = this.#isSettled(owner, spec) ? this.#settledPods(owner, spec) : listedPods(await this.#claimActive(context, owner, spec), spec);
    // While the rate limiter holds up the rest of a batch, upstream's sync waits in it and writes no status.
    const { error, isCut } = mayManage ? await this.#manage(context, key, owner, spec, own) : { error: undefined, isCut: false };
    if (isCut && error === undefined) return this.#environment.enqueue(key, context.causes);
    await this.#updateStatus(context, key, owner, spec, own, error);
    if (error !== undefined) throw error;
  }

  /** Nothing to claim: only a label that matches no more, or an orphan that does, leaves something. */
  #isSettled({ metadata: { namespace, uid = '' } }: T, { matches }: ReplicaSpec): boolean {
    for (const group of this.#tally.groups(namespace, uid).values()) if (group.active > 0 && !matches(group.labels)) return false;
    for (const group of this.#tally.groups(namespace, orphansOf(namespace)).values()) if (group.active > 0 && matches(group.labels)) return false;
    return true;
  }

  #settledPods({ metadata: { namespace, uid = '' } }: T, spec: ReplicaSpec): OwnPods {
    const list = (): readonly Pod[] => this.#pods.byIndex(controllerIndex, uid).filter(isPodActive);
    // Since when each pod is ready no sum tells.
    if (spec.minReadySeconds > 0) return listedPods(list(), spec);
    const counts = countGroups(this.#tally.groups(namespace, uid).values(), spec.template?.metadata?.labels ?? {});
    return { count: counts.replicas, list, counts: () => counts };
  }

  #claimActive({ client }: ReconcileContext, owner: T, { matches }: ReplicaSpec): Promise<readonly Pod[]> {
    const own = this.#pods.byIndex(controllerIndex, owner.metadata.uid ?? '');
    const orphans = this.#pods.byIndex(controllerIndex, orphansOf(owner.metadata.namespace));
    const active = own.filter(isPodActive);
    for (const pod of orphans) if (isPodActive(pod) && matches(pod.metadata.labels)) active.push(pod);
    return claim({ client, owner, ownerType: this.#kind.type, type: pods, matches }, active);
  }

  /**
   * Creates or deletes pods, as many as may be called for now; returns what went wrong, for the condition and the retry, and whether
   * more are to come. So what waits for the rate limiter is a key in the queue and not hundreds of calls.
   */
  async #manage(context: ReconcileContext, key: string, owner: T, spec: ReplicaSpec, own: OwnPods): Promise<Managed> {
    const missing = spec.replicas - own.count;
    const wanted = Math.min(Math.abs(missing), burst);
    const count = Math.min(wanted, Math.max(1, this.#environment.callsAvailable()));
    const isCut = count < wanted;
    if (missing > 0) return { error: await this.#create(context, key, owner, spec, count), isCut };
    if (missing < 0) return { error: await this.#delete(context, key, owner, own.list(), count), isCut };
    return { error: undefined, isCut: false };
  }

  async #create(context: ReconcileContext, key: string, object: T, spec: ReplicaSpec, count: number): Promise<StatusError | RetryError | undefined> {
    const { recorder } = this.#environment;
    const owner = { object, type: this.#kind.type };
    const pod = podFromTemplate(spec.template, owner);
    this.#expectations.expectCreations(key, count);
    const { succeeded, error } = await slowStartBatch(count, async () => {
      try {
        await createPod(context, recorder, owner, pod);
      } catch (refusal) {
        if (!mayBeLeft(refusal, this.#environment.options.traits)) throw refusal;
      }
    });
    for (let skipped = count - succeeded; skipped > 0; skipped--) this.#expectations.creationObserved(key);
    return error;
  }

  async #delete(
    context: ReconcileContext,
    key: string,
    object: T,
    active: readonly Pod[],
    count: number,
  ): Promise<StatusError | RetryError | undefined> {
    const owner = { object, type: this.#kind.type };
    const { traits, heedsDeletionCost } = this.#environment.options;
    const isCostly = traits.heedsDeletionCost && heedsDeletionCost;
    const doomed = podsToDelete(active, this.#familyOn(object), count, this.#environment.nowMs(), isCostly ? undefined : () => 0);
    this.#expectations.expectDeletionsOf(key, doomed.map(keyOf));
    const failures = await allDone(
      doomed.map(async (pod) => {
        try {
          await deletePod(context, this.#environment.recorder, owner, pod);
        } catch (error) {
          this.#expectations.deletionOfObserved(key, keyOf(pod));
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    return failures[0];
  }

  /** How many active pods there are on a node of all owners with the same controller: the old and new ReplicaSets of one Deployment. */
  #familyOn(owner: T): (node: string) => number {
    const uid = controllerOf(owner)?.uid;
    if (uid === undefined) return () => 0;
    const selectors = this.#owners.byIndex(controllerIndex, uid).map((relative) => this.#kind.specOf(relative).matches);
    const isKin = ({ active, labels }: Readonly<PodGroup>): boolean => active > 0 && selectors.some((matches) => matches(labels));
    const counts = this.#tally.nodesOf(owner.metadata.namespace, isKin, (controller) => this.#pods.byIndex(controllerIndex, controller));
    return (node) => counts.reduce((sum, nodes) => sum + (nodes.get(node) ?? 0), 0);
  }

  async #updateStatus(context: ReconcileContext, key: string, owner: T, spec: ReplicaSpec, own: OwnPods, error: Error | undefined): Promise<void> {
    const nowMs = this.#environment.nowMs();
    const counts = own.counts(nowMs);
    const status = nextStatus({
      old: spec.status,
      generation: owner.metadata.generation ?? 0,
      desired: spec.replicas,
      counts,
      terminating: this.#kind.countsTerminating && this.#environment.options.countsTerminating ? this.#countTerminating(owner, spec) : undefined,
      failure: error?.message,
      nowMs,
    });
    if (status !== undefined) await this.#writeStatus(context, owner, status);
    if (error === undefined && spec.minReadySeconds > 0 && counts.ready !== counts.available) {
      const waitMs = nextAvailabilityMs(own.list(), spec.minReadySeconds, nowMs) ?? spec.minReadySeconds * 1000;
      this.#environment.enqueueAfter(key, waitMs, context.causes);
    }
  }

  /** A conflict is tried once more on the object as it is now. */
  async #writeStatus({ client }: ReconcileContext, owner: T, status: ReplicaSetStatus): Promise<void> {
    const { type, withStatus } = this.#kind;
    try {
      await client.updateStatus(type, withStatus(owner, status));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const fresh = await client.get(type, owner.metadata.namespace, owner.metadata.name ?? '');
      await client.updateStatus(type, withStatus(fresh, status));
    }
  }

  #countTerminating(owner: T, spec: ReplicaSpec): number {
    let count = 0;
    const { namespace, uid = '' } = owner.metadata;
    for (const group of this.#tally.groups(namespace, uid).values()) if (spec.matches(group.labels)) count += group.terminating;
    return count;
  }

  #podUpdated(old: Pod, pod: Pod, causes: InformerEvent<Pod>['causes']): readonly string[] {
    const reference = controllerOf(pod);
    const oldReference = controllerOf(old);
    const ownerChanged = !sameControllerRef(reference, oldReference);
    const keys: string[] = [];
    if (ownerChanged && oldReference !== undefined) {
      const oldOwner = this.#ownerOf(old);
      if (oldOwner !== undefined) keys.push(keyOf(oldOwner));
    }
    if (reference !== undefined) {
      const owner = this.#ownerOf(pod);
      if (owner === undefined) return keys;
      const key = keyOf(owner);
      keys.push(key);
      const { minReadySeconds } = this.#kind.specOf(owner);
      if (minReadySeconds > 0 && !isPodReady(old) && isPodReady(pod)) this.#environment.enqueueAfter(key, minReadySeconds * 1000, causes);
      return keys;
    }
    if (ownerChanged || !deepEqual(pod.metadata.labels, old.metadata.labels)) keys.push(...this.#ownersMatching(pod));
    return keys;
  }

  #podDeleted(pod: Pod): readonly string[] {
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return [];
    const key = keyOf(owner);
    this.#expectations.deletionOfObserved(key, keyOf(pod));
    return [key];
  }

  #ownerOf(pod: Pod): T | undefined {
    const reference = controllerOf(pod);
    if (reference?.kind !== this.#kind.type.kind) return undefined;
    const owner = this.#owners.get(pod.metadata.namespace, reference.name);
    return owner?.metadata.uid === reference.uid ? owner : undefined;
  }

  #ownersMatching(pod: Pod): readonly string[] {
    if (pod.metadata.labels === undefined) return [];
    return this.#owners
      .list(pod.metadata.namespace)
      .filter((owner) => this.#kind.specOf(owner).matches(pod.metadata.labels))
      .map(keyOf);
  }
}

function listedPods(active: readonly Pod[], { template, minReadySeconds }: ReplicaSpec): OwnPods {
  const counts = (nowMs: number): ReplicaCounts => countReplicas(active, template?.metadata?.labels ?? {}, minReadySeconds, nowMs);
  return { count: active.length, list: () => active, counts };
}
