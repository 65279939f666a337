/**
 * Which services a pod's change concerns, and which pods and ports a service has. Mirrors k8s.io/endpointslice
 * util/controller_utils.go and the shared parts of its utils.go; the endpoints and the endpointslice controller both use it.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Pod, Service, ServicePort } from '../../api/core/v1/types.gen.ts';
import { formatIP, parseIP } from '../../apimachinery/ip.ts';
import { isRestartableInitContainer } from '../../component-helpers/pod.ts';
import { type Informer, type InformerEvent, keyOf } from '../../client/informer.ts';
import { mapMatcher } from './label-selector.ts';
import { isPodReady, isPodTerminal } from './pod.ts';

type Labels = Readonly<Record<string, string>> | undefined;

/** Retries of a service before it is dropped until it changes again. */
export const serviceRetriesMax = 15;

/**
 * How long a sync takes for each endpoint of the service. Upstream's workers take such time by themselves, and what changes
 * meanwhile is answered together; here it must be said.
 */
export const syncMsPerEndpoint = 0.1;

/** Index of pods by each of their labels. */
export const podLabelIndex = 'label';

export function podLabelIndexValues({ metadata: { namespace, labels } }: Pod): readonly string[] {
  if (labels === undefined) return [];
  return Object.keys(labels).map((key) => `${namespace}/${key}=${labels[key]}`);
}

export function hasSelector(service: Service): boolean {
  const selector = service.spec?.selector;
  return selector !== undefined && Object.keys(selector).length > 0;
}

export function isHeadless(service: Service): boolean {
  const ip = service.spec?.clusterIP;
  return ip === undefined || ip === '' || ip === 'None';
}

/** Pods that the service selects, in key order. */
export function podsOf(service: Service, pods: Informer<Pod>): readonly Pod[] {
  const selector = service.spec?.selector ?? {};
  const first = Object.keys(selector)[0];
  if (first === undefined) return [];
  const candidates = pods.byIndex(podLabelIndex, `${service.metadata.namespace}/${first}=${selector[first]}`);
  const matches = mapMatcher(selector);
  return candidates.filter((pod) => matches(pod.metadata.labels));
}

/** Keys of the services whose endpoints the event may change. */
export function servicesOfPodEvent(event: InformerEvent<Pod>, services: Informer<Service>): readonly string[] {
  const { object } = event;
  const now = () => servicesMatching(services, object.metadata.namespace, object.metadata.labels);
  if (event.type !== 'update') return now();
  const { old } = event;
  const relabelled =
    !deepEqual(old.metadata.labels, object.metadata.labels) ||
    old.spec?.hostname !== object.spec?.hostname ||
    old.spec?.subdomain !== object.spec?.subdomain;
  const changed = affectsEndpoints(old, object);
  if (!relabelled) return changed ? now() : [];
  const before = servicesMatching(services, object.metadata.namespace, old.metadata.labels);
  const after = now();
  if (changed) return [...new Set([...after, ...before])];
  return [...after.filter((key) => !before.includes(key)), ...before.filter((key) => !after.includes(key))];
}

function affectsEndpoints(old: Pod, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp || isPodReady(old) !== isPodReady(pod)) return true;
  const before = old.status?.podIPs ?? [];
  const after = pod.status?.podIPs ?? [];
  return before.length !== after.length || before.some(({ ip }, i) => ip !== after[i]?.ip);
}

function servicesMatching(services: Informer<Service>, namespace: string | undefined, labels: Labels): readonly string[] {
  const keys: string[] = [];
  for (const service of services.list(namespace)) {
    if (hasSelector(service) && mapMatcher(service.spec?.selector ?? {})(labels)) keys.push(keyOf(service));
  }
  return keys;
}

/** A pod that has ended is in none; unless `dropsEnded`, only one that will not run again. */
export function shouldPodBeInEndpoints(pod: Pod, includeTerminating: boolean, dropsEnded = true): boolean {
  if (isPodTerminal(pod) && (dropsEnded || !runsAgain(pod))) return false;
  if (!pod.status?.podIP && (pod.status?.podIPs ?? []).length === 0) return false;
  return includeTerminating || pod.metadata.deletionTimestamp === undefined;
}

function runsAgain({ spec, status }: Pod): boolean {
  return spec?.restartPolicy === 'Always' || (spec?.restartPolicy === 'OnFailure' && status?.phase === 'Failed');
}

export function shouldSetHostname(pod: Pod, service: Service): boolean {
  return Boolean(pod.spec?.hostname) && pod.spec?.subdomain === service.metadata.name && service.metadata.namespace === pod.metadata.namespace;
}

/** Addresses of one family, in canonical form. */
export function addressesOf(pod: Pod, family: 4 | 6): readonly string[] {
  const addresses: string[] = [];
  for (const { ip = '' } of pod.status?.podIPs ?? []) {
    const parsed = parseIP(ip);
    if (parsed?.family === family) addresses.push(formatIP(parsed.bytes));
  }
  return addresses;
}

/** The pod's port number for a service port; undefined when the pod has no port of that name. */
export function findPort(pod: Pod, port: ServicePort): number | undefined {
  const { targetPort } = port;
  if (typeof targetPort === 'number') return targetPort;
  if (targetPort === undefined) return 0;
  const sidecars = (pod.spec?.initContainers ?? []).filter(isRestartableInitContainer);
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars]) {
    for (const { name, protocol, containerPort } of container.ports ?? []) {
      if (name === targetPort && (protocol ?? 'TCP') === (port.protocol ?? 'TCP')) return containerPort;
    }
  }
  return undefined;
}
