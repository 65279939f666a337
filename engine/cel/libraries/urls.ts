/** URLs in CEL (apiserver pkg/cel/library/urls.go), read as Go's net/url reads them. */
import { global, member, type Overload, traversalCost, traversed } from '../functions.ts';
import { bool, type CelType, listOf, mapOf, string } from '../types.ts';
import { CelError, celMap, type CelMap, type CelObject, type CelValue } from '../values.ts';

const urlType: CelType = { kind: 'opaque', name: 'kubernetes.URL' };

class CelUrl implements CelObject {
  readonly celType = 'kubernetes.URL';
  readonly scheme: string;
  /** With its port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly text: string;

  constructor(parts: { readonly scheme: string; readonly host: string; readonly path: string; readonly query: string; readonly text: string }) {
    this.scheme = parts.scheme;
    this.host = parts.host;
    this.path = parts.path;
    this.query = parts.query;
    this.text = parts.text;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** What is wrong with a URL, in Go's words. */
export class UrlError extends Error {
  constructor(text: string, why: string) {
    super(`parse ${JSON.stringify(text)}: ${why}`);
    this.name = 'UrlError';
  }
}

/** Hosts escape what is not ASCII, and the percent sign. */
const plainEscape = /%(?!25)[0-7][0-9a-fA-F]/;
const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/su;

/** As url.ParseRequestURI judges it and url.Parse takes it apart: absolute, or a path. Throws UrlError. */
export function parseUrl(text: string): CelUrl {
  const fail = (why: string): never => {
    throw new UrlError(text, why);
  };
  if ([...text].some((letter) => letter < ' ' || letter === '\x7f')) fail('net/url: invalid control character in URL');
  if (text === '') fail('empty url');
  const [before = ''] = text.split('#', 1);
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  if (scheme === '' && text.startsWith(':')) fail('missing protocol scheme');
  if (scheme === '' && /^[^/]*:/.test(text))
    fail(/^[a-zA-Z0-9+.-]*:/.test(text) ? 'first path segment in URL cannot contain colon' : 'invalid URI for request');
  const rest = scheme === '' ? before : before.slice(scheme.length + 1);
  if (text === '*') return new CelUrl({ scheme: '', host: '', path: '*', query: '', text });
  if (!rest.startsWith('/')) {
    if (scheme === '') fail('invalid URI for request');
    return new CelUrl({ scheme: scheme.toLowerCase(), host: '', path: '', query: cut(rest)[1], text });
  }
  const [place, query] = cut(rest);
  // Without a scheme, three slashes begin a path.
  const hasAuthority = place.startsWith('//') && (scheme !== '' || !place.startsWith('///'));
  const end = hasAuthority ? place.indexOf('/', 2) : 0;
  const authority = hasAuthority ? place.slice(2, end < 0 ? undefined : end) : '';
  const path = end < 0 ? '' : place.slice(end);
  const host = checkedHost(authority.slice(authority.lastIndexOf('@') + 1), fail);
  const escape = badEscape.exec(path)?.[0];
  if (escape !== undefined) fail(`invalid URL escape ${JSON.stringify(escape)}`);
  return new CelUrl({ scheme: scheme.toLowerCase(), host, path, query, text });
}

function cut(text: string): readonly [before: string, query: string] {
  const at = text.indexOf('?');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function checkedHost(host: string, fail: (why: string) => never): string {
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    if (close < 0) fail("missing ']' in host");
    const port = host.slice(close + 1);
    if (!/^(?::\d*)?$/.test(port)) fail(`invalid port ${JSON.stringify(port)} after host`);
    return host;
  }
  const bad = /[\s"<>\\^`{|}]/.exec(host)?.[0];
  if (bad !== undefined) fail(`invalid character ${JSON.stringify(bad)} in host name`);
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) fail(`invalid port ${JSON.stringify(host.slice(colon))} after host`);
  const escape = badEscape.exec(host)?.[0] ?? plainEscape.exec(host)?.[0];
  if (escape !== undefined) fail(`invalid URL escape ${JSON.stringify(escape)}`);
  return host;
}

function urlOf(text: string): CelUrl {
  try {
    return parseUrl(text);
  } catch (error) {
    throw error instanceof UrlError ? new CelError(`URL parse error during conversion from string: ${error.message}`) : error;
  }
}

export function isUrl(text: string): boolean {
  try {
    parseUrl(text);
    return true;
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

const portOf = ({ host }: CelUrl): string => /:(\d*)$/.exec(host)?.[1] ?? '';
const hostnameOf = ({ host }: CelUrl): string => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');

/** What Go's EscapedPath would write where the text has something that must be escaped. */
function escapedPath({ path }: CelUrl): string {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*%[\]]/gu, (letter) => encodeURIComponent(letter));
}

function queryOf({ query }: CelUrl): CelMap {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const [key, value] = (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map(unescaped);
    if (key === undefined || value === undefined) continue;
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return celMap(found);
}

/** Undefined where it is escaped badly: Go drops such a pair. */
function unescaped(text: string): string | undefined {
  if (badEscape.test(text)) return undefined;
  const bytes = new Uint8Array([...new TextEncoder().encode(text.replaceAll('+', ' ')).values()].reduce<number[]>((all, byte) => [...all, byte], []));
  const plain: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== 37) plain.push(bytes[i] as number);
    else {
      plain.push(Number.parseInt(String.fromCharCode(bytes[i + 1] as number, bytes[i + 2] as number), 16));
      i += 2;
    }
  }
  return new TextDecoder().decode(Uint8Array.from(plain));
}

const traversal = { cost: ([size = 0]: readonly number[]) => Math.ceil(size * traversalCost), spend: traversed() };
const u = urlType;

export const urlFunctions: readonly Overload[] = [
  global('url', [string], u, urlOf, traversal),
  global('isURL', [string], bool, isUrl, { cost: traversal.cost, spend: () => 1 }),
  member('getScheme', [u], string, ({ scheme }: CelUrl) => scheme),
  member('getHost', [u], string, ({ host }: CelUrl) => host),
  member('getHostname', [u], string, hostnameOf),
  member('getPort', [u], string, portOf),
  member('getEscapedPath', [u], string, escapedPath),
  member('getQuery', [u], mapOf(string, listOf(string)), queryOf),
];
