/**
 * Generations of the slices that the controller wrote, so that it neither answers to its own writes nor works with an old cache.
 * Mirrors k8s.io/endpointslice util/endpointslice_tracker.go; plain data.
 */
import type { EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import type { InformerEvent } from '../../client/informer.ts';
import { mapOf, number } from '../../base/codecs.ts';
import { serviceNameLabel } from '../../component-helpers/service-slices.ts';
import type { Slots } from '../../base/slots.ts';

const deletionExpected = -1;

export function serviceKeyOf({ metadata }: EndpointSlice): string {
  return `${metadata.namespace}/${metadata.labels?.[serviceNameLabel] ?? ''}`;
}

export class SliceTracker {
  readonly #byService: Map<string, Map<string, number>>;

  constructor(slots: Slots) {
    this.#byService = slots.map('tracker', mapOf(number));
  }

  /** The slices by which a change concerns a service: none, where it is only what was written here. */
  slicesToAnswer(event: InformerEvent<EndpointSlice>, isManaged: (slice: EndpointSlice) => boolean): readonly EndpointSlice[] {
    const { type, object } = event;
    if (type === 'delete') return isManaged(object) && this.has(object) && !this.handleDeletion(object) ? [object] : [];
    if (type === 'update') {
      const { old } = event;
      if (old.metadata.labels?.[serviceNameLabel] !== object.metadata.labels?.[serviceNameLabel]) return [object, old];
      if (isManaged(old) !== isManaged(object)) return [object];
    }
    return isManaged(object) && this.shouldSync(object) ? [object] : [];
  }

  has(slice: EndpointSlice): boolean {
    return this.#byService.get(serviceKeyOf(slice))?.has(uidOf(slice)) ?? false;
  }

  /** The slice is newer than what was written here. */
  shouldSync(slice: EndpointSlice): boolean {
    const generation = this.#byService.get(serviceKeyOf(slice))?.get(uidOf(slice));
    return generation === undefined || (slice.metadata.generation ?? 0) > generation;
  }

  /** The slices of the cache are older than what was written here. */
  isStale(key: string, slices: readonly EndpointSlice[]): boolean {
    const generations = this.#byService.get(key);
    if (generations === undefined) return false;
    const provided = new Set<string>();
    for (const slice of slices) {
      provided.add(uidOf(slice));
      const generation = generations.get(uidOf(slice));
      if (generation !== undefined && (generation === deletionExpected || generation > (slice.metadata.generation ?? 0))) return true;
    }
    for (const [uid, generation] of generations) if (generation !== deletionExpected && !provided.has(uid)) return true;
    return false;
  }

  update(slice: EndpointSlice): void {
    this.#of(slice).set(uidOf(slice), slice.metadata.generation ?? 0);
  }

  expectDeletion(slice: EndpointSlice): void {
    this.#of(slice).set(uidOf(slice), deletionExpected);
  }

  /** False when the deletion was not expected. */
  handleDeletion(slice: EndpointSlice): boolean {
    const generations = this.#byService.get(serviceKeyOf(slice));
    const generation = generations?.get(uidOf(slice));
    generations?.delete(uidOf(slice));
    return generation === undefined || generation === deletionExpected;
  }

  deleteService(key: string): void {
    this.#byService.delete(key);
  }

  #of(slice: EndpointSlice): Map<string, number> {
    const key = serviceKeyOf(slice);
    let generations = this.#byService.get(key);
    if (generations === undefined) {
      generations = new Map();
      this.#byService.set(key, generations);
    }
    return generations;
  }
}

function uidOf({ metadata }: EndpointSlice): string {
  return metadata.uid ?? '';
}
