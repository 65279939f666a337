/** Signed JSON Web Tokens in the compact form, as upstream's pkg/serviceaccount writes and reads them. */
import { constants, createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { goQuote } from '../apimachinery/quote.ts';
import type { Read } from '../apiserver/auth/token-claims.ts';
import { isObject, type JsonValue } from '../base/json.ts';
import type { PublishedIssuer } from '../contracts/tokens.ts';
import { signForJose } from '../serving/deterministic-ecdsa.ts';
import { bytesOf, documentOf, readHeader } from './jwt-header.ts';

export type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'RS256';

const badSignature = 'go-jose/go-jose: error in cryptographic primitive';

/** The digest that is signed; Ed25519 signs the text itself. */
const digests: { readonly [algorithm in Algorithm]: string | null } = {
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  EdDSA: null,
  RS256: 'sha256',
};
const curves: ReadonlyMap<string, Algorithm> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/** A key that somebody may have signed with. */
interface KnownKey {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  readonly id: string;
}

/** How upstream signs with such a key; undefined for one that it does not sign with. */
export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  return asymmetricKeyType === 'ec' ? curves.get(asymmetricKeyDetails?.namedCurve ?? '') : undefined;
}

export class JwtIssuer {
  /** The first signs; tokens of the others are read too. */
  readonly #issuers: readonly string[];
  readonly #signing: KeyObject;
  readonly #own: KnownKey;
  readonly #known: readonly KnownKey[];

  /** `known` are keys that sign tokens which are read; the signing one's alone when absent. All are of kinds that `algorithmOf` knows. */
  constructor(issuers: readonly string[], signing: KeyObject, known: readonly KeyObject[] = [signing]) {
    this.#issuers = issuers;
    this.#signing = signing;
    this.#own = knownKey(signing);
    this.#known = known.map(knownKey);
  }

  /** For whoever checks its tokens. */
  get published(): PublishedIssuer {
    return { issuer: this.#issuers[0] ?? '', keys: this.#known.map(publishedKey) };
  }

  /** `claims` say who the issuer is, at the place that upstream gives it. The same claims give the same token. */
  sign(claims: object): string {
    const { algorithm, id } = this.#own;
    const text = `${encode({ alg: algorithm, kid: id })}.${encode(claims)}`;
    const bytes = Buffer.from(text);
    const signature = algorithm.startsWith('ES') ? signForJose(bytes, this.#signing) : sign(digests[algorithm], bytes, this.#signing);
    return `${text}.${signature.toString('base64url')}`;
  }

  /** The claims, whose signature is good, as `read` finds them in the document; undefined for what is no token of this issuer at all. */
  read<Claims extends { readonly iss?: string }>(token: string, read: (document: JsonValue) => Read<Claims>): Read<Claims> | undefined {
    const [head = '', body = '', last = '', ...more] = token.split('.');
    const claims = documentOf(body);
    if (more.length > 0 || claims === undefined || !this.#issuers.includes(issuerOf(claims.value) ?? '')) return undefined;
    const [header, signature] = [readHeader(head), bytesOf(last)];
    if (header === undefined || signature === undefined) return undefined;
    const keys = header.keyId === '' ? this.#known : this.#known.filter(({ id }) => id === header.keyId);
    if (keys.length === 0) return { error: 'invalid signature, no keys found' };
    const { critical } = header;
    if ('error' in critical) return critical;
    const bytes = Buffer.from(header.isPlain ? `${head}.${bytesOf(body)?.toString()}` : `${head}.${body}`);
    const isUnderstood = critical.every((name) => name === 'b64');
    if (!isUnderstood || !keys.some((key) => isSignedBy(bytes, signature, header.algorithm, key))) return { error: badSignature };
    if (claims.repeated !== undefined) return { error: `json: duplicate key '${claims.repeated}' in object` };
    const found = read(claims.value);
    if ('error' in found || this.#issuers.includes(found.iss ?? '')) return found;
    return { error: `token issuer ${goQuote(found.iss ?? '')} is invalid` };
  }
}

/** Looked for before anything is verified, in letters of any case; undefined where it is no text. */
function issuerOf(claims: JsonValue): string | undefined {
  if (!isObject(claims)) return undefined;
  const named = Object.entries(claims).filter(([name, value]) => name.toLowerCase() === 'iss' && value !== null);
  return named.every(([, value]) => typeof value === 'string') ? (named.at(-1)?.[1] as string | undefined) : undefined;
}

function isSignedBy(bytes: Buffer, signature: Buffer, algorithm: string, { key, algorithm: own }: KnownKey): boolean {
  if (own !== 'RS256') return algorithm === own && verify(digests[own], bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
  // Who has a key of RSA takes all that can be done with it.
  const [, scheme, bits] = /^(RS|PS)(256|384|512)$/.exec(algorithm) ?? [];
  if (scheme === undefined) return false;
  const padding = scheme === 'PS' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  return verify(`sha${bits}`, bytes, { key, padding }, signature);
}

function knownKey(key: KeyObject): KnownKey {
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) throw new Error(`nobody signs tokens with a key of type ${key.asymmetricKeyType}`);
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return { key: publicKey, algorithm, id: keyIdOf(publicKey) };
}

function publishedKey({ key, algorithm, id }: KnownKey): PublishedIssuer['keys'][number] {
  const { kty = '', ...numbers } = key.export({ format: 'jwk' }) as { readonly [member: string]: string };
  return { algorithm, jwk: { use: 'sig', kty, kid: id, ...inOrder(numbers), alg: algorithm } };
}

/** As go-jose writes them. */
function inOrder({ crv, ...rest }: { readonly [member: string]: string }): { readonly [member: string]: string } {
  return { ...(crv === undefined ? {} : { crv }), ...rest };
}

function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
