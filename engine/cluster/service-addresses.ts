/**
 * Keeps IPAddresses and cluster addresses of Services true to each other, in the API server's name: a write of a Service brings and takes its own,
 * and what else happened to them is repaired here. Mirrors pkg/registry/core/service/ipallocator/controller/repairip.go.
 */
import type { Service } from '../api/core/v1/types.gen.ts';
import type { IPAddress, ServiceCIDR } from '../api/networking/v1/types.gen.ts';
import { cidrContains, formatIP, parseCIDR, parseIP } from '../apimachinery/ip.ts';
import { isNotFound } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Client } from '../client/client.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { resourceType, services } from '../client/resources.ts';
import { addressOf, allocator, familyLabel, familyOf, managedByLabel } from '../component-helpers/service-address.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';

const byAddress = 'address';
/** What is written together is heard of one after the other. */
const settlingMs = 100;
/** A request may take so long, and its address comes first. */
const requestMs = 60_000;
/** The same for a Service that is there already, whose write may yet be refused. */
const revertMs = 5_000;
const ipAddresses = resourceType<IPAddress>('networking.k8s.io', 'v1', 'ipaddresses', 'IPAddress', false);
const serviceCidrs = resourceType<ServiceCIDR>('networking.k8s.io', 'v1', 'servicecidrs', 'ServiceCIDR', false);

class ServiceAddresses implements Controller {
  readonly #environment: ControllerEnvironment<null>;
  readonly #services: Informer<Service>;
  readonly #addresses: Informer<IPAddress>;
  readonly #cidrs: Informer<ServiceCIDR>;

  constructor(environment: ControllerEnvironment<null>) {
    this.#environment = environment;
    this.#services = environment.informer(services);
    this.#addresses = environment.informer(ipAddresses);
    this.#cidrs = environment.informer(serviceCidrs);
    this.#services.addIndex(byAddress, addressesOf);
  }

  /** Looks later, when the caches have come as far as the write. */
  settle(addresses: readonly string[], { causes }: Pick<InformerEvent<Service>, 'causes'>): readonly string[] {
    for (const address of addresses) this.#environment.enqueueAfter(address, settlingMs, causes);
    return [];
  }

  async reconcile(context: ReconcileContext, address: string): Promise<void> {
    const [holders, found] = [this.#services.byIndex(byAddress, address), this.#addresses.get(undefined, address)];
    if (holders.length === 0 && found !== undefined) await this.#judge(context, found);
    for (const service of holders) await this.#repair(context, address, service, found);
  }

  async #repair(context: ReconcileContext, address: string, service: Service, found: IPAddress | undefined): Promise<void> {
    const family = familyOf(address);
    const tell = (reason: string, message: string): void => this.#environment.recorder.event(service, 'Warning', reason, message, context.causes);
    const { namespace = '', name = '' } = service.metadata;
    if (!this.#isInRange(address)) {
      tell('ClusterIPOutOfRange', `Cluster IP [${family}]: ${address} is not within any configured Service CIDR; please recreate service`);
      return;
    }
    if (found === undefined) {
      tell('ClusterIPNotAllocated', `Cluster IP [${family}]: ${address} is not allocated; repairing`);
      await create(context.client, address, service);
      return;
    }
    const { group = '', resource = '', namespace: place = '', name: other = '' } = found.spec?.parentRef ?? {};
    const isService = group === '' && resource === 'services';
    const isOfAnother = isService && (place !== namespace || other !== name);
    if (!isService || (isOfAnother && this.#services.get(place, other) === undefined)) {
      const text = `the ClusterIP [${family}]: ${address} for Service ${namespace}/${name} has a wrong reference; repairing`;
      tell('ClusterIPNotAllocated', text);
      await recreate(context.client, address, service);
      return;
    }
    if (isOfAnother && addressesOf(this.#services.get(place, other) as Service).includes(address))
      tell('ClusterIPAlreadyAllocated', `Cluster IP [${family}]:${address} was assigned to multiple services; please recreate service`);
    const { labels = {} } = found.metadata;
    if (labels[managedByLabel] !== allocator || labels[familyLabel] !== family) await recreate(context.client, address, service);
  }

  /** No Service has the address. */
  async #judge({ client, causes }: ReconcileContext, found: IPAddress): Promise<void> {
    const { name: address = '', labels = {}, creationTimestamp = '' } = found.metadata;
    if (labels[managedByLabel] !== allocator) return;
    const { group = '', resource = '', namespace = '', name = '' } = found.spec?.parentRef ?? {};
    const tell = (reason: string, message: string): void => this.#environment.recorder.event(found, 'Warning', reason, message, causes);
    const service = group === '' && resource === 'services' ? this.#services.get(namespace, name) : undefined;
    const ageMs = this.#environment.nowMs() - Date.parse(creationTimestamp);
    const graceMs = graceOf(found, service, group !== '' || resource !== 'services');
    if (ageMs < graceMs) {
      this.#environment.enqueueAfter(address, graceMs - ageMs, causes);
      return;
    }
    if (group !== '' || resource !== 'services') {
      const reference = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${name},}`;
      tell('IPAddressNotAllocated', `IPAddress ${address} appears to have been modified, not referencing a Service ${reference}: cleaning up`);
    } else if (service === undefined)
      tell('IPAddressNotAllocated', `IPAddress: ${address} for Service ${namespace}/${name} appears to have leaked: cleaning up`);
    else tell('IPAddressWrongReference', `IPAddress: ${address} for Service ${namespace}/${name} has a wrong reference; cleaning up`);
    await remove(client, address);
  }

  #isInRange(address: string): boolean {
    const ip = parseIP(address);
    return this.#cidrs.list().some(({ spec }) =>
      (spec?.cidrs ?? []).some((text) => {
        const cidr = parseCIDR(text);
        return ip !== undefined && cidr !== undefined && cidrContains(cidr, ip);
      }),
    );
  }
}

/** How old an address gets though its Service does not have it. */
function graceOf({ metadata }: IPAddress, service: Service | undefined, isOfNone: boolean): number {
  if (isOfNone) return 0;
  if (service === undefined || service.spec?.type === 'ExternalName') return requestMs;
  return Date.parse(metadata.creationTimestamp ?? '') > Date.parse(service.metadata.creationTimestamp ?? '') ? revertMs : 0;
}

async function create(client: Client, address: string, { metadata: { namespace = '', name = '' } }: Service): Promise<void> {
  try {
    await client.create(ipAddresses, addressOf(address, { namespace, name }));
  } catch (error) {
    // The cache is behind: the event of that comes.
    if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
  }
}

async function remove(client: Client, address: string): Promise<void> {
  try {
    await client.delete(ipAddresses, undefined, address);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function recreate(client: Client, address: string, service: Service): Promise<void> {
  await remove(client, address);
  await create(client, address, service);
}

function addressesOf({ spec }: Service): readonly string[] {
  return (spec?.clusterIPs ?? []).flatMap((text) => {
    const ip = parseIP(text);
    return ip === undefined ? [] : [formatIP(ip.bytes)];
  });
}

function changedAddresses(event: InformerEvent<Service>): readonly string[] {
  const now = addressesOf(event.object);
  if (event.type !== 'update') return now;
  const before = addressesOf(event.old);
  return now.join() === before.join() ? [] : [...new Set([...now, ...before])];
}

export const serviceAddresses = checkController<ServiceAddresses, null>({
  name: 'service-addresses',
  component: 'service-addresses',
  aliases: [],
  eventSource: 'ipallocator-repair-controller',
  workers: () => 5,
  watches: [
    watchOf(services, (event, controller: ServiceAddresses) => controller.settle(changedAddresses(event), event)),
    watchOf(ipAddresses, (event, controller: ServiceAddresses) => controller.settle([event.object.metadata.name ?? ''], event)),
    watchOf(serviceCidrs, () => []),
  ],
  create: (environment) => new ServiceAddresses(environment),
});
