/** Who serves a group and version that is not served here, and how it is reached. Mirrors kube-aggregator pkg/apiserver/handler_proxy.go. */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import type { Service } from '../../api/core/v1/types.gen.ts';
import { encodeBase64 } from '../../base/base64.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Question } from '../../contracts/questions.ts';
import { type FindPodServer, type RouteReader, routeTo } from '../admission/webhooks/routes.ts';

/** A list is sent as so many headers of the name: who reads them splits none. */
export type AggregatedHeaders = { readonly [name: string]: string | readonly string[] };

/** How the host reaches a server of another API. */
export interface AggregatedCall {
  readonly method: string;
  /** As it is told in messages. */
  readonly url: string;
  /** With the query. */
  readonly path: string;
  readonly headers: AggregatedHeaders;
  /** Base64. */
  readonly body: string;
  readonly serverName: string;
  readonly host: string;
  readonly port: number;
  /** PEM as base64. */
  readonly caBundle: string;
  readonly isTrusted: boolean;
  /** The answer goes on: it is handed out as a stream. */
  readonly isStream: boolean;
}

/** What came back: the whole body, or the name of the stream that it comes by. */
export interface AggregatedReply {
  readonly code: number;
  readonly headers: { readonly [name: string]: string };
  /** Base64; absent where the answer is a stream. */
  readonly body?: string;
  readonly stream?: string;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: AggregatedHeaders;
  readonly body?: Uint8Array;
  readonly isStream?: boolean;
  readonly timeoutMs: number;
}

/** `v1.sample.example.com`, where a Service stands behind it. */
export function serviceBehind(apiService: APIService | undefined): NonNullable<NonNullable<APIService['spec']>['service']> | undefined {
  return apiService?.spec?.service ?? undefined;
}

export function isAvailable({ status }: APIService): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === 'Available' && condition.status === 'True');
}

/** The question that a request to the server behind `apiService` is; a text says why it cannot be reached. */
export function questionTo(apiService: APIService, asked: Asked, reader: RouteReader, podServer: FindPodServer): Question | string {
  const call = callTo(apiService, asked, reader, podServer);
  if (typeof call === 'string') return call;
  return {
    to: `aggregated/${apiService.metadata.name ?? ''}`,
    body: call as unknown as JsonValue,
    timeoutMs: asked.timeoutMs,
    about: { verb: asked.method.toLowerCase(), path: asked.path },
    letsTimePass: asked.method === 'GET' && asked.isStream !== true,
  };
}

/** How a request reaches the server behind `apiService`; a text says why it cannot. */
export function callTo(apiService: APIService, asked: Asked, reader: RouteReader, podServer: FindPodServer): AggregatedCall | string {
  const { namespace = '', name = '', port = 443 } = serviceBehind(apiService) ?? {};
  const service = reader.lookup('', 'services', namespace, name) as Service | undefined;
  if (service === undefined) return `service ${JSON.stringify(name)} not found`;
  const route = routeTo(namespace, name, port, reader, podServer);
  if (route.type === 'failed') return route.message;
  const at = addressOf(service, port);
  // A process that is simulated has no TLS to speak.
  if (route.type !== 'outside') return `dial tcp ${at}: connect: connection refused`;
  const { caBundle, insecureSkipTLSVerify } = apiService.spec ?? {};
  return {
    method: asked.method,
    url: `https://${at}${asked.path}`,
    path: asked.path,
    headers: asked.headers,
    body: encodeBase64(asked.body ?? new Uint8Array()),
    serverName: `${name}.${namespace}.svc`,
    host: route.host,
    port: route.port,
    caBundle: caBundle ?? '',
    isTrusted: insecureSkipTLSVerify === true,
    isStream: asked.isStream === true,
  };
}

/** As upstream names it in messages: the address of the Service. */
export function addressOf({ metadata, spec }: Service, port: number): string {
  const own = spec?.clusterIP && spec.clusterIP !== 'None' ? spec.clusterIP : `${metadata.name}.${metadata.namespace}.svc`;
  const host = spec?.type === 'ExternalName' ? (spec.externalName ?? '') : own;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Who asks, as the front proxy says it. */
export function identityHeaders(
  name: string,
  groups: readonly string[],
  uid = '',
  extra: { readonly [key: string]: readonly string[] } = {},
): AggregatedHeaders {
  return {
    'x-remote-user': name,
    ...(uid === '' ? {} : { 'x-remote-uid': uid }),
    ...(groups.length === 0 ? {} : { 'x-remote-group': groups }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`x-remote-extra-${encodeURIComponent(key.toLowerCase())}`, values])),
  };
}
