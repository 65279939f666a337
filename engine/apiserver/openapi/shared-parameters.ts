/**
 * Parameters that version 2 says once, in the whole document, and refers to from its operations. Mirrors kube-openapi
 * pkg/builder/parameters.go: names are those that a real server gives, and so are exceptions.
 */
import { asBase64Url, encodeBase64 } from '../../base/base64.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { asMarshalled } from './names.ts';

/** kubectl up to 1.27 looks for these in operations, to see what a server can do. */
const lookedFor: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation']);
const ofEveryKind = '#/definitions/io.k8s.apimachinery';
const refPrefix = '#/parameters/';

export class SharedParameters {
  readonly #names = new Map<string, string>();
  readonly #all = new Map<string, JsonObject>();

  /** A reference to a parameter, or what was given where it is of one operation alone. */
  shared(parameter: JsonObject): JsonObject {
    if (!isShared(parameter)) return parameter;
    const text = asMarshalled(JSON.stringify(parameter));
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `${String(parameter['name'])}-${shortHash(text)}`;
      this.#names.set(text, name);
      this.#all.set(name, parameter);
    }
    return { $ref: refPrefix + name };
  }

  /** By their names, sorted. */
  all(): JsonObject {
    return Object.fromEntries([...this.#all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function isShared({ name, in: place, schema }: JsonObject): boolean {
  if (place === 'body') return refOf(schema).startsWith(ofEveryKind);
  return name !== 'name' && !(place === 'query' && lookedFor.has(String(name)));
}

function refOf(schema: JsonValue | undefined): string {
  const ref = typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as JsonObject)['$ref'] : undefined;
  return typeof ref === 'string' ? ref : '';
}

const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** The first six bytes of FNV-1 in 64 bits, in the alphabet of URLs. */
function shortHash(text: string): string {
  let hash = offset;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, hash * prime) ^ BigInt(byte);
  const hex = hash.toString(16).padStart(16, '0').slice(0, 12);
  return asBase64Url(encodeBase64(Uint8Array.from({ length: 6 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))));
}
