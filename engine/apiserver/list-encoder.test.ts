/** Lists in slices: the same bytes as if they were written at once, a bounded number of items between two chunks. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { unwrapEnvelope } from '../apimachinery/serializer/envelope.ts';
import { ProtobufCodec } from '../apimachinery/serializer/protobuf.ts';
import { Compiler } from '../apimachinery/serializer/compile.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { createDefaultCodec } from './default-codec.ts';
import type { Chunk } from './http-types.ts';
import { listPieces, type ListDocument } from './list-encoder.ts';
import type { OutputForm } from './negotiation.ts';
import { schemas } from './testing/wire.ts';

const codec = createDefaultCodec(schemas);
const configMap = schemas.mustGet('io.k8s.api.core.v1.ConfigMap');
const listMeta = schemas.mustGet('io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta');
const metadata = { resourceVersion: '7' };

const item = (index: number): object => ({
  metadata: { name: `map-${index}`, namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' },
  data: { text: `line\n  "${index}": {a, [b]}\n`, empty: '', 'k:{"a":"b"}': '\\"' },
});

function makeList(length: number, onItem: () => void = () => undefined): ListDocument {
  const value = (index: number): object => {
    onItem();
    return item(index);
  };
  return {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata,
    itemsKey: 'items',
    length,
    value,
    json: (index) => codec.toJson(value(index)),
    protobuf: (index) => codec.toProtobuf(value(index), configMap),
    cbor: (index) => codec.toCbor(value(index), configMap),
  };
}

const form = (mediaType: OutputForm['mediaType'], pretty = false): OutputForm => ({ mediaType, pretty, transformVersion: 'v1' });
const forms: readonly (readonly [string, OutputForm])[] = [
  ['json', form('application/json')],
  ['pretty json', form('application/json', true)],
  ['yaml', form('application/yaml')],
  ['protobuf', form('application/vnd.kubernetes.protobuf')],
];

function chunksOf(document: ListDocument, output: OutputForm): Iterable<Chunk> {
  return listPieces(document, output, codec, () => codec.toProtobuf(metadata, listMeta));
}

const textOf = (chunks: Iterable<Chunk>): string => [...chunks].map(String).join('');

describe.each([0, 1, 2, 500])('%i items', (length) => {
  const whole = { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: Array.from({ length }, (_, index) => item(index)) };

  it('are the same text as if they were written at once', () => {
    expect(textOf(chunksOf(makeList(length), form('application/json')))).toBe(`${codec.toJson(whole)}\n`);
    expect(textOf(chunksOf(makeList(length), form('application/json', true)))).toBe(codec.toPrettyJson(whole));
    expect(textOf(chunksOf(makeList(length), form('application/yaml')))).toBe(codec.toYaml(whole));
  });

  it('are one protobuf message', () => {
    const chunks = [...chunksOf(makeList(length), form('application/vnd.kubernetes.protobuf'))] as Uint8Array[];
    const bytes = new Uint8Array(Buffer.concat(chunks));
    const { apiVersion, kind, raw } = unwrapEnvelope(bytes);
    const decoded = new ProtobufCodec(new Compiler(schemas)).decode(raw, schemas.mustGet('io.k8s.api.core.v1.ConfigMapList')) as {
      readonly items?: readonly KubeObject[];
    };
    expect([apiVersion, kind, decoded.items?.length ?? 0, decoded.items?.at(-1)?.metadata.name]).toEqual([
      'v1',
      'ConfigMapList',
      length,
      length === 0 ? undefined : `map-${length - 1}`,
    ]);
  });
});

it.each(forms)('%s: nobody waits for more than a handful of items, and each is looked at once', (_name, output) => {
  const length = 20_000;
  let encoded = 0;
  let before = 0;
  let most = 0;
  for (const _chunk of chunksOf(
    makeList(length, () => encoded++),
    output,
  )) {
    most = Math.max(most, encoded - before);
    before = encoded;
  }
  expect(encoded).toBe(length);
  // An item has some 200 characters, a chunk some 65,000.
  expect(most).toBeLessThan(1000);
});

it.each([0, 1])('writes markup in what columns are for as Go writes it, above %i rows', (length) => {
  const told: ListDocument = { ...makeList(length), itemsKey: 'rows', columnDefinitions: [{ description: 'a < b & c' }], isNullWhenEmpty: true };
  const form: OutputForm = { mediaType: 'application/json', pretty: false, transformVersion: 'v1' };
  const text = [...listPieces(told, form, codec, () => new Uint8Array())].join('');
  expect(text).toContain('"columnDefinitions":[{"description":"a \\u003c b \\u0026 c"}],"rows":');
});
