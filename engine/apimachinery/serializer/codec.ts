/** All wire forms of API objects over one set of schemas. */
import type { MessageSchema, SchemaRegistry } from '../schema.ts';
import { type Canonicalizer, canonicalizerOf, type Decoded } from './canonicalize.ts';
import { Compiler } from './compile.ts';
import { unwrapEnvelope, wrapEnvelope } from './envelope.ts';
import { ProtobufCodec } from './protobuf.ts';

export interface Codec {
  /** Canonical form of a JSON-shaped value; unknown fields are left out and named. */
  decodeInto<T>(value: unknown, schema: MessageSchema): Decoded<T>;
  canonicalize<T>(value: T, schema: MessageSchema): T;
  /** Enveloped protobuf of an object; `apiVersion` and `kind` are the object's own. */
  encodeProtobuf(object: { readonly apiVersion?: string; readonly kind?: string }, schema: MessageSchema): Uint8Array;
  /** A protobuf message without envelope, in canonical form, with `kind` and `apiVersion` as given. */
  decodeProtobuf<T>(raw: Uint8Array, schema: MessageSchema, type: { readonly apiVersion: string; readonly kind: string }): T;
}

export function createCodec(schemas: SchemaRegistry): Codec {
  const canonicalizer: Canonicalizer = canonicalizerOf(schemas);
  const protobuf = new ProtobufCodec(new Compiler(schemas));
  return {
    decodeInto: (value, schema) => canonicalizer.decodeInto(value, schema),
    canonicalize: (value, schema) => canonicalizer.canonicalize(value, schema),
    encodeProtobuf: (object, schema) => wrapEnvelope(object.apiVersion ?? '', object.kind ?? '', protobuf.encode(object, schema)),
    decodeProtobuf: (raw, schema, { apiVersion, kind }) =>
      canonicalizer.canonicalize({ kind, apiVersion, ...protobuf.decode(raw, schema) } as never, schema),
  };
}

export { unwrapEnvelope };
