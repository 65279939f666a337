/**
 * Keeps an IPAddress for each cluster address of a Service, in the API server's name. Mirrors the repair loop of
 * pkg/registry/core/service/ipallocator/controller/repairip.go; here it also makes those of new Services, a moment after them, where
 * upstream writes them before the Service.
 */
import type { Service } from '../api/core/v1/types.gen.ts';
import type { IPAddress, ParentReference } from '../api/networking/v1/types.gen.ts';
import { formatIP, parseIP } from '../apimachinery/ip.ts';
import { isNotFound } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { resourceType, services } from '../client/resources.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';

const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
const familyLabel = 'ipaddress.kubernetes.io/ip-family';
const allocator = 'ipallocator.k8s.io';
const byAddress = 'address';
const ipAddresses = resourceType<IPAddress>('networking.k8s.io', 'v1', 'ipaddresses', 'IPAddress', false);

class ServiceAddresses implements Controller {
  readonly #environment: ControllerEnvironment<null>;
  readonly #services: Informer<Service>;
  readonly #addresses: Informer<IPAddress>;

  constructor(environment: ControllerEnvironment<null>) {
    this.#environment = environment;
    this.#services = environment.informer(services);
    this.#addresses = environment.informer(ipAddresses);
    this.#services.addIndex(byAddress, addressesOf);
  }

  keysOfAddress({ type, object, causes }: InformerEvent<IPAddress>): readonly string[] {
    const { name = '', labels = {} } = object.metadata;
    if (labels[managedByLabel] !== allocator) return [];
    const [service] = this.#services.byIndex(byAddress, name);
    if (type === 'delete' && service !== undefined) {
      const message = `Cluster IP [${familyOf(name)}]: ${name} is not allocated; repairing`;
      this.#environment.recorder.event(service, 'Warning', 'ClusterIPNotAllocated', message, causes);
    }
    return [name];
  }

  async reconcile({ client }: ReconcileContext, address: string): Promise<void> {
    const [service] = this.#services.byIndex(byAddress, address);
    const found = this.#addresses.get(undefined, address);
    if (found !== undefined && found.metadata.labels?.[managedByLabel] === allocator && !isOf(found, service)) {
      try {
        await client.delete(ipAddresses, undefined, address, { preconditions: { uid: found.metadata.uid ?? '' } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    } else if (found === undefined && service !== undefined) {
      try {
        await client.create(ipAddresses, addressFor(address, service));
      } catch (error) {
        // The cache is behind: the event of that comes.
        if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
      }
    }
  }
}

function addressesOf({ spec }: Service): readonly string[] {
  return (spec?.clusterIPs ?? []).flatMap((text) => {
    const ip = parseIP(text);
    return ip === undefined ? [] : [formatIP(ip.bytes)];
  });
}

function isOf({ spec }: IPAddress, service: Service | undefined): boolean {
  const { resource, namespace, name }: Partial<ParentReference> = spec?.parentRef ?? {};
  return service !== undefined && resource === 'services' && namespace === service.metadata.namespace && name === service.metadata.name;
}

function addressFor(address: string, { metadata: { namespace = '', name = '' } }: Service): IPAddress {
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: address, labels: { [familyLabel]: familyOf(address), [managedByLabel]: allocator } },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

function keysOfService(event: InformerEvent<Service>): readonly string[] {
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
  watches: [watchOf(services, keysOfService), watchOf(ipAddresses, (event, controller: ServiceAddresses) => controller.keysOfAddress(event))],
  create: (environment) => new ServiceAddresses(environment),
});
