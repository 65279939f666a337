/** The serializers of `apimachinery` as the HTTP adapter uses them. */
import { isObject, type JsonValue } from '../base/json.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { decodeJsonBody, shownText, yamlText } from '../apimachinery/serializer/body-text.ts';
import { canonicalizerOf } from '../apimachinery/serializer/canonicalize.ts';
import { cborNotation } from '../apimachinery/serializer/cbor/notation.ts';
import { cborNames, decodeCbor, decodeCborStruct } from '../apimachinery/serializer/cbor/reader.ts';
import { cborFault, unknownFieldAt } from '../apimachinery/serializer/cbor/typed.ts';
import { withSortedKeys } from '../apimachinery/serializer/key-order.ts';
import { CborWriter } from '../apimachinery/serializer/cbor/writer.ts';
import { Compiler } from '../apimachinery/serializer/compile.ts';
import { unwrapEnvelope } from '../apimachinery/serializer/envelope.ts';
import { encodeJson } from '../apimachinery/serializer/json.ts';
import type { DecodedJson } from '../apimachinery/serializer/json-reader.ts';
import { JsonIndenter } from '../apimachinery/serializer/json-indent.ts';
import { ProtobufCodec } from '../apimachinery/serializer/protobuf.ts';
import { createYamlEncoder, decodeFirstYaml, encodeYaml, type YamlDialect } from '../apimachinery/serializer/yaml.ts';
import { goTypeOf, unreadableNames } from '../apimachinery/serializer/go-names.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import type { Keeps, Tells } from '../apimachinery/serializer/walk.ts';
import { type Codec, type Decoded, NamesError } from './codec.ts';
import type { MediaType } from './negotiation.ts';

/** `toJson` may know the text of some objects already; `yaml` says how bodies in YAML are read. */
export function createDefaultCodec(schemas: SchemaRegistry, toJson: (value: unknown) => string = encodeJson, yaml: YamlDialect = 'present'): Codec {
  const canonicalizer = canonicalizerOf(schemas);
  const compiler = new Compiler(schemas);
  const protobuf = new ProtobufCodec(compiler);
  const cbor = new CborWriter(compiler);
  const indenter = new JsonIndenter();

  const typed = ({ value, duplicates, met }: DecodedJson, schema: MessageSchema | undefined, keeps: Keeps | undefined, tells: Tells): Decoded => {
    const { apiVersion, kind } = namesOf(value);
    if (schema === undefined) return { value, apiVersion, kind, strictErrors: duplicates };
    const unreadable = unreadableNames(value);
    if (unreadable !== undefined) throw new NamesError(unreadable);
    // Go decodes `null` into an object without fields; validation then says what is missing.
    const { object, unknownFields } = canonicalizer.decodeInto<JsonValue>(value ?? {}, schema, keeps, tells);
    const isVersionNull = schema.custom !== undefined && isObject(value) && value['apiVersion'] === null;
    return {
      value: object,
      apiVersion,
      kind,
      ...(isVersionNull && { isVersionNull }),
      strictErrors: inOrderMet(duplicates, unknownFields, schema.custom === undefined ? met : undefined),
    };
  };

  /** What is read into a struct of Go's, not into a map. */
  const structOf = (schema: MessageSchema | undefined) => (schema === undefined || schema.custom !== undefined ? undefined : compiler.get(schema));

  const fromCbor = (body: Uint8Array, schema: MessageSchema | undefined, keeps: Keeps | undefined): Decoded => {
    if (schema === undefined || schema.custom !== undefined) {
      // What a custom kind does not know is dropped without a word.
      const value = withSortedKeys(decodeCbor(body));
      return {
        value: schema === undefined ? value : canonicalizer.decodeInto<JsonValue>(value ?? {}, schema, keeps).object,
        ...namesOf(value),
        strictErrors: [],
      };
    }
    const message = compiler.get(schema);
    const { value, namelessAt } = decodeCborStruct(body, goTypeOf(message));
    try {
      const { object, unknownFields } = canonicalizer.decodeInto<JsonValue>(withSortedKeys(value ?? {}), schema, keeps);
      const at = Math.min(namelessAt ?? Infinity, (unknownFields.length > 0 ? unknownFieldAt(value, message) : undefined) ?? Infinity);
      return { value: object, ...namesOf(value), strictErrors: at === Infinity ? [] : [`cbor: found unknown field at map element index ${at}`] };
    } catch (error) {
      // Of several misfits the first is told, in the order of the document.
      throw error instanceof DecodeError
        ? cborFault(firstFault(() => canonicalizer.decodeInto(value ?? {}, schema, keeps)) ?? error, message)
        : error;
    }
  };

  const decode = (mediaType: MediaType, body: Uint8Array, schema: MessageSchema | undefined, keeps?: Keeps): Decoded => {
    switch (mediaType) {
      case 'application/vnd.kubernetes.protobuf': {
        const { apiVersion, kind, raw } = unwrapEnvelope(body);
        if (schema === undefined) return { value: {}, apiVersion, kind, strictErrors: [] };
        const { object } = canonicalizer.decodeInto<JsonValue>(protobuf.decode(raw, schema), schema);
        return { value: object, apiVersion, kind, strictErrors: [] };
      }
      case 'application/cbor':
        return fromCbor(body, schema, keeps);
      case 'application/yaml':
        return typed(decodeFirstYaml(yamlText(body), yaml), schema, keeps, 'firstSorted');
      case 'application/json':
        return typed(decodeJsonBody(body, structOf(schema)), schema, keeps, 'first');
    }
  };

  return {
    toJson,
    toPrettyJson: (value) => indenter.indent(toJson(value)),
    indent: (json, depth) => indenter.indent(json, depth),
    toYaml: encodeYaml,
    yamlEncoder: createYamlEncoder,
    toProtobuf: (object, schema) => protobuf.encode(object, schema),
    toCbor: (value, schema) => cbor.encode(value, schema),
    names: (mediaType, body) => (mediaType === 'application/cbor' ? cborNames(body) : decode(mediaType, body, undefined)),
    show: (mediaType, body) => (mediaType === 'application/cbor' ? cborNotation(body) : shownText(body)),
    decode,
  };
}

function firstFault(read: () => unknown): DecodeError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

function namesOf(value: JsonValue): { readonly apiVersion: string; readonly kind: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { apiVersion: '', kind: '' };
  const { apiVersion, kind } = value as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return { apiVersion: typeof apiVersion === 'string' ? apiVersion : '', kind: typeof kind === 'string' ? kind : '' };
}

/** JSON's faults stand in the order of the document; YAML's duplicates come first. */
function inOrderMet(duplicates: readonly string[], unknown: readonly string[], met: readonly string[] | undefined): readonly string[] {
  if (met === undefined || duplicates.length === 0 || unknown.length === 0) return [...duplicates, ...unknown];
  const placed = [
    ...unknown.map((fault) => ({ fault, at: met.indexOf(pathOf(fault)) })),
    ...duplicates.map((fault) => ({ fault, at: met.indexOf(pathOf(fault), met.indexOf(pathOf(fault)) + 1) })),
  ];
  return placed.sort((a, b) => a.at - b.at).map(({ fault }) => fault);
}

/** `unknown field "spec.x"` */
function pathOf(fault: string): string {
  return JSON.parse(fault.slice(fault.indexOf('"'))) as string;
}
