/**
 * Who asks a daemon: a proxy that names the user, a client with a certificate, a token that the API server reviews, nobody. Mirrors
 * apiserver pkg/authentication/authenticatorfactory/delegating.go and pkg/server/options/authentication.go.
 */
import { createHash } from 'node:crypto';
import type { ConfigMap } from '../../api/core/v1/types.gen.ts';
import type { TokenReview } from '../../api/authentication/v1/types.gen.ts';
import { anonymous } from '../../apiserver/auth/authenticator.ts';
import type { Identity } from '../../contracts/request.ts';
import type { ServedRequest } from '../../serving/exchange.ts';
import { Connection } from '../remote/connection.ts';
import { AnswerCache } from './answer-cache.ts';
import { badUsage, type FlagValues } from './flag-set.ts';
import type { DaemonLog } from './log.ts';
import { reviewServer } from './review-server.ts';
import { readFileOf } from './daemon-certificates.ts';
import { fingerprints } from '../trust.ts';
import { percentDecoded } from '../../base/text.ts';

const authenticated = 'system:authenticated';
const configName = 'extension-apiserver-authentication';
const configPath = `/api/v1/namespaces/kube-system/configmaps/${configName}`;
const place = 'authentication';

/** Whom a proxy may speak for, and how. */
interface HeaderTrust {
  readonly pem: string;
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

export interface Authentication {
  /** Of all who sign certificates of clients and proxies. */
  readonly authoritiesPem: string;
  /** Undefined for a credential that is there and that nobody believes. */
  identify(request: ServedRequest): Promise<Identity | undefined>;
  close(): void;
}

/** Throws a CommandError for files that cannot be read, and for a lookup that failed and may not. */
export async function delegatedAuthentication(flags: FlagValues, log: DaemonLog, nowMs: () => number): Promise<Authentication> {
  const server = reviewServer(flags, 'authentication');
  const connection = server === undefined ? undefined : new Connection(server, 'wavetank-delegated-authentication');
  let clientPem = authorityOf(flags, 'client-ca-file', 'unable to load client CA provider');
  let headers = headerTrust(flags);
  if (connection !== undefined && !flags.isOn('authentication-skip-lookup') && (clientPem === '' || headers === undefined)) {
    const found = await lookup(connection, flags, log);
    clientPem ||= found.clientPem;
    headers ??= found.headers;
  }
  return new Delegated(clientPem, headers, connection, flags.milliseconds('authentication-token-webhook-cache-ttl'), log, nowMs);
}

class Delegated implements Authentication {
  readonly authoritiesPem: string;
  readonly #clientRoots: ReadonlySet<string>;
  readonly #headerRoots: ReadonlySet<string>;
  readonly #headers: HeaderTrust | undefined;
  readonly #connection: Connection | undefined;
  readonly #ttlMs: number;
  readonly #log: DaemonLog;
  readonly #tokens: AnswerCache<Identity | 'unknown'>;

  constructor(
    clientPem: string,
    headers: HeaderTrust | undefined,
    connection: Connection | undefined,
    ttlMs: number,
    log: DaemonLog,
    nowMs: () => number,
  ) {
    this.authoritiesPem = `${clientPem}\n${headers?.pem ?? ''}`.trim();
    this.#clientRoots = fingerprints(clientPem);
    this.#headerRoots = fingerprints(headers?.pem ?? '');
    this.#headers = headers;
    this.#connection = connection;
    this.#ttlMs = ttlMs;
    this.#log = log;
    this.#tokens = new AnswerCache(nowMs);
  }

  async identify(request: ServedRequest): Promise<Identity | undefined> {
    const known = this.#byProxy(request) ?? this.#byCertificate(request) ?? (await this.#byToken(request));
    if (known === 'unknown') return undefined;
    return known === undefined
      ? anonymous
      : { ...known, groups: known.groups.includes(authenticated) ? known.groups : [...known.groups, authenticated] };
  }

  close(): void {
    this.#connection?.close();
  }

  #byProxy({ peer, headers }: ServedRequest): Identity | undefined {
    const trust = this.#headers;
    if (trust === undefined || peer === undefined || 'problem' in peer || !this.#headerRoots.has(peer.authority ?? '')) return undefined;
    if (trust.allowedNames.length > 0 && !trust.allowedNames.includes(peer.commonName)) return undefined;
    const valuesOf = (name: string): readonly string[] => [headers[name.toLowerCase()] ?? []].flat();
    const name = trust.userHeaders.flatMap(valuesOf).find((value) => value !== '');
    if (name === undefined) return undefined;
    return { name, groups: trust.groupHeaders.flatMap(valuesOf), extra: extraOf(headers, trust.extraPrefixes) };
  }

  #byCertificate({ peer }: ServedRequest): Identity | 'unknown' | undefined {
    if (peer === undefined) return undefined;
    if ('problem' in peer) return this.#clientRoots.size === 0 ? undefined : 'unknown';
    if (!this.#clientRoots.has(peer.authority ?? '') || peer.commonName === '') return undefined;
    return { name: peer.commonName, groups: peer.organizations };
  }

  async #byToken({ headers }: ServedRequest): Promise<Identity | 'unknown' | undefined> {
    const [scheme = '', token = ''] = String(headers['authorization'] ?? '')
      .trim()
      .split(' ');
    if (scheme.toLowerCase() !== 'bearer' || token === '' || this.#connection === undefined) return undefined;
    const key = createHash('sha256').update(token).digest('hex');
    const kept = this.#tokens.get(key);
    if (kept !== undefined) return kept;
    const answer = await this.#review(token);
    this.#tokens.set(key, answer, this.#ttlMs);
    return answer;
  }

  async #review(token: string): Promise<Identity | 'unknown'> {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    try {
      const answer = await this.#connection?.call<TokenReview>('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
      const { authenticated: isKnown, user, error } = answer?.status ?? {};
      if (error !== undefined && error !== '') this.#log.info(place, `the token was not accepted: ${error}`, 2);
      if (isKnown !== true || user === undefined) return 'unknown';
      return { name: user.username ?? '', groups: user.groups ?? [], ...(user.extra === undefined ? {} : { extra: user.extra }) };
    } catch (error) {
      this.#log.error(place, `the token could not be reviewed: ${(error as Error).message}`);
      return 'unknown';
    }
  }
}

function authorityOf(flags: FlagValues, flag: string, problem: string): string {
  const path = flags.text(flag);
  if (path === '') return '';
  try {
    const pem = readFileOf(path);
    if (fingerprints(pem).size > 0) return pem;
  } catch (error) {
    throw badUsage(`${problem}: ${(error as Error).message}`);
  }
  throw badUsage(`${problem}: error loading CA file ${path}: data does not contain any valid RSA or ECDSA certificates`);
}

function headerTrust(flags: FlagValues): HeaderTrust | undefined {
  const pem = authorityOf(flags, 'requestheader-client-ca-file', 'unable to create request header authentication config');
  if (pem === '') return undefined;
  return {
    pem,
    allowedNames: flags.list('requestheader-allowed-names'),
    userHeaders: flags.list('requestheader-username-headers'),
    groupHeaders: flags.list('requestheader-group-headers'),
    extraPrefixes: flags.list('requestheader-extra-headers-prefix'),
  };
}

interface Found {
  readonly clientPem: string;
  readonly headers: HeaderTrust | undefined;
}

/** What the cluster publishes of whom it believes. */
async function lookup(connection: Connection, flags: FlagValues, log: DaemonLog): Promise<Found> {
  try {
    const { data = {} } = await connection.call<ConfigMap>('GET', configPath);
    const pem = data['requestheader-client-ca-file'] ?? '';
    const clientPem = data['client-ca-file'] ?? '';
    // What is no certificate is found out here, where it may be let pass.
    fingerprints(pem + clientPem);
    const listOf = (name: string): readonly string[] => JSON.parse(data[name] ?? '[]') as string[];
    const headers: HeaderTrust | undefined =
      pem === ''
        ? undefined
        : {
            pem,
            allowedNames: listOf('requestheader-allowed-names'),
            userHeaders: listOf('requestheader-username-headers'),
            groupHeaders: listOf('requestheader-group-headers'),
            extraPrefixes: listOf('requestheader-extra-headers-prefix'),
          };
    return { clientPem, headers };
  } catch (error) {
    const problem = `unable to load configmap based request-header-client-ca-file: ${(error as Error).message}`;
    if (!flags.isOn('authentication-tolerate-lookup-failure')) throw badUsage(problem);
    log.warning(place, problem);
    return { clientPem: '', headers: undefined };
  }
}

function extraOf(headers: ServedRequest['headers'], prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const extra: [string, readonly string[]][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const prefix = prefixes.find((one) => name.startsWith(one.toLowerCase()));
    if (prefix !== undefined && value !== undefined) extra.push([percentDecoded(name.slice(prefix.length)), [value].flat()]);
  }
  return Object.fromEntries(extra);
}
