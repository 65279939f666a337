/**
 * Where the reference to a Service leads: to a port of the host, to an address outside, or to a simulated pod. Mirrors ResolveCluster of
 * apiserver pkg/util/proxy with what kube-proxy does behind it.
 */
import { serviceNameLabel } from '../../../component-helpers/service-slices.ts';
import type { Service, ServicePort } from '../../../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../../api/discovery/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { PodServer } from '../../../contracts/connect.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';

/** Names a port of the machine that Wavetank runs on, to which what goes to the Service is led. */
const hostPortAnnotation = 'sim.wavetank.dev/host-port';

export type Route =
  | { readonly type: 'outside'; readonly host: string; readonly port: number }
  | { readonly type: 'pod'; readonly server: PodServer }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'silent' };

/** The server that listens at a pod's port; a text says why there is none, and nothing that it cannot be reached. */
export type FindPodServer = (namespace: string, pod: string, port: number) => PodServer | string | undefined;

/** What a route is found in. */
export interface RouteReader {
  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  stored(prefix: string): readonly KubeObject[];
  /** A whole number below `below`: who of several is called. */
  draw(below: number): number;
}

export function routeTo(namespace: string, name: string, port: number, reader: RouteReader, podServer: FindPodServer): Route {
  const service = reader.lookup('', 'services', namespace, name) as Service | undefined;
  if (service === undefined) return { type: 'failed', message: `service ${goQuote(name)} not found` };
  const hostPort = Number(service.metadata.annotations?.[hostPortAnnotation] ?? '');
  if (Number.isInteger(hostPort) && hostPort > 0 && hostPort <= 65_535) return { type: 'outside', host: '127.0.0.1', port: hostPort };
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports } = service.spec ?? {};
  if (type === 'ExternalName') return { type: 'outside', host: externalName, port };
  if (type === 'ClusterIP' && clusterIP === 'None') return { type: 'failed', message: 'cannot route to service with ClusterIP "None"' };
  const servicePort = (ports ?? []).find((one) => one.port === port);
  if (servicePort === undefined) return { type: 'failed', message: `no service port ${port} found for service ${goQuote(name)}` };
  return behind(service, servicePort, reader, podServer, refused(clusterIP, port));
}

function refused(host: string, port: number): string {
  return `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}: connect: connection refused`;
}

interface Backend {
  readonly address: string;
  readonly port: number;
  readonly pod: { readonly namespace: string; readonly name: string } | undefined;
}

function behind({ metadata }: Service, servicePort: ServicePort, reader: RouteReader, podServer: FindPodServer, nobody: string): Route {
  const slices = (reader.stored(`endpointslices/${metadata.namespace}`) as readonly EndpointSlice[]).filter(
    (slice) => slice.metadata.labels?.[serviceNameLabel] === metadata.name,
  );
  const backends = slices.flatMap((slice) => backendsOf(slice, servicePort, metadata.namespace ?? ''));
  const chosen = backends[backends.length > 1 ? reader.draw(backends.length) : 0];
  if (chosen === undefined) return { type: 'failed', message: nobody };
  if (chosen.pod === undefined) return { type: 'outside', host: chosen.address, port: chosen.port };
  const server = podServer(chosen.pod.namespace, chosen.pod.name, chosen.port);
  if (server === undefined) return { type: 'silent' };
  return typeof server === 'string' ? { type: 'failed', message: nobody } : { type: 'pod', server };
}

function backendsOf({ endpoints, ports }: EndpointSlice, servicePort: ServicePort, namespace: string): readonly Backend[] {
  const port = (ports ?? []).find((one) => (one.name ?? '') === (servicePort.name ?? ''))?.port;
  if (port === undefined) return [];
  return (endpoints ?? []).flatMap(({ addresses, conditions, targetRef }) => {
    const [address] = addresses ?? [];
    if (address === undefined || conditions?.ready === false) return [];
    const pod = targetRef?.kind === 'Pod' ? { namespace: targetRef.namespace ?? namespace, name: targetRef.name ?? '' } : undefined;
    return [{ address, port, pod }];
  });
}
