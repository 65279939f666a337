/**
 * Lists as a sequence of small pieces, an item or less: whoever sends them joins some and may serve others in between. Items are looked
 * at one by one, so that a list costs no more than its items. Mirrors apiserver pkg/endpoints/handlers/response.go and the streaming list
 * encoders of apimachinery pkg/runtime/serializer/{json,protobuf}.
 */
import { cborList } from '../apimachinery/serializer/cbor/writer.ts';
import { encodeJson } from '../apimachinery/serializer/json.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import type { ListMeta } from '../apimachinery/object.ts';
import type { MediaType, OutputForm } from './negotiation.ts';
import type { Codec } from './codec.ts';
import type { Chunk } from './http-types.ts';
import { envelopeList } from './protobuf-list.ts';

/** A list whose items are encoded when it is their turn. */
export interface ListDocument {
  readonly kind: string;
  readonly apiVersion: string;
  /** Absent where a list of this form has none. */
  readonly metadata?: ListMeta;
  /** Of a Table. */
  readonly columnDefinitions?: readonly unknown[];
  readonly itemsKey: 'items' | 'rows';
  readonly length: number;
  /** Go's lists that were never written to are null. */
  readonly isNullWhenEmpty?: boolean;
  /** As compact JSON. */
  json(index: number): string;
  /** As a value, for YAML. */
  value(index: number): unknown;
  /** As a message without an envelope. */
  protobuf(index: number): Uint8Array;
  /** As a data item, without the tag of whole documents. */
  cbor(index: number): Uint8Array;
}

/** In characters or bytes: a list up to this is whole at once. */
const shortLength = 1 << 16;

export function listPieces(document: ListDocument, form: OutputForm, codec: Codec, metadata: () => Uint8Array): Iterable<Chunk> {
  const writers: { readonly [type in MediaType]: () => Iterable<Chunk> } = {
    'application/json': () => (form.pretty ? prettyJson(document, codec) : compactJson(document)),
    'application/yaml': () => yaml(document, codec),
    'application/vnd.kubernetes.protobuf': () => protobuf(document, metadata()),
    'application/cbor': () => cbor(document),
  };
  return writers[form.mediaType]();
}

/** A short list is one chunk, which has a length that can be said beforehand. */
export function oneOrMany(pieces: Iterable<Chunk>): Chunk | Iterable<Chunk> {
  const iterator = pieces[Symbol.iterator]();
  const taken: Chunk[] = [];
  let length = 0;
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    taken.push(next.value);
    length += next.value.length;
    if (length > shortLength || next.value === breath) return rejoined(taken, iterator);
  }
  return whole(taken, length);
}

function whole(pieces: readonly Chunk[], length: number): Chunk {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  const writer = new ByteWriter(length);
  for (const piece of pieces) writer.add(piece);
  return writer.take();
}

function* rejoined(taken: readonly Chunk[], rest: Iterator<Chunk>): Iterable<Chunk> {
  yield* taken;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

function fieldsOf({ kind, apiVersion, metadata, columnDefinitions }: ListDocument): object {
  return {
    kind,
    apiVersion,
    ...(metadata === undefined ? undefined : { metadata }),
    ...(columnDefinitions === undefined ? undefined : { columnDefinitions }),
  };
}

function* compactJson(document: ListDocument): Iterable<string> {
  const { itemsKey, length } = document;
  if (length === 0 && document.isNullWhenEmpty === true) {
    yield `${encodeJson({ ...fieldsOf(document), [itemsKey]: null })}\n`;
    return;
  }
  yield `${encodeJson(fieldsOf(document)).slice(0, -1)},"${itemsKey}":[`;
  for (let index = 0; index < length; index++) {
    // Two pieces: to make one text of them is more work than to write both.
    if (index > 0) yield ',';
    yield document.json(index);
  }
  yield ']}\n';
}

const itemDepth = 2;
const lineStart = `\n${'  '.repeat(itemDepth)}`;

function* prettyJson(document: ListDocument, codec: Codec): Iterable<string> {
  const { itemsKey, length } = document;
  if (length === 0 && document.isNullWhenEmpty === true) {
    yield codec.toPrettyJson({ ...fieldsOf(document), [itemsKey]: null });
    return;
  }
  yield `${codec.toPrettyJson(fieldsOf(document)).slice(0, -2)},\n  "${itemsKey}": [`;
  for (let index = 0; index < length; index++) {
    yield index > 0 ? `,${lineStart}` : lineStart;
    yield codec.indent(document.json(index), itemDepth);
  }
  yield length === 0 ? ']\n}' : '\n  ]\n}';
}

/** Keys stand in their order, so the items stand between what comes before and what comes after their own key. */
function* yaml(document: ListDocument, codec: Codec): Iterable<string> {
  const { itemsKey, length } = document;
  const fields = Object.entries(fieldsOf(document));
  const encode = codec.yamlEncoder();
  const part = (isPart: (name: string) => boolean): string => codec.toYaml(Object.fromEntries(fields.filter(([name]) => isPart(name))));
  yield part((name) => name < itemsKey);
  yield `${itemsKey}:${length > 0 ? '' : document.isNullWhenEmpty === true ? ' null' : ' []'}\n`;
  for (let index = 0; index < length; index++) yield encode([document.value(index)]);
  const rest = fields.filter(([name]) => name > itemsKey);
  if (rest.length > 0) yield part((name) => name > itemsKey);
}

const breath = new Uint8Array(0);
const breathBytes = 1 << 16;

/** The length of the whole stands at the front: all items are encoded, with empty pieces in between, before the first byte is known. */
function* protobuf(document: ListDocument, metadata: Uint8Array): Iterable<Uint8Array> {
  const items: Uint8Array[] = [];
  let waiting = 0;
  for (let index = 0; index < document.length; index++) {
    const item = document.protobuf(index);
    items.push(item);
    waiting += item.length;
    if (waiting < breathBytes) continue;
    waiting = 0;
    yield breath;
  }
  yield* envelopeList(document.apiVersion, document.kind, metadata, items);
}

function cbor(document: ListDocument): Iterable<Uint8Array> {
  const { itemsKey, length } = document;
  const items = length === 0 && document.isNullWhenEmpty === true ? null : { length, at: (index: number) => document.cbor(index) };
  return cborList(fieldsOf(document), itemsKey, items);
}
