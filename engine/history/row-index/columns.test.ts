import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FloatLists, Numbered } from './columns.ts';

it('a part is found in the very texts that have it, however many there are and whenever they came', () => {
  const texts = (count: number, from: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `pods/team-${index % 7}/web-${from + index}`);
  const part = fc.oneof(
    fc.constantFrom('w', '-1', 'web-12', '/web-4095', 's/team-3', 'b-9', 'none', '5\np', 'pods/team-0/web-4096'),
    fc.string({ minLength: 1, maxLength: 3 }),
  );
  const counts = fc.array(fc.constantFrom(1, 90, 4_094, 4_095, 4_096, 9_000), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(counts, fc.array(part, { minLength: 1, maxLength: 3 }), (steps, parts) => {
      const numbered = new Numbered();
      const all = [''];
      for (const step of steps) {
        for (const text of texts(step, all.length)) {
          numbered.of(text);
          all.push(text);
        }
        for (const one of parts) expect([...numbered.having(one)]).toEqual(all.map((text) => (text.includes(one) ? 1 : 0)));
      }
    }),
    { numRuns: 30 },
  );
});

it('the greatest of a list within bounds is found, however lists grow, shrink and come again', () => {
  const anyList = fc.array(fc.nat(100), { maxLength: 30 });
  const rising = anyList.map((list) => list.toSorted((a, b) => a - b));
  const step = fc.record({ slot: fc.nat(40), list: fc.oneof(anyList, rising) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), fc.nat(100), fc.nat(60), (steps, from, length) => {
      const lists = new FloatLists();
      const known = new Map<number, readonly number[]>();
      for (const { slot, list } of steps) {
        lists.set(slot, list.length, (index) => list[index] as number);
        known.set(slot, list);
      }
      for (const [slot, list] of known)
        expect(lists.greatestWithin(slot, from, from + length)).toBe(
          Math.max(-1, ...list.filter((value) => value >= from && value <= from + length)),
        );
    }),
    { numRuns: 60 },
  );
});
