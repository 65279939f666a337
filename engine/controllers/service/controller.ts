/**
 * Makes, changes and removes load balancers of the cloud for Services of type LoadBalancer, and tells them which nodes there are.
 * Mirrors k8s.io/cloud-provider/controllers/service/controller.go.
 */
import type { LoadBalancerStatus, Node, Service } from '../../api/core/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { timerCause } from '../../base/causes.ts';
import { flag, list, record, text } from '../../base/codecs.ts';
import { deepEqual } from '../../base/equal.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { keyOf, splitKey } from '../../client/informer.ts';
import type { Client } from '../../client/client.ts';
import { nodes, services } from '../../client/resources.ts';
import { type CloudCalls, CloudError, type CloudLoadBalancer, type CloudProvider } from '../../contracts/cloud.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { hasCloud, mustHaveCloud } from '../lib/cloud.ts';
import { balancerNameOf, cleanupFinalizer, hasFinalizer, loadBalancerName, needsCleanup, needsUpdate, wantsLoadBalancer } from './changes.ts';
import { isIncluded, isStable, isWorking, nodeMark } from './nodes.ts';
import { type BalancerWords, formerWords, presentWords } from './words.ts';

const name = 'service-lb-controller';
/** The key under which the sync of all nodes is queued; no Service can have it. */
const nodesKey = '';
const nodesTimer = 'nodes';

/** What is known of a Service that has, or had, a load balancer. */
interface Known {
  readonly uid: string;
  readonly wanted: boolean;
  /** Nodes that its load balancer was told last. */
  readonly nodes: readonly string[];
}

interface Sync {
  readonly client: Client;
  readonly calls: CloudCalls;
  readonly service: Service;
  readonly key: string;
}

class ServiceController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #cloud: CloudProvider;
  readonly #services: Informer<Service>;
  readonly #nodes: Informer<Node>;
  readonly #known: Map<string, Known>;
  readonly #holds: boolean;
  readonly #words: BalancerWords;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#cloud = mustHaveCloud(environment.options);
    this.#holds = environment.options.traits.holdsBalancedServices;
    this.#words = this.#holds ? presentWords : formerWords;
    this.#services = environment.informer(services);
    this.#nodes = environment.informer(nodes);
    this.#known = environment.slots.map('known', record<Known>({ uid: text, wanted: flag, nodes: list(text) }));
  }

  keysOf(event: InformerEvent<Service>): readonly string[] {
    const { type, object } = event;
    // One that goes without the finalizer leaves a load balancer behind.
    if (type === 'delete') return this.#known.has(keyOf(object)) ? [keyOf(object)] : [];
    const matters = type === 'add' ? wantsLoadBalancer(object) : needsUpdate(event.old, object);
    const told = type === 'update' && matters ? this.#words.changed(event.old, object) : undefined;
    if (told !== undefined) this.#environment.recorder.event(object, 'Normal', ...told, event.causes);
    return matters || this.#isHeld(object) ? [keyOf(object)] : [];
  }

  /** A finalizer that is there is taken off once the load balancer has gone; where none is put on, nobody looks at it. */
  #isHeld(service: Service): boolean {
    return this.#holds && needsCleanup(service);
  }

  start(): void {
    this.#armTimer();
  }

  async onTimer(): Promise<void> {
    this.#environment.enqueue(nodesKey, [timerCause(`controller/${name}`, nodesTimer)]);
    this.#armTimer();
  }

  /** Nodes that come, go, or change what load balancers make of them; nothing where nodes are looked at from time to time. */
  keysOfNode(event: InformerEvent<Node>): readonly string[] {
    if (this.#environment.options.traits.balancerNodesMs > 0) return [];
    if (event.type !== 'update') return [nodesKey];
    const { old, object } = event;
    return isIncluded(old) !== isIncluded(object) || old.spec?.providerID !== object.spec?.providerID ? [nodesKey] : [];
  }

  #armTimer(): void {
    const { balancerNodesMs } = this.#environment.options.traits;
    if (balancerNodesMs > 0) this.#environment.setTimer(balancerNodesMs, nodesTimer);
  }

  /** Those that a load balancer is to lead to. */
  #backends(): readonly Node[] {
    const { traits, heedsBalancerExclusion } = this.#environment.options;
    return this.#nodes.list().filter((node) => (traits.balancerNodesMs > 0 ? isWorking(node, heedsBalancerExclusion) : isStable(node)));
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const calls = this.#cloud.calls(`controller/${name}`, causes);
    if (key === nodesKey) {
      await this.#syncNodes(calls);
      return;
    }
    const { namespace, name: service } = splitKey(key);
    const found = this.#services.get(namespace, service);
    if (found === undefined) await this.#forget(key, calls);
    else await this.#sync({ client, calls, service: found, key });
  }

  async #sync(sync: Sync): Promise<void> {
    const { service, key, calls } = sync;
    const known = this.#known.get(key);
    const uid = service.metadata.uid ?? '';
    if (known !== undefined && known.uid !== uid) await this.#forget(key, calls);
    this.#known.set(key, { uid, wanted: wantsLoadBalancer(service), nodes: this.#known.get(key)?.nodes ?? [] });
    try {
      if (wantsLoadBalancer(service) && !this.#isHeld(service)) await this.#ensure(sync);
      else await this.#remove(sync);
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#tell(sync, 'Warning', ...this.#words.failed(service, error.message));
      throw new RetryError(error.message);
    }
  }

  async #ensure(sync: Sync): Promise<void> {
    const { service, calls, key } = sync;
    this.#tell(sync, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
    // The finalizer comes first: no Service goes before its load balancer.
    if (this.#holds && !hasFinalizer(service))
      await named('failed to add load balancer cleanup finalizer', () =>
        this.#patch(sync, { metadata: { finalizers: [...(service.metadata.finalizers ?? []), cleanupFinalizer] } }),
      );
    const found = this.#backends();
    if (found.length === 0) this.#tell(sync, 'Warning', ...this.#words.noNodes(service));
    const known = this.#known.get(key);
    if (known !== undefined) this.#known.set(key, { ...known, nodes: found.map(nodeMark) });
    const made = await named('failed to ensure load balancer', () =>
      calls.ensureLoadBalancer({
        name: loadBalancerName(service),
        ports: (service.spec?.ports ?? []).map(({ protocol = 'TCP', port, nodePort = 0 }) => `${protocol} ${port} ${nodePort}`),
        nodes: found.map(({ metadata }) => metadata.name ?? ''),
        sourceRanges: service.spec?.loadBalancerSourceRanges ?? [],
        address: service.spec?.loadBalancerIP ?? '',
      }),
    );
    this.#tell(sync, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
    await this.#writeStatus(sync, statusOf(made));
  }

  async #remove(sync: Sync): Promise<void> {
    const { service, calls, key } = sync;
    const balancer = loadBalancerName(service);
    const found = await named('failed to check if load balancer exists before cleanup', () => calls.getLoadBalancer(balancer));
    if (found !== undefined) {
      this.#tell(sync, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
      await named('failed to delete load balancer', () => calls.deleteLoadBalancer(balancer));
    }
    if (this.#holds && hasFinalizer(service))
      await named('failed to remove load balancer cleanup finalizer', () =>
        this.#patch(sync, { metadata: { finalizers: (service.metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer) } }),
      );
    if (this.#holds || found !== undefined) this.#tell(sync, 'Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
    await this.#writeStatus(sync, {});
    this.#known.delete(key);
  }

  /** The Service went, or another came in its place: what the first one had is removed. */
  async #forget(key: string, calls: CloudCalls): Promise<void> {
    const known = this.#known.get(key);
    if (known === undefined) return;
    if (known.wanted) await this.#deleteBehind(key, known, calls);
    this.#known.delete(key);
  }

  /** Of a Service that has gone, told of it all the same; what fails comes again. */
  async #deleteBehind(key: string, { uid }: Known, calls: CloudCalls): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const gone = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name, uid } };
    const tell = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
      this.#environment.recorder.event(gone, type, reason, message, calls.causes);
    tell('Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
    try {
      await calls.deleteLoadBalancer(balancerNameOf(uid));
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      tell('Warning', ...this.#words.notDeleted(error.message));
      throw new RetryError(error.message);
    }
    tell('Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
  }

  /** Tells every load balancer the nodes that there are, where they are others; those that fail come again by themselves. */
  async #syncNodes(calls: CloudCalls): Promise<void> {
    const found = this.#backends();
    const marks = found.map(nodeMark);
    for (const [key, known] of [...this.#known]) {
      const { namespace, name: service } = splitKey(key);
      const current = this.#services.get(namespace, service);
      if (current === undefined || !wantsLoadBalancer(current) || deepEqual(known.nodes, marks)) continue;
      this.#known.set(key, { ...known, nodes: marks });
      if (await this.#updateHosts(current, found, calls)) continue;
      this.#environment.enqueue(key, calls.causes);
    }
  }

  async #updateHosts(service: Service, found: readonly Node[], calls: CloudCalls): Promise<boolean> {
    const { recorder } = this.#environment;
    const names = found.map(({ metadata }) => metadata.name ?? '');
    const balancer = loadBalancerName(service);
    try {
      await calls.updateLoadBalancer(balancer, names);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      // Without a load balancer there is nothing to be told.
      if (error.reason === 'NotFound') return true;
      recorder.event(service, 'Warning', ...this.#words.notUpdated(names, error.message), calls.causes);
      return false;
    }
    if (names.length === 0) recorder.event(service, 'Warning', ...this.#words.noNodes(service), calls.causes);
    else recorder.event(service, 'Normal', 'UpdatedLoadBalancer', 'Updated load balancer with new hosts', calls.causes);
    return true;
  }

  async #writeStatus(sync: Sync, wanted: LoadBalancerStatus): Promise<void> {
    if (deepEqual(sync.service.status?.loadBalancer?.ingress ?? [], wanted.ingress ?? [])) return;
    try {
      await named('failed to update load balancer status', () =>
        this.#patch(sync, { status: { loadBalancer: { ingress: wanted.ingress ?? null } } }),
      );
    } catch (error) {
      // Gone with its finalizer.
      if (!(error instanceof NamedFailure && isNotFound(error.cause))) throw error;
    }
  }

  /** Upstream patches by the status subresource, metadata too. */
  async #patch({ client, calls, service: { metadata } }: Sync, patch: object): Promise<void> {
    await client.because(calls.causes).patch(services, metadata.namespace, metadata.name ?? '', 'merge', patch, { subresource: 'status' });
  }

  #tell({ service, calls }: Sync, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#environment.recorder.event(service, type, reason, message, calls.causes);
  }
}

/** A failure with what was being done, as Go wraps it. */
class NamedFailure extends RetryError {
  override readonly cause: unknown;

  constructor(what: string, cause: Error) {
    super(`${what}: ${cause.message}`);
    this.cause = cause;
  }
}

async function named<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw isFailure(error) ? new NamedFailure(what, error) : error;
  }
}

function isFailure(error: unknown): error is Error {
  return error instanceof CloudError || error instanceof StatusError || error instanceof RetryError;
}

function statusOf({ address }: CloudLoadBalancer): LoadBalancerStatus {
  return { ingress: [{ ip: address, ipMode: 'VIP' }] } as LoadBalancerStatus;
}

export const serviceLoadBalancerController = defineController<ServiceController>({
  name,
  aliases: ['service'],
  serviceAccount: 'service-controller',
  eventSource: 'service-controller',
  canRun: hasCloud,
  workers: (options) => options.concurrentServiceSyncs,
  backoff: { baseMs: 5_000, maxMs: 300_000 },
  watches: [
    watchOf(services, (event, controller: ServiceController) => controller.keysOf(event)),
    watchOf(nodes, (event, controller: ServiceController) => controller.keysOfNode(event)),
  ],
  create: (environment) => new ServiceController(environment),
});
