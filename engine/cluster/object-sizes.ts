/**
 * How many objects a resource has, and about how large one is as it is stored: what lists are weighed by. To encode all of them would
 * cost more than the list, so some are, and what was found holds for a minute, in which upstream does not look either. Mirrors
 * resourceSizeEstimator of apiserver pkg/storage/etcd3.
 */
import type { ObjectStats } from '../apiserver/flowcontrol/work-estimate.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Resource } from '../registry/resource.ts';
import { storedBytes } from './request-size.ts';

interface Found {
  readonly atMs: number;
  readonly bytes: number;
}

const holdsMs = 60_000;
const looked = 16;

export class ObjectSizes {
  readonly #registry: ResourceRegistry;
  readonly #nowMs: () => number;
  /** By prefix. */
  readonly #found = new Map<string, Found>();

  /** `nowMs` in wall time: none of it enters history. */
  constructor(registry: ResourceRegistry, nowMs: () => number) {
    this.#registry = registry;
    this.#nowMs = nowMs;
  }

  /** Undefined for what is not stored here. */
  statsOf(group: string, plural: string): ObjectStats | undefined {
    const resource = this.#registry.table.findStored(group, plural);
    if (resource === undefined) return undefined;
    const count = this.#registry.core.view.count(resource.prefix);
    return { count, bytes: count === 0 ? 0 : this.#bytesOf(resource) };
  }

  #bytesOf(resource: Resource): number {
    const nowMs = this.#nowMs();
    const known = this.#found.get(resource.prefix);
    if (known !== undefined && nowMs - known.atMs < holdsMs) return known.bytes;
    const { core } = this.#registry;
    const { items } = core.view.range({ prefix: resource.prefix, limit: looked });
    const sum = items.reduce((bytes, { value }) => bytes + storedBytes(core.schemas, resource.kind, value), 0);
    const bytes = Math.ceil(sum / Math.max(1, items.length));
    this.#found.set(resource.prefix, { atMs: nowMs, bytes });
    return bytes;
  }
}
