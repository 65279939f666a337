/** The IPAddress of a Service: what it looks like, and how one that is there is read. Mirrors pkg/registry/core/service/ipallocator. */
import type { IPAddress } from '../api/networking/v1/types.gen.ts';
import type { AddressHolder } from '../contracts/kind.ts';

export const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
export const familyLabel = 'ipaddress.kubernetes.io/ip-family';
export const allocator = 'ipallocator.k8s.io';

/** Of an address in canonical form. */
export function addressOf(address: string, { namespace, name }: AddressHolder): IPAddress {
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: address, labels: { [familyLabel]: familyOf(address), [managedByLabel]: allocator } },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}

export function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}
