/** Signed tokens of one issuer under one key: JSON Web Tokens in the compact form, as upstream's pkg/serviceaccount writes and reads them. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { PublishedIssuer } from '../contracts/tokens.ts';
import { signForJose } from '../serving/deterministic-ecdsa.ts';

const badSignature = 'go-jose/go-jose: error in cryptographic primitive';

/** The digest that is signed; Ed25519 signs the text itself. */
const digests = { ES256: 'sha256', EdDSA: null, RS256: 'sha256' } as const;

export class JwtIssuer {
  readonly #issuer: string;
  readonly #algorithm: keyof typeof digests;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;

  constructor(issuer: string, algorithm: keyof typeof digests, key: KeyObject) {
    this.#issuer = issuer;
    this.#algorithm = algorithm;
    this.#key = key;
    this.#publicKey = createPublicKey(key);
    this.#keyId = keyIdOf(this.#publicKey);
  }

  /** For whoever checks its tokens. */
  get published(): PublishedIssuer {
    const { kty = '', ...numbers } = this.#publicKey.export({ format: 'jwk' }) as { readonly [member: string]: string };
    return {
      issuer: this.#issuer,
      algorithm: this.#algorithm,
      key: { use: 'sig', kty, kid: this.#keyId, ...numbers, alg: this.#algorithm },
    };
  }

  /** `claims` say who the issuer is, at the place that upstream gives it. The same claims give the same token. */
  sign(claims: object): string {
    const text = `${encode({ alg: this.#algorithm, kid: this.#keyId })}.${encode(claims)}`;
    const bytes = Buffer.from(text);
    const signature = this.#algorithm === 'ES256' ? signForJose(bytes, this.#key) : sign(digests[this.#algorithm], bytes, this.#key);
    return `${text}.${signature.toString('base64url')}`;
  }

  /** The claims, whose signature is good; undefined for what is no token of this issuer at all. */
  read<Claims extends object>(token: string): Claims | { readonly error: string } | undefined {
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    const claims = decode(body) as (Claims & { readonly iss?: unknown }) | undefined;
    const header = decode(head) as { readonly alg?: unknown; readonly kid?: unknown } | undefined;
    if (more.length > 0 || claims?.iss !== this.#issuer || header === undefined) return undefined;
    if (header.kid !== undefined && header.kid !== this.#keyId) return { error: 'invalid signature, no keys found' };
    if (header.alg !== this.#algorithm) return { error: badSignature };
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const isSigned = verify(digests[this.#algorithm], Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
    return isSigned ? claims : { error: badSignature };
  }
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
