import { expect, test } from 'vitest';
import { mediaTypeOf } from './content-type.ts';

test.each([
  ['application/json', 'application/json'],
  [' Application/JSON ; charset=utf-8', 'application/json'],
  ['application/json;', 'application/json'],
  ['application/json; a="b;c=\\"d"; e=f', 'application/json'],
  ['application/json; a=b; A=b', 'application/json'],
  ['application/json; a=""', 'application/json'],
  ['application/json;;', undefined],
  ['application/json; charset', undefined],
  ['application/json; a=', undefined],
  ['application/json; a="b', undefined],
  ['application/json; a=b; a=c', undefined],
])('%s names %s', (header, type) => {
  expect(mediaTypeOf(header)).toBe(type);
});

test('what never ends costs no more than its length', () => {
  expect(mediaTypeOf(`application/json; a="${'x'.repeat(100_000)}`)).toBeUndefined();
  expect(mediaTypeOf(`application/json;${' '.repeat(100_000)}x`)).toBeUndefined();
});
