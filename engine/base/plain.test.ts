import { expect, it } from 'vitest';
import { givenFields, roomFor, withField } from './plain.ts';

it('makes objects that nobody can tell from literals, with more or fewer fields than there is room for', () => {
  for (const room of [0, 1, 4, 9, 12, 24, 25, 1000]) {
    const made = Object.assign(roomFor(room), { a: 1, b: [2], c: { d: 3 } });
    expect(made).toStrictEqual({ a: 1, b: [2], c: { d: 3 } });
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(roomFor(room)).toStrictEqual({});
  }
});

it('takes the fields that have a value, in their order', () => {
  expect(Object.entries(givenFields({ c: 1, b: undefined, a: null, d: 0 }))).toEqual([
    ['c', 1],
    ['a', null],
    ['d', 0],
  ]);
  expect(givenFields({ b: undefined })).toStrictEqual({});
});

it('puts another value into a field, or leaves it out, and keeps the order of the others', () => {
  expect(withField({ kind: 'Pod', status: {}, spec: 1 }, 'status', undefined)).toStrictEqual({ kind: 'Pod', spec: 1 });
  expect(Object.entries(withField({ c: 1, b: 2, a: 3 }, 'b', 4))).toEqual([
    ['c', 1],
    ['a', 3],
    ['b', 4],
  ]);
  expect(withField({ a: 1 }, 'b', 2)).toStrictEqual({ a: 1, b: 2 });
});
