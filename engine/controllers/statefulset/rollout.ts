/**
 * One pass over the pods of a StatefulSet: makes what is missing in the order of ordinals, removes what is too much from the other
 * end, then updates. Mirrors updateStatefulSet of pkg/controller/statefulset/stateful_set_control.go.
 */
import type { StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { Pod, PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { scaledValueFromIntOrPercent } from '../../apimachinery/quantity.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { isPodAvailable } from '../lib/pod.ts';
import { slowStartBatch } from '../lib/slow-start.ts';
import { hasIdentity, hasStorage, isInRange, newPod, ordinalOf, podRevision, replicasOf, startOf } from './identity.ts';
import type { StatefulPods } from './pods.ts';
import { type Counts, countPods, isRunningAndReady, isUnavailable, type Revisions } from './status.ts';

const batchMax = 500;

export interface RolloutOptions {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly revisions: Revisions;
  /** Of the current revision; the set's own is that of the update revision. */
  readonly currentTemplate: PodTemplateSpec | undefined;
  readonly control: StatefulPods;
  readonly nowMs: number;
  /** Pods that may be made now before others have their turn. */
  readonly callsAvailable: number;
  /** Pods carry their ordinal as a label. */
  readonly labelsOrdinals: boolean;
  /** Feature gate MaxUnavailableStatefulSet. */
  readonly severalAtOnce: boolean;
}

export interface RolloutResult {
  readonly counts: Counts;
  readonly error: StatusError | RetryError | undefined;
  /** Pods are left to be made at the next turn. */
  readonly isCut: boolean;
}

export class Rollout {
  readonly #options: RolloutOptions;
  readonly #set: StatefulSet;
  readonly #inOrder: boolean;
  /** Pods that are wanted, by ordinal. */
  readonly #replicas = new Map<number, Pod>();
  /** Pods that are too many, the highest ordinal first. */
  readonly #condemned: readonly Pod[];
  #isCut = false;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#set = options.set;
    this.#inOrder = options.set.spec?.podManagementPolicy !== 'Parallel';
    const condemned: Pod[] = [];
    for (const pod of options.pods) {
      const ordinal = ordinalOf(pod);
      if (isInRange(options.set, ordinal)) this.#replicas.set(ordinal, pod);
      else if (ordinal !== undefined) condemned.push(pod);
    }
    this.#condemned = condemned.sort((a, b) => (ordinalOf(b) ?? 0) - (ordinalOf(a) ?? 0));
  }

  async run(): Promise<RolloutResult> {
    const { pods, revisions, nowMs } = this.#options;
    if (this.#set.metadata.deletionTimestamp !== undefined) {
      return { counts: countPods(this.#set, pods, revisions, nowMs), error: undefined, isCut: false };
    }
    const counts = countPods(this.#set, [...this.#replicas.values(), ...this.#condemned], revisions, nowMs);
    let error: StatusError | RetryError | undefined;
    try {
      if (!(await this.#fill()) && !(await this.#fixCondemned()) && !(await this.#shrink())) counts.current -= await this.#update();
    } catch (failure) {
      if (!(failure instanceof StatusError) && !(failure instanceof RetryError)) throw failure;
      error = failure;
    }
    return { counts, error, isCut: this.#isCut };
  }

  /** Looks after each wanted pod; true when the pass ends here. */
  async #fill(): Promise<boolean> {
    if (this.#inOrder) {
      const start = startOf(this.#set);
      for (let ordinal = start; ordinal < start + replicasOf(this.#set); ordinal++) if (await this.#process(ordinal)) return true;
      return false;
    }
    const ordinals = this.#nextOrdinals();
    const { error } = await slowStartBatch(ordinals.length, async (i) => void (await this.#process(ordinals[i] ?? 0)));
    if (error !== undefined) throw error;
    return this.#isCut;
  }

  /** All pods that are there, and as many of the missing as may be made now. */
  #nextOrdinals(): readonly number[] {
    const ordinals: number[] = [];
    let room = Math.min(batchMax, Math.max(1, this.#options.callsAvailable));
    const start = startOf(this.#set);
    for (let ordinal = start; ordinal < start + replicasOf(this.#set); ordinal++) {
      if (!this.#replicas.has(ordinal) && room-- === 0) {
        this.#isCut = true;
        return ordinals;
      }
      ordinals.push(ordinal);
    }
    return ordinals;
  }

  /** True when pods in order have to wait for this one. */
  async #process(ordinal: number): Promise<boolean> {
    const { control, nowMs } = this.#options;
    const pod = this.#replicas.get(ordinal);
    const phase = pod?.status?.phase ?? '';
    if (pod === undefined || phase === '') {
      const created = this.#newPod(ordinal);
      if (!control.hasStaleClaim(created)) await control.create(created);
      return true;
    }
    if (phase === 'Failed' || phase === 'Succeeded') {
      // A pod that has ended is made anew, however it ended: the next pass comes when it is gone.
      if (pod.metadata.deletionTimestamp === undefined) {
        if (phase === 'Failed') control.tellFailed(pod);
        await control.delete(pod);
      }
      return true;
    }
    if (phase === 'Pending') await control.createMissingClaims(pod);
    if (this.#inOrder && (!isRunningAndReady(pod) || isUnavailable(this.#set, pod, nowMs))) return true;
    if (!hasIdentity(this.#set, pod) || !hasStorage(this.#set, pod, ordinal) || !control.areClaimsSettled(pod)) await control.update(pod);
    return false;
  }

  #newPod(ordinal: number): Pod {
    const { labelsOrdinals } = this.#options;
    const { current, update } = this.#options.revisions;
    if (this.#isKept(ordinal)) return newPod(this.#set, this.#options.currentTemplate, current.metadata.name ?? '', ordinal, labelsOrdinals);
    return newPod(this.#set, this.#set.spec?.template, update.metadata.name ?? '', ordinal, labelsOrdinals);
  }

  /** Whether a new pod of the ordinal is of the current revision yet. */
  #isKept(ordinal: number): boolean {
    const { type, rollingUpdate } = this.#set.spec?.updateStrategy ?? {};
    const start = startOf(this.#set);
    if (rollingUpdate === undefined) return type === 'RollingUpdate' && ordinal < start + (this.#set.status?.currentReplicas ?? 0);
    return ordinal < start + (rollingUpdate.partition ?? 0);
  }

  /** Claims of pods that go are given to those who take them along. */
  async #fixCondemned(): Promise<boolean> {
    for (const pod of this.#condemned) await this.#options.control.fixClaims(pod);
    return false;
  }

  /** Removes pods that are too many; in order one, the highest, when all below are well. True when the pass ends here. */
  async #shrink(): Promise<boolean> {
    const { control, nowMs } = this.#options;
    if (!this.#inOrder) {
      const doomed = this.#condemned.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const { error } = await slowStartBatch(doomed.length, (i) => control.delete(doomed[i] as Pod));
      if (error !== undefined) throw error;
      return false;
    }
    const [highest] = this.#condemned;
    if (highest === undefined) return false;
    const isWell = isRunningAndReady(highest) && isPodAvailable(highest, this.#set.spec?.minReadySeconds ?? 0, nowMs);
    if (highest.metadata.deletionTimestamp === undefined && (isWell || highest === this.#firstUnavailable())) await control.delete(highest);
    return true;
  }

  /** Of those that are too many; all that are wanted are well by then. */
  #firstUnavailable(): Pod | undefined {
    return this.#condemned.findLast((pod) => isUnavailable(this.#set, pod, this.#options.nowMs));
  }

  /** Deletes pods of other revisions, from the highest ordinal down to the partition, so that they come back updated. Returns how many. */
  async #update(): Promise<number> {
    const { type } = this.#set.spec?.updateStrategy ?? {};
    if (type === 'OnDelete') return 0;
    return this.#options.severalAtOnce ? this.#updateSeveral() : this.#updateOne();
  }

  async #updateOne(): Promise<number> {
    const { control, nowMs } = this.#options;
    const first = startOf(this.#set) + this.#partition();
    for (let ordinal = startOf(this.#set) + replicasOf(this.#set) - 1; ordinal >= first; ordinal--) {
      const pod = this.#replicas.get(ordinal);
      if (pod === undefined) return 0;
      if (!this.#isUpdated(pod) && pod.metadata.deletionTimestamp === undefined) {
        await control.delete(pod);
        return 1;
      }
      if (isUnavailable(this.#set, pod, nowMs)) return 0;
    }
    return 0;
  }

  async #updateSeveral(): Promise<number> {
    const { control, nowMs } = this.#options;
    let available = 0;
    for (const pod of this.#replicas.values()) if (!isUnavailable(this.#set, pod, nowMs)) available++;
    const room = this.#maxUnavailable() - (replicasOf(this.#set) - available);
    const first = startOf(this.#set) + this.#partition();
    const old = [...this.#replicas]
      .filter(([ordinal, pod]) => ordinal >= first && !this.#isUpdated(pod) && pod.metadata.deletionTimestamp === undefined)
      .sort(([a], [b]) => b - a)
      .slice(0, Math.max(0, room));
    for (const [, pod] of old) await control.delete(pod);
    return old.length;
  }

  #maxUnavailable(): number {
    const { maxUnavailable = 1 } = this.#set.spec?.updateStrategy?.rollingUpdate ?? {};
    return Math.max(1, scaledValueFromIntOrPercent(maxUnavailable, replicasOf(this.#set), false));
  }

  #partition(): number {
    return this.#set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  }

  #isUpdated(pod: Pod): boolean {
    return podRevision(pod) === this.#options.revisions.update.metadata.name;
  }
}
