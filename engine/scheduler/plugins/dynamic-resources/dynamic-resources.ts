/** Devices for claims: found on a node, reserved, and written into the claims before the pod is bound (plugins/dynamicresources). */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { AllocationResult, ResourceClaim, ResourceClaimConsumerReference, ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { matchesNodeSelector } from '../../../component-helpers/node-affinity.ts';
import { claimNameOfGroup, isMadeForGroup, isReservedFor, mayBeReserved } from '../../../component-helpers/resource-claims.ts';
import type { Claims } from '../../framework/claims.ts';
import { groupNameOf } from '../../framework/groups.ts';
import { Action, type ClusterChange, sameJson } from '../../framework/cluster-events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import {
  type Bindable,
  definePlugin,
  type Handle,
  type NodeStatuses,
  normalizeByMax,
  type Plugin,
  type PostFilterResult,
  type PreFilterResult,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { parseResources, type ResourceList } from '../../framework/resources.ts';
import { PluginError, type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { allocate, type ClaimDevices, invalidPools } from './allocator.ts';
import { bindClaims, bindExtended, hasConditions, isTimedOut, readiness } from './binding.ts';
import { claimInMemory, type ExtendedRequests, extendedClaimFor, isInMemory, wantedOnNode } from './extended.ts';
import { allocationFault, consumersOf, podClaims } from './pod-claims.ts';
import { slicesByPool } from './pools.ts';
import { allocationOf } from './results.ts';
import { SelectorPrograms } from '../../framework/selector-programs.ts';

const name = 'DynamicResources';
const inUse = 'resourceclaim in use';
const notHere = 'resourceclaim not available on the node';
const notAll = 'cannot allocate all claims';
const nothingToFree = 'no new claims to deallocate';
const freed = 'deallocation of ResourceClaim completed';
const stillNot = 'still not schedulable';
const notRead = 'not found';
const unreserved = 'ResourceClaim unreserved for PodGroup';
const leftOver = 'cannot schedule extended resource claim';
const noResource = 'cannot fit resource';
const deleted = 'deletion of ResourceClaim completed';
/** A request has at most so many alternatives. */
const alternativesMax = 8;
interface State {
  pod: PodInfo | undefined;
  claims: readonly ResourceClaim[];
  /** Those without an allocation. */
  unallocated: readonly ResourceClaim[];
  /** The claim for extended resources. */
  extended: ResourceClaim | undefined;
  byPool: ReadonlyMap<string, readonly ResourceSlice[]>;
  matches: Map<string, boolean>;
  found: Map<string, readonly ClaimDevices[]>;
}

export const dynamicResources = definePlugin<State>({
  name,
  order: 140,
  defaultWeight: 2,
  points: ['PreEnqueue', 'PreFilter', 'Filter', 'PostFilter', 'Score', 'NormalizeScore', 'Reserve', 'PreBind'],
  needs: { preFilter: { text: 'not found', points: ['Filter', 'Score', 'Reserve', 'PreBind'] } },
  args: { filterTimeout: '10s', bindingTimeout: '10m0s' },
  reasons: [
    inUse,
    notHere,
    notAll,
    nothingToFree,
    freed,
    stillNot,
    notRead,
    unreserved,
    leftOver,
    noResource,
    deleted,
    invalidPools,
    'could not find ResourceClaim "<namespace>/<name>"',
    'resourceclaim "<name>" is being deleted',
    'pod "<namespace>/<name>": ResourceClaim not created yet',
    'ResourceClaim <namespace>/<name> was not created for Pod <namespace>/<name> (Pod is not owner)',
    'resource claim <namespace>/<name> is in the process of being allocated',
    'resource claim <namespace>/<name>, request <name>: unknown request type',
    'request <name>: device class <name> does not exist',
  ],
  create: (handle, args) => new DynamicResources(handle, args),
});

class DynamicResources implements Plugin<State> {
  readonly crossNode = true;
  readonly events: NonNullable<Plugin['events']>;
  readonly bindTimeoutMs: number;
  readonly bindTimeoutText = 'device binding timeout: context deadline exceeded';
  readonly #claims: Claims;
  readonly #groups: Handle['groups'];
  readonly #random: Handle['randomInteger'];
  readonly #programs = new SelectorPrograms();
  /** Of the cycle: what `postFilter` is asked about after it. */
  #unavailable: readonly ResourceClaim[] = [];
  #hasClaimsToPlace = false;
  #leftOver: ResourceClaim | undefined;

  constructor({ claims, groups, randomInteger }: Handle, args: JsonObject) {
    this.#claims = claims;
    this.#groups = groups;
    this.#random = randomInteger;
    this.bindTimeoutMs = durationMs(String(args['bindingTimeout']));
    const addOrUpdate = Action.add | Action.updateOther;
    this.events = [
      { resource: 'Node', action: Action.add | Action.updateNodeLabel | Action.updateNodeAllocatable },
      { resource: 'ResourceClaim', action: addOrUpdate, worth: (pod, change) => this.#claimMayHelp(pod, change) },
      {
        resource: 'Pod',
        action: Action.updatePodGeneratedResourceClaim,
        worth: (pod, { new: next }) => next?.metadata.uid === pod.metadata.uid && typeof podClaims(claims, next as Pod) !== 'string',
      },
      { resource: 'DeviceClass', action: addOrUpdate },
      { resource: 'ResourceSlice', action: addOrUpdate },
    ];
  }

  classState(): State {
    return { pod: undefined, claims: [], unallocated: [], extended: undefined, byPool: new Map(), matches: new Map(), found: new Map() };
  }

  preEnqueue(pod: Pod): Status | undefined {
    const found = podClaims(this.#claims, pod);
    return typeof found === 'string' ? unresolvable(name, found) : undefined;
  }

  preFilter(state: State, pod: PodInfo): PreFilterResult | undefined {
    this.#unavailable = [];
    this.#hasClaimsToPlace = false;
    this.#leftOver = undefined;
    Object.assign(state, this.classState(), { pod });
    const claims = podClaims(this.#claims, pod.pod);
    if (typeof claims === 'string') return { status: unresolvable(name, claims) };
    const extended = extendedClaimFor(this.#claims, pod.pod, pod.requests);
    const consumers = consumersOf(this.#claims, this.#groups, pod.pod);
    if (typeof consumers === 'string') return { status: unresolvable(name, consumers) };
    if (claims.length === 0 && extended === undefined) return { skip: true };
    for (const claim of claims) {
      if (!mayBeReserved(claim) && !isReservedFor(claim, pod.pod, this.#claims.sharesGroups)) return { status: unresolvable(name, inUse) };
      const isToPlace = claim.status?.allocation === undefined && !this.#isShared(claim);
      const fault = isToPlace ? allocationFault(this.#claims, claim) : undefined;
      if (fault !== undefined) return { status: unresolvable(name, fault) };
    }
    this.#hasClaimsToPlace = true;
    if (extended !== undefined && !isInMemory(extended)) this.#leftOver = extended;
    state.extended = extended;
    state.claims = claims;
    state.unallocated = claims.filter((claim) => claim.status?.allocation === undefined && !this.#isShared(claim));
    if (state.unallocated.length > 0 || extended !== undefined) state.byPool = slicesByPool(this.#claims.slices());
    return undefined;
  }

  filter(state: State, info: NodeInfo): Status | undefined {
    const { node } = info;
    const wanted = this.#extendedOn(state, info);
    if ('code' in wanted) return wanted;
    const toPlace = [...state.unallocated, ...wanted.claims];
    if (state.extended !== undefined && toPlace.length === 0 && state.claims.length === 0) return undefined;
    const unavailable = state.claims.filter(({ status, ...claim }) => {
      if (status?.allocation === undefined) return false;
      const { nodeSelector } = status.allocation;
      if (nodeSelector !== undefined && !matchesNodeSelector(nodeSelector, node)) return true;
      const ready = readiness({ status, ...claim });
      return ready.state === 'failed' || (ready.state === 'waiting' && isTimedOut({ status, ...claim }, this.#claims.nowMs(), this.bindTimeoutMs));
    });
    if (toPlace.length > 0) {
      const found = this.#allocate({ ...state, unallocated: toPlace }, node);
      if (found === 'none') return unresolvable(name, notAll);
      if ('reason' in found) return unresolvable(name, found.reason);
      state.found.set(info.name, found);
    }
    if (unavailable.length === 0) return undefined;
    this.#unavailable = [...new Set([...this.#unavailable, ...unavailable])];
    return unresolvable(name, notHere);
  }

  postFilter({ pod }: PodInfo, { notReached }: NodeStatuses): PostFilterResult {
    // Upstream fails to read what its PreFilter would have written, and no plugin behind it is asked.
    if (notReached.has(name)) return { status: { code: 'Error', plugin: name, reasons: [notRead] } };
    if (!this.#hasClaimsToPlace) return { status: unschedulable(name, nothingToFree) };
    const free = this.#unavailable.filter(({ status }) => {
      const reserved = status?.reservedFor ?? [];
      return reserved.length === 0 || (reserved.length === 1 && reserved[0]?.uid === pod.metadata.uid);
    });
    const claim = free[free.length > 1 ? this.#random(free.length) : 0];
    if (claim === undefined && this.#leftOver !== undefined) {
      this.#claims.remove(this.#leftOver, pod);
      return { status: unschedulable(name, deleted) };
    }
    if (claim === undefined) return { status: this.#freeOfGroup(pod) ?? unschedulable(name, stillNot) };
    this.#claims.deallocate(claim, pod);
    return { status: unschedulable(name, freed) };
  }

  /** While no pod of a group has a place, what was reserved for the group may be given back, so that other devices are found. */
  #freeOfGroup(pod: Pod): Status | undefined {
    const { namespace = '' } = pod.metadata;
    const of = this.#claims.sharesGroups ? groupNameOf(pod) : undefined;
    const group = of === undefined ? undefined : this.#groups.group(namespace, of);
    if (of === undefined || group === undefined || this.#groups.scheduledCount(namespace, of) > 0) return undefined;
    for (const wanted of group.spec.resourceClaims ?? []) {
      const named = claimNameOfGroup(group, wanted);
      if (named === 'none') continue;
      const claim = named === 'unknown' ? undefined : this.#claims.claim(namespace, named.name);
      if (named === 'unknown') return { code: 'Error', plugin: name, reasons: [`PodGroup ${namespace}/${of}: ResourceClaim not created yet`] };
      if (claim === undefined) return { code: 'Error', plugin: name, reasons: [`could not find ResourceClaim "${namespace}/${named.name}"`] };
      if (named.isMade && !isMadeForGroup(claim, group)) continue;
      if (claim.status?.allocation === undefined || !isReservedFor(claim, pod, true)) continue;
      this.#claims.unreserve(claim, pod, group.metadata.uid ?? '');
      return unresolvable(name, unreserved);
    }
    return undefined;
  }

  preScore({ claims, extended }: State): boolean {
    return claims.length > 0 || extended !== undefined;
  }

  /** The earlier an alternative stands, the better. */
  score({ claims, unallocated, found }: State, { name: node }: NodeInfo): number {
    const chosen = found.get(node) ?? [];
    let score = 0;
    for (const claim of claims) {
      const names = new Set(
        claim.status?.allocation === undefined
          ? chosen[unallocated.indexOf(claim)]?.devices.map(({ request }) => `${request.parent ?? ''}/${request.name}`)
          : (claim.status.allocation.devices?.results ?? []).map(({ request }) => request),
      );
      for (const request of claim.spec.devices.requests ?? [])
        (request.firstAvailable ?? []).forEach((alternative, i) => {
          if (names.has(`${request.name}/${alternative.name}`)) score += alternativesMax - i;
        });
    }
    return score;
  }

  normalize(_state: State, scores: Float64Array): void {
    normalizeByMax(scores, false);
  }

  reserve(info: PodInfo, node: NodeInfo['node']): Status | undefined {
    const { pod } = info;
    const claims = podClaims(this.#claims, pod);
    if (typeof claims === 'string') return unresolvable(name, claims);
    const extended = extendedClaimFor(this.#claims, pod, info.requests);
    const allocatable = parseResources(node.status?.allocatable as ResourceList | undefined);
    const wanted = this.#extendedOn({ ...this.classState(), pod: info, claims, extended }, { allocatable });
    if ('code' in wanted) return wanted;
    const open = claims.filter(({ status }) => status?.allocation === undefined);
    const [shared, own] = [open.filter((claim) => this.#isShared(claim)), open.filter((claim) => !this.#isShared(claim))];
    const unallocated = [...own, ...wanted.claims];
    for (const claim of shared) this.#claims.setPending(claim, this.#claims.pending(claim.metadata.uid ?? '') as AllocationResult, pod);
    if (unallocated.length === 0) return undefined;
    const byPool = slicesByPool(this.#claims.slices());
    const found = this.#allocate({ ...this.classState(), unallocated, byPool }, node);
    if (found === 'none' || 'reason' in found) throw new PluginError('claim allocation not found for node');
    unallocated.forEach((claim, i) => {
      const allocation = allocationOf(claim, found[i] as ClaimDevices, node.metadata.name ?? '', () => this.#claims.newShareId());
      const { requests, mappings } = wanted;
      this.#claims.setPending(claim, allocation, pod, isInMemory(claim) ? { requests, status: { requestMappings: mappings } } : undefined);
    });
    return undefined;
  }

  #isShared({ metadata }: ResourceClaim): boolean {
    return this.#claims.isShared(metadata.uid ?? '');
  }

  /** The claim for extended resources as it would be on this node: none where the node has them itself and there are no other claims. */
  #extendedOn(state: State, info: Pick<NodeInfo, 'allocatable'>): Status | (ExtendedRequests & { readonly claims: readonly ResourceClaim[] }) {
    const { pod, claims, extended } = state;
    const none = { requests: [], mappings: [] };
    if (pod === undefined || extended === undefined) return { ...none, claims: [] };
    if (!isInMemory(extended)) return unresolvable(name, leftOver);
    const wanted = wantedOnNode(this.#claims, pod.pod, pod.requests, info);
    if (wanted === 'nothing') return unresolvable(name, noResource);
    if (wanted === 'none') return { ...none, claims: claims.length === 0 ? [] : [extended] };
    return { ...wanted, claims: [{ ...extended, spec: { devices: { requests: wanted.requests } } }] };
  }

  unreserve({ pod, requests }: PodInfo): void {
    const claims = podClaims(this.#claims, pod);
    const extended = extendedClaimFor(this.#claims, pod, requests);
    if (extended !== undefined) this.#claims.deletePending(extended.metadata.uid ?? '');
    if (extended !== undefined && !isInMemory(extended)) this.#claims.remove(extended, pod);
    for (const claim of typeof claims === 'string' ? [] : claims) {
      this.#claims.deletePending(claim.metadata.uid ?? '', pod);
      if (claim.status?.allocation !== undefined && isReservedFor(claim, pod)) this.#claims.unreserve(claim, pod);
    }
  }

  preBindPreFlight(pod: Pod): boolean {
    return this.#hasClaims(pod);
  }

  async preBind(pod: Pod, node: string): Promise<JsonValue | undefined> {
    const claims = podClaims(this.#claims, pod);
    if (typeof claims === 'string') throw new PluginError(claims);
    const consumers = consumersOf(this.#claims, this.#groups, pod);
    if (typeof consumers === 'string') throw new PluginError(consumers);
    const held = claims.map((claim, i) => ({ claim, consumer: consumers[i] as ResourceClaimConsumerReference }));
    const bound = [...(await bindClaims(this.#claims, pod, held))];
    const extended = this.#pendingExtended(pod);
    if (extended !== undefined) bound.push(await bindExtended(this.#claims, pod, extended));
    if (!hasConditions(bound)) return undefined;
    this.#claims.note(pod, 'BindingConditionsPending', `waiting for binding conditions for device on node ${node}`);
    return bound.map(({ metadata }) => metadata.name ?? '');
  }

  isBindable(pod: Pod, _node: NodeInfo['node'], waitsFor: JsonValue): Bindable {
    for (const claimName of waitsFor as readonly string[]) {
      const claim = this.#claims.claim(pod.metadata.namespace ?? '', claimName);
      if (claim === undefined) return { state: 'failed', error: `could not find ResourceClaim "${pod.metadata.namespace ?? ''}/${claimName}"` };
      const ready = readiness(claim);
      if (ready.state === 'waiting' && isTimedOut(claim, this.#claims.nowMs(), this.bindTimeoutMs))
        return { state: 'failed', error: `device binding timeout: claim=${claimName}` };
      if (ready.state !== 'ready') return ready;
    }
    return { state: 'ready' };
  }

  #hasClaims(pod: Pod): boolean {
    const claims = podClaims(this.#claims, pod);
    return typeof claims !== 'string' && (claims.length > 0 || this.#pendingExtended(pod) !== undefined);
  }

  /** The claim that is to be made for the pod. */
  #pendingExtended(pod: Pod): ResourceClaim | undefined {
    const claim = claimInMemory(pod);
    return this.#claims.pending(claim.metadata.uid ?? '') === undefined ? undefined : claim;
  }

  #allocate({ unallocated, byPool, matches }: State, node: NodeInfo['node']): ReturnType<typeof allocate> {
    return allocate({
      node,
      claims: unallocated,
      inUse: this.#claims.inUse,
      byPool,
      matches,
      deviceClass: (className) => this.#claims.deviceClass(className),
      compile: (expression) => this.#programs.compiled(expression),
    });
  }

  /** The pod's own claim changed, or another one gave its devices back. */
  #claimMayHelp(pod: Pod, { old, new: next }: ClusterChange): boolean {
    const claims = podClaims(this.#claims, pod);
    if (typeof claims === 'string') return false;
    const [before, after] = [(old as ResourceClaim | undefined)?.status, (next as ResourceClaim).status];
    if (before?.allocation !== undefined && after?.allocation === undefined) return true;
    if (!claims.some(({ metadata }) => metadata.uid === next?.metadata.uid)) return false;
    return old === undefined || !sameJson(before, after);
  }
}

const unitMs: { readonly [unit: string]: number } = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Of a Go duration such as `10m0s`. */
function durationMs(text: string): number {
  return [...text.matchAll(/([0-9.]+)(ms|h|m|s)/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * (getOwn(unitMs, unit ?? '') ?? 0), 0);
}
