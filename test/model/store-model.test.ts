/** Long random lives of a store, compared step by step with the model (SPEC.md, R1 to R18; transactions have a test of their own). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStore, restoreStore } from '../../engine/store/memory-store.ts';
import type { Change, Store, StoredValue, Watcher } from '../../engine/store/store.ts';
import { type ModelChange, StoreModel } from './store-model.ts';

const prefixes = ['', '/registry/', '/registry/pods/', '/registry/pods/a/', '/registry/pods-x/'];
const keys = ['/registry/pods/a/1', '/registry/pods/a/2', '/registry/pods/b/1', '/registry/pods-x/a/1', '/registry/leases/n1', '/registry/pods/a'];
const back = fc.nat(12);
const prefix = fc.constantFrom(...prefixes);
const key = fc.constantFrom(...keys);

const write = fc.record({ type: fc.constantFrom('create', 'update', 'remove'), key, expected: fc.constantFrom('none', 'right', 'wrong') } as const);
const command = fc.oneof(
  { weight: 12, arbitrary: write },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('range' as const), prefix, back, limit: fc.nat(4), start: fc.option(key) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('watch' as const), prefix, back }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), at: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('compact' as const, 'retain' as const), back, prefix }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('jump' as const), by: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restore' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Watched {
  readonly prefix: string;
  readonly after: number;
  readonly seen: ModelChange[];
  readonly watcher: Watcher;
}

class Life {
  readonly model = new StoreModel();
  store: Store<number> = createStore<number>();
  watches: Watched[] = [];
  #written = 0;

  run(command: Command): void {
    switch (command.type) {
      case 'range':
        return this.range(command);
      case 'watch':
        return this.watch(command.prefix, this.model.revision + 2 - command.back);
      case 'cancel':
        return this.cancel(command.at);
      case 'compact': {
        const floor = Math.min(this.model.revision, Math.max(this.model.compacted, this.model.revision - command.back));
        this.store.compact(floor);
        this.model.compacted = floor;
        return;
      }
      case 'retain':
        return this.store.retain(Math.max(0, this.model.compacted - command.back), command.prefix);
      case 'jump':
        this.model.revision += command.by;
        return this.store.advanceRevisionTo(this.model.revision);
      case 'restore':
        return this.restore();
      default:
        return this.write(command);
    }
  }

  write({ type, key, expected }: { type: 'create' | 'update' | 'remove'; key: string; expected: string }): void {
    const right = this.model.get(key)?.modRevision ?? 1;
    const revision = expected === 'none' ? undefined : expected === 'right' ? right : right - 1;
    const value = ++this.#written;
    const meta = { virtualMs: value, identity: 'fuzz', causes: [] };
    const next = this.store.currentRevision() + 1;
    const result =
      type === 'create'
        ? this.store.create(key, value, meta)
        : type === 'update'
          ? this.store.update(key, revision, value, meta)
          : this.store.remove(key, revision, meta);
    expect(result.type === 'failure' ? result.reason : result.revision).toEqual(this.model.write(type, key, revision, value));
    if (result.type !== 'failure') expect(result.revision).toBe(next);
  }

  range({ prefix, back, limit, start }: { prefix: string; back: number; limit: number; start: string | null }): void {
    const revision = Math.max(1, this.model.revision + 1 - back);
    const read = () => this.store.range({ prefix, limit, revision, start: start ?? undefined });
    const refusal = this.model.refusal(revision);
    if (refusal !== undefined) {
      expect(read).toThrow(expect.objectContaining({ name: refusal }));
      return;
    }
    const all = this.model.stateAt(revision).filter((value) => value.key.startsWith(prefix) && (start === null || value.key >= start));
    const items = limit === 0 ? all : all.slice(0, limit);
    const result = read();
    expect({ ...result, items: result.items.map(plain) }).toEqual({ items, revision, more: items.length < all.length, count: all.length });
  }

  watch(prefix: string, wanted: number): void {
    const after = Math.max(0, wanted);
    const seen: ModelChange[] = [];
    const onChanges = (changes: readonly Change<number>[]) => void seen.push(...changes.map(plainChange));
    const open = () => this.store.watch({ prefix, afterRevision: after, onChanges });
    if (after < this.model.compacted) expect(open).toThrow(expect.objectContaining({ name: 'CompactedError' }));
    else this.watches.push({ prefix, after, seen, watcher: open() });
  }

  cancel(at: number): void {
    const [gone] = this.watches.splice(at, 1);
    gone?.watcher.cancel();
  }

  /** The restored store takes over; every watch is opened again where it began, if it still may. */
  restore(): void {
    this.store = restoreStore<number>(JSON.parse(JSON.stringify(this.store.checkpoint())));
    const old = this.watches;
    this.watches = [];
    for (const { prefix, after } of old) this.watch(prefix, after);
  }

  check(): void {
    expect(this.store.currentRevision()).toBe(this.model.revision);
    expect(this.store.range({}).items.map(plain)).toEqual(this.model.stateAt(this.model.revision));
    for (const { prefix, after, seen } of this.watches) expect(seen).toEqual(this.model.changesAfter(after, prefix));
  }
}

function plain({ key, value, createRevision, modRevision, version }: StoredValue<number>): object {
  return { key, value, createRevision, modRevision, version };
}

function plainChange({ revision, key, current }: Change<number>): ModelChange {
  return { revision, key, value: current?.value };
}

test('a random life of the store equals the model; a watch never loses, repeats or reorders', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 120, size: 'max' }), (commands) => {
      const life = new Life();
      for (const next of commands) {
        life.run(next);
        life.check();
      }
    }),
    { seed: 7, numRuns: 150 },
  );
});
