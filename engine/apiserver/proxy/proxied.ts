/**
 * A request that goes on to the server in a pod, and its answer. Both pass as bytes through the same gate as a forwarded port, so that
 * what they change in the pod is an input of history. Mirrors apimachinery pkg/util/proxy (upgradeaware.go, transport.go).
 */
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts';
import { setOwn } from '../../base/dictionary.ts';
import type { PortReply, ProxyPlace } from '../../contracts/connect.ts';
import type { Exchange } from '../filters/filter.ts';
import { headerOf, type HttpPlainResponse } from '../http-types.ts';
import { cleanPath, type LinkPlace, proxiedHtml, proxiedLink } from './links.ts';
import { joined, unreachable } from './proxy-target.ts';

/** Hands a whole request to one of these places and gives what came back. */
export type ReachPod = (places: readonly ProxyPlace[], request: Uint8Array) => { readonly place: ProxyPlace; readonly reply: PortReply };

const newlines = /[\r\n]/g;

export function proxied(exchange: Exchange, places: readonly ProxyPlace[], rest: readonly string[], reach: ReachPod): HttpPlainResponse {
  const { request, path } = exchange;
  const { method, query } = request;
  const isFolder = path.endsWith('/');
  const inside = rest.length === 0 ? '' : cleanPath(rest.join('/'));
  const own = isFolder && !inside.endsWith('/') ? `${inside}/` : inside;
  const asked = query === '' ? '' : `?${query}`;
  if (own === '' && (method === 'GET' || method === 'HEAD')) return { status: 301, headers: { location: `${path}/${asked}` }, body: '' };
  const { place, reply } = reach(places, requestBytes(exchange, `${own === '' ? '/' : encodePath(own)}${asked}`));
  const host = joined(place.address, place.port);
  if (reply.type === 'refused') throw unreachable(`dial tcp ${host}: connect: connection refused`);
  if (reply.type === 'silent') throw unreachable(`dial tcp ${host}: i/o timeout`);
  const answer = parseResponse(reply.data);
  if (answer === undefined) throw unreachable('EOF');
  const prefix = own !== '' && path.endsWith(own) ? path.slice(0, -own.length) : path;
  return handedBack(method, answer, { prefix, hosts: [host, headerOf(request, 'host')] });
}

function encodePath(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, (code) => decodeURIComponent(code)))
    .join('/');
}

/** Of the headers only what servers here look at goes along. */
function requestBytes({ request }: Exchange, target: string): Uint8Array {
  const { method, body } = request;
  const type = headerOf(request, 'content-type');
  const head = [
    `${method} ${target} HTTP/1.1`,
    `host: ${headerOf(request, 'host').replace(newlines, '')}`,
    `user-agent: ${headerOf(request, 'user-agent').replace(newlines, '')}`,
    ...(type === '' ? [] : [`content-type: ${type.replace(newlines, '')}`]),
    ...(body.length === 0 ? [] : [`content-length: ${body.length}`]),
  ];
  const bytes = bytesOfText(`${head.join('\r\n')}\r\n\r\n`);
  const whole = new Uint8Array(bytes.length + body.length);
  whole.set(bytes);
  whole.set(body, bytes.length);
  return whole;
}

interface Answered {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

function parseResponse(data: Uint8Array): Answered | undefined {
  // Heads are plain: a character is a byte.
  const end = indexOfEnd(data);
  if (end < 0) return undefined;
  const [first = '', ...lines] = textOfBytes(data.subarray(0, end)).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? '');
  if (!(status >= 200)) return undefined;
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status, headers, body: data.subarray(end + 4) };
}

function indexOfEnd(data: Uint8Array): number {
  for (let at = data.indexOf(13); at >= 0; at = data.indexOf(13, at + 1))
    if (data[at + 1] === 10 && data[at + 2] === 13 && data[at + 3] === 10) return at;
  return -1;
}

/** Of a connection and not of what came through it, or said anew by whoever answers. */
const notHandedBack: ReadonlySet<string> = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade']);

function handedBack(method: string, { status, headers, body }: Answered, links: LinkPlace): HttpPlainResponse {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) if (!notHandedBack.has(name) && /^[\w-]+$/.test(name)) setOwn(kept, name, value);
  const location = headers.get('location');
  if (location !== undefined) kept['location'] = proxiedLink(location, links);
  const isPage = location === undefined && (headers.get('content-type') ?? '').split(';', 1)[0]?.trim() === 'text/html';
  if (method === 'HEAD') return { status, headers: kept, body: '' };
  return { status, headers: kept, body: isPage ? bytesOfText(proxiedHtml(textOfBytes(body), links)) : body };
}
