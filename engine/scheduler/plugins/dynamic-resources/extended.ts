/**
 * Extended resources for which devices stand: what a pod asks for becomes requests of one claim, which is made for it when it has its
 * place. Mirrors extendeddynamicresources.go of the plugin.
 */
import type { Container, ContainerExtendedResourceRequest, Pod } from '../../../api/core/v1/types.gen.ts';
import type { DeviceRequest, ResourceClaim } from '../../../api/resource/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { isDeviceBackedName } from '../../../component-helpers/resource-names.ts';
import { type Claims, extendedClaimAnnotation } from '../../framework/claims.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { type ResourceList, type Resources, scaledQuantity } from '../../framework/resources.ts';

/** No claim in the API can have it. */
const nameInMemory = '<extended-resources>';

/** What is asked for on one node, and which container is given what. */
export interface ExtendedRequests {
  readonly requests: readonly DeviceRequest[];
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

export function isInMemory({ metadata }: ResourceClaim): boolean {
  return metadata.name === nameInMemory;
}

/** The claim of an earlier attempt, or one that is not made yet; undefined where no class stands for what the pod asks for. */
export function extendedClaimFor(claims: Claims, pod: Pod, { scalar }: Resources): ResourceClaim | undefined {
  const isBacked = ([name, amount]: readonly [string, number]): boolean =>
    amount !== 0 && isDeviceBackedName(name) && claims.classFor(name) !== undefined;
  if (scalar === undefined || ![...scalar].some(isBacked)) return undefined;
  return claims.extendedClaim(pod) ?? claimInMemory(pod);
}

/** As long as it is not made. */
export function claimInMemory({ metadata: { namespace = '', name = '', uid = '' } }: Pod): ResourceClaim {
  const metadata = {
    namespace,
    name: nameInMemory,
    // Until it is made.
    uid: `${nameInMemory}/${uid}`,
    generateName: `${name}-extended-resources-`,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
    annotations: { [extendedClaimAnnotation]: 'true' },
  };
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec: { devices: { requests: null } } };
}

/** What devices have to stand for on this node; `nothing` where one of the resources is not to be had there at all. */
export function wantedOnNode(
  claims: Claims,
  pod: Pod,
  { scalar }: Resources,
  { allocatable }: Pick<NodeInfo, 'allocatable'>,
): ExtendedRequests | 'none' | 'nothing' {
  const wanted: string[] = [];
  for (const [name, amount] of scalar ?? []) {
    if (amount === 0 || !isDeviceBackedName(name)) continue;
    const offered = allocatable.scalar?.get(name);
    if (!offered && claims.classFor(name) !== undefined) wanted.push(name);
    else if (offered === undefined) return 'nothing';
  }
  return wanted.length === 0 ? 'none' : requestsFor(claims, pod, wanted.sort());
}

interface Asked {
  readonly request: DeviceRequest | undefined;
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

function requestsFor(claims: Claims, { spec }: Pod, resources: readonly string[]): ExtendedRequests {
  const requests: DeviceRequest[] = [];
  const mappings: ContainerExtendedResourceRequest[] = [];
  const initial = spec?.initContainers ?? [];
  const containers = [...initial, ...(spec?.containers ?? [])];
  const isBrief = (at: number): boolean => at < initial.length && containers[at]?.restartPolicy !== 'Always';
  for (const resource of resources) {
    const className = claims.classFor(resource)?.metadata.name ?? '';
    const ask = (at: number, reusable: readonly (DeviceRequest | undefined)[]): Asked =>
      askFor(containers[at] as Container, at, resource, className, reusable);
    const lasting = containers.map((_, at) => (isBrief(at) ? undefined : ask(at, [])));
    const brief = containers.flatMap((_, at) =>
      isBrief(at)
        ? [
            ask(
              at,
              lasting.slice(at).map((one) => one?.request),
            ),
          ]
        : [],
    );
    // Containers that come one after the other share the most that one of them needs.
    let most: DeviceRequest | undefined;
    for (const { request } of brief) if (request !== undefined && countOf(request) > countOf(most)) most = request;
    const merged = new Set(brief.map(({ request }) => request?.name));
    if (most !== undefined) requests.push(most);
    for (const one of lasting) {
      if (one?.request !== undefined) requests.push(one.request);
      mappings.push(...(one?.mappings ?? []));
    }
    for (const one of brief.flatMap((asked) => asked.mappings))
      mappings.push(most !== undefined && merged.has(one.requestName) ? { ...one, requestName: most.name } : one);
  }
  return { requests: requests.sort((a, b) => (a.name < b.name ? -1 : 1)), mappings };
}

/** What a container asks for beyond what it may use of later ones. */
function askFor(
  { name: containerName, resources }: Container,
  at: number,
  resourceName: string,
  deviceClassName: string,
  reusable: readonly (DeviceRequest | undefined)[],
): Asked {
  const asked = (resources?.requests ?? {}) as ResourceList;
  const amount = scaledQuantity(getOwn(asked, resourceName) ?? 0, 1);
  const mappings: ContainerExtendedResourceRequest[] = [];
  if (amount === 0) return { request: undefined, mappings };
  let sum = 0;
  for (const one of reusable) {
    if (one === undefined) continue;
    sum += countOf(one);
    mappings.push({ containerName, resourceName, requestName: one.name });
    if (sum >= amount) return { request: undefined, mappings };
  }
  const requestName = `container-${at}-request-${Object.keys(asked).sort().indexOf(resourceName)}`;
  mappings.push({ containerName, resourceName, requestName });
  const exactly = { deviceClassName, allocationMode: 'ExactCount', count: amount - sum };
  return { request: { name: requestName, exactly }, mappings };
}

function countOf(request: DeviceRequest | undefined): number {
  return Number(request?.exactly?.count ?? 0);
}
