/**
 * Claims for devices as the scheduler sees them: with what it has assumed of them, and with the allocations that are under way. The
 * latter may wait for other plugins' bindings, so they are data that is saved (dynamicresources/dra_manager.go).
 */
import type { Pod, PodExtendedResourceClaimStatus } from '../api/core/v1/types.gen.ts';
import type { AllocationResult, DeviceClass, ResourceClaim, ResourceSlice } from '../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../api/resource/v1beta2/types.gen.ts';
import { addQuantity, isZeroQuantity, parseQuantity, type Quantity, subQuantity } from '../apimachinery/quantity.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Cause } from '../base/causes.ts';
import { json, list, optional, record, text } from '../base/codecs.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { RandomStream } from '../base/random.ts';
import type { Slots } from '../base/slots.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import { type Informer, type InformerFactory, keyOf } from '../client/informer.ts';
import { deviceClasses, deviceTaintRules, pods, resourceClaims, resourceSlices } from '../client/resources.ts';
import { claimFinalizer } from '../component-helpers/resource-claims.ts';
import { AssumeCache, changeOf } from './assume-cache.ts';
import { Action, type ClusterChange, sameJson } from './framework/cluster-events.ts';
import { ClassesByResource } from './device-classes.ts';
import { type Claims, type ClaimToMake, deviceKey, type DevicesInUse, extendedClaimAnnotation } from './framework/claims.ts';
import { withRules } from './taint-rules.ts';

export interface ClaimCacheOptions {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'track'>;
  readonly informers: InformerFactory;
  readonly client: Client;
  recorderOf(schedulerName: string): EventRecorder;
  readonly random: RandomStream;
  readonly slots: Slots;
  readonly component: string;
  /** Classes stand for extended resources (gate DRAExtendedResource). */
  readonly extendedResources: boolean;
  /** Claims may be made and reserved for groups of pods (gate DRAWorkloadResourceClaims). */
  readonly sharesGroups: boolean;
  /** Rules put taints on devices (gate DRADeviceTaintRules). */
  readonly deviceTaintRules: boolean;
  causesOf(pod: Pod): readonly Cause[];
  /** Something happened that may help pods that wait. */
  onChange(change: ClusterChange, causes: readonly Cause[]): void;
}

interface Pending {
  readonly namespace: string;
  readonly name: string;
  /** Uids of the pods that count on it: pods of one group may share it. */
  readonly pods: readonly string[];
  readonly allocation: JsonValue;
  /** What the claim is to be made of, where it is not there yet. */
  readonly toMake: JsonValue | undefined;
}

export class ClaimCache implements Claims {
  readonly inUse = new HeldDevices();
  readonly #options: ClaimCacheOptions;
  readonly #claims: AssumeCache<ResourceClaim>;
  readonly #classes: Informer<DeviceClass>;
  readonly #slices: Informer<ResourceSlice>;
  /** By uid of the claim. */
  readonly #pending: Map<string, Pending>;
  /** `<pod> <claim>`: another pod of its group has allocated the claim that this one was about to. */
  readonly #overtaken: Set<string>;
  readonly #rules: Informer<DeviceTaintRule> | undefined;
  readonly #byResource: ClassesByResource;
  readonly #scoredBy = new Set<string>();
  /** Names of the claims that were made for extended resources, by uid of their pod. */
  readonly #made = new Map<string, string>();
  /** Claims that got allocations under way in the cycle of a group, which all of its pods share then. */
  #ofGroup: Set<string> | undefined;
  #sortedSlices: readonly ResourceSlice[] | undefined;
  #classesVersion = 0;
  #devicesVersion = 0;

  constructor(options: ClaimCacheOptions) {
    this.#options = options;
    const { informers, onChange, slots } = options;
    const claims = informers.informer(resourceClaims);
    this.#claims = new AssumeCache(claims, (claim, isGone) => this.#count(claim, isGone));
    this.#classes = informers.informer(deviceClasses);
    this.#slices = informers.informer(resourceSlices);
    this.#pending = slots.map(
      'allocating',
      record<Pending>({ namespace: text, name: text, pods: list(text), allocation: json, toMake: optional(json) }),
    );
    this.#overtaken = slots.set('overtaken');
    slots.onRestored(() => this.#recount());
    claims.addHandler((event) => onChange(changeOf(event, 'ResourceClaim'), event.causes));
    this.#byResource = new ClassesByResource(() => this.#classes.list());
    this.#classes.addHandler((event) => {
      this.#byResource.forget();
      this.#classesVersion++;
      onChange(changeOf(event, 'DeviceClass'), event.causes);
    });
    this.#slices.addHandler((event) => {
      this.#slicesChanged();
      onChange(changeOf(event, 'ResourceSlice'), event.causes);
    });
    this.#rules = options.deviceTaintRules ? informers.informer(deviceTaintRules) : undefined;
    this.#rules?.addHandler((event) => {
      const before = this.slices();
      this.#slicesChanged();
      // As upstream's tracker does: a slice whose taints change is a slice that changed.
      for (const [i, slice] of this.slices().entries()) {
        const old = before[i] ?? slice;
        if (!sameJson(slice, old)) onChange({ resource: 'ResourceSlice', action: Action.updateOther, old, new: slice }, event.causes);
      }
    });
  }

  get sharesGroups(): boolean {
    return this.#options.sharesGroups;
  }

  beginGroup(): void {
    this.#ofGroup = new Set();
  }

  endGroup(): void {
    this.#ofGroup = undefined;
  }

  isShared(uid: string): boolean {
    return this.#ofGroup?.has(uid) === true && this.#pending.has(uid);
  }

  claim(namespace: string, name: string): ResourceClaim | undefined {
    return this.#claims.get(namespace, name);
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#classes.get(undefined, name);
  }

  classFor(resource: string): DeviceClass | undefined {
    return this.#options.extendedResources ? this.#byResource.get(resource) : undefined;
  }

  extendedClaim({ metadata }: Pod): ResourceClaim | undefined {
    const name = this.#made.get(metadata.uid ?? '');
    return name === undefined ? undefined : this.#claims.get(metadata.namespace, name);
  }

  scoreBy(resources: readonly string[]): void {
    for (const resource of resources) this.#scoredBy.add(resource);
  }

  /** Changes with whatever verdicts and scores of a node depend on beside the node itself. */
  get version(): string {
    for (const resource of this.#scoredBy)
      if (this.classFor(resource) !== undefined) return `${this.#classesVersion}/${this.#devicesVersion}/${this.inUse.version}`;
    return String(this.#classesVersion);
  }

  slices(): readonly ResourceSlice[] {
    const name = ({ metadata }: ResourceSlice): string => metadata.name ?? '';
    const sorted = (): readonly ResourceSlice[] => this.#slices.list().toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
    return (this.#sortedSlices ??= this.#rules === undefined ? sorted() : withRules(sorted(), this.#rules.list()));
  }

  #slicesChanged(): void {
    this.#sortedSlices = undefined;
    this.#devicesVersion++;
  }

  pending(uid: string): AllocationResult | undefined {
    return this.#pending.get(uid)?.allocation as AllocationResult | undefined;
  }

  toMake(uid: string): ClaimToMake | undefined {
    return this.#pending.get(uid)?.toMake as ClaimToMake | undefined;
  }

  setPending(claim: ResourceClaim, allocation: AllocationResult, pod: Pod, toMake?: ClaimToMake): void {
    const { uid = '', namespace = '', name = '' } = claim.metadata;
    this.#ofGroup?.add(uid);
    const others = this.#pending.get(uid)?.pods ?? [];
    this.#pending.set(uid, {
      namespace,
      name,
      pods: [...others, pod.metadata.uid ?? ''],
      allocation: allocation as unknown as JsonValue,
      toMake: toMake as JsonValue | undefined,
    });
    this.#count(claim, false);
  }

  pendingDone(uid: string, by: Pod): void {
    for (const pod of this.#pending.get(uid)?.pods ?? []) if (pod !== by.metadata.uid) this.#overtaken.add(`${pod} ${uid}`);
    this.deletePending(uid);
  }

  isOvertaken(uid: string, pod: Pod): boolean {
    return this.#overtaken.has(`${pod.metadata.uid} ${uid}`);
  }

  deletePending(uid: string, by?: Pod): void {
    if (by !== undefined) this.#overtaken.delete(`${by.metadata.uid} ${uid}`);
    const pending = this.#pending.get(uid);
    if (pending === undefined) return;
    const others = by === undefined ? [] : pending.pods.filter((pod) => pod !== by.metadata.uid);
    if (others.length > 0) {
      this.#pending.set(uid, { ...pending, pods: others });
      return;
    }
    this.#ofGroup?.delete(uid);
    this.#pending.delete(uid);
    const claim = this.#claims.get(pending.namespace, pending.name);
    this.inUse.set(uid, claim?.metadata.uid === uid ? claim.status?.allocation : undefined);
  }

  /** A pod that waited for its binding is gone. */
  podGone(uid: string): void {
    const gone = { metadata: { uid } } as Pod;
    for (const key of [...this.#overtaken]) if (key.startsWith(`${uid} `)) this.#overtaken.delete(key);
    for (const [claim, { pods: of }] of [...this.#pending]) if (of.includes(uid)) this.deletePending(claim, gone);
  }

  newShareId(): string {
    const { random } = this.#options;
    const variant = '89ab'[random.integer(4)] ?? '8';
    return [random.hex(8), random.hex(4), `4${random.hex(3)}`, `${variant}${random.hex(3)}`, random.hex(12)].join('-');
  }

  nowMs(): number {
    return this.#options.loop.nowMs();
  }

  async create(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim> {
    const made = this.#claims.assumeMade(await this.#client(pod).create(resourceClaims, claim));
    this.#count(made, false);
    return made;
  }

  async tellExtended({ metadata, ...pod }: Pod, status: PodExtendedResourceClaimStatus): Promise<void> {
    const patch = { metadata: { uid: metadata.uid ?? '' }, status: { extendedResourceClaimStatus: status } } as unknown as JsonObject;
    await this.#client({ metadata, ...pod }).patch(pods, metadata.namespace, metadata.name ?? '', 'strategic', patch, { subresource: 'status' });
  }

  async update(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim> {
    return this.#claims.assume(await this.#client(pod).update(resourceClaims, claim));
  }

  async updateStatus(claim: ResourceClaim, pod: Pod): Promise<ResourceClaim> {
    const written = this.#claims.assume(await this.#client(pod).updateStatus(resourceClaims, claim));
    this.#count(written, false);
    return written;
  }

  read({ metadata }: ResourceClaim, pod: Pod): Promise<ResourceClaim> {
    return this.#client(pod).get(resourceClaims, metadata.namespace, metadata.name ?? '');
  }

  deallocate(claim: ResourceClaim, pod: Pod): void {
    const { allocation: _, reservedFor: __, devices: ___, ...status } = claim.status ?? {};
    this.#track(pod, claim, async (client) => void (await client.updateStatus(resourceClaims, { ...claim, status })));
  }

  unreserve({ metadata, ...claim }: ResourceClaim, pod: Pod, consumer = pod.metadata.uid ?? ''): void {
    const { namespace, name = '', uid = '' } = metadata;
    const patch: JsonObject = { metadata: { uid }, status: { reservedFor: [{ $patch: 'delete', uid: consumer }] } };
    this.#track(pod, { ...claim, metadata }, async (client) => {
      await client.patch(resourceClaims, namespace, name, 'strategic', patch, { subresource: 'status' });
    });
  }

  /** Nothing holds it any more, so it goes at once. */
  remove(claim: ResourceClaim, pod: Pod): void {
    const { namespace, name = '' } = claim.metadata;
    this.#track(pod, claim, async (client) => {
      const finalizers = (claim.metadata.finalizers ?? []).filter((one) => one !== claimFinalizer);
      await client.update(resourceClaims, { ...claim, metadata: { ...claim.metadata, finalizers } });
      await client.delete(resourceClaims, namespace, name);
    });
  }

  note(pod: Pod, reason: string, message: string): void {
    const options = this.#options;
    options.recorderOf(pod.spec?.schedulerName ?? '').event(pod, 'Normal', reason, message, options.causesOf(pod), { action: 'Scheduling' });
  }

  #client(pod: Pod): Client {
    return this.#options.client.because(this.#options.causesOf(pod));
  }

  /** Upstream logs a refusal and goes on: the next attempt looks again. */
  #track(pod: Pod, claim: ResourceClaim, work: (client: Client) => Promise<void>): void {
    const client = this.#client(pod);
    const run = async (): Promise<void> => {
      try {
        await work(client);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
      }
    };
    this.#options.loop.track(run(), this.#options.component, `claim ${keyOf(claim)}`);
  }

  #count(claim: ResourceClaim, isGone: boolean): void {
    const { uid = '', name = '', annotations, ownerReferences = [] } = claim.metadata;
    const owner = annotations?.[extendedClaimAnnotation] === 'true' ? ownerReferences.find(({ controller }) => controller === true) : undefined;
    if (owner !== undefined && !isGone) this.#made.set(owner.uid, name);
    else if (owner !== undefined && this.#made.get(owner.uid) === name) this.#made.delete(owner.uid);
    this.inUse.set(uid, this.pending(uid) ?? (isGone ? undefined : claim.status?.allocation));
  }

  #recount(): void {
    this.inUse.clear();
    this.#made.clear();
    for (const claim of this.#claims.list()) this.#count(claim, false);
    for (const [uid] of this.#pending) this.inUse.set(uid, this.pending(uid));
  }
}

/** Sums over allocations, by claim, so that one claim's can be exchanged. */
class HeldDevices implements DevicesInUse {
  readonly #allocations = new Map<string, AllocationResult>();
  /** Counts changes. */
  version = 0;
  readonly #held = new Map<string, number>();
  readonly #shares = new Map<string, number>();
  readonly #consumed = new Map<string, Map<string, Quantity>>();

  isHeld(device: string): boolean {
    return this.#held.has(device);
  }

  consumed(device: string): ReadonlyMap<string, Quantity> | undefined {
    return this.#consumed.get(device);
  }

  clear(): void {
    for (const map of [this.#allocations, this.#held, this.#shares, this.#consumed]) map.clear();
  }

  set(claim: string, allocation: AllocationResult | undefined): void {
    const old = this.#allocations.get(claim);
    if (old === allocation || (old !== undefined && allocation !== undefined && sameJson(old.devices, allocation.devices))) return;
    this.version++;
    if (old !== undefined) this.#apply(old, -1);
    if (allocation === undefined) this.#allocations.delete(claim);
    else {
      this.#allocations.set(claim, allocation);
      this.#apply(allocation, 1);
    }
  }

  /** Who has access as an administrator holds nothing. */
  #apply({ devices }: AllocationResult, sign: 1 | -1): void {
    for (const result of devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const key = deviceKey(result);
      if (result.shareID === undefined) counted(this.#held, key, sign);
      else this.#share(key, result.consumedCapacity ?? {}, sign);
    }
  }

  #share(device: string, consumed: { readonly [name: string]: string }, sign: 1 | -1): void {
    counted(this.#shares, device, sign);
    if (!this.#shares.has(device)) {
      this.#consumed.delete(device);
      return;
    }
    const sums = this.#consumed.get(device) ?? new Map<string, Quantity>();
    this.#consumed.set(device, sums);
    for (const [name, value] of Object.entries(consumed)) {
      const before = sums.get(name) ?? parseQuantity('0');
      const after = sign > 0 ? addQuantity(before, parseQuantity(value)) : subQuantity(before, parseQuantity(value));
      if (isZeroQuantity(after)) sums.delete(name);
      else sums.set(name, after);
    }
  }
}

function counted(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
