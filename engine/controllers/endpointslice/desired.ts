/**
 * What the slices of a service should hold: endpoints from pods, grouped by ports, and the slices' own labels. Mirrors
 * k8s.io/endpointslice utils.go.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Node, Pod, Service } from '../../api/core/v1/types.gen.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../api/discovery/v1/types.gen.ts';
import { parseIP } from '../../apimachinery/ip.ts';
import { services } from '../../client/resources.ts';
import { newControllerRef } from '../lib/controller-ref.ts';
import { sortSlicePorts } from '../../component-helpers/endpoints/order.ts';
import { compact } from '../lib/json.ts';
import { sortedMap } from '../../component-helpers/meta.ts';
import { isPodReady } from '../lib/pod.ts';
import { addressesOf, findPort, isHeadless, shouldSetHostname } from '../lib/service-pods.ts';
import { managedByLabel } from '../lib/slice-endpoints.ts';
import { serviceNameLabel } from '../../component-helpers/service-slices.ts';

export const controllerName = 'endpointslice-controller.k8s.io';
const headlessLabel = 'service.kubernetes.io/headless';
const zoneLabel = 'topology.kubernetes.io/zone';

export type AddressType = 'IPv4' | 'IPv6';

export function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const families = (['IPv4', 'IPv6'] as const).filter((family) => spec?.ipFamilies?.includes(family));
  if (families.length > 0) return families;
  const ip = spec?.clusterIP ?? '';
  if (ip !== '' && ip !== 'None') return [parseIP(ip)?.family === 6 ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}

export function endpointOf(pod: Pod, node: Node | undefined, service: Service, addressType: AddressType): Endpoint {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const { namespace, name, uid } = pod.metadata;
  return compact({
    addresses: addressesOf(pod, addressType === 'IPv6' ? 6 : 4).toSorted(),
    conditions: { ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    hostname: shouldSetHostname(pod, service) ? pod.spec?.hostname : undefined,
    targetRef: compact({ kind: 'Pod', namespace, name, uid }),
    nodeName: pod.spec?.nodeName || undefined,
    zone: node?.metadata.labels?.[zoneLabel] || undefined,
  });
}

export function portsOf(service: Service, pod: Pod): readonly EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const servicePort of service.spec?.ports ?? []) {
    const port = findPort(pod, servicePort);
    if (port === undefined) continue;
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    ports.push(compact({ name, protocol, port, appProtocol }));
  }
  return ports;
}

export function newSlice(service: Service, addressType: AddressType, ports: readonly EndpointPort[]): EndpointSlice {
  const { name = '', namespace } = service.metadata;
  const metadata = compact({
    generateName: `${name}-`,
    namespace,
    labels: sliceLabels(undefined, service).labels,
    ownerReferences: [newControllerRef(service, services)],
  });
  return { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', metadata, addressType, endpoints: [], ports: sortSlicePorts(ports) };
}

export function isOwnedBy(slice: EndpointSlice, service: Service): boolean {
  return (slice.metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
  );
}

/** The service's labels and the reserved ones; `changed` when the service's differ from those of the slice. */
export function sliceLabels(
  slice: EndpointSlice | undefined,
  service: Service,
): { readonly labels: Readonly<Record<string, string>>; readonly changed: boolean } {
  const own = withoutReserved(slice?.metadata.labels);
  const wanted = withoutReserved(service.metadata.labels);
  const reserved = {
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: controllerName,
  };
  return { labels: sortedMap({ ...wanted, ...reserved }), changed: !deepEqual(own, wanted) };
}

function withoutReserved(labels: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const { [headlessLabel]: _headless, [serviceNameLabel]: _service, [managedByLabel]: _managed, ...rest } = labels ?? {};
  return rest;
}
