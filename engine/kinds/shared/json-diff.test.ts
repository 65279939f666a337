import { expect, it } from 'vitest';
import { internalDiff, jsonDiff } from './json-diff.ts';

it('shows integers beyond 2^53 as they are', () => {
  expect(jsonDiff({ a: 1n, b: 9223372036854775807n }, { a: 2, b: 9223372036854775807n })).toBe(
    '@@ -1,4 +1,4 @@\n {\n- "a": 1,\n+ "a": 2,\n  "b": 9223372036854775807\n }\n',
  );
});

it('has a hunk for each difference that lies apart', () => {
  const lines = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i]));
  expect(jsonDiff(lines, { ...lines, k2: 'x', k17: 'y' })).toBe(
    [
      '@@ -1,7 +1,7 @@', ' {', '  "k0": 0,', '  "k1": 1,', '- "k2": 2,', '+ "k2": "x",', '  "k3": 3,', '  "k4": 4,', '  "k5": 5,',
      '@@ -16,7 +16,7 @@', '  "k14": 14,', '  "k15": 15,', '  "k16": 16,', '- "k17": 17,', '+ "k17": "y",', '  "k18": 18,', '  "k19": 19', ' }', '',
    ].join('\n'), // biome-ignore format: two hunks
  );
});

it('lays objects out as the internal types of upstream', () => {
  expect(internalDiff('core.v1.ObjectReference', { name: 'a' }, { name: 'a', uid: 'u' })).toBe(
    ['@@ -2,7 +2,7 @@', '  "Kind": "",', '  "Namespace": "",', '  "Name": "a",', '- "UID": "",', '+ "UID": "u",', '  "APIVersion": "",', '  "ResourceVersion": "",', '  "FieldPath": ""', ''].join('\n'), // biome-ignore format: one hunk
  );
});

it('takes no more than a moment for objects that differ in every line', () => {
  const many = (word: string): { readonly [name: string]: string } =>
    Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, `${word}${i % 7}`]));
  expect(jsonDiff(many('a'), many('b')).length).toBeGreaterThan(1_000_000);
});
