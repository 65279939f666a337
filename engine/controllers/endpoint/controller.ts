/** Keeps the Endpoints of every service with a selector. Mirrors pkg/controller/endpoint/endpoints_controller.go. */
import { deepEqual } from '../../base/equal.ts';
import type { Endpoints, EndpointSubset, Pod, Service } from '../../api/core/v1/types.gen.ts';
import { text } from '../../base/codecs.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { endpoints, pods, services } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import {
  hasSelector,
  isHeadless,
  podLabelIndex,
  podLabelIndexValues,
  podsOf,
  serviceRetriesMax,
  servicesOfPodEvent,
  syncMsPerEndpoint,
} from '../lib/service-pods.ts';
import { triggerTimeAnnotation, TriggerTimes } from '../lib/trigger-times.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { repackSubsets } from '../../component-helpers/endpoints/subsets.ts';
import { type AddressCache, capacity, countAddresses, subsetsOf, truncate } from './subsets.ts';

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const controllerName = 'endpoint-controller';
const headlessLabel = 'service.kubernetes.io/headless';
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

type Labels = Readonly<Record<string, string>>;

class EndpointsController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #endpoints: Informer<Endpoints>;
  readonly #times: TriggerTimes;
  /** Addresses made for pods that have not changed since. Derived data. */
  readonly #addresses: AddressCache = new WeakMap();
  /** Versions that were replaced here: a cache that still shows one is late. */
  readonly #stale: Map<string, string>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#times = new TriggerTimes(environment.slots);
    this.#stale = environment.slots.map('stale', text);
    this.#services = environment.informer(services);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podLabelIndex, podLabelIndexValues, { ignoresStatus: true });
    this.#endpoints = environment.informer(endpoints);
  }

  /** Endpoints whose service went away while nobody looked are deleted. */
  start(): void {
    for (const object of this.#endpoints.list()) {
      if (object.metadata.annotations?.[leaderAnnotation] === undefined) this.#environment.enqueue(keyOf(object), []);
    }
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    for (const key of servicesOfPodEvent(event, this.#services))
      this.#environment.enqueueAfter(key, this.#times.size(key) * syncMsPerEndpoint, event.causes);
    return [];
  }

  keysOfEndpoints({ type, object }: InformerEvent<Endpoints>): readonly string[] {
    return type === 'delete' && this.#environment.options.traits.restoresEndpoints ? [keyOf(object)] : [];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const service = this.#services.get(namespace, name);
    try {
      if (service === undefined) await this.#delete(context, key);
      else if (this.#isFollowed(service) && hasSelector(service)) await this.#sync(context, key, service);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      // The retry budget is spent: the service waits for its next change.
      if (this.#environment.retries(key) < serviceRetriesMax) throw error;
    }
  }

  #isFollowed({ spec }: Service): boolean {
    return spec?.type !== 'ExternalName' || this.#environment.options.traits.mirrorsExternalNames;
  }

  async #delete({ client }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    try {
      await client.delete(endpoints, namespace, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#times.delete(key);
    this.#stale.delete(key);
  }

  async #sync(context: ReconcileContext, key: string, service: Service): Promise<void> {
    const { namespace, name = '', labels = {} } = service.metadata;
    const signs = this.#environment.options.traits.signsEndpoints;
    const selected = podsOf(service, this.#pods);
    const triggerTime = this.#times.next(key, service, selected);
    const subsets = subsetsOf(service, selected, this.#addresses, this.#environment.options.traits.dropsEndedPods);
    const current = this.#endpoints.get(namespace, name);
    if (current !== undefined && this.#stale.get(key) === current.metadata.resourceVersion) {
      throw new RetryError(
        `endpoints informer cache is out of date, resource version ${current.metadata.resourceVersion} already processed for endpoints ${key}`,
      );
    }
    if (current !== undefined && isRight(current, subsets, labels, signs)) return;
    const { [triggerTimeAnnotation]: _time, [overCapacityAnnotation]: _over, ...kept } = current?.metadata.annotations ?? {};
    const annotations = sortedMap({
      ...kept,
      ...(triggerTime === undefined || !signs ? {} : { [triggerTimeAnnotation]: triggerTime }),
      ...(countAddresses(subsets) > capacity ? { [overCapacityAnnotation]: 'truncated' } : {}),
    });
    const { [headlessLabel]: _headless, ...own } = labels;
    const wanted = sortedMap({
      ...own,
      ...(isHeadless(service) && signs ? { [headlessLabel]: '' } : {}),
      ...(signs ? { [managedByLabel]: controllerName } : {}),
    });
    const metadata = withMeta(current?.metadata ?? { name, namespace: namespace ?? '' }, { labels: wanted, annotations });
    const cut = truncate(subsets);
    // Upstream writes here what is there already; nothing would come of it.
    if (current !== undefined && deepEqual(current.metadata, metadata) && deepEqual(current.subsets ?? [], cut)) return;
    await this.#write(context, key, current, { kind: 'Endpoints', apiVersion: 'v1', metadata, ...(cut.length > 0 ? { subsets: cut } : {}) });
  }

  async #write(context: ReconcileContext, key: string, current: Endpoints | undefined, next: Endpoints): Promise<void> {
    try {
      if (current === undefined) {
        await context.client.create(endpoints, next);
        return;
      }
      const updated = await context.client.update(endpoints, next);
      const { resourceVersion = '' } = current.metadata;
      if (updated.metadata.resourceVersion !== resourceVersion) this.#stale.set(key, resourceVersion);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (current === undefined && isNamespaceTerminating(error)) return;
      const [reason, message] =
        current === undefined
          ? ['FailedToCreateEndpoint', `Failed to create endpoint for service ${key}: ${error.message}`]
          : ['FailedToUpdateEndpoint', `Failed to update endpoint ${key}: ${error.message}`];
      this.#environment.recorder.event(next, 'Warning', reason ?? '', message ?? '', context.causes);
      throw error;
    }
  }
}

function isRight({ metadata, subsets = [] }: Endpoints, wanted: readonly EndpointSubset[], labels: Labels, signs: boolean): boolean {
  if (metadata.annotations?.[overCapacityAnnotation] !== undefined || countAddresses(subsets) > capacity) return false;
  return hasLabels(metadata.labels ?? {}, labels, signs) && (deepEqual(subsets, wanted) || deepEqual(repackSubsets(subsets), wanted));
}

function hasLabels(own: Labels, service: Labels, signs: boolean): boolean {
  if (!signs) return deepEqual(own, service);
  const { [headlessLabel]: _headless, [managedByLabel]: managedBy, ...rest } = own;
  return managedBy === controllerName && deepEqual(rest, service);
}

export const endpointsController = defineController<EndpointsController>({
  name: 'endpoints-controller',
  aliases: ['endpoint'],
  serviceAccount: 'endpoint-controller',
  eventSource: 'endpoint-controller',
  workers: (options) => options.concurrentEndpointSyncs,
  watches: [
    watchOf(services, ({ object }) => [keyOf(object)]),
    watchOf(pods, (event, controller: EndpointsController) => controller.keysOfPod(event)),
    watchOf(endpoints, (event, controller: EndpointsController) => controller.keysOfEndpoints(event)),
  ],
  create: (environment) => new EndpointsController(environment),
});
