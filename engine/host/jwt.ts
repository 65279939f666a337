/** Signed JSON Web Tokens in the compact form, as upstream's pkg/serviceaccount writes and reads them. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { PublishedIssuer } from '../contracts/tokens.ts';
import { signForJose } from '../serving/deterministic-ecdsa.ts';

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

  /** The claims, whose signature is good; undefined for what is no token of this issuer at all. */
  read<Claims extends object>(token: string): Claims | { readonly error: string } | undefined {
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    const claims = decode(body) as (Claims & { readonly iss?: unknown }) | undefined;
    const header = decode(head) as { readonly alg?: unknown; readonly kid?: unknown } | undefined;
    if (more.length > 0 || !this.#issuers.some((issuer) => issuer === claims?.iss) || header === undefined) return undefined;
    const keys = header.kid === undefined || header.kid === '' ? this.#known : this.#known.filter(({ id }) => id === header.kid);
    if (keys.length === 0) return { error: 'invalid signature, no keys found' };
    const bytes = Buffer.from(`${head}.${body}`);
    const isSigned = keys.some((key) => header.alg === key.algorithm && isSignedBy(bytes, Buffer.from(signature, 'base64url'), key));
    return isSigned ? claims : { error: keys.length === 1 ? badSignature : `[${keys.map(() => badSignature).join(', ')}]` };
  }
}

function isSignedBy(bytes: Buffer, signature: Buffer, { key, algorithm }: KnownKey): boolean {
  return verify(digests[algorithm], bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
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

/** An object out of a part of a token; undefined for anything else. */
function decode(part: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
