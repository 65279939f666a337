/**
 * The order of ports and subsets in endpoints, which upstream takes from FNV-128a hashes of Go's printed form of each. Mirrors
 * DeepHashObject of pkg/util/hash, dump.ForHash of k8s.io/apimachinery, and SortSubsets of pkg/api/v1/endpoints.
 */
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

/** The list in the order of the hashes of its elements. */
function sortByHash<T>(list: readonly T[], text: (item: T) => string): readonly T[] {
  if (list.length < 2) return list;
  const hashed = list.map((item) => ({ item, hash: fnv128a(text(item)) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ item }) => item);
}

export function sortSlicePorts(ports: readonly SlicePort[]): readonly SlicePort[] {
  return sortByHash(ports, (port) => {
    const { name, protocol, port: number } = port;
    return `(v1.EndpointPort){Name:${pointer('string', name)} Protocol:${pointer('v1.Protocol', protocol)} Port:${pointer('int32', number)} AppProtocol:${pointer('string', port.appProtocol)}}`;
  });
}

export function sortPorts(ports: readonly EndpointPort[]): readonly EndpointPort[] {
  return sortByHash(ports, (port) => `(v1.EndpointPort)${portText(port)}`);
}

export function sortSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  return sortByHash(subsets, ({ addresses, notReadyAddresses, ports }) => {
    const ready = list('v1.EndpointAddress', addresses, addressText);
    const notReady = list('v1.EndpointAddress', notReadyAddresses, addressText);
    return `(v1.EndpointSubset){Addresses:${ready} NotReadyAddresses:${notReady} Ports:${list('v1.EndpointPort', ports, portText)}}`;
  });
}

function list<T>(type: string, items: readonly T[] | undefined, text: (item: T) => string): string {
  return `([]${type})${items === undefined ? '<nil>' : `[${items.map(text).join(' ')}]`}`;
}

function pointer(type: string, value: string | number | undefined): string {
  return `(*${type})${value ?? '<nil>'}`;
}

function portText({ name = '', port, protocol = '', appProtocol }: EndpointPort): string {
  return `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:${pointer('string', appProtocol)}}`;
}

function addressText({ ip, hostname = '', nodeName, targetRef }: EndpointAddress): string {
  const target = targetRef === undefined ? '(*v1.ObjectReference)<nil>' : `(*v1.ObjectReference)${referenceText(targetRef)}`;
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
