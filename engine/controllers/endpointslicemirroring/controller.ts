/**
 * Mirrors Endpoints that no controller writes into EndpointSlices, so that who reads slices alone finds them. Mirrors
 * pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go.
 */
import type { Endpoints, Service } from '../../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { endpointSlices, endpoints as endpointsType, services } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import { serviceRetriesMax } from '../lib/service-pods.ts';
import { managedByLabel } from '../lib/slice-endpoints.ts';
import { serviceNameLabel } from '../../component-helpers/service-slices.ts';
import { serviceKeyOf, SliceTracker } from '../lib/slice-tracker.ts';
import { controllerName, mirrorChanges, type MirrorChanges } from './desired.ts';

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const byService = 'mirrored-service';

class EndpointSliceMirroringController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #endpoints: Informer<Endpoints>;
  readonly #services: Informer<Service>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #tracker: SliceTracker;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#tracker = new SliceTracker(environment.slots);
    this.#endpoints = environment.informer(endpointsType);
    this.#services = environment.informer(services);
    this.#slices = environment.informer(endpointSlices);
    this.#slices.addIndex(byService, (slice) => (isManaged(slice) ? [serviceKeyOf(slice)] : []));
  }

  /** Changes of slices from outside are answered together, after `--mirroring-endpointslice-updates-batch-period`. */
  keysOfSlice(event: InformerEvent<EndpointSlice>): readonly string[] {
    const { mirroringUpdatesBatchMs } = this.#environment.options;
    for (const slice of this.#tracker.slicesToAnswer(event, isManaged)) {
      if (slice.metadata.labels?.[serviceNameLabel]) this.#environment.enqueueAfter(serviceKeyOf(slice), mirroringUpdatesBatchMs, event.causes);
    }
    return [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    try {
      await this.#sync(context, key);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      // The retry budget is spent: the Endpoints wait for their next change.
      if (this.#environment.retries(key) < serviceRetriesMax) throw error;
    }
  }

  async #sync(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const source = this.#endpoints.get(namespace, name);
    const service = this.#services.get(namespace, name);
    const own = this.#slices.byIndex(byService, key);
    if (source === undefined || !shouldMirror(source) || service === undefined || service.spec?.selector !== undefined)
      return this.#removeAll(context, key, own);
    if (this.#tracker.isStale(key, own)) throw new RetryError('EndpointSlice informer cache is out of date');
    const max = this.#environment.options.mirroringMaxEndpointsPerSubset;
    const changes = mirrorChanges(source, own, max);
    this.#tell(context, source, changes, max);
    for (const slice of changes.kept) if (!this.#tracker.has(slice)) this.#tracker.update(slice);
    await this.#write(context, source, changes);
  }

  #tell({ causes }: ReconcileContext, source: Endpoints, { invalidAddresses, skippedAddresses }: MirrorChanges, max: number): void {
    if (!this.#environment.options.traits.tellsOfSlices) return;
    const warn = (reason: string, message: string): void => this.#environment.recorder.event(source, 'Warning', reason, message, causes);
    if (invalidAddresses > 0) warn('InvalidIPAddress', `Skipped ${invalidAddresses} invalid IP addresses when mirroring to EndpointSlices`);
    if (skippedAddresses > invalidAddresses)
      warn(
        'TooManyAddressesToMirror',
        `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skippedAddresses} addresses were skipped`,
      );
  }

  async #write({ client }: ReconcileContext, source: Endpoints, { create, update, remove }: MirrorChanges): Promise<void> {
    const place = `Endpoints ${keyOf(source)}`;
    try {
      for (const slice of source.metadata.deletionTimestamp === undefined ? create : [])
        await retried(`failed to create EndpointSlice for ${place}`, async () => this.#tracker.update(await client.create(endpointSlices, slice)));
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      throw error;
    }
    for (const slice of update) {
      const what = `failed to update ${slice.metadata.name} EndpointSlice for ${place}`;
      await retried(what, async () => this.#tracker.update(await client.update(endpointSlices, slice)));
    }
    for (const slice of remove) {
      const what = `failed to delete ${slice.metadata.name} EndpointSlice for ${place}`;
      await retried(what, () => client.delete(endpointSlices, slice.metadata.namespace, slice.metadata.name ?? ''));
      this.#tracker.expectDeletion(slice);
    }
  }

  /** Nothing is mirrored any more. */
  async #removeAll({ client }: ReconcileContext, key: string, own: readonly EndpointSlice[]): Promise<void> {
    this.#tracker.deleteService(key);
    const failures: string[] = [];
    for (const { metadata } of own) {
      try {
        await client.delete(endpointSlices, metadata.namespace, metadata.name ?? '');
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        failures.push(error.message);
      }
    }
    if (failures.length > 0)
      throw new RetryError(`error(s) deleting ${failures.length}/${own.length} EndpointSlices for ${key} Endpoints, including: ${failures[0]}`);
  }
}

async function retried(what: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof StatusError) || isNamespaceTerminating(error)) throw error;
    throw new RetryError(`${what}: ${error.message}`);
  }
}

/** Endpoints that want it, beside what their service says. The API server keeps its own slice, also where its Endpoints do not say so. */
function shouldMirror({ metadata: { namespace, name, labels, annotations } }: Endpoints): boolean {
  if (namespace === 'default' && name === 'kubernetes') return false;
  return labels?.[skipLabel] !== 'true' && annotations?.[leaderAnnotation] === undefined;
}

function isManaged({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[managedByLabel] === controllerName;
}

function keysOfEndpoints(event: InformerEvent<Endpoints>): readonly string[] {
  return shouldMirror(event.object) || (event.type === 'update' && shouldMirror(event.old)) ? [keyOf(event.object)] : [];
}

/** Services with a selector have slices of another controller; one that gets or loses it is looked at. */
function keysOfService(event: InformerEvent<Service>): readonly string[] {
  const hasNone = event.object.spec?.selector === undefined;
  const isConcerned = event.type === 'update' ? hasNone !== (event.old.spec?.selector === undefined) : hasNone;
  return isConcerned ? [keyOf(event.object)] : [];
}

export const endpointSliceMirroringController = defineController<EndpointSliceMirroringController>({
  name: 'endpointslice-mirroring-controller',
  aliases: ['endpointslicemirroring'],
  serviceAccount: 'endpointslicemirroring-controller',
  eventSource: 'endpoint-slice-mirroring-controller',
  workers: (options) => options.mirroringConcurrentServiceEndpointSyncs,
  backoff: { baseMs: 1_000, maxMs: 100_000 },
  watches: [
    watchOf(endpointsType, keysOfEndpoints),
    watchOf(services, keysOfService),
    watchOf(endpointSlices, (event, controller: EndpointSliceMirroringController) => controller.keysOfSlice(event)),
  ],
  create: (environment) => new EndpointSliceMirroringController(environment),
});
