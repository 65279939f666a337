/** The serializers as the HTTP adapter uses them. */
import type { JsonValue } from '../apimachinery/object.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { canonicalizerOf } from '../apimachinery/serializer/canonicalize.ts';
import { Compiler } from '../apimachinery/serializer/compile.ts';
import { unwrapEnvelope } from '../apimachinery/serializer/envelope.ts';
import { decodeJson, encodeJson, indentJson } from '../apimachinery/serializer/json.ts';
import { ProtobufCodec } from '../apimachinery/serializer/protobuf.ts';
import { decodeYaml, encodeYaml } from '../apimachinery/serializer/yaml.ts';
import type { MediaType } from './negotiation.ts';

export interface Decoded {
  readonly value: JsonValue;
  /** What the bytes name; empty texts where they name none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Duplicate and unknown fields, as upstream words them. */
  readonly strictErrors: readonly string[];
}

export interface Codec {
  /** One line, without the newline. */
  toJson(value: unknown): string;
  toPrettyJson(value: unknown): string;
  toYaml(value: unknown): string;
  /** The bare message, without an envelope. */
  toProtobuf(object: object, schema: MessageSchema): Uint8Array;
  /** Canonical when `schema` is given. Throws an Error with the parser's text. */
  decode(mediaType: MediaType, body: Uint8Array, schema: MessageSchema | undefined): Decoded;
}

export function createHttpCodec(schemas: SchemaRegistry): Codec {
  const canonicalizer = canonicalizerOf(schemas);
  const protobuf = new ProtobufCodec(new Compiler(schemas));
  const text = new TextDecoder();

  const typed = (value: JsonValue, duplicates: readonly string[], schema: MessageSchema | undefined): Decoded => {
    const { apiVersion, kind } = namesOf(value);
    if (schema === undefined) return { value, apiVersion, kind, strictErrors: duplicates };
    const { object, unknownFields } = canonicalizer.decodeInto<JsonValue>(value, schema);
    return { value: object, apiVersion, kind, strictErrors: [...duplicates, ...unknownFields] };
  };

  return {
    toJson: encodeJson,
    toPrettyJson: (value) => indentJson(encodeJson(value)),
    toYaml: encodeYaml,
    toProtobuf: (object, schema) => protobuf.encode(object, schema),
    decode: (mediaType, body, schema) => {
      if (mediaType === 'application/vnd.kubernetes.protobuf') {
        const { apiVersion, kind, raw } = unwrapEnvelope(body);
        if (schema === undefined) return { value: {}, apiVersion, kind, strictErrors: [] };
        const { object } = canonicalizer.decodeInto<JsonValue>(protobuf.decode(raw, schema), schema);
        return { value: object, apiVersion, kind, strictErrors: [] };
      }
      const { value, duplicates } = mediaType === 'application/yaml' ? decodeYaml(text.decode(body)) : decodeJson(text.decode(body));
      return typed(value, duplicates, schema);
    },
  };
}

function namesOf(value: JsonValue): { readonly apiVersion: string; readonly kind: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { apiVersion: '', kind: '' };
  const { apiVersion, kind } = value as { readonly apiVersion?: unknown; readonly kind?: unknown };
  return { apiVersion: typeof apiVersion === 'string' ? apiVersion : '', kind: typeof kind === 'string' ? kind : '' };
}
