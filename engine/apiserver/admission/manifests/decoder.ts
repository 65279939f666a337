/** A document of a manifest as an object: strictly, of the kinds that admission is configured by. Mirrors k8s.io/apimachinery pkg/runtime/serializer/json. */
import { goQuote } from '../../../apimachinery/quote.ts';
import type { SchemaRegistry } from '../../../apimachinery/schema.ts';
import { decodeJson, encodeJson } from '../../../apimachinery/serializer/json.ts';
import type { DecodedJson } from '../../../apimachinery/serializer/json-reader.ts';
import { DecodeError } from '../../../apimachinery/serializer/scalars.ts';
import { decodeFirstYaml } from '../../../apimachinery/serializer/yaml.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { Codec } from '../../codec.ts';
import { createDefaultCodec } from '../../default-codec.ts';
import { kindProbe } from '../../../apimachinery/serializer/go-names.ts';

/** What is wrong with a manifest, in one line. */
export class ManifestFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ManifestFault';
  }
}

export interface DecodedManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
}

const group = 'admissionregistration.k8s.io';
const versionOf: ReadonlyMap<string, string> = new Map(['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${group}/${version}`, version]));
/** What else may be named, in whatever version: a list of anything, and a Status, which is refused later. */
const unversioned = ['List', 'Status'];
const listFields = ['kind', 'apiVersion', 'metadata', 'items'];

/** As Go calls it. */
export function goTypeOf({ apiVersion, kind }: Pick<DecodedManifest, 'apiVersion' | 'kind'>): string {
  return `*${unversioned.includes(kind) ? 'v1' : (versionOf.get(apiVersion) ?? apiVersion)}.${kind}`;
}

/** Whether it is a list of anything. */
export function isGenericList({ kind }: Pick<DecodedManifest, 'kind'>): boolean {
  return kind === 'List';
}

export class ManifestDecoder {
  readonly #schemas: SchemaRegistry;
  readonly #codec: Codec;

  constructor(schemas: SchemaRegistry) {
    this.#schemas = schemas;
    this.#codec = createDefaultCodec(schemas);
  }

  /** Throws ManifestFault. */
  decode(text: string): DecodedManifest {
    const isJson = text.trimStart().startsWith('{');
    const { value, duplicates } = isJson ? read(() => decodeJson(text), probing) : read(() => decodeFirstYaml(text));
    if (value !== null && !isObject(value)) throw new ManifestFault(probing(notAnObject(value)));
    const { apiVersion, kind } = value ?? {};
    if (typeof kind !== 'string' || kind === '') throw new ManifestFault(`Object 'Kind' is missing in '${text}'`);
    if (typeof apiVersion !== 'string' || apiVersion === '') throw new ManifestFault(`Object 'apiVersion' is missing in '${text}'`);
    const named = { apiVersion, kind };
    if (unversioned.includes(kind)) return { ...named, object: this.#untyped(value as JsonObject, kind, duplicates) };
    const version = versionOf.get(apiVersion);
    const schema = version === undefined ? undefined : this.#schemas.get(`io.k8s.api.admissionregistration.${version}.${kind}`);
    if (!schema?.fields.some(({ name }) => name === 'apiVersion'))
      throw new ManifestFault(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
    const media = isJson ? 'application/json' : 'application/yaml';
    const decoded = read(() => this.#codec.decode(media, new TextEncoder().encode(text), schema));
    mustBeStrict(decoded.strictErrors);
    return { ...named, object: decoded.value as JsonObject };
  }

  #untyped(value: JsonObject, kind: string, duplicates: readonly string[]): JsonObject {
    const { metadata } = value;
    const known = this.#schemas.mustGet('io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta').fields.map(({ name }) => name);
    const unknown = [
      ...(isObject(metadata) ? namesBesides(metadata, known).map((name) => `metadata.${name}`) : []),
      ...(kind === 'List' ? namesBesides(value, listFields) : []),
    ];
    mustBeStrict([...duplicates, ...unknown.map((name) => `unknown field ${goQuote(name)}`)]);
    return value;
  }

  /** What stands in a list of anything. */
  decodeItem(item: JsonValue): DecodedManifest {
    return this.decode(encodeJson(item));
  }
}

function namesBesides(object: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(object).filter((name) => !known.includes(name));
}

function mustBeStrict(errors: readonly string[]): void {
  if (errors.length > 0) throw new ManifestFault(`strict decoding error: ${errors.join(', ')}`);
}

function read<T extends DecodedJson | ReturnType<Codec['decode']>>(step: () => T, worded = (text: string): string => text): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof DecodeError) throw new ManifestFault(worded(error.message));
    throw error;
  }
}

function probing(text: string): string {
  return `couldn't get version/kind; json parse error: ${text}`;
}

function notAnObject(value: JsonValue): string {
  const what = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${what} into Go value of type ${kindProbe}`;
}
