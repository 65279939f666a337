/** The serializers of `apimachinery` as the HTTP adapter uses them. */
import type { JsonValue } from '../base/json.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { canonicalizerOf } from '../apimachinery/serializer/canonicalize.ts';
import { Compiler } from '../apimachinery/serializer/compile.ts';
import { unwrapEnvelope } from '../apimachinery/serializer/envelope.ts';
import { type DecodedJson, decodeJson, encodeJson } from '../apimachinery/serializer/json.ts';
import { JsonIndenter } from '../apimachinery/serializer/json-indent.ts';
import { ProtobufCodec } from '../apimachinery/serializer/protobuf.ts';
import { createYamlEncoder, decodeFirstYaml, encodeYaml } from '../apimachinery/serializer/yaml.ts';
import type { Keeps, Tells } from '../apimachinery/serializer/walk.ts';
import type { Codec, Decoded } from './codec.ts';

/** `toJson` may know the text of some objects already. */
export function createDefaultCodec(schemas: SchemaRegistry, toJson: (value: unknown) => string = encodeJson): Codec {
  const canonicalizer = canonicalizerOf(schemas);
  const protobuf = new ProtobufCodec(new Compiler(schemas));
  const indenter = new JsonIndenter();
  const text = new TextDecoder();

  const typed = ({ value, duplicates, met }: DecodedJson, schema: MessageSchema | undefined, keeps: Keeps | undefined, tells: Tells): Decoded => {
    const { apiVersion, kind } = namesOf(value);
    if (schema === undefined) return { value, apiVersion, kind, strictErrors: duplicates };
    // Go decodes `null` into an object without fields; validation then says what is missing.
    const { object, unknownFields } = canonicalizer.decodeInto<JsonValue>(value ?? {}, schema, keeps, tells);
    return { value: object, apiVersion, kind, strictErrors: inOrderMet(duplicates, unknownFields, met) };
  };

  return {
    toJson,
    toPrettyJson: (value) => indenter.indent(toJson(value)),
    indent: (json, depth) => indenter.indent(json, depth),
    toYaml: encodeYaml,
    yamlEncoder: createYamlEncoder,
    toProtobuf: (object, schema) => protobuf.encode(object, schema),
    decode: (mediaType, body, schema, keeps) => {
      if (mediaType === 'application/vnd.kubernetes.protobuf') {
        const { apiVersion, kind, raw } = unwrapEnvelope(body);
        if (schema === undefined) return { value: {}, apiVersion, kind, strictErrors: [] };
        const { object } = canonicalizer.decodeInto<JsonValue>(protobuf.decode(raw, schema), schema);
        return { value: object, apiVersion, kind, strictErrors: [] };
      }
      return mediaType === 'application/yaml'
        ? typed(decodeFirstYaml(text.decode(body)), schema, keeps, 'firstSorted')
        : typed(decodeJson(text.decode(body)), schema, keeps, 'first');
    },
  };
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
