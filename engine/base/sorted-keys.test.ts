import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedKeys } from './sorted-keys.ts';

const names = fc.integer({ min: 0, max: 3000 }).map((n) => `k${n}`);

test('holds what a sorted list would, in key order, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), names), { maxLength: 3000 }), names, names, (acts, start, end) => {
      const keys = new SortedKeys<{ readonly key: string }>();
      const model = new Set<string>();
      for (const [comes, key] of acts) {
        if (comes === model.has(key)) continue;
        if (comes) keys.insert({ key });
        else keys.delete(key);
        if (comes) model.add(key);
        else model.delete(key);
      }
      const wanted = [...model].sort();
      const found: string[] = [];
      keys.scan(start, end, ({ key }) => found.push(key) > 0);
      expect(found).toEqual(wanted.filter((key) => key >= start && key < end));
      expect([keys.size, keys.rank(undefined), keys.rank(start)]).toEqual([model.size, model.size, wanted.filter((key) => key < start).length]);
    }),
    { numRuns: 30 },
  );
});

test('a key stands in it once, and only what is there can leave', () => {
  const keys = new SortedKeys<{ readonly key: string }>();
  keys.insert({ key: 'a' });
  expect(() => keys.insert({ key: 'a' })).toThrow('a is new to the index');
  expect(() => keys.delete('b')).toThrow('b is in the index');
  keys.clear();
  expect(keys.size).toBe(0);
});
