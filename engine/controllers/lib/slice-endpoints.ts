/**
 * Which endpoints and ports of slices are the same. Mirrors util/endpointset.go and util/controller_utils.go of k8s.io/endpointslice;
 * the endpointslice and the endpointslicemirroring controller both use it.
 */
import type { Endpoint, EndpointPort } from '../../api/discovery/v1/types.gen.ts';
import { deepEqual } from '../../base/equal.ts';

export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** Slices whose ports have the same key hold the same ports, in whatever order. */
export function portsKey(ports: readonly EndpointPort[]): string {
  return ports
    .map(({ name = '', protocol = '', port, appProtocol = '' }) => `${name}/${protocol}/${port ?? ''}/${appProtocol}`)
    .sort()
    .join();
}

/** Endpoints with the same key are the same endpoint in another state. */
export function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  return `${(addresses ?? []).join(',')}|${hostname}|${targetRef?.namespace ?? ''}|${targetRef?.name ?? ''}`;
}

export function sameState(a: Endpoint, b: Endpoint): boolean {
  if (a === b) return true;
  return (
    a.nodeName === b.nodeName &&
    a.zone === b.zone &&
    a.conditions?.ready === b.conditions?.ready &&
    a.conditions?.serving === b.conditions?.serving &&
    a.conditions?.terminating === b.conditions?.terminating &&
    deepEqual(withoutVersion(a.targetRef), withoutVersion(b.targetRef))
  );
}

function withoutVersion(reference: Endpoint['targetRef']): object | undefined {
  return reference?.resourceVersion === undefined ? reference : { ...reference, resourceVersion: undefined };
}
