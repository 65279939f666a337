/** Services lead to the pods that are ready, and to no others: Endpoints and EndpointSlices against the pods themselves. */
import type { Endpoints, Pod, Service } from '../../../engine/api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../../engine/api/discovery/v1/types.gen.ts';
import { nameOf, selects, type World } from '../world.ts';
import type { Checker } from './checker.ts';

const calmMs = 8_000;
const slicesOf = 'kubernetes.io/service-name';

export function servicesLeadToReadyPods(): Checker {
  const look = (world: World): readonly string[] => world.all<Service>('services/specs').flatMap((service) => wrongService(service, world));
  return { name: 'services lead to ready pods', inspect: look, atRest: look };
}

function wrongService(service: Service, world: World): readonly string[] {
  const { namespace, name = '', deletionTimestamp } = service.metadata;
  if (world.calmMs('services/specs', namespace) < calmMs || service.spec?.selector === undefined || deletionTimestamp !== undefined) return [];
  const terminating = world.get('namespaces', undefined, namespace ?? '')?.metadata.deletionTimestamp !== undefined;
  if (terminating) return [];
  const pods = world.all<Pod>('pods', namespace).filter((pod) => selects(service.spec?.selector, pod.metadata.labels));
  // Pods that have gone or changed sides leave no trace of their own.
  const calm = pods.length > 0 ? pods.every((pod) => world.ageMs('pods', pod) >= calmMs) : world.calmMs('pods', namespace) >= calmMs;
  if (!calm || world.calmMs('pods', namespace) < 3_000) return [];
  const living = pods.filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && isServed(status?.phase) && status?.podIP);
  const ready = addresses(living.filter(isReady));
  const subsets = world.get<Endpoints>('services/endpoints', namespace, name)?.subsets ?? [];
  const inEndpoints = sorted(subsets.flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip)));
  // Upstream's controllers hear of readiness and addresses, not of phases: who ends without having been ready lingers as not ready.
  const ended = new Set(pods.filter(({ status }) => !isServed(status?.phase)).map(({ status }) => status?.podIP));
  const notReady = sorted(subsets.flatMap((subset) => (subset.notReadyAddresses ?? []).map(({ ip }) => ip).filter((ip) => !ended.has(ip))));
  const slices = world.all<EndpointSlice>('endpointslices', namespace).filter(({ metadata }) => metadata.labels?.[slicesOf] === name);
  // Upstream skips a pod whose node it does not know; what it wrote of it before may stand.
  const homeless = living.filter(({ spec }) => world.get('minions', undefined, spec?.nodeName ?? '') === undefined);
  const lost = new Set<string | null | undefined>(homeless.map(({ status }) => status?.podIP));
  const inSlices = sorted(
    slices
      .flatMap(({ endpoints }) => (endpoints ?? []).filter(({ conditions }) => conditions?.ready === true).flatMap((each) => each.addresses))
      .filter((address) => !lost.has(address)),
  );
  const readyOnNodes = addresses(living.filter((pod) => isReady(pod) && !lost.has(pod.status?.podIP)));
  return [
    ...differs(service, 'Endpoints hold as ready', inEndpoints, ready),
    ...differs(service, 'Endpoints hold as not ready', notReady, addresses(living.filter((pod) => !isReady(pod)))),
    ...differs(service, 'slices hold as ready', inSlices, readyOnNodes),
  ];
}

function differs(service: Service, what: string, found: string, wanted: string): readonly string[] {
  return found === wanted ? [] : [`${nameOf(service)}: its ${what} [${found}], true is [${wanted}]`];
}

function isServed(phase: string | undefined): boolean {
  return phase !== 'Succeeded' && phase !== 'Failed';
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}

function addresses(pods: readonly Pod[]): string {
  return sorted(pods.map(({ status }) => status?.podIP));
}

function sorted(values: readonly (string | null | undefined)[]): string {
  return [...new Set(values)].toSorted().join(' ');
}
