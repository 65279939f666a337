/** Pools of devices that a node can reach. Mirrors dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go. */
import type { Node, NodeSelector } from '../../../api/core/v1/types.gen.ts';
import type { CounterSet, Device, ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import { matchesNodeSelector } from '../../../component-helpers/node-affinity.ts';

export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** Not all of its slices are there. */
  readonly isIncomplete: boolean;
  /** What is wrong with it. */
  readonly fault?: string;
  /** Those for this node, by name. */
  readonly slices: readonly ResourceSlice[];
  /** The others, whose devices may take from the same counters. */
  readonly otherSlices: readonly ResourceSlice[];
  readonly counters: ReadonlyMap<string, CounterSet>;
}

interface Place {
  readonly nodeName?: string;
  readonly allNodes?: boolean;
  readonly nodeSelector?: NodeSelector;
}

export function isForNode({ nodeName, allNodes, nodeSelector }: Place, node: Node): boolean {
  if (nodeName) return nodeName === node.metadata.name;
  return allNodes === true || (nodeSelector !== undefined && matchesNodeSelector(nodeSelector, node));
}

export function poolKey({ spec }: ResourceSlice): string {
  return `${spec.driver}/${spec.pool.name}`;
}

/** Slices by driver and pool. */
export function slicesByPool(slices: readonly ResourceSlice[]): ReadonlyMap<string, readonly ResourceSlice[]> {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const key = poolKey(slice);
    const known = pools.get(key);
    if (known === undefined) pools.set(key, [slice]);
    else known.push(slice);
  }
  return pools;
}

/** By driver and name; those whose devices have to be prepared first come last. */
export function gatherPools(byPool: ReadonlyMap<string, readonly ResourceSlice[]>, node: Node): readonly Pool[] {
  const pools: Pool[] = [];
  for (const slices of byPool.values()) {
    const pool = poolFor(slices, node);
    if (pool !== undefined) pools.push(pool);
  }
  const isPrepared = ({ slices }: Pool): boolean =>
    slices.some(({ spec }) => (spec.devices ?? []).some(({ bindingConditions }) => bindingConditions !== undefined));
  return pools.toSorted((a, b) => Number(isPrepared(a)) - Number(isPrepared(b)) || compare(a.driver, b.driver) || compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function poolFor(all: readonly ResourceSlice[], node: Node): Pool | undefined {
  const relevant = all.filter((slice) => isRelevant(slice, node));
  const generation = newest(relevant);
  // The driver is about to replace what this node sees.
  if (generation === undefined || generation < (newest(all) ?? generation)) return undefined;
  const ofGeneration = ({ spec }: ResourceSlice): boolean => BigInt(spec.pool.generation) === generation;
  const slices = relevant.filter(ofGeneration);
  const others = all.filter((slice) => ofGeneration(slice) && !slices.includes(slice));
  const { driver, pool } = (slices[0] as ResourceSlice).spec;
  const head = { driver, name: pool.name, slices: [], otherSlices: [], counters: new Map<string, CounterSet>() };
  const isComplete =
    BigInt(pool.resourceSliceCount) === BigInt(slices.length) || BigInt(pool.resourceSliceCount) === BigInt(slices.length + others.length);
  if (!isComplete) return { ...head, isIncomplete: true };
  const withDevices = slices.filter(({ spec }) => (spec.sharedCounters ?? []).length === 0);
  const counters = new Map<string, CounterSet>();
  const fault = duplicateDevice(withDevices) ?? collectCounters(slices, counters) ?? counterFault(counters, [...slices, ...others]);
  if (fault !== undefined) return { ...head, isIncomplete: false, fault };
  return { ...head, isIncomplete: false, slices: withDevices, otherSlices: others, counters };
}

function newest(slices: readonly ResourceSlice[]): bigint | undefined {
  return slices.reduce<bigint | undefined>((most, { spec }) => {
    const generation = BigInt(spec.pool.generation);
    return most === undefined || generation > most ? generation : most;
  }, undefined);
}

/** Counters are needed wherever the pool is used. */
function isRelevant({ spec }: ResourceSlice, node: Node): boolean {
  if ((spec.sharedCounters ?? []).length > 0) return true;
  if (spec.perDeviceNodeSelection === true) return (spec.devices ?? []).some((device) => isForNode(device, node));
  return isForNode(spec, node);
}

function duplicateDevice(slices: readonly ResourceSlice[]): string | undefined {
  const names = new Set<string>();
  for (const { spec } of slices) {
    for (const { name } of spec.devices ?? []) {
      if (names.has(name)) return `duplicate device name ${name}`;
      names.add(name);
    }
  }
  return undefined;
}

function collectCounters(slices: readonly ResourceSlice[], counters: Map<string, CounterSet>): string | undefined {
  for (const set of slices.flatMap(({ spec }) => spec.sharedCounters ?? [])) {
    if (counters.has(set.name)) return `duplicate counter set name ${set.name}`;
    counters.set(set.name, set);
  }
  return undefined;
}

function counterFault(counters: ReadonlyMap<string, CounterSet>, slices: readonly ResourceSlice[]): string | undefined {
  for (const device of devicesOf(slices)) {
    for (const { counterSet, counters: taken = {} } of device.consumesCounters ?? []) {
      const set = counters.get(counterSet);
      if (set === undefined) return `counter set ${counterSet} not found`;
      for (const name of Object.keys(taken)) if (set.counters?.[name] === undefined) return `counter ${name} not found in counter set ${counterSet}`;
    }
  }
  return undefined;
}

export function devicesOf(slices: readonly ResourceSlice[]): readonly Device[] {
  return slices.flatMap(({ spec }) => spec.devices ?? []);
}
