/**
 * The order of ports and subsets in endpoints, which upstream takes from hashes of Go's printed form of each: FNV-128a, once MD5. Mirrors
 * DeepHashObject of pkg/util/hash, dump.ForHash of k8s.io/apimachinery, and SortSubsets of pkg/api/v1/endpoints.
 */
import { md5 } from '../../base/digest-functions.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, ObjectReference } from '../../api/core/v1/types.gen.ts';
import type { EndpointPort as SlicePort } from '../../api/discovery/v1/types.gen.ts';

const mask = (1n << 128n) - 1n;
const prime = 0x0000000001000000000000000000013bn;
const offset = 0x6c62272e07bb014262b821756295c58dn;

/** As 32 hex digits, so that text order is the order of the hash. */
export function fnv128a(text: string): string {
  let hash = offset;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * prime) & mask;
  return hash.toString(16).padStart(32, '0');
}

/** What is hashed of ports and subsets, and how: releases differ. */
export interface EndpointOrder {
  /** The package of the types, as it is printed. */
  readonly types: 'core' | 'v1';
  readonly hash: (text: string) => string;
  /** Whether ports know what is spoken over them. */
  readonly hasProtocols: boolean;
}

export const presentOrder: EndpointOrder = { types: 'v1', hash: fnv128a, hasProtocols: true };

/** That in which the registry of release 1.13 kept endpoints: MD5 of its internal types. */
export const formerOrder: EndpointOrder = { types: 'core', hash: (text) => md5(new TextEncoder().encode(text)), hasProtocols: false };

/** The list in the order of the hashes of its elements. */
function sortByHash<T>(list: readonly T[], hash: EndpointOrder['hash'], text: (item: T) => string): readonly T[] {
  if (list.length < 2) return list;
  const hashed = list.map((item) => ({ item, hash: hash(text(item)) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ item }) => item);
}

export function sortSlicePorts(ports: readonly SlicePort[]): readonly SlicePort[] {
  return sortByHash(ports, fnv128a, (port) => {
    const { name, protocol, port: number } = port;
    return `(v1.EndpointPort){Name:${pointer('string', name)} Protocol:${pointer('v1.Protocol', protocol)} Port:${pointer('int32', number)} AppProtocol:${pointer('string', port.appProtocol)}}`;
  });
}

export function sortPorts(ports: readonly EndpointPort[], order: EndpointOrder): readonly EndpointPort[] {
  return sortByHash(ports, order.hash, (port) => `(${order.types}.EndpointPort)${portText(port, order)}`);
}

export function sortSubsets(subsets: readonly EndpointSubset[], order: EndpointOrder): readonly EndpointSubset[] {
  const { types, hash } = order;
  return sortByHash(subsets, hash, ({ addresses, notReadyAddresses, ports }) => {
    const ready = list(`${types}.EndpointAddress`, addresses, (address) => addressText(address, types));
    const notReady = list(`${types}.EndpointAddress`, notReadyAddresses, (address) => addressText(address, types));
    const those = list(`${types}.EndpointPort`, ports, (port) => portText(port, order));
    return `(${types}.EndpointSubset){Addresses:${ready} NotReadyAddresses:${notReady} Ports:${those}}`;
  });
}

function list<T>(type: string, items: readonly T[] | undefined, text: (item: T) => string): string {
  return `([]${type})${items === undefined ? '<nil>' : `[${items.map(text).join(' ')}]`}`;
}

function pointer(type: string, value: string | number | undefined): string {
  return `(*${type})${value ?? '<nil>'}`;
}

function portText({ name = '', port, protocol = '', appProtocol }: EndpointPort, { types, hasProtocols }: EndpointOrder): string {
  const spoken = hasProtocols ? ` AppProtocol:${pointer('string', appProtocol)}` : '';
  return `{Name:(string)${name} Port:(int32)${port} Protocol:(${types}.Protocol)${protocol}${spoken}}`;
}

function addressText({ ip, hostname = '', nodeName, targetRef }: EndpointAddress, types: string): string {
  const target = `(*${types}.ObjectReference)${targetRef === undefined ? '<nil>' : referenceText(targetRef)}`;
  return `{IP:(string)${ip} Hostname:(string)${hostname} NodeName:${pointer('string', nodeName)} TargetRef:${target}}`;
}

function referenceText({
  kind = '',
  namespace = '',
  name = '',
  uid = '',
  apiVersion = '',
  resourceVersion = '',
  fieldPath = '',
}: ObjectReference): string {
  return (
    `{Kind:(string)${kind} Namespace:(string)${namespace} Name:(string)${name} UID:(types.UID)${uid} ` +
    `APIVersion:(string)${apiVersion} ResourceVersion:(string)${resourceVersion} FieldPath:(string)${fieldPath}}`
  );
}
