/** Random transactions beside a copy of the store's state that is simply changed (SPEC.md, R19 and R20). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStore } from '../../engine/store/memory-store.ts';
import { Transaction } from '../../engine/store/transaction.ts';

const keys = ['/r/pods/a', '/r/pods/b', '/r/pods/c', '/r/nodes/n'];
const meta = { virtualMs: 0, identity: 'fuzz', causes: [] };
const key = fc.constantFrom(...keys);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('create', 'update', 'remove'), key, outside: fc.constant(false) } as const) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('get' as const), key }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('range' as const), limit: fc.nat(3), start: key }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('create', 'update', 'remove'), key, outside: fc.constant(true) } as const) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('end' as const), keep: fc.boolean() }) },
);

/** The transaction said naively: a copy of the state, and which keys it wrote. */
class NaiveTransaction {
  readonly state: Map<string, number>;
  readonly began: ReadonlySet<string>;
  readonly written = new Set<string>();

  constructor(state: ReadonlyMap<string, number>) {
    this.state = new Map(state);
    this.began = new Set(state.keys());
  }
}

test('a random transaction sees and leaves what the naive one does; one whose key moved leaves nothing', () => {
  let kept = 0;
  let moved = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
      const store = createStore<number>();
      const outer = new Map<string, number>();
      let mine = new Transaction(store);
      let naive = new NaiveTransaction(outer);
      /** Written outside since the transaction began. */
      let young = new Set<string>();
      let value = 0;
      const end = (keep: boolean): void => {
        // A key that came and went meanwhile is as it was: not there.
        const isMoved = [...naive.written].some((name) => young.has(name) && (naive.began.has(name) || outer.has(name)));
        if (keep) {
          const result = mine.commit(meta);
          expect(result.type).toBe(isMoved ? 'moved' : 'committed');
          if (isMoved) moved++;
          else {
            kept++;
            for (const name of naive.written) {
              const now = naive.state.get(name);
              if (now === undefined) outer.delete(name);
              else outer.set(name, now);
            }
          }
        }
        expect(new Map(store.range({}).items.map((item) => [item.key, item.value]))).toEqual(sorted(outer));
        mine = new Transaction(store);
        naive = new NaiveTransaction(outer);
        young = new Set();
      };
      for (const next of steps) {
        if (next.type === 'end') end(next.keep);
        else if (next.type === 'get') {
          if (!young.has(next.key)) expect(mine.get(next.key)?.value).toBe(naive.state.get(next.key));
        } else if (next.type === 'range') {
          if (young.size > 0) continue;
          const all = [...sorted(naive.state)].filter(([name]) => name.startsWith('/r/pods/') && name >= next.start);
          const found = mine.range({ prefix: '/r/pods/', start: next.start, limit: next.limit });
          expect(found.items.map((item) => [item.key, item.value])).toEqual(next.limit === 0 ? all : all.slice(0, next.limit));
          expect(found.count).toBe(all.length);
        } else if (next.outside) {
          const lives = outer.has(next.key);
          if (next.type === 'create' ? lives : !lives) continue;
          if (next.type === 'create') store.create(next.key, ++value, meta);
          else if (next.type === 'update') store.update(next.key, undefined, ++value, meta);
          else store.remove(next.key, undefined, meta);
          if (next.type === 'remove') outer.delete(next.key);
          else outer.set(next.key, value);
          young.add(next.key);
        } else {
          // Whether a key that another wrote meanwhile lives is not this test's question.
          if (young.has(next.key) && !naive.written.has(next.key)) continue;
          const lives = naive.state.has(next.key);
          const fails = next.type === 'create' ? lives : !lives;
          const given = ++value;
          const result =
            next.type === 'create' ? mine.create(next.key, given) : next.type === 'update' ? mine.update(next.key, given) : mine.remove(next.key);
          expect('reason' in result).toBe(fails);
          if (fails) continue;
          naive.written.add(next.key);
          if (next.type === 'remove') naive.state.delete(next.key);
          else naive.state.set(next.key, given);
        }
      }
      end(true);
    }),
    { seed: 11, numRuns: 1500 },
  );
  expect(Math.min(kept, moved)).toBeGreaterThan(50);
});

function sorted(state: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
}
