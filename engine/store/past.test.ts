/** R23: a store that was given a later state and reads the time before when asked answers as one that was given everything. */
import { describe, expect, test } from 'vitest';
import { Random, type RandomStream } from '../base/random.ts';
import { createStore, restoreStore } from './memory-store.ts';
import type { Change, ChangeMeta, PastPiece, Store, StoreCheckpoint, StoredValue } from './store.ts';

const keys = ['/a/1', '/a/2', '/a/3', '/b/1', '/b/2', '/events/1', '/events/2', '/events/3'];

function metaAt(ms: number): ChangeMeta {
  return { virtualMs: ms, identity: `who-${ms % 3}`, causes: [`why:${ms % 5}`] };
}

function writeSome(stores: readonly Store<string>[], random: RandomStream, count: number): void {
  for (let i = 0; i < count; i++) {
    const key = keys[random.integer(keys.length)] as string;
    const isRemoval = random.integer(4) === 0;
    for (const store of stores) {
      const revision = store.currentRevision();
      const meta = metaAt(revision);
      if (isRemoval) store.remove(key, undefined, meta);
      else if (store.get(key) === undefined) store.create(key, `v${revision}`, meta);
      else store.update(key, undefined, `v${revision}`, meta);
    }
  }
}

interface Halves {
  readonly full: StoreCheckpoint<string>;
  readonly entries: readonly StoredValue<string>[];
  readonly pieces: readonly PastPiece<string>[];
  readonly base: number;
}

/** What a session file holds: a base at some revision with the time before it, and the changes after it. */
function cut(store: Store<string>, base: number): Halves {
  const full = store.checkpoint();
  const entries = store.range({ revision: base }).items;
  const at = new Map(entries.map(({ key, modRevision }) => [key, modRevision]));
  const pieces: PastPiece<string>[] = [];
  for (const entry of full.entries) if (at.get(entry.key) !== entry.modRevision) pieces.push({ type: 'entry', ...entry });
  for (const change of full.changes) {
    const { revision, key, meta } = change;
    if (revision <= base) pieces.push(at.get(key) === revision ? { type: 'known', revision, key, meta } : change);
  }
  return { full, entries, pieces, base };
}

function halfStore({ full, entries, pieces, base }: Halves, onRead: () => void = () => undefined): Store<string> {
  const store = createStore<string>();
  const read = function* (): Generator<PastPiece<string>> {
    onRead();
    yield* pieces;
  };
  const changes = full.changes.filter(({ revision }) => revision > base);
  store.load({ ...full, entries, changes, past: { revision: base, read } });
  return store;
}

const told = (change: Change<string> | undefined): unknown =>
  change && [change.type, change.revision, change.key, change.current?.value, change.previous?.value, { ...metaOf(change) }];
const metaOf = ({ meta: { virtualMs, identity, causes } }: Change<string>): ChangeMeta => ({ virtualMs, identity, causes });
const seen = ({ key, value, createRevision, modRevision, version }: StoredValue<string>): unknown => [
  key,
  value,
  createRevision,
  modRevision,
  version,
];

/** The answer, or the name of the refusal. */
function answer(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return (error as Error).name + (error as Error).message;
  }
}

function ask(store: Store<string>, what: number, revision: number, key: string): unknown {
  switch (what) {
    case 0:
      return store.range({ revision, history: true }).items.map(seen);
    case 1:
      return [store.get(key, revision)].map((value) => value && seen(value));
    case 2:
      return store.changesBetween(revision, store.currentRevision()).map(told);
    case 3: {
      const changes: unknown[] = [];
      store.watch({ prefix: '/a/', afterRevision: revision, onChanges: (some) => changes.push(...some.map(told)) }).cancel();
      return changes;
    }
    case 4:
      return store.range({ prefix: '/a/', revision, limit: 2 }).count;
    case 5:
      return told(store.changeAt(revision));
    default:
      return store.range({}).items.map(seen);
  }
}

describe('what a restored store does not know yet', () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))('nobody can tell, whatever is asked, written and freed meanwhile: seed %i', (seed) => {
    const random = new Random(seed).stream('past');
    const original = createStore<string>();
    writeSome([original], random, 60);
    const floor = 2 + random.integer(original.currentRevision() - 1);
    original.compact(floor);
    original.retain(floor);
    const base = floor + random.integer(original.currentRevision() - floor + 1);
    const halves = cut(original, base);
    const whole = restoreStore(halves.full);
    const half = halfStore(halves);
    for (let step = 0; step < 40; step++) {
      const now = whole.currentRevision();
      const revision = 1 + random.integer(now);
      const key = keys[random.integer(keys.length)] as string;
      switch (random.integer(8)) {
        case 0:
          writeSome([whole, half], random, 1 + random.integer(5));
          break;
        case 1:
          half.recall(random.integer(6));
          break;
        case 2: {
          const prefix = random.integer(2) === 0 ? '/events/' : '';
          for (const store of [whole, half]) {
            if (prefix !== '' || random.integer(3) > 0) store.compact(Math.max(store.compactedRevision(), floor));
            if (prefix !== '') store.compact(Math.max(store.compactedRevision(), revision));
          }
          expect(answer(() => half.retain(Math.min(revision, half.compactedRevision()), prefix))).toEqual(
            answer(() => whole.retain(Math.min(revision, whole.compactedRevision()), prefix)),
          );
          break;
        }
        default: {
          const what = random.integer(7);
          expect(answer(() => ask(half, what, revision, key))).toEqual(answer(() => ask(whole, what, revision, key)));
        }
      }
    }
    expect(half.recall()).toBe(true);
    for (let what = 0; what < 7; what++) expect(answer(() => ask(half, what, 1, '/a/1'))).toEqual(answer(() => ask(whole, what, 1, '/a/1')));
  });

  test('is not read for the present, nor when it was freed before', () => {
    const original = createStore<string>();
    writeSome([original], new Random(1).stream('past'), 80);
    const base = 50;
    original.compact(10);
    original.retain(10);
    let reads = 0;
    const store = halfStore(cut(original, base), () => reads++);
    expect(store.range({}).items.map(seen)).toEqual(original.range({}).items.map(seen));
    expect(store.range({ revision: base }).items.map(seen)).toEqual(original.range({ revision: base }).items.map(seen));
    expect(store.changesBetween(base, 90)).toHaveLength(original.changesBetween(base, 90).length);
    store.compact(60);
    store.retain(base);
    expect(store.recall(0)).toBe(true);
    expect(() => store.changesBetween(base - 1, 90)).toThrow('compacted');
    expect(reads).toBe(0);
  });

  test('a piece that the entries contradict is found out', () => {
    const original = createStore<string>();
    writeSome([original], new Random(2).stream('past'), 40);
    original.compact(5);
    const halves = cut(original, 30);
    const pieces = halves.pieces.map((piece) => (piece.type === 'known' ? { ...piece, key: '/nobody' } : piece));
    expect(() => halfStore({ ...halves, pieces }).recall()).toThrow('is among the entries');
  });
});
