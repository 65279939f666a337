/**
 * Brings the slices of one service to what its pods are, one address family after the other. Mirrors reconciler.go of
 * k8s.io/endpointslice.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Node, Pod, Service } from '../../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Client } from '../../client/client.ts';
import type { Lister } from '../../client/informer.ts';
import { endpointSlices } from '../../client/resources.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import { shouldPodBeInEndpoints } from '../lib/service-pods.ts';
import { triggerTimeAnnotation } from '../lib/trigger-times.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { portsKey } from '../lib/slice-endpoints.ts';
import { type AddressType, addressTypesOf, isOwnedBy, newSlice, portsOf } from './desired.ts';
import type { EndpointCache } from './endpoint-cache.ts';
import type { HintEvent, Hints } from './hints.ts';
import { pack, type PortGroup, type SliceChanges } from './packing.ts';
import type { SliceTracker } from '../lib/slice-tracker.ts';

export interface ReconcilerOptions {
  readonly client: Client;
  readonly nodes: Lister<Node>;
  readonly tracker: SliceTracker;
  readonly cache: EndpointCache;
  readonly hints: Hints;
  /** Tells the service what became of its hints. */
  readonly tell: (event: HintEvent) => void;
  readonly maxEndpoints: number;
  readonly triggerTime: string | undefined;
}

export async function reconcileSlices(
  options: ReconcilerOptions,
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
): Promise<void> {
  const { namespace, name } = service.metadata;
  const types = addressTypesOf(service);
  const errors: string[] = [];
  for (const type of types) {
    const own = existing.filter((slice) => slice.addressType === type);
    errors.push(...(await reconcileType(options, service, pods, own, type)));
  }
  for (const slice of existing) {
    if (types.includes(slice.addressType as AddressType)) continue;
    options.hints.forgetType(service, slice.addressType);
    const failure = await attempt(
      () => remove(options, slice),
      `error deleting ${slice.metadata.name} EndpointSlice for Service ${namespace}/${name}`,
      ': ',
    );
    if (failure !== undefined) errors.push(failure);
  }
  if (errors.length > 0) throw new RetryError(aggregateText(errors));
}

function aggregateText(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

async function reconcileType(
  options: ReconcilerOptions,
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
  type: AddressType,
): Promise<readonly string[]> {
  const errors: string[] = [];
  const groups = groupByPorts(options, service, pods, type, errors);
  const byPorts = new Map<string, EndpointSlice[]>();
  const changes: SliceChanges = { create: [], update: [], remove: [] };
  for (const slice of existing) {
    if (!isOwnedBy(slice, service)) {
      changes.remove.push(slice);
      continue;
    }
    const key = portsKey(slice.ports ?? []);
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }
  for (const [key, group] of groups) {
    const packed = pack(service, type, byPorts.get(key) ?? [], group, options.maxEndpoints);
    changes.create.push(...packed.create);
    changes.update.push(...packed.update);
    changes.remove.push(...packed.remove);
  }
  for (const [key, slices] of byPorts) if (!groups.has(key)) changes.remove.push(...slices);
  addPlaceholder(service, type, existing, changes);
  const touched = new Set([...changes.update, ...changes.remove].map((slice) => slice.metadata.name));
  const unchanged = existing.filter((slice) => !touched.has(slice.metadata.name));
  const hinted = options.hints.apply(service, type, changes, unchanged, () => options.nodes.list());
  const failure = await write(options, service, hinted.changes);
  hinted.events.forEach(options.tell);
  return failure === undefined ? errors : [...errors, failure];
}

function groupByPorts(
  options: ReconcilerOptions,
  service: Service,
  pods: readonly Pod[],
  type: AddressType,
  errors: string[],
): Map<string, PortGroup> {
  const groups = new Map<string, PortGroup>();
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    let group = groups.get(key);
    if (group === undefined) {
      group = { ports, endpoints: new Map() };
      groups.set(key, group);
    }
    const nodeName = pod.spec?.nodeName ?? '';
    const node = options.nodes.get(undefined, nodeName);
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      const { namespace, name } = service.metadata;
      errors.push(`skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${nodeName} Not Found`);
      continue;
    }
    const cached = options.cache.get(pod, node, service, type);
    if ((cached.endpoint.addresses ?? []).length > 0) group.endpoints.set(cached.key, cached.endpoint);
  }
  return groups;
}

/** A service without endpoints has one empty slice. */
function addPlaceholder(service: Service, type: AddressType, existing: readonly EndpointSlice[], changes: SliceChanges): void {
  if (existing.length !== changes.remove.length || changes.create.length > 0) return;
  const placeholder = newSlice(service, type, []);
  const [only] = changes.remove;
  if (changes.remove.length === 1 && only !== undefined && isPlaceholder(only, placeholder)) changes.remove.length = 0;
  else changes.create.push(placeholder);
}

function isPlaceholder(slice: EndpointSlice, placeholder: EndpointSlice): boolean {
  return (
    slice.metadata.namespace === placeholder.metadata.namespace &&
    deepEqual(slice.metadata.labels ?? {}, placeholder.metadata.labels ?? {}) &&
    slice.addressType === placeholder.addressType &&
    (slice.endpoints ?? []).length === 0 &&
    (slice.ports ?? []).length === 0
  );
}

/** Slices that would be deleted are written over by new ones where they can be. Returns the failure that ended it. */
async function write(options: ReconcilerOptions, service: Service, changes: SliceChanges): Promise<string | undefined> {
  const { client, tracker, triggerTime } = options;
  const create = [...changes.create];
  const update = [...changes.update];
  const removed: EndpointSlice[] = [];
  for (const slice of changes.remove) {
    const last = create.at(-1);
    if (last !== undefined && slice.addressType === last.addressType && isOwnedBy(slice, service)) {
      create.pop();
      const { labels, ownerReferences } = last.metadata;
      update.push({ ...last, metadata: withMeta(slice.metadata, { labels, ownerReferences, annotations: undefined, resourceVersion: undefined }) });
    } else removed.push(slice);
  }
  const place = `Service ${service.metadata.namespace}/${service.metadata.name}`;
  try {
    if (service.metadata.deletionTimestamp === undefined) {
      for (const slice of create) {
        const failure = await attempt(
          async () => tracker.update(await client.create(endpointSlices, stamp(slice, triggerTime))),
          `failed to create EndpointSlice for ${place}`,
        );
        if (failure !== undefined) return failure;
      }
    }
  } catch (error) {
    if (isNamespaceTerminating(error)) return undefined;
    throw error;
  }
  for (const slice of update) {
    const what = `failed to update ${slice.metadata.name} EndpointSlice for ${place}`;
    const failure = await attempt(async () => tracker.update(await client.update(endpointSlices, stamp(slice, triggerTime))), what);
    if (failure !== undefined) return failure;
  }
  for (const slice of removed) {
    const failure = await attempt(() => remove(options, slice), `failed to delete ${slice.metadata.name} EndpointSlice for ${place}`);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function remove({ client, tracker }: ReconcilerOptions, slice: EndpointSlice): Promise<void> {
  await client.delete(endpointSlices, slice.metadata.namespace, slice.metadata.name ?? '');
  tracker.expectDeletion(slice);
}

/** The text of what went wrong. A namespace that is going away is not for us to report. */
async function attempt(call: () => Promise<void>, what: string, separator = ': '): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError) || isNamespaceTerminating(error)) throw error;
    return `${what}${separator}${error.message}`;
  }
}

function stamp(slice: EndpointSlice, triggerTime: string | undefined): EndpointSlice {
  const { [triggerTimeAnnotation]: _old, ...annotations } = slice.metadata.annotations ?? {};
  const next = triggerTime === undefined ? annotations : sortedMap({ ...annotations, [triggerTimeAnnotation]: triggerTime });
  return { ...slice, metadata: withMeta(slice.metadata, { annotations: next }) };
}
