/** Deltas between JSON values: whatever the two are, the delta makes the second of the first, to the letter. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { apply, applyTo, diff } from './delta.ts';

const keys = fc.constantFrom('a', 'b', 'c', '0', '1', '__proto__', 'constructor', 'toString');
const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 1, 'x', '', 12345678901234567890n),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((members) => {
      const object = {};
      for (const [name, value] of members) Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
      return object as JsonValue;
    }),
  ),
})).value;

function textOf(value: JsonValue): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member));
}

const pairs = fc.array(fc.tuple(fc.string({ maxLength: 2 }), values), { maxLength: 8 }) as fc.Arbitrary<JsonValue>;

describe('a delta', () => {
  it('makes the second value of the first, members in the same order', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        const delta = diff(before, after);
        if (delta === undefined) expect(textOf(after)).toBe(textOf(before));
        else expect(textOf(apply(before, delta))).toBe(textOf(after));
      }),
      { seed: 7, numRuns: 3000 },
    );
  });

  it('makes the second list of pairs of the first', () => {
    fc.assert(
      fc.property(pairs, pairs, (before, after) => {
        const delta = diff(before, after);
        expect(textOf(delta === undefined ? before : apply(before, delta))).toBe(textOf(after));
        expect(textOf(delta === undefined ? before : applyTo(structuredClone(before), delta))).toBe(textOf(after));
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('makes a long list of the one before, whatever went and came', () => {
    const items = fc.integer({ min: 0, max: 9 }).map((of): JsonValue => ({ of }));
    fc.assert(
      fc.property(fc.array(items, { minLength: 30, maxLength: 60 }), fc.nat(12), fc.array(items, { maxLength: 6 }), (before, lost, added) => {
        const after = [...before.slice(lost), ...added];
        const delta = diff(before, after);
        expect(textOf(delta === undefined ? before : apply(before, delta))).toBe(textOf(after));
        expect(textOf(delta === undefined ? before : applyTo(structuredClone(before), delta))).toBe(textOf(after));
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  it('changes a list of its own where it is, also one that a delta brought', () => {
    const own: JsonValue = Array.from({ length: 40 }, (_, index) => [`k${index}`, { index }]);
    const delta = diff(own, [...own.slice(3, 10), ['k10', { index: -1 }], ...own.slice(20), ['new', [1]]]) as JsonValue;
    const expected = textOf(apply(own, delta));
    expect(applyTo(own, delta)).toBe(own);
    expect(textOf(own)).toBe(expected);
    applyTo(own, [7, { 28: [4, 1, 0, [2]] }, [], []]);
    expect((own as readonly JsonValue[]).at(-1)).toEqual(['new', [1, 2]]);
    const many = Array.from({ length: 5_000 }, (_, index) => index);
    expect(applyTo([1, 2, 3], [4, 1, 1, many])).toEqual([1, ...many, 3]);
  });

  it('is short where what was used last moves to the end of a list of pairs', () => {
    const items = ['a', 'b', 'c', 'd'].map((name) => [name, { of: name }] as const);
    const [a, b, c, d] = items as unknown as [JsonValue, JsonValue, JsonValue, JsonValue];
    expect(diff([a, b, c, d], [a, c, d, ['b', 2]])).toEqual([7, {}, [1, 1], [['b', 2]]]);
  });

  it('keeps maps apart from objects: their order says nothing', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        const delta = diff(before, after, 2);
        expect(delta === undefined ? before : apply(before, delta)).toEqual(after);
        expect(delta === undefined ? before : applyTo(structuredClone(before), delta)).toEqual(after);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('names only what changed', () => {
    const before = { metadata: { name: 'a', resourceVersion: '1' }, status: { conditions: [{ type: 'Ready', status: 'False' }], phase: 'Pending' } };
    const after = { metadata: { name: 'a', resourceVersion: '2' }, status: { conditions: [{ type: 'Ready', status: 'True' }], phase: 'Pending' } };
    expect(diff(before, after)).toEqual([
      1,
      { metadata: [1, { resourceVersion: '2' }], status: [1, { conditions: [3, { 0: [1, { status: 'True' }] }] }] },
    ]);
  });

  it('is short for a long list that forgets its oldest', () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ index }));
    const delta = diff(items.slice(0, 90), items.slice(10));
    expect(delta).toEqual([6, 10, items.slice(90)]);
    expect(apply(items.slice(0, 90), delta as JsonValue)).toEqual(items.slice(10));
  });

  it('a list of which every item changed in part names the parts', () => {
    const items = (count: number): readonly JsonValue[] =>
      Array.from({ length: 3 }, (_, index) => ({ name: `n${index}`, labels: { a: 'b' }, count }));
    const delta = diff(items(1), items(2));
    expect(delta).toEqual([3, { 0: [1, { count: 2 }], 1: [1, { count: 2 }], 2: [1, { count: 2 }] }]);
    expect(apply(items(1), delta as JsonValue)).toEqual(items(2));
  });
});
