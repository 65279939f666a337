/**
 * The subsets of Endpoints: which addresses stand behind which ports, in upstream's one canonical layout, cut off at a thousand
 * addresses. Mirrors pkg/api/v1/endpoints/util.go and the subset part of pkg/controller/endpoint/endpoints_controller.go.
 */
import type { EndpointAddress, EndpointSubset, Pod, Service } from '../../api/core/v1/types.gen.ts';
import { parseIP } from '../../apimachinery/ip.ts';
import { addAddress, packSubsets, type PortAddresses } from '../../component-helpers/endpoints/subsets.ts';
import { compact } from '../lib/json.ts';
import { isPodReady } from '../lib/pod.ts';
import { addressesOf, findPort, shouldPodBeInEndpoints, shouldSetHostname } from '../lib/service-pods.ts';

export const capacity = 1000;

/** The address of a pod, for the service that it was made for. */
export type AddressCache = WeakMap<Pod, { readonly service: string; readonly family: number; readonly address: EndpointAddress | undefined }>;

export function subsetsOf(service: Service, pods: readonly Pod[], cache: AddressCache, dropsEnded: boolean): readonly EndpointSubset[] {
  const publishNotReady = service.spec?.publishNotReadyAddresses === true;
  const servicePorts = service.spec?.ports ?? [];
  const byPort = new Map<string, PortAddresses>();
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, publishNotReady, dropsEnded)) continue;
    const address = cachedAddress(service, pod, cache);
    if (address === undefined) continue;
    const ready = publishNotReady || isPodReady(pod);
    if (servicePorts.length === 0 && service.spec?.clusterIP === 'None') addAddress(byPort, undefined, address, ready);
    for (const servicePort of servicePorts) {
      const port = findPort(pod, servicePort);
      if (port === undefined) continue;
      const { name, protocol = 'TCP', appProtocol } = servicePort;
      addAddress(byPort, compact({ name: name || undefined, port, protocol, appProtocol }), address, ready);
    }
  }
  return packSubsets([...byPort.values()]);
}

function cachedAddress(service: Service, pod: Pod, cache: AddressCache): EndpointAddress | undefined {
  const { name = '' } = service.metadata;
  const family = familyOf(service, pod);
  const cached = cache.get(pod);
  if (cached?.service === name && cached.family === family) return cached.address;
  const address = addressOf(service, pod, family);
  cache.set(pod, { service: name, family, address });
  return address;
}

function addressOf(service: Service, pod: Pod, family: 4 | 6): EndpointAddress | undefined {
  const [ip] = addressesOf(pod, family);
  if (ip === undefined) return undefined;
  const { namespace, name, uid } = pod.metadata;
  const hostname = shouldSetHostname(pod, service) ? pod.spec?.hostname : undefined;
  return compact({ ip, hostname, nodeName: pod.spec?.nodeName ?? '', targetRef: compact({ kind: 'Pod', namespace, name, uid }) });
}

function familyOf({ spec }: Service, pod: Pod): 4 | 6 {
  const family = spec?.ipFamilies?.[0];
  if (family !== undefined) return family === 'IPv6' ? 6 : 4;
  const ip = spec?.clusterIP && spec.clusterIP !== 'None' ? spec.clusterIP : (pod.status?.podIP ?? '');
  return parseIP(ip)?.family ?? 4;
}

export function countAddresses(subsets: readonly EndpointSubset[]): number {
  return subsets.reduce((sum, { addresses, notReadyAddresses }) => sum + (addresses?.length ?? 0) + (notReadyAddresses?.length ?? 0), 0);
}

/** The subsets with as many addresses as there may be, shared out in proportion, the ready ones first. */
export function truncate(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const ready = subsets.reduce((sum, { addresses }) => sum + (addresses?.length ?? 0), 0);
  const total = countAddresses(subsets);
  if (total <= capacity) return subsets;
  const cutReady = ready > capacity;
  const room = cutReady ? capacity : capacity - ready;
  const shared = cutReady ? ready : total - ready;
  let left = room;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports }) => {
    const list = cutReady ? addresses : notReadyAddresses;
    const kept = list.slice(0, Math.min(left, Math.ceil((list.length / shared) * room)));
    left -= kept.length;
    const keptReady = cutReady ? kept : addresses;
    const keptNotReady = cutReady ? [] : kept;
    return {
      ...(keptReady.length > 0 ? { addresses: keptReady } : {}),
      ...(keptNotReady.length > 0 ? { notReadyAddresses: keptNotReady } : {}),
      ...(ports === undefined ? {} : { ports }),
    };
  });
}
