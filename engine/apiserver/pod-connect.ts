/**
 * Subresources that lead to a kubelet: logs and port-forward, and an honest no for what is not built. Mirrors
 * pkg/registry/core/pod/rest.
 */
import { newBadRequest, newStatusError } from '../apimachinery/errors.ts';
import type { KubeletConnections, LogOptions } from '../contracts/connect.ts';
import type { ResourceInfo } from './request-info.ts';
import type { HttpResponse } from './http-types.ts';
import { readBool, readInt, type Query } from './query-options.ts';

const unbuilt: ReadonlySet<string> = new Set(['exec', 'attach', 'proxy']);
const connectable: ReadonlySet<string> = new Set(['log', 'portforward', 'exec', 'attach', 'proxy']);

/** Whether the path leads to a kubelet. */
export function isConnect(info: ResourceInfo): boolean {
  if (info.group !== '' || !connectable.has(info.subresource)) return false;
  if (info.resource === 'pods') return true;
  return (info.resource === 'services' || info.resource === 'nodes') && info.subresource === 'proxy';
}

export function connect(info: ResourceInfo, query: Query, kubelets: KubeletConnections | undefined): HttpResponse {
  if (unbuilt.has(info.subresource) || kubelets === undefined) {
    throw newStatusError(501, 'NotImplemented', `${info.resource}/${info.subresource} is not simulated yet`);
  }
  if (info.subresource === 'portforward') return { upgrade: 'portforward', namespace: info.namespace, pod: info.name, ports: readPorts(query) };
  return log(info, readLogOptions(query), kubelets);
}

function readPorts(query: Query): readonly number[] {
  return query
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map((text) => {
      const port = Number(text);
      if (!Number.isInteger(port) || port < 1 || port > 65535) throw newBadRequest(`unable to parse ${JSON.stringify(text)} as a port`);
      return port;
    });
}

function readLogOptions(query: Query): LogOptions {
  const container = query.get('container') ?? '';
  const sinceTime = query.get('sinceTime') ?? '';
  const numbers: { [name: string]: number } = {};
  for (const name of ['sinceSeconds', 'tailLines', 'limitBytes'] as const) {
    const value = readInt(query, name);
    if (value !== undefined) numbers[name] = value;
  }
  return {
    ...(container === '' ? undefined : { container }),
    ...(sinceTime === '' ? undefined : { sinceTime }),
    ...numbers,
    follow: readBool(query, 'follow') === true,
    previous: readBool(query, 'previous') === true,
    timestamps: readBool(query, 'timestamps') === true,
  };
}

const logHeaders = { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' };

function log(info: ResourceInfo, options: LogOptions, kubelets: KubeletConnections): HttpResponse {
  const text = kubelets.readLogs(info.namespace, info.name, options);
  if (options.follow !== true) return { status: 200, headers: logHeaders, body: text };
  return {
    status: 200,
    headers: logHeaders,
    open: (sink) => {
      if (text !== '') sink.write(text);
      const handle = kubelets.followLogs(
        info.namespace,
        info.name,
        options,
        (more) => sink.write(more),
        () => sink.end(),
      );
      return () => handle.cancel();
    },
  };
}
