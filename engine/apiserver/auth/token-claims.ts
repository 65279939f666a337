/**
 * What stands in a token whose signature is right, read as Go reads it into its claims: whoever signed it may have written anything.
 * Mirrors the claims of pkg/serviceaccount/{claims,legacy}.go and of go-jose's jwt.Claims.
 */
import { goKind } from '../../apimachinery/serializer/go-names.ts';
import { setOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonValue } from '../../base/json.ts';
import type { VerifiedClaims, VerifiedSecretClaims } from '../../contracts/tokens.ts';

/** A text, a number of seconds, one text or a list of them, or claims within a claim. */
type Form = 'text' | 'date' | 'audiences' | Claims;
interface Claims {
  /** Go's name of it. */
  readonly type: string;
  readonly claims: { readonly [claim: string]: Form };
}

/** Claims that anybody's token has. */
const publicClaims: Claims = {
  type: 'jwt.Claims',
  claims: { iss: 'text', sub: 'text', aud: 'audiences', exp: 'date', nbf: 'date', iat: 'date', jti: 'text' },
};
const reference: Claims = { type: 'serviceaccount.ref', claims: { name: 'text', uid: 'text' } };
const boundClaims: Claims = {
  type: 'serviceaccount.privateClaims',
  claims: {
    'kubernetes.io': {
      type: 'serviceaccount.kubernetes',
      claims: { namespace: 'text', serviceaccount: reference, pod: reference, secret: reference, node: reference, warnafter: 'date' },
    },
  },
};
const ofSecret = 'kubernetes.io/serviceaccount';
const secretClaims: Claims = {
  type: 'serviceaccount.legacyPrivateClaims',
  claims: {
    [`${ofSecret}/service-account.name`]: 'text',
    [`${ofSecret}/service-account.uid`]: 'text',
    [`${ofSecret}/secret.name`]: 'text',
    [`${ofSecret}/namespace`]: 'text',
  },
};

/** Seconds beyond which Go's times run over. */
const secondsMax = 2 ** 63 - 62_135_596_800;
const neither = 'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience';
const noDate = 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate';

export type Read<C> = C | { readonly error: string };

/** Of a token that was asked for. */
export function readBoundClaims(document: JsonValue): Read<VerifiedClaims> {
  const read = readBoth(document, boundClaims);
  if ('error' in read) return read;
  const { 'kubernetes.io': bound, ...others } = read.claims as Partial<VerifiedClaims>;
  const { namespace = '', serviceaccount, pod, node, secret, warnafter } = bound ?? {};
  return {
    ...others,
    'kubernetes.io': {
      namespace,
      serviceaccount: named(serviceaccount),
      ...(pod && { pod: named(pod) }),
      ...(node && { node: named(node) }),
      ...(secret && { secret: named(secret) }),
      ...(warnafter !== undefined && { warnafter }),
    },
  };
}

/** Of one that a Secret holds. */
export function readSecretClaims(document: JsonValue): Read<VerifiedSecretClaims> {
  const read = readBoth(document, secretClaims);
  return 'error' in read ? read : (read.claims as VerifiedSecretClaims);
}

function named({ name = '', uid = '' }: { readonly name?: string; readonly uid?: string } = {}): { readonly name: string; readonly uid: string } {
  return { name, uid };
}

function readBoth(document: JsonValue, own: Claims): Read<{ readonly claims: object }> {
  const faults: string[] = [];
  const claims = { ...read(document, publicClaims, faults), ...read(document, own, faults) };
  const [error] = faults;
  return error === undefined ? { claims } : { error };
}

function read(value: JsonValue, { type, claims }: Claims, faults: string[]): object | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) {
    faults.push(misfit(value, type));
    return undefined;
  }
  const out: { [claim: string]: unknown } = {};
  for (const [name, inner] of Object.entries(value)) {
    const form = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (form === undefined || inner === undefined) continue;
    const read = readAs(inner as JsonValue, form, faults);
    if (read !== undefined) setOwn(out, name, read);
  }
  return out;
}

function readAs(value: JsonValue, form: Form, faults: string[]): unknown {
  if (typeof form === 'object') return read(value, form, faults);
  if (form === 'audiences') return audiencesOf(value, faults);
  if (value === null) return undefined;
  if (form === 'date') return secondsOf(value, faults);
  if (typeof value === 'string') return value;
  faults.push(misfit(value, 'string'));
  return undefined;
}

function audiencesOf(value: JsonValue, faults: string[]): readonly string[] | undefined {
  const list = typeof value === 'string' ? [value] : value;
  if (isList(list) && list.every((one) => typeof one === 'string')) return list;
  faults.push(neither);
  return undefined;
}

/** Whole seconds; what no time can be is longer ago than any. */
function secondsOf(value: JsonValue, faults: string[]): number | undefined {
  const seconds = typeof value === 'bigint' ? Number(value) : value;
  if (typeof seconds === 'number' && Number.isFinite(seconds)) return Math.abs(seconds) < secondsMax ? Math.trunc(seconds) : -(2 ** 63);
  faults.push(noDate);
  return undefined;
}

export function misfit(value: JsonValue, type: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go value of type ${type}`;
}
