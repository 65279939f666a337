/**
 * Where the proxy of a pod, a Service or a node leads, by its name in the path: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. Mirrors
 * ResourceLocation of pkg/registry/core/pod/strategy.go, of pkg/registry/core/service/storage and of pkg/registry/core/node/strategy.go;
 * facts of a real server are in test/contract/proxy.
 */
import type { EndpointAddress, Endpoints, Node, Pod, Service } from '../../api/core/v1/types.gen.ts';
import { newBadRequest, newNotFound, newServiceUnavailable, newStatusError } from '../../apimachinery/errors.ts';
import { parseIP } from '../../apimachinery/ip.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { ProxyPlace } from '../../contracts/connect.ts';

/** The stored object, or undefined. */
export type FindObject = (resource: string, name: string) => KubeObject | undefined;

interface AskedPlace {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

const schemes: ReadonlySet<string> = new Set(['', 'http', 'https']);
const portMax = 65_535;

/** Throws a StatusError with upstream's words. `id` is the name as it stands in the path. */
export function podPlaces(id: string, find: FindObject): readonly ProxyPlace[] {
  const { scheme, name, port } = split(id, 'pod');
  const pod = find('pods', name) as Pod | undefined;
  if (pod === undefined) throw newNotFound({ group: '', resource: 'pods' }, name);
  const declared = pod.spec?.containers?.find(({ ports }) => (ports ?? []).length > 0)?.ports?.[0]?.containerPort;
  const address = pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? '';
  if (!isProxied(address)) throw newBadRequest('address not allowed');
  const asked = port !== '' ? port : String(declared ?? (scheme === 'https' ? 443 : 80));
  return [placeOf(pod, address, portNumber(asked, address))];
}

/** All that it may lead to, in the order of the endpoints. */
export function servicePlaces(id: string, find: FindObject): readonly ProxyPlace[] {
  const { name, port } = split(id, 'service');
  const portName = /^[+-]?\d+$/.test(port) ? nameOfPort(name, port, find) : port;
  const endpoints = find('endpoints', name) as Endpoints | undefined;
  if (endpoints === undefined) throw newNotFound({ group: '', resource: 'services' }, name);
  if ((endpoints.subsets ?? []).length === 0) throw newServiceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  const places = (endpoints.subsets ?? []).flatMap(({ addresses, ports }) => {
    const found = (ports ?? []).find((one) => (one.name ?? '') === portName);
    return found === undefined ? [] : (addresses ?? []).flatMap((address) => placeBehind(address, found.port ?? 0, find));
  });
  if (places.length === 0) throw newServiceUnavailable(`no endpoints available for service ${goQuote(id)}`);
  return places;
}

const addressTypes: readonly string[] = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const kubeletPort = 10_250;

/** The name of a node whose kubelet is meant: nobody listens at other ports of a machine. */
export function kubeletOf(id: string, find: FindObject): string {
  const { name, port } = split(id, 'node');
  const node = find('nodes', name) as Node | undefined;
  if (node === undefined) throw newNotFound({ group: '', resource: 'nodes' }, name);
  if (port === '' || port === String(kubeletPortOf(node))) return name;
  const address = addressOf(node);
  throw unreachable(`dial tcp ${joined(address, portNumber(port, address))}: connect: connection refused`);
}

/** Nobody is behind the node: what its API server says that looks for him. */
export function unheard(node: Node): Error {
  return unreachable(`dial tcp ${joined(addressOf(node), kubeletPortOf(node))}: i/o timeout`);
}

function kubeletPortOf({ status }: Node): number {
  return status?.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort;
}

/** Throws where it has none that is called. */
function addressOf({ status }: Node): string {
  const addresses = status?.addresses ?? [];
  const preferred = addressTypes.flatMap((type) => addresses.filter((one) => one.type === type))[0];
  if (preferred !== undefined) return preferred.address;
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw newStatusError(500, '', `no preferred addresses found; known addresses: [${known}]`);
}

function split(id: string, what: string): AskedPlace {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !schemes.has(scheme)) throw newBadRequest(`invalid ${what} request ${goQuote(id)}`);
  return { scheme, name, port };
}

function nameOfPort(name: string, port: string, find: FindObject): string {
  const service = find('services', name) as Service | undefined;
  if (service === undefined) throw newNotFound({ group: '', resource: 'services' }, name);
  const found = (service.spec?.ports ?? []).find((one) => one.port === Number(port));
  if (found === undefined) throw newServiceUnavailable(`no service port ${Number(port)} found for service ${goQuote(name)}`);
  return found.name ?? '';
}

/** Only what is a pod's: an address that somebody wrote down leads nowhere. */
function placeBehind({ ip = '', targetRef }: EndpointAddress, port: number, find: FindObject): readonly ProxyPlace[] {
  if (targetRef?.kind !== 'Pod') return [];
  const pod = find('pods', targetRef.name ?? '') as Pod | undefined;
  const isOfPod = pod?.status?.podIPs?.some((one) => one.ip === ip) ?? pod?.status?.podIP === ip;
  return pod !== undefined && isOfPod && isProxied(ip) ? [placeOf(pod, ip, port)] : [];
}

function placeOf({ metadata }: Pod, address: string, port: number): ProxyPlace {
  return { namespace: metadata.namespace ?? '', pod: metadata.name ?? '', address, port };
}

function portNumber(text: string, address: string): number {
  if (!/^\d+$/.test(text)) throw unreachable(`dial tcp: lookup tcp/${text}: unknown port`);
  const port = Number(text);
  if (port > portMax) throw unreachable(`dial tcp: address ${text}: invalid port`);
  if (port === 0) throw unreachable(`dial tcp ${joined(address, port)}: connect: connection refused`);
  return port;
}

export function unreachable(why: string): Error {
  return newServiceUnavailable(`error trying to reach service: ${why}`);
}

export function joined(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Addresses of this machine, of its link and of groups are nobody's to reach (Go's IsGlobalUnicast). */
function isProxied(address: string): boolean {
  const bytes = parseIP(address)?.bytes;
  if (bytes === undefined || bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 255)) return false;
  const [first = 0, second = 0] = bytes;
  if (bytes.length === 4) return first !== 127 && (first < 224 || first > 239) && !(first === 169 && second === 254);
  const isLoopback = bytes.slice(0, -1).every((byte) => byte === 0) && bytes.at(-1) === 1;
  return !isLoopback && first !== 0xff && !(first === 0xfe && second >= 0x80 && second <= 0xbf);
}
