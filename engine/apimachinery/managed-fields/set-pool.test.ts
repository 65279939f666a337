import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldSet } from './field-set.ts';
import { SetPool } from './set-pool.ts';

const elements = fc.constantFrom('f:a', 'f:b', 'f:a 0', '3 f:a 0,3 f:b', 'k:{"name":"x"}', '.');
const sets = fc.letrec<{ set: FieldSet }>((tie) => ({
  set: fc.oneof({ maxDepth: 3 }, fc.constant({}), fc.dictionary(elements, tie('set'), { maxKeys: 3 })),
})).set;

const text = (set: FieldSet): string => JSON.stringify(set);

test('equal sets become one object, different ones never', () => {
  fc.assert(
    fc.property(fc.array(sets, { minLength: 2, maxLength: 20 }), (all) => {
      const pool = new SetPool();
      const shared = all.map((set) => pool.share(set));
      shared.forEach((one, i) => {
        expect(text(one)).toBe(text(all[i] as FieldSet));
        all.forEach((other, j) => expect(shared[j] === one).toBe(text(other) === text(all[i] as FieldSet)));
      });
    }),
  );
});

test('subtrees are shared between sets that differ elsewhere', () => {
  const pool = new SetPool();
  const one = pool.share({ 'f:status': { 'f:phase': {}, 'f:podIP': {} }, 'f:x': {} });
  const two = pool.share({ 'f:status': { 'f:phase': {}, 'f:podIP': {} }, 'f:y': {} });
  expect(two['f:status']).toBe(one['f:status']);
});

test('more sets than it holds are forgotten, not confused', () => {
  const pool = new SetPool();
  for (let i = 0; i < 20_100; i++) pool.share({ [`f:${i}`]: {} });
  expect(pool.share({ 'f:1': { 'f:2': {} } })).toEqual({ 'f:1': { 'f:2': {} } });
});
