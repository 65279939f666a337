/** Keeps the EndpointSlices of every service with a selector. Mirrors pkg/controller/endpointslice/endpointslice_controller.go. */
import type { Node, Pod, Service } from '../../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { isNodeReady } from '../../component-helpers/node.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { endpointSlices, nodes, pods, services } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import {
  hasSelector,
  podLabelIndex,
  podLabelIndexValues,
  podsOf,
  serviceRetriesMax,
  servicesOfPodEvent,
  syncMsPerEndpoint,
} from '../lib/service-pods.ts';
import { TriggerTimes } from '../lib/trigger-times.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { managedByLabel } from '../lib/slice-endpoints.ts';
import { controllerName } from './desired.ts';
import { EndpointCache } from './endpoint-cache.ts';
import { Hints } from './hints.ts';
import { reconcileSlices } from './reconciler.ts';
import { serviceNameLabel } from '../../component-helpers/service-slices.ts';
import { serviceKeyOf, SliceTracker } from '../lib/slice-tracker.ts';

/** Changes of slices from outside are answered together. */
const sliceChangeDelayMs = 1_000;
const byService = 'service';

class EndpointSliceController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #tracker: SliceTracker;
  readonly #times: TriggerTimes;
  readonly #hints: Hints;
  readonly #cache = new EndpointCache();

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#tracker = new SliceTracker(environment.slots);
    this.#times = new TriggerTimes(environment.slots);
    this.#hints = new Hints(environment.slots);
    this.#services = environment.informer(services);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podLabelIndex, podLabelIndexValues, { ignoresStatus: true });
    this.#nodes = environment.informer(nodes);
    this.#slices = environment.informer(endpointSlices);
    this.#slices.addIndex(byService, (slice) => (isManaged(slice) ? [serviceKeyOf(slice)] : []));
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    for (const key of servicesOfPodEvent(event, this.#services))
      this.#environment.enqueueAfter(key, this.#times.size(key) * syncMsPerEndpoint, event.causes);
    return [];
  }

  /** Zones and CPUs of nodes decide on hints by zones. */
  keysOfNode(event: InformerEvent<Node>): readonly string[] {
    if (event.type === 'update' && isNodeReady(event.old) === isNodeReady(event.object) && zoneOf(event.old) === zoneOf(event.object)) return [];
    return this.#hints.overloaded(() => this.#nodes.list());
  }

  keysOfSlice(event: InformerEvent<EndpointSlice>): readonly string[] {
    for (const slice of this.#tracker.slicesToAnswer(event, isManaged)) {
      if (slice.metadata.labels?.[serviceNameLabel]) this.#environment.enqueueAfter(serviceKeyOf(slice), sliceChangeDelayMs, event.causes);
    }
    return [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const service = this.#services.get(namespace, name);
    if (service === undefined) {
      this.#times.delete(key);
      this.#tracker.deleteService(key);
      return;
    }
    if (service.spec?.type === 'ExternalName' || !hasSelector(service)) return;
    try {
      await this.#sync(context, key, service);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      // The retry budget is spent: the service waits for its next change.
      if (this.#environment.retries(key) < serviceRetriesMax) throw error;
    }
  }

  async #sync(context: ReconcileContext, key: string, service: Service): Promise<void> {
    const own = this.#slices
      .byIndex(byService, key)
      .filter((slice) => slice.metadata.deletionTimestamp === undefined)
      .map(withLists);
    if (this.#tracker.isStale(key, own)) throw new RetryError('EndpointSlice informer cache is out of date');
    const selected = podsOf(service, this.#pods);
    const triggerTime = this.#times.next(key, service, selected);
    const maxEndpoints = this.#environment.options.maxEndpointsPerSlice;
    try {
      await reconcileSlices(
        {
          client: context.client,
          nodes: this.#nodes,
          tracker: this.#tracker,
          cache: this.#cache,
          hints: this.#hints,
          tell: ({ type, reason, message }) => {
            if (this.#environment.options.traits.tellsOfSlices) this.#environment.recorder.event(service, type, reason, message, context.causes);
          },
          maxEndpoints,
          triggerTime,
        },
        service,
        selected,
        own,
      );
    } catch (error) {
      if (error instanceof RetryError) {
        const message = `Error updating Endpoint Slices for Service ${keyOf(service)}: ${error.message}`;
        this.#environment.recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message, context.causes);
      }
      throw error;
    }
  }
}

function zoneOf({ metadata }: Node): string | undefined {
  return metadata.labels?.['topology.kubernetes.io/zone'];
}

/** Lists that are null in the API are empty here. */
function withLists(slice: EndpointSlice): EndpointSlice {
  return slice.endpoints && slice.ports ? slice : { ...slice, endpoints: slice.endpoints ?? [], ports: slice.ports ?? [] };
}

function isManaged({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[managedByLabel] === controllerName;
}

export const endpointSliceController = defineController<EndpointSliceController>({
  name: 'endpointslice-controller',
  aliases: ['endpointslice'],
  serviceAccount: 'endpointslice-controller',
  eventSource: 'endpoint-slice-controller',
  workers: (options) => options.concurrentServiceEndpointSyncs,
  backoff: { baseMs: 1_000, maxMs: 1_000_000 },
  watches: [
    watchOf(services, ({ object }) => [keyOf(object)]),
    watchOf(pods, (event, controller: EndpointSliceController) => controller.keysOfPod(event)),
    watchOf(nodes, (event, controller: EndpointSliceController) => controller.keysOfNode(event)),
    watchOf(endpointSlices, (event, controller: EndpointSliceController) => controller.keysOfSlice(event)),
  ],
  create: (environment) => new EndpointSliceController(environment),
});
