/** What the HTTP adapter needs of the serializers. `default-codec.ts` builds it from `apimachinery/serializer`. */
import type { JsonValue } from '../base/json.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { Keeps } from '../apimachinery/serializer/walk.ts';
import type { MediaType } from './negotiation.ts';

export interface Decoded {
  readonly value: JsonValue;
  /** What the bytes name; empty texts where they name none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The version is there, and null: users' own kinds tell that from none. */
  readonly isVersionNull?: boolean;
  /** Duplicate and unknown fields, as upstream words them. */
  readonly strictErrors: readonly string[];
}

/** A document does not say of which version and kind it is, so that nobody knows as what to read it. */
export class NamesError extends Error {
  override readonly name = 'NamesError';
}

export interface Codec {
  /** One line, without the newline. */
  toJson(value: unknown): string;
  toPrettyJson(value: unknown): string;
  /** Compact JSON on lines, the first of which stands at `depth` already. */
  indent(json: string, depth: number): string;
  toYaml(value: unknown): string;
  /** `toYaml` for the items of one list. */
  yamlEncoder(): (value: unknown) => string;
  /** The bare message, without an envelope. */
  toProtobuf(object: object, schema: MessageSchema): Uint8Array;
  /** One data item, without the tag of a whole document. */
  toCbor(value: object, schema?: MessageSchema): Uint8Array;
  /** What a body calls itself, as far as that can be told without the rest of it. Throws as `decode`. */
  names(mediaType: MediaType, body: Uint8Array): Pick<Decoded, 'apiVersion' | 'kind'>;
  /** A well-formed body as texts show it. */
  show(mediaType: MediaType, body: Uint8Array): string;
  /** Canonical when `schema` is given, but for what is kept of empty lists and maps (default: what Go writes). Throws an Error with the parser's text. */
  decode(mediaType: MediaType, body: Uint8Array, schema: MessageSchema | undefined, keeps?: Keeps): Decoded;
}
