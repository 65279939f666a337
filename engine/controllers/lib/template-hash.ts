/**
 * The pod-template-hash. Mirrors ComputeHash of pkg/controller/controller_utils.go in its parts (FNV-32a, collision count, safe
 * alphabet); what is hashed is the template's JSON with sorted keys, since Go's memory dump cannot be had here.
 */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

export function templateHash(template: unknown, collisionCount: number | undefined): string {
  let hash = fnv32a(0x811c9dc5, new TextEncoder().encode(sortedJson(template)));
  if (collisionCount !== undefined) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setUint32(0, collisionCount, true);
    hash = fnv32a(hash, bytes);
  }
  return safeEncode(String(hash >>> 0));
}

/** Only characters that make no words. */
export function safeEncode(text: string): string {
  let encoded = '';
  for (const character of text) encoded += alphabet[(character.codePointAt(0) ?? 0) % alphabet.length];
  return encoded;
}

function fnv32a(start: number, bytes: Uint8Array): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, child: unknown) => {
    if (typeof child === 'bigint') return String(child);
    if (typeof child !== 'object' || child === null || Array.isArray(child)) return child;
    return Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
