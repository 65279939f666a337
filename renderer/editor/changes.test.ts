import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { changesBetween, formatPath, isSame, mergePatch, mergeThree, overlaps } from './changes.ts';

const base = { spec: { replicas: 3, list: [{ image: 'a' }, { image: 'b' }], labels: { x: '1' } } };
const scaled = { spec: { ...base.spec, replicas: 5 } };

function applied(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const from = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...(target as JsonObject) } : {};
  const entries = new Map<string, JsonValue>(Object.entries(from));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) entries.delete(name);
    else entries.set(name, applied(entries.get(name), value));
  }
  return Object.fromEntries(entries);
}

describe('what two people change at once', () => {
  it('in different fields is merged, also in different elements of one list', () => {
    const mine = { spec: { ...base.spec, list: [{ image: 'a' }, { image: 'c' }] } };
    const theirs = { spec: { ...scaled.spec, list: [{ image: 'z' }, { image: 'b' }] } };
    expect(overlaps(changesBetween(base, mine), changesBetween(base, theirs))).toEqual([]);
    expect(mergeThree(base, mine, theirs, 'theirs')).toEqual({ spec: { replicas: 5, list: [{ image: 'z' }, { image: 'c' }], labels: { x: '1' } } });
  });

  it('in the same field overlaps, and one of them wins; the same change does not', () => {
    const mine = { spec: { ...base.spec, replicas: 7, labels: {} } };
    const [pair, ...others] = overlaps(changesBetween(base, mine), changesBetween(base, scaled));
    expect([others, formatPath(pair?.mine.path ?? []), pair?.mine.after, pair?.theirs.after]).toEqual([[], 'spec.replicas', 7, 5]);
    expect(mergeThree(base, mine, scaled, 'mine')).toEqual({ spec: { ...base.spec, replicas: 7, labels: {} } });
    expect(mergeThree(base, mine, scaled, 'theirs')).toEqual({ spec: { ...base.spec, replicas: 5, labels: {} } });
    expect(overlaps(changesBetween(base, scaled), changesBetween(base, scaled))).toEqual([]);
  });

  it('above a field that was removed overlaps with what is below', () => {
    const without = { spec: { replicas: 3, list: base.spec.list } };
    const other = { spec: { ...base.spec, labels: { x: '2' } } };
    expect(overlaps(changesBetween(base, without), changesBetween(base, other))).toHaveLength(1);
    expect(mergeThree(base, without, other, 'mine')).toEqual(without);
  });
});

it('a merge patch brings any object to any other, whatever their fields are called', () => {
  const value = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), tie('object'), fc.array(fc.integer(), { maxLength: 3 })),
    object: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.string()), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  })).object;
  fc.assert(
    fc.property(value, value, (from, to) => {
      const patch = mergePatch(from, to);
      expect(patch === undefined).toBe(isSame(from, to));
      expect(isSame(applied(from, patch ?? {}), to)).toBe(true);
    }),
  );
});

it('paths are written as people write them', () =>
  expect([formatPath([]), formatPath(['spec', 'containers', 0, 'image']), formatPath(['metadata', 'labels', 'a.b/c'])]).toEqual([
    '.',
    'spec.containers[0].image',
    'metadata.labels["a.b/c"]',
  ]));
