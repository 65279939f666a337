/** CBOR against the examples of RFC 8949 (appendix A), upstream's golden objects, and bytes that mean harm. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSchemaRegistry } from '../../../api/schemas.ts';
import type { MessageSchema } from '../../schema.ts';
import { canonicalizerOf } from '../canonicalize.ts';
import { Compiler } from '../compile.ts';
import { decodeJson, encodeJson } from '../json.ts';
import { DecodeError } from '../scalars.ts';
import { floatItem } from './floats.ts';
import { cborNotation } from './notation.ts';
import { cborNames, decodeCbor } from './reader.ts';
import { withSortedKeys } from '../key-order.ts';
import { cborDocument, cborEvent, CborWriter } from './writer.ts';

const schemas = createSchemaRegistry();
const writer = new CborWriter(new Compiler(schemas));
const canonicalizer = canonicalizerOf(schemas);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
/** One value that is no object, as it is written in a map. */
const listed = (value: unknown): string => hex(writer.encode({ '': value })).slice('a140'.length);

const roundTrips: readonly (readonly [string, unknown])[] = [
  ...([
    ['00', 0],
    ['01', 1],
    ['0a', 10],
    ['17', 23],
    ['1818', 24],
    ['1819', 25],
    ['1864', 100],
    ['1903e8', 1000],
  ] as const),
  ...([
    ['1a000f4240', 1_000_000],
    ['1b000000e8d4a51000', 1_000_000_000_000],
  ] as const),
  ...([
    ['20', -1],
    ['29', -10],
    ['3863', -100],
    ['3903e7', -1000],
  ] as const),
  ['f93e00', 1.5],
  ...([
    ['fb3ff199999999999a', 1.1],
    ['fa7f7fffff', 3.4028234663852886e38],
    ['fb7e37e43c8800759c', 1e300],
  ] as const),
  ...([
    ['f90001', 5.960464477539063e-8],
    ['f90400', 0.00006103515625],
    ['fbc010666666666666', -4.1],
  ] as const),
  ...([
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['80', []],
    ['83010203', [1, 2, 3]],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['a0', {}],
  ] as const),
  ['98190102030405060708090a0b0c0d0e0f101112131415161718181819', Array.from({ length: 25 }, (_, index) => index + 1)],
];

it.each(roundTrips)('%s is read and written', (bytes, value) => {
  expect(decodeCbor(bytesOf(bytes))).toEqual(value);
  expect(listed(value)).toBe(bytes);
});

/** Read as what they are, written otherwise: texts are byte strings, lengths are said, integers are integers. */
const readOnly: readonly (readonly [string, unknown])[] = [
  ...([
    ['40', ''],
    ['60', ''],
    ['6161', 'a'],
    ['6449455446', 'IETF'],
    ['62225c', '"\\'],
    ['62c3bc', 'ü'],
    ['63e6b0b4', '水'],
    ['64f0908591', '𐅑'],
  ] as const),
  ...([
    ['f90000', 0],
    ['f98000', -0],
    ['f93c00', 1],
    ['f97bff', 65504],
    ['fa47c35000', 100_000],
    ['f9c400', -4],
  ] as const),
  ...([
    ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
    ['c11a514b67b0', '2013-03-21T20:04:00Z'],
  ] as const),
  ...([
    ['c1fb41d452d9ec200000', '2013-03-21T20:04:00.5Z'],
    ['d74401020304', '01020304'],
    ['d9d9f7d818456449455446', 'dIETF'],
  ] as const),
  ['d82076687474703a2f2f7777772e6578616d706c652e636f6d', 'http://www.example.com'],
  ...([
    ['5f42010243030405ff', '\u0001\u0002\u0003\u0004\u0005'],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['9fff', []],
  ] as const),
  ...([
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['83018202039f0405ff', [1, [2, 3], [4, 5]]],
    ['83019f0203ff820405', [1, [2, 3], [4, 5]]],
  ] as const),
  ...([
    ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
    ['826161bf61626163ff', ['a', { b: 'c' }]],
    ['bf6346756ef563416d7421ff', { Fun: true, Amt: -2 }],
  ] as const),
  ...([
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    ['826161a161626163', ['a', { b: 'c' }]],
  ] as const),
  ['a56161614161626142616361436164614461656145', { a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' }],
];

it.each(readOnly)('%s is read', (bytes, value) => expect(decodeCbor(bytesOf(bytes))).toEqual(value));

const refused: readonly (readonly [string, string])[] = [
  ['1bffffffffffffffff', "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)"],
  ['3bffffffffffffffff', "cbor: cannot unmarshal negative integer into Go value of type int64 (-18446744073709551616 overflows Go's int64)"],
  ['c249010000000000000000', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
  ['f97c00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
  ['fb7ff8000000000000', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
  ['f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
  ['f8ff', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 255 is not recognized'],
  ['a201020304', 'cbor: cannot unmarshal positive integer into Go value of type string'],
];

it.each(refused)('%s is refused', (bytes, why) => expect(() => decodeCbor(bytesOf(bytes))).toThrow(new DecodeError(why)));

it('of floating point, all halves that are numbers are read and written as they are', () => {
  for (let bits = 0; bits < 0x10000; bits++) {
    if (((bits >> 10) & 0x1f) === 0x1f) continue;
    const bytes = Uint8Array.of(0xf9, bits >> 8, bits & 0xff);
    const written = hex(floatItem(decodeCbor(bytes) as number));
    if (written !== hex(bytes)) expect(written).toBe(hex(bytes));
  }
});

it('keys are in the order of their bytes, the shorter ones first', () => {
  expect(hex(writer.encode({ b: 1, aa: 2, a: 3, ä: 4 }))).toBe(`a4${'416103'}${'416201'}${'42616102'}${'42c3a404'}`);
});

it('64-bit integers are whole', () => {
  for (const value of [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n]) expect(decodeCbor(writer.encode({ value }))).toEqual({ value });
});

it('bytes are bytes, and floating point is floating point where the schema says so', () => {
  const secret = schemas.mustGet('io.k8s.api.core.v1.Secret');
  expect(cborNotation(writer.encode({ data: { a: 'AQID' }, type: 'AQID' }, secret))).toBe(
    "{'data': {'a': 22('\\u0001\\u0002\\u0003')}, 'type': 'AQID'}",
  );
  const props = schemas.mustGet('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  const schema = { properties: { a: { maximum: 10, maxLength: 10 } }, items: { minimum: 1 }, default: 10 };
  expect(cborNotation(writer.encode(schema, props))).toBe(
    "{'items': {'minimum': 1.0}, 'default': 10, 'properties': {'a': {'maximum': 10.0, 'maxLength': 10}}}",
  );
});

it('an event holds a document of its own', () => {
  expect(cborNotation(cborEvent('ADDED', writer.encode({ a: 1 })))).toBe("55799({'type': 'ADDED', 'object': 55799({'a': 1})})");
});

it('names are told whatever stands beside them', () => {
  const names = { apiVersion: 'v1', kind: 'Pod' };
  expect(cborNames(cborDocument(writer.encode({ metadata: { deep: [{ a: 'b' }] }, ...names, list: [1, 'x', {}] })))).toEqual(names);
  expect(cborNames(bytesOf('bf0102446b696e6443506f64616d5f4161ffff'))).toEqual({ apiVersion: '', kind: 'Pod' });
  expect(() => cborNames(bytesOf('a1446b696e6401'))).toThrow(
    'cbor: cannot unmarshal positive integer into Go struct field v1.TypeMeta.kind of type string',
  );
});

it('whatever the bytes are, they are read or refused', () => {
  const whole = cborDocument(writer.encode({ kind: 'Pod', list: [1, -5, 1.5, 'ü', { a: null, b: true }], deep: { deep: { deep: ['x'] } } }));
  const tried: Uint8Array[] = Array.from(whole, (_, length) => whole.subarray(0, length));
  for (let at = 0; at < whole.length; at++)
    for (let bit = 0; bit < 8; bit++) tried.push(whole.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte)));
  for (const first of Array.from({ length: 256 }, (_, byte) => byte))
    for (const next of [0, 0x7f, 0xff]) tried.push(Uint8Array.of(first, ...Array<number>(9).fill(next)));
  for (const bytes of tried) {
    for (const read of [decodeCbor, cborNames]) {
      try {
        read(bytes);
      } catch (error) {
        expect(error, hex(bytes)).toBeInstanceOf(DecodeError);
      }
    }
  }
});

it.each(['81', 'a100', 'c6', '9f', 'd818'])('a million levels of %s are refused', (level) => {
  expect(() => decodeCbor(bytesOf(level.repeat(1_000_000)))).toThrow('cbor: exceeded max nested level 10000');
});

const folder = join(import.meta.dirname, '../../../../../shared/testdata/api-goldens');
const goldens = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -5))
  : [];

function schemaOf(name: string): MessageSchema {
  const [kind = '', version = '', first = ''] = [...name.split('.').slice(-2).reverse(), name.split('.')[0]];
  const group = first === 'internal' ? 'apiserverinternal' : first;
  return schemas.get(`io.k8s.api.${group}.${version}.${kind}`) ?? schemas.mustGet(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`);
}

describe.skipIf(goldens.length === 0)('golden objects of release 1.36', () => {
  it.each(goldens)('%s is the same in JSON and in CBOR', (name) => {
    const schema = schemaOf(name);
    const { object } = canonicalizer.decodeInto<object>(decodeJson(readFileSync(join(folder, `${name}.json`), 'utf8')).value, schema);
    const read = canonicalizer.decodeInto(withSortedKeys(decodeCbor(cborDocument(writer.encode(object, schema)))), schema);
    expect(read.unknownFields).toEqual([]);
    expect(encodeJson(read.object)).toBe(encodeJson(object));
  });
});
