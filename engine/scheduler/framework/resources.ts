/**
 * What pods ask for and nodes have, as numbers: CPU in milli, everything else in whole units rounded up
 * (component-helpers/resource PodRequests, scheduler/framework Resource).
 */
import type { Container, Pod } from '../../api/core/v1/types.gen.ts';

export interface Resources {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  /** Hugepages and extended resources. */
  scalar: Map<string, number> | undefined;
}

export type ResourceList = { readonly [name: string]: string | number };

/** Counted for containers without requests when nodes are scored. */
const defaultMilliCpuRequest = 100;
const defaultMemoryRequest = 200 * 1024 * 1024;

const suffixes: { readonly [suffix: string]: number } = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The quantity times `scale`, rounded up; 0 for text that is no quantity (validation keeps it out). */
export function scaledQuantity(quantity: string | number, scale: number): number {
  if (typeof quantity === 'number') return Math.ceil(quantity * scale);
  const match = /^([+-]?[0-9.]+)(?:[eE]([+-]?[0-9]+)|([A-Za-z]*))$/.exec(quantity);
  if (match === null) return 0;
  const unit = match[2] !== undefined ? Number(`1e${match[2]}`) : (suffixes[match[3] ?? ''] ?? Number.NaN);
  const value = unit < 1 ? (Number(match[1]) * scale) / Math.round(1 / unit) : Number(match[1]) * unit * scale;
  const rounded = Math.round(value);
  // Decimal text times a power of ten may land a hair beside the whole number it stands for.
  return Number.isFinite(value) ? (Math.abs(value - rounded) < 1e-6 ? rounded : Math.ceil(value)) : 0;
}

export function noResources(): Resources {
  return { milliCpu: 0, memory: 0, ephemeralStorage: 0, scalar: undefined };
}

export function parseResources(list: ResourceList | undefined): Resources {
  const result = noResources();
  if (list === undefined) return result;
  for (const name of Object.keys(list)) {
    const quantity = list[name] as string;
    if (name === 'cpu') result.milliCpu = scaledQuantity(quantity, 1000);
    else if (name === 'memory') result.memory = scaledQuantity(quantity, 1);
    else if (name === 'ephemeral-storage') result.ephemeralStorage = scaledQuantity(quantity, 1);
    else if (name !== 'pods') (result.scalar ??= new Map()).set(name, scaledQuantity(quantity, 1));
  }
  return result;
}

export function addResources(sum: Resources, added: Resources, sign: 1 | -1): void {
  sum.milliCpu += sign * added.milliCpu;
  sum.memory += sign * added.memory;
  sum.ephemeralStorage += sign * added.ephemeralStorage;
  if (added.scalar === undefined) return;
  sum.scalar ??= new Map();
  for (const [name, value] of added.scalar) sum.scalar.set(name, (sum.scalar.get(name) ?? 0) + sign * value);
}

function raise(max: Resources, other: Resources): void {
  max.milliCpu = Math.max(max.milliCpu, other.milliCpu);
  max.memory = Math.max(max.memory, other.memory);
  max.ephemeralStorage = Math.max(max.ephemeralStorage, other.ephemeralStorage);
  if (other.scalar === undefined) return;
  max.scalar ??= new Map();
  for (const [name, value] of other.scalar) max.scalar.set(name, Math.max(max.scalar.get(name) ?? 0, value));
}

/**
 * Containers and sidecars add up; an ordinary init container needs its own plus the sidecars started before it; pod-level requests
 * override; overhead comes on top. With `nonZero`, containers without CPU or memory requests count the default ones; without
 * `podLevel` what the pod asks for as a whole is passed over.
 */
export function podRequests(pod: Pod, nonZero = false, podLevel = true): Resources {
  const { spec } = pod;
  const statuses = new Map<string, ResourceList>();
  for (const status of pod.status?.containerStatuses ?? []) {
    if (status.allocatedResources !== undefined) statuses.set(status.name, status.allocatedResources as ResourceList);
  }
  const request = (container: Container): Resources => {
    const own = parseResources(container.resources?.requests as ResourceList | undefined);
    const allocated = statuses.get(container.name);
    if (allocated !== undefined) raise(own, parseResources(allocated));
    if (nonZero && container.resources?.requests?.['cpu'] === undefined) own.milliCpu = defaultMilliCpuRequest;
    if (nonZero && container.resources?.requests?.['memory'] === undefined) own.memory = defaultMemoryRequest;
    return own;
  };
  const total = noResources();
  for (const container of spec?.containers ?? []) addResources(total, request(container), 1);
  const sidecars = noResources();
  const initMax = noResources();
  for (const container of spec?.initContainers ?? []) {
    const own = request(container);
    if (container.restartPolicy === 'Always') {
      addResources(total, own, 1);
      addResources(sidecars, own, 1);
      raise(initMax, sidecars);
    } else {
      addResources(own, sidecars, 1);
      raise(initMax, own);
    }
  }
  raise(total, initMax);
  if (podLevel) overridePodLevel(total, spec?.resources?.requests as ResourceList | undefined);
  if (spec?.overhead !== undefined) addResources(total, parseResources(spec.overhead as ResourceList), 1);
  return total;
}

function overridePodLevel(total: Resources, list: ResourceList | undefined): void {
  if (list === undefined) return;
  const podLevel = parseResources(list);
  if (list['cpu'] !== undefined) total.milliCpu = podLevel.milliCpu;
  if (list['memory'] !== undefined) total.memory = podLevel.memory;
  for (const [name, value] of podLevel.scalar ?? []) (total.scalar ??= new Map()).set(name, value);
}
