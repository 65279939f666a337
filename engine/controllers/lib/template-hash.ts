/** Hashes that name things made of a template. Mirrors ComputeHash of pkg/controller/controller_utils.go and HashControllerRevision of pkg/controller/history. */
import { type GoForms, printGo } from '../../apimachinery/go-print.ts';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** The pod-template-hash: FNV-1a (32 bits) of the template as Go prints it, then of the count of collisions where there is one. */
export function templateHash(forms: GoForms, template: unknown, collisionCount: number | undefined): string {
  let hash = fnv32a(offsetBasis, new TextEncoder().encode(printGo(forms, template)));
  if (collisionCount !== undefined) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setUint32(0, collisionCount, true);
    hash = fnv32a(hash, bytes);
  }
  return safeEncode(String(hash >>> 0));
}

/** FNV-1a (32 bits) of a text. */
export function hashOfText(text: string): string {
  return safeEncode(String(fnv32a(offsetBasis, new TextEncoder().encode(text)) >>> 0));
}

/** The hash of a revision's data: FNV-1 (32 bits) of its JSON text, then of the count of collisions as decimal text. */
export function revisionHash(data: string, collisionCount: number | undefined): string {
  const text = collisionCount === undefined ? data : `${data}${collisionCount}`;
  return safeEncode(String(fnv32(offsetBasis, new TextEncoder().encode(text)) >>> 0));
}

/** Only characters that make no words. */
function safeEncode(text: string): string {
  let encoded = '';
  for (const character of text) encoded += alphabet[(character.codePointAt(0) ?? 0) % alphabet.length];
  return encoded;
}

function fnv32a(start: number, bytes: Uint8Array): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash;
}

function fnv32(start: number, bytes: Uint8Array): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash, prime) ^ byte;
  return hash;
}
