import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedLater } from './sorted-later.ts';

test('shows what a sorted list would, whenever somebody looks', () => {
  const acts = fc.array(
    fc.oneof(
      fc.constant('look'),
      fc.integer({ min: 0, max: 200 }).map((n) => `k${n}`),
    ),
    { maxLength: 1000 },
  );
  fc.assert(
    fc.property(acts, (sequence) => {
      const keys = new SortedLater<{ readonly key: string }>();
      const model = new Set<string>();
      for (const act of [...sequence, 'look']) {
        if (act === 'look') {
          const found: string[] = [];
          keys.visit(({ key }) => found.push(key));
          expect(found).toEqual([...model].sort());
          continue;
        }
        // A key that is there leaves, another comes.
        if (model.delete(act)) keys.delete(act);
        else {
          model.add(act);
          keys.insert({ key: act });
        }
        expect(keys.size).toBe(model.size);
      }
      keys.clear();
      expect(keys.size).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('only what is there can leave, and what came twice is found out', () => {
  const keys = new SortedLater<{ readonly key: string }>();
  expect(() => keys.delete('a')).toThrow('a is in the index');
  keys.insert({ key: 'a' });
  keys.visit(() => {});
  keys.insert({ key: 'a' });
  expect(() => keys.visit(() => {})).toThrow('a is new to the index');
});
