/** The head of a signed token in the compact form, as go-jose reads it. */
import { createPublicKey, type JsonWebKey, X509Certificate } from 'node:crypto';
import { decodeJson } from '../apimachinery/serializer/json.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import { misfit } from '../apiserver/auth/token-claims.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';

export interface JwtHeader {
  readonly algorithm: string;
  /** Of the key that signed; empty where nothing says so. */
  readonly keyId: string;
  /** What a reader has to understand; `error`: what is wrong with that list. */
  readonly critical: readonly string[] | { readonly error: string };
  /** What is signed is the payload itself, and not its base64. */
  readonly isPlain: boolean;
}

export interface JwtPart {
  readonly value: JsonValue;
  /** A key that stands twice in it. */
  readonly repeated?: string;
}

/** The bytes of a part; undefined for what is not base64 without padding, in the alphabet of URLs. */
export function bytesOf(part: string): Buffer | undefined {
  return /^[\w-]*$/.test(part) && part.length % 4 !== 1 ? Buffer.from(part, 'base64url') : undefined;
}

/** The document in a part; undefined where there is none. */
export function documentOf(part: string): JwtPart | undefined {
  const bytes = bytesOf(part);
  if (bytes === undefined) return undefined;
  try {
    const { value, duplicates } = decodeJson(bytes.toString());
    const path = /^duplicate field "(.*)"$/.exec(duplicates[0] ?? '')?.[1];
    if (path === undefined) return { value };
    return { value, repeated: isObject(value) && Object.hasOwn(value, path) ? path : path.slice(path.lastIndexOf('.') + 1) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}

/** Undefined for what cannot be a head. An empty one says nothing. */
export function readHeader(part: string): JwtHeader | undefined {
  const head = part === '' ? { value: null } : documentOf(part);
  if (head === undefined || head.repeated !== undefined || !(head.value === null || isObject(head.value))) return undefined;
  const fields: JsonObject = head.value ?? {};
  const texts = ['alg', 'kid', 'nonce'].map((name) => fields[name] ?? '');
  if (!texts.every((text) => typeof text === 'string') || !isKey(fields['jwk'] ?? null) || !isChain(fields['x5c'] ?? null)) return undefined;
  const [algorithm = '', keyId = ''] = texts;
  return { algorithm, keyId, critical: criticalOf(fields['crit'] ?? null), isPlain: fields['b64'] === false };
}

function criticalOf(value: JsonValue): JwtHeader['critical'] {
  if (value === null) return [];
  if (!isList(value)) return { error: misfit(value, '[]string') };
  const other = value.find((name) => name !== null && typeof name !== 'string');
  return other === undefined ? value.map((name) => String(name ?? '')) : { error: misfit(other, 'string') };
}

/** A key that stands in a head is a public one. */
function isKey(value: JsonValue): boolean {
  if (value === null) return true;
  if (!isObject(value) || 'd' in value) return false;
  try {
    createPublicKey({ key: value as JsonWebKey, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function isChain(value: JsonValue): boolean {
  if (value === null) return true;
  return isList(value) && value.every((certificate) => typeof certificate === 'string' && isCertificate(certificate));
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(Buffer.from(text, 'base64')).raw.length > 0;
  } catch {
    return false;
  }
}
