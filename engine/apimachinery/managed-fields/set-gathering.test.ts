import fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference, type FieldSet, leaf, makeNode, union } from './field-set.ts';
import { SetGathering } from './set-gathering.ts';
import { SetPool } from './set-pool.ts';

const elements = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"name":"x"}', 'k:{"port":80}', 'v:"x"');
const children = fc.uniqueArray(fc.tuple(elements, fc.constantFrom(leaf, makeNode(true, [['f:d', leaf]]))), { selector: ([element]) => element });
type Children = readonly (readonly [string, FieldSet])[];

function gather(gathering: SetGathering, isMember: boolean, all: Children): FieldSet {
  let gathered = gathering.start(isMember);
  for (const [element, node] of all) gathered = gathered.with(element, gathering.pool.share(node));
  return gathered.set;
}

const text = (set: FieldSet): string => JSON.stringify(set);

test('a set is that of its children, whatever was gathered before and in whatever order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), children), { minLength: 1, maxLength: 30 }), (all) => {
      const gathering = new SetGathering(new SetPool());
      for (const [isMember, list] of all) {
        const set = gather(gathering, isMember, list);
        expect(text(set)).toBe(text(makeNode(isMember, list)));
        expect(gather(gathering, isMember, list.toReversed())).toBe(set);
        expect(gathering.pool.has(set)).toBe(true);
      }
    }),
  );
});

test('an object of hundreds of keys, and more shapes than are remembered, are gathered all the same', () => {
  const gathering = new SetGathering(new SetPool());
  const wide = Array.from({ length: 300 }, (_, index): [string, FieldSet] => [`f:${1000 - index}`, leaf]);
  expect(text(gather(gathering, true, wide))).toBe(text(makeNode(true, wide)));
  expect(gather(gathering, true, wide)).toBe(gather(gathering, true, wide.toReversed()));
  const kept = gathering.start(true).with('f:0', leaf);
  for (let index = 0; index < 30_000; index++) gathering.start(true).with(`f:${index}`, leaf);
  expect(kept.with('f:1', leaf).set).toEqual({ '.': {}, 'f:0': {}, 'f:1': {} });
  expect(gathering.start(true).with('f:7', leaf).set).toEqual({ '.': {}, 'f:7': {} });
});

test('what two sets make together is told from memory as it was the first time', () => {
  fc.assert(
    fc.property(fc.array(children, { minLength: 2, maxLength: 6 }), (lists) => {
      const pool = new SetPool();
      const sets = lists.map((list) => pool.share(makeNode(false, list)));
      for (let round = 0; round < 2; round++) {
        for (const a of sets) {
          for (const b of sets) {
            expect(text(pool.union(a, b))).toBe(text(union(a, b)));
            expect(text(pool.difference(a, b))).toBe(text(difference(a, b)));
            expect(text(pool.wholeDifference(a, b))).toBe(text(difference(a, b, true)));
            expect(pool.union(a, b)).toBe(pool.union(a, b));
          }
        }
      }
    }),
  );
});
