/**
 * Finds devices on a node for claims: every request is tried with every device in turn, and the first solution is taken. Mirrors
 * dynamic-resource-allocation/structured/internal/incubating.
 *
 * A1  Devices, constraints, counters and results are taken together and given back together, in the opposite order.
 * A2  Of the devices for one request only combinations are tried, never the same ones in another order.
 */
import type { Node } from '../../../api/core/v1/types.gen.ts';
import type { Device, DeviceClass, ResourceClaim, ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import { addQuantity, type Quantity } from '../../../apimachinery/quantity.ts';
import { assert } from '../../../base/assert.ts';
import { type compileSelector, deviceMatches } from '../../../cel/device.ts';
import { CelError } from '../../../cel/values.ts';
import { toleratesDeviceTaint } from '../../../component-helpers/resource-claims.ts';
import { deviceKey, type DevicesInUse } from '../../framework/claims.ts';
import { PluginError } from '../../framework/status.ts';
import { consumedCapacity, hasCapacity } from './capacity.ts';
import { type Constraint, constraintOf } from './constraints.ts';
import { Counters } from './counters.ts';
import { gatherPools, isForNode, type Pool } from './pools.ts';
import { alternativesOf, claimText, type ClassedRequest, fullName, type Request } from './requests.ts';

export const resultsMax = 32;
export const invalidPools = 'invalid resource pools were encountered';

export interface Candidate {
  readonly device: Device;
  readonly slice: ResourceSlice;
  readonly pool: Pool;
  readonly key: string;
}

export interface PickedDevice extends Candidate {
  readonly request: ClassedRequest;
  /** For a device that several claims share: what this one takes. */
  readonly consumed?: ReadonlyMap<string, Quantity>;
}

/** The devices of one claim, and which alternative of each request they are for. */
export interface ClaimDevices {
  readonly devices: readonly PickedDevice[];
  readonly chosen: readonly (ClassedRequest | undefined)[];
}

export interface AllocatorInput {
  readonly node: Node;
  readonly claims: readonly ResourceClaim[];
  readonly inUse: DevicesInUse;
  readonly byPool: ReadonlyMap<string, readonly ResourceSlice[]>;
  /** Answers of selectors, for all nodes of a cycle. */
  readonly matches: Map<string, boolean>;
  deviceClass(name: string): DeviceClass | undefined;
  readonly compile: typeof compileSelector;
}

/** `none` where nothing fits, a text where that is because of the pools. Throws PluginError for claims and classes that are wrong. */
export function allocate(input: AllocatorInput): readonly ClaimDevices[] | 'none' | { readonly reason: string } {
  const search = new Search(input);
  const found = search.run();
  if (found !== undefined) return found;
  return search.pools.some(({ fault }) => fault !== undefined) ? { reason: invalidPools } : 'none';
}

interface Wanted {
  readonly claim: ResourceClaim;
  readonly claimIndex: number;
  readonly requests: readonly (readonly Sized[])[];
  readonly constraints: readonly Constraint[];
}

/** One alternative, and how many devices it takes; all of them where it takes all. */
interface Sized {
  readonly request: ClassedRequest;
  readonly size: number;
  readonly all?: readonly Candidate[];
}

type Outcome = 'found' | 'none' | 'tooMany';

class Search {
  readonly pools: readonly Pool[];
  readonly #input: AllocatorInput;
  readonly #candidates: readonly Candidate[];
  readonly #wanted: readonly Wanted[];
  readonly #picked: PickedDevice[][];
  readonly #chosen: (ClassedRequest | undefined)[][];
  /** Which claims take a device, by index. */
  readonly #taken = new Map<string, Set<number>>();
  readonly #shares = new Map<string, PickedDevice[]>();
  readonly #counters = new Map<string, Counters>();

  constructor(input: AllocatorInput) {
    this.#input = input;
    this.pools = gatherPools(input.byPool, input.node);
    this.#candidates = this.pools.filter(isUsable).flatMap(candidatesOf);
    this.#wanted = input.claims.map((claim, index) => this.#wantedOf(claim, index));
    this.#picked = input.claims.map(() => []);
    this.#chosen = input.claims.map(() => []);
  }

  run(): readonly ClaimDevices[] | undefined {
    if (this.#claim(0) !== 'found') return undefined;
    return this.#picked.map((devices, i) => ({ devices, chosen: this.#chosen[i] ?? [] }));
  }

  #wantedOf(claim: ResourceClaim, claimIndex: number): Wanted {
    const requests = (claim.spec.devices.requests ?? []).map((request) => alternativesOf(request).map((one) => this.#sized(claim, one)));
    const least = requests.reduce((sum, alternatives) => sum + Math.min(...alternatives.map(({ size }) => size)), 0);
    if (least > resultsMax)
      throw new PluginError(`claim ${claimText(claim)}: number of requested devices ${least} exceeds the claim limit of ${resultsMax}`);
    const constraints = (claim.spec.devices.constraints ?? []).map((constraint, i) => {
      const made = constraintOf(constraint);
      if (made === undefined) throw new PluginError(`claim ${claimText(claim)}, constraint #${i}: empty constraint (unsupported constraint type?)`);
      return made;
    });
    return { claim, claimIndex, requests, constraints };
  }

  #sized(claim: ResourceClaim, request: Request): Sized {
    const where = `claim ${claimText(claim)}, request ${request.name}`;
    request.selectors.forEach(({ cel }, i) => {
      if (cel === undefined) throw new PluginError(`${where}, selector #${i}: CEL expression empty (unsupported selector type?)`);
    });
    if (request.className === '') throw new PluginError(`${where}: missing device class name (unsupported request type?)`);
    const deviceClass = this.#input.deviceClass(request.className);
    if (deviceClass === undefined)
      throw new PluginError(
        `${where}: could not retrieve device class ${request.className}: deviceclass.resource.k8s.io "${request.className}" not found`,
      );
    const classed: ClassedRequest = { ...request, class: deviceClass };
    if (request.mode === 'ExactCount') return { request: classed, size: request.count };
    if (request.mode !== 'All') throw new PluginError(`${where}: unsupported count mode ${request.mode}`);
    for (const { driver, name, isIncomplete, fault } of this.pools) {
      if (isIncomplete) throw new PluginError(`${where}: asks for all devices, but resource pool ${driver}/${name} is currently being updated`);
      if (fault !== undefined) throw new PluginError(`${where}: asks for all devices, but resource pool ${driver}/${name} is currently invalid`);
    }
    const all = this.#candidates.filter((one) => this.#isSelectable(claim, classed, one) && this.#hasCapacity(classed, one));
    return { request: classed, size: all.length, all };
  }

  #claim(index: number): Outcome {
    const wanted = this.#wanted[index];
    if (wanted === undefined) return 'found';
    // Another choice for an earlier claim may leave room for one that takes fewer.
    return this.#request(wanted, 0);
  }

  #request(wanted: Wanted, index: number): Outcome {
    const alternatives = wanted.requests[index];
    if (alternatives === undefined) return this.#claim(wanted.claimIndex + 1) === 'found' ? 'found' : 'none';
    const chosen = this.#chosen[wanted.claimIndex] as (ClassedRequest | undefined)[];
    let allTooMany = true;
    for (const alternative of alternatives) {
      const outcome = this.#devices(wanted, index, alternative, 0, 0);
      if (outcome === 'found') {
        chosen[index] = alternative.request;
        return 'found';
      }
      allTooMany &&= outcome === 'tooMany';
    }
    return allTooMany ? 'tooMany' : 'none';
  }

  /** The devices of one alternative from the `nth` on, taken from the candidates from `start` on. */
  #devices(wanted: Wanted, index: number, alternative: Sized, nth: number, start: number): Outcome {
    const { request, size, all } = alternative;
    if (all?.length === 0) return 'none';
    if (nth >= size) return this.#request(wanted, index + 1);
    if ((this.#picked[wanted.claimIndex]?.length ?? 0) + size - nth > resultsMax) return 'tooMany';
    if (all !== undefined) return this.#next(wanted, index, alternative, nth, all[nth] as Candidate, 0) ?? 'none';
    for (let at = start; at < this.#candidates.length; at++) {
      const candidate = this.#candidates[at] as Candidate;
      if (this.#isInUse(wanted.claimIndex, request, candidate)) continue;
      if (!this.#isSelectable(wanted.claim, request, candidate) || !this.#hasCapacity(request, candidate)) continue;
      const outcome = this.#next(wanted, index, alternative, nth, candidate, at + 1);
      if (outcome === 'found' || outcome === 'tooMany') return outcome;
    }
    return 'none';
  }

  /** Takes the device and goes on; undefined where it cannot be taken. */
  #next(wanted: Wanted, index: number, alternative: Sized, nth: number, candidate: Candidate, start: number): Outcome | undefined {
    const giveBack = this.#take(wanted, alternative.request, candidate, alternative.all !== undefined);
    if (giveBack === undefined) return undefined;
    const outcome = this.#devices(wanted, index, alternative, nth + 1, start);
    if (outcome !== 'found') giveBack();
    return outcome;
  }

  /** Undefined where something stands against it; else what takes it back. */
  #take(wanted: Wanted, request: ClassedRequest, candidate: Candidate, mustHave: boolean): (() => void) | undefined {
    const { device, key, pool } = candidate;
    const { claimIndex, claim } = wanted;
    if (this.#isInUse(claimIndex, request, candidate) || isTainted(device, request)) return undefined;
    const undo: (() => void)[] = [];
    const giveBack = (): void => undo.toReversed().forEach((one) => one());
    const isShared = device.allowMultipleAllocations === true;
    if ((device.consumesCounters ?? []).length > 0 && !(isShared && this.#isShared(key))) {
      const counters = this.#countersOf(pool);
      if (!counters.take(device)) return undefined;
      undo.push(() => counters.giveBack(device));
    }
    for (const constraint of wanted.constraints) {
      if (constraint.add(request, pool.driver, device)) {
        undo.push(() => constraint.remove(request));
        continue;
      }
      giveBack();
      if (!mustHave) return undefined;
      throw new PluginError(
        `claim ${claimText(claim)}, request ${request.name}: cannot add device ${key} because a claim constraint would not be satisfied`,
      );
    }
    if (!this.#hasCapacity(request, candidate)) {
      giveBack();
      return undefined;
    }
    undo.push(this.#hold(claimIndex, request, candidate, isShared));
    return giveBack;
  }

  #hold(claimIndex: number, request: ClassedRequest, candidate: Candidate, isShared: boolean): () => void {
    const { key, device } = candidate;
    const picked = this.#picked[claimIndex] as PickedDevice[];
    const one: PickedDevice = { ...candidate, request, ...(isShared ? { consumed: consumedCapacity(device, request.capacity) } : {}) };
    picked.push(one);
    if (isShared) this.#shares.set(key, [...(this.#shares.get(key) ?? []), one]);
    else this.#taken.set(key, (this.#taken.get(key) ?? new Set()).add(claimIndex));
    return () => {
      assert(picked.pop() === one, 'what was taken last is given back first');
      if (!isShared) this.#taken.get(key)?.delete(claimIndex);
      else {
        const left = (this.#shares.get(key) ?? []).slice(0, -1);
        if (left.length === 0) this.#shares.delete(key);
        else this.#shares.set(key, left);
      }
    };
  }

  #countersOf(pool: Pool): Counters {
    const known = this.#counters.get(`${pool.driver}/${pool.name}`);
    if (known !== undefined) return known;
    const { inUse } = this.#input;
    const made = new Counters(pool, (key) => inUse.isHeld(key) || inUse.consumed(key) !== undefined);
    this.#counters.set(`${pool.driver}/${pool.name}`, made);
    return made;
  }

  #isShared(key: string): boolean {
    return this.#input.inUse.consumed(key) !== undefined || this.#shares.has(key);
  }

  /** An administrator may have what others hold, but not twice in one claim. */
  #isInUse(claimIndex: number, { adminAccess }: Request, { key }: Candidate): boolean {
    const takers = this.#taken.get(key);
    return adminAccess ? takers?.has(claimIndex) === true : this.#input.inUse.isHeld(key) || (takers?.size ?? 0) > 0;
  }

  #hasCapacity({ capacity }: Request, { device, key }: Candidate): boolean {
    if (device.capacity === undefined && Object.keys(capacity).length === 0) return true;
    const taking = new Map<string, Quantity>();
    for (const { consumed } of this.#shares.get(key) ?? [])
      for (const [name, value] of consumed ?? []) {
        const before = taking.get(name);
        taking.set(name, before === undefined ? value : addQuantity(before, value));
      }
    return hasCapacity(device, capacity, this.#input.inUse.consumed(key), taking);
  }

  #isSelectable(claim: ResourceClaim, request: ClassedRequest, candidate: Candidate): boolean {
    const { device, slice } = candidate;
    if (slice.spec.perDeviceNodeSelection === true && !isForNode(device, this.#input.node)) return false;
    const { matches } = this.#input;
    const key = `${claim.metadata.uid ?? ''} ${fullName(request)} ${candidate.key}`;
    const known = matches.get(key);
    if (known !== undefined) return known;
    const { class: deviceClass } = request;
    const answer =
      this.#selects(deviceClass.spec.selectors ?? [], candidate, `class ${deviceClass.metadata.name ?? ''}`) &&
      this.#selects(request.selectors, candidate, `claim ${claimText(claim)}`);
    matches.set(key, answer);
    return answer;
  }

  #selects(selectors: Request['selectors'], { device, pool }: Candidate, where: string): boolean {
    for (const [i, { cel }] of selectors.entries()) {
      const program = this.#input.compile(cel?.expression ?? '');
      if ('fault' in program) throw new PluginError(`${where}: selector #${i}: CEL compile error: ${program.fault}`);
      try {
        if (!deviceMatches(program, { ...device, driver: pool.driver })) return false;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        throw new PluginError(`${where}: selector #${i}: CEL runtime error: ${error.message}`);
      }
    }
    return true;
  }
}

function isUsable({ isIncomplete, fault }: Pool): boolean {
  return !isIncomplete && fault === undefined;
}

function candidatesOf(pool: Pool): readonly Candidate[] {
  const key = (device: string): string => deviceKey({ driver: pool.driver, pool: pool.name, device });
  return pool.slices.flatMap((slice) => (slice.spec.devices ?? []).map((device) => ({ device, slice, pool, key: key(device.name) })));
}

function isTainted({ taints = [] }: Device, { tolerations = [] }: Request): boolean {
  return taints.some(
    (taint) =>
      (taint.effect === 'NoExecute' || taint.effect === 'NoSchedule') && !tolerations.some((toleration) => toleratesDeviceTaint(toleration, taint)),
  );
}
