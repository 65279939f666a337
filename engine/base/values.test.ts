import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64Size, decodeBase64, decodeBase64Text, encodeBase64 } from './base64.ts';
import { deepEqual } from './equal.ts';

describe('deep equality', () => {
  const cases: readonly [name: string, a: unknown, b: unknown, equal: boolean][] = [
    ['key order does not count', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['an undefined field is absent', { a: 1, b: undefined }, { a: 1 }, true],
    ['an absent field is no null', { a: 1 }, { a: 1, b: null }, false],
    ['a list is no map', [], {}, false],
    ['a map is no list', { 0: 'a', length: 1 }, ['a'], false],
    ['order of items counts', [1, 2], [2, 1], false],
    ['more fields on the right', { a: {} }, { a: { b: 1 } }, false],
    ['what objects inherit is no field', { constructor: Object }, {}, false],
    ['whole numbers beyond doubles', { a: 2n ** 60n }, { a: 2n ** 60n }, true],
    ['a number is no text', 1, '1', false],
  ];
  test.each(cases)('%s', (_, a, b, equal) => {
    expect([deepEqual(a, b), deepEqual(b, a)]).toEqual([equal, equal]);
  });
  test('a value equals its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => deepEqual(value, structuredClone(value))));
  });
});

describe('base64', () => {
  test('gives every byte back, with the size it says', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(bytes);
        expect(base64Size(text)).toBe(bytes.length);
      }),
    );
  });
  test('of a megabyte', () => {
    const bytes = new Uint8Array(1 << 20).fill(7);
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  });
  test('of text beyond ASCII', () => expect(decodeBase64Text('4pyTIHfDpHZl')).toBe('✓ wäve'));
});
