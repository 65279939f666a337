/**
 * Who may use the page's endpoint. It is plain HTTP on loopback, where any other page the browser shows can send requests too: so
 * the Host must be ours (a foreign name means DNS rebinding), the Origin must be ours, and the API wants a session. A session is opened by
 * a link that works once: what stays in a browser's history, a terminal or a process list opens nothing any more.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { ServedRequest } from '../exchange.ts';

export interface PageTrust {
  readonly sessions: PageSessions;
  /** Known once the endpoint listens. */
  readonly port: number;
}

/** Browsers that may be signed in at the same time; the one that came first is signed out then. */
const sessionsMax = 64;
const secretBytes = 24;

/** One link that has not been used yet, and the sessions that links have opened. Secrets are kept and compared as digests. */
export class PageSessions {
  readonly #sessions: Set<string>;
  readonly #onChange: (digests: readonly string[]) => void;
  #link = makeSecret();

  /** `known` are digests of sessions that go on; `onChange` hears of all that there are then. */
  constructor(known: readonly string[] = [], onChange: (digests: readonly string[]) => void = () => undefined) {
    this.#sessions = new Set(known.slice(-sessionsMax));
    this.#onChange = onChange;
  }

  /** The token of the link that works now. */
  get link(): string {
    return this.#link;
  }

  /** The secret of a new session, for the token of the link; undefined for any other text. The link is another one afterwards. */
  open(token: string): string | undefined {
    if (digest(token) !== digest(this.#link)) return undefined;
    this.#link = makeSecret();
    const secret = makeSecret();
    this.#sessions.add(digest(secret));
    for (const oldest of this.#sessions) if (this.#sessions.size > sessionsMax) this.#sessions.delete(oldest);
    this.#onChange(this.digests);
    return secret;
  }

  /** Of the secrets of all sessions, the oldest first. */
  get digests(): readonly string[] {
    return [...this.#sessions];
  }

  has(secret: string): boolean {
    return this.#sessions.has(digest(secret));
  }
}

function makeSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** Whether the request was addressed to this endpoint by its own name and not sent by a page of someone else. */
export function isOwnRequest(trust: PageTrust, request: ServedRequest): boolean {
  const hosts = ownHosts(trust);
  if (!hosts.includes(header(request, 'host'))) return false;
  const origin = header(request, 'origin');
  if (origin !== '' && !hosts.some((host) => origin === `http://${host}`)) return false;
  return true;
}

/**
 * Whether the request carries the session's token. Browsers send the cookie with what other ports of this host ask for as well
 * (ports do not make a site), so with the cookie the browser must say that our own page asks.
 */
export function isCredentialed(trust: PageTrust, request: ServedRequest): boolean {
  const authorization = header(request, 'authorization');
  if (authorization !== '') return /^bearer /i.test(authorization) && trust.sessions.has(authorization.slice('bearer '.length).trim());
  const site = header(request, 'sec-fetch-site');
  if (site !== '' && site !== 'same-origin' && site !== 'none') return false;
  const cookie = readCookie(header(request, 'cookie'), cookieName(trust));
  return cookie !== undefined && trust.sessions.has(cookie);
}

/** Cookies are shared by all ports of a host: the name keeps two clusters on one machine apart. */
export function sessionCookie(trust: PageTrust, secret: string): string {
  return `${cookieName(trust)}=${encodeURIComponent(secret)}; Path=/; HttpOnly; SameSite=Strict`;
}

/** What the API sees of a request: the page's own credential is not one of the cluster's. */
export function withoutCredential(request: ServedRequest): ServedRequest {
  return { ...request, headers: { ...request.headers, authorization: undefined, cookie: undefined } };
}

export function securityHeaders(trust: PageTrust): Readonly<Record<string, string>> {
  const sockets = ownHosts(trust)
    .map((host) => `ws://${host}`)
    .join(' ');
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self' data:",
      `connect-src 'self' ${sockets}`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

export function header(request: ServedRequest, name: string): string {
  const value = request.headers[name];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(', ');
}

function ownHosts(trust: PageTrust): readonly string[] {
  return [`127.0.0.1:${trust.port}`, `localhost:${trust.port}`];
}

function cookieName(trust: PageTrust): string {
  return `wavetank-${trust.port}`;
}

function readCookie(text: string, name: string): string | undefined {
  for (const part of text.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    return decode(part.slice(equals + 1).trim());
  }
  return undefined;
}

/** Percent-decoded, or undefined when it is not percent-encoded text. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
