/**
 * Tokens of OpenID issuers: their keys are fetched over HTTPS, and again when a token names one that is not known, while the request
 * waits. Their times are those of the wall, as an issuer's are. Mirrors apiserver plugin/pkg/authenticator/token/oidc.
 */
import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { Agent, get } from 'node:https';
import { sharedAudiences, type TokenAuthenticator } from '../apiserver/auth/authenticator.ts';
import { ClaimsError, createClaimsMapper } from '../apiserver/auth/jwt/claims.ts';
import type { JwtIssuerConfiguration } from '../apiserver/auth/jwt/configuration.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Authenticated } from '../contracts/tokens.ts';
import type { Identity } from '../contracts/request.ts';
import { readText } from './answer-text.ts';
import { trusting } from './trust.ts';

const bytesMax = 1_000_000;
const timeoutMs = 30_000;
const fetchPauseMs = 10_000;
/** As who tells a question about an issuer's keys from others. */
export const keysPrefix = 'oidc/';

const digests: ReadonlyMap<string, string> = new Map([
  ['256', 'sha256'],
  ['384', 'sha384'],
  ['512', 'sha512'],
]);

interface Key {
  readonly id: string;
  readonly key: KeyObject;
}

interface Token {
  readonly header: { readonly alg?: unknown; readonly kid?: unknown };
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Buffer;
}

export class OidcIssuer {
  readonly #configuration: JwtIssuerConfiguration;
  readonly #identityOf: (claims: JsonObject) => Identity;
  readonly #agent: Agent;
  readonly #nowMs: () => number;
  #keys: readonly Key[] | undefined;
  #fetchedMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(configuration: JwtIssuerConfiguration, nowMs: () => number) {
    this.#configuration = configuration;
    this.#identityOf = createClaimsMapper(configuration);
    this.#agent = new Agent(trusting(configuration.authoritiesPem));
    this.#nowMs = nowMs;
  }

  get url(): string {
    return this.#configuration.url;
  }

  /** `audiences` are the API server's own, which these tokens are good for. */
  authenticator(audiences: readonly string[]): TokenAuthenticator {
    return (token, wanted, ask) => {
      const parsed = parse(token);
      if (parsed === undefined || parsed.claims['iss'] !== this.url) return undefined;
      const shared = sharedAudiences(audiences, wanted ?? audiences);
      if (wanted !== undefined && shared.length === 0) return undefined;
      if (this.#keyOf(parsed) === undefined && this.#mayFetch)
        ask({ to: `${keysPrefix}${this.url}`, body: {}, timeoutMs, letsTimePass: true, about: { verb: 'get', path: this.url } });
      return this.#judge(parsed, shared);
    };
  }

  /** Strangers' tokens that name keys which nobody has make nobody ask all the time. */
  get #mayFetch(): boolean {
    return this.#fetching !== undefined || this.#nowMs() - this.#fetchedMs >= fetchPauseMs;
  }

  /** Fetches the keys anew; all who want them meanwhile wait for the same answer. */
  fetchKeys(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
      this.#fetchedMs = this.#nowMs();
    });
    return this.#fetching;
  }

  #judge(token: Token, audiences: readonly string[]): Authenticated<Identity> {
    if (this.#keys === undefined) return { error: 'oidc: authenticator not initialized' };
    const fault = wrongToken(token.claims, this.#configuration, this.#nowMs()) ?? this.#wrongSignature(token);
    if (fault !== undefined) return { error: `oidc: verify token: ${fault}` };
    try {
      return { identity: this.#identityOf(token.claims), audiences };
    } catch (error) {
      if (error instanceof ClaimsError) return { error: error.message };
      throw error;
    }
  }

  #keyOf({ header: { kid } }: Token): readonly Key[] | undefined {
    const found = this.#keys?.filter(({ id }) => typeof kid !== 'string' || kid === '' || id === kid);
    return found === undefined || found.length === 0 ? undefined : found;
  }

  #wrongSignature(token: Token): string | undefined {
    const { alg } = token.header;
    const { algorithms } = this.#configuration;
    if (typeof alg !== 'string' || !algorithms.includes(alg))
      return `oidc: malformed jwt: go-jose/go-jose: unexpected signature algorithm ${goQuote(String(alg))}; expected [${algorithms.map(goQuote).join(' ')}]`;
    const isSigned = (this.#keyOf(token) ?? []).some(({ key }) => isSignedBy(key, alg, token));
    return isSigned ? undefined : 'failed to verify signature: failed to verify id token signature';
  }

  async #fetch(): Promise<void> {
    const { url, discoveryUrl } = this.#configuration;
    const discovery = await this.#get(discoveryUrl === '' ? `${url.replace(/\/$/, '')}/.well-known/openid-configuration` : discoveryUrl);
    if (discovery['issuer'] !== url)
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(url)} got ${goQuote(String(discovery['issuer']))}`,
      );
    const { jwks_uri: place } = discovery as { readonly jwks_uri?: JsonValue };
    if (typeof place !== 'string' || !place.startsWith('https://')) throw new Error(`oidc: the keys of ${url} are not at an HTTPS URL`);
    const { keys } = await this.#get(place);
    this.#keys = (Array.isArray(keys) ? (keys as readonly JsonValue[]) : []).flatMap(keyOf);
  }

  #get(url: string): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const asked = get(url, { agent: this.#agent, headers: { accept: 'application/json' }, timeout: timeoutMs }, (response) => {
        readText(response, bytesMax).then((text) => {
          if (response.statusCode !== 200) return reject(new Error(`${response.statusCode} ${response.statusMessage}: ${text}`));
          try {
            const value = JSON.parse(text) as JsonValue;
            if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no object');
            resolve(value as JsonObject);
          } catch (error) {
            reject(new Error(`${url} answered no JSON object: ${(error as Error).message}`));
          }
        }, reject);
      });
      asked.on('timeout', () => asked.destroy(new Error(`${url} did not answer in time`)));
      asked.on('error', reject);
    });
  }
}

/** A key that cannot be read is none, as for upstream's library. */
function keyOf(value: JsonValue): readonly Key[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const jwk = value as JsonObject;
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') return [];
  try {
    return [{ id: typeof jwk['kid'] === 'string' ? jwk['kid'] : '', key: createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }) }];
  } catch {
    return [];
  }
}

function isSignedBy(key: KeyObject, algorithm: string, { signed, signature }: Token): boolean {
  const digest = digests.get(algorithm.slice(2)) ?? '';
  const type = key.asymmetricKeyType;
  const wanted = algorithm.startsWith('ES') ? 'ec' : 'rsa';
  if (type !== wanted) return false;
  const padding = algorithm.startsWith('PS')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : wanted === 'rsa'
      ? { padding: constants.RSA_PKCS1_PADDING }
      : { dsaEncoding: 'ieee-p1363' as const };
  return verify(digest, Buffer.from(signed), { key, ...padding }, signature);
}

/** As Go prints a time; one that is not told is Go's first. */
function timeText(seconds: unknown): string {
  const isTold = typeof seconds === 'number' && Math.abs(seconds) < 1e11;
  return isTold
    ? formatTime(seconds * 1000)
        .replace('T', ' ')
        .replace('Z', ' +0000 UTC')
    : '0001-01-01 00:00:00 +0000 UTC';
}

function wrongToken(claims: JsonObject, { audiences }: JwtIssuerConfiguration, nowMs: number): string | undefined {
  const { aud, exp, nbf } = claims as { readonly [name: string]: JsonValue | undefined };
  const given = typeof aud === 'string' ? [aud] : Array.isArray(aud) ? (aud as readonly JsonValue[]).filter((one) => typeof one === 'string') : [];
  if (!given.some((audience) => audiences.includes(audience)))
    return `oidc: expected audience in [${audiences.map(goQuote).join(' ')}] got [${given.map(goQuote).join(' ')}]`;
  if (typeof exp !== 'number' || exp * 1000 < nowMs) return `oidc: token is expired (Token Expiry: ${timeText(exp)})`;
  // Clocks may differ by five minutes.
  if (typeof nbf === 'number' && nbf * 1000 > nowMs + 300_000)
    return `oidc: current time ${timeText(nowMs / 1000)} before the nbf (not before) time: ${timeText(nbf)}`;
  return undefined;
}

function parse(token: string): Token | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const [header, claims] = [objectOf(head), objectOf(body)];
  if (more.length > 0 || header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function objectOf(part: string): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString()) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
