/**
 * What every store promises readers, writers and watchers, beside what the random test of test/model sees: sharing, re-entrance,
 * cancellation, the past (SPEC.md; each test names its rules).
 */
import { expect, test } from 'vitest';
import { type Change, CompactedError, FutureRevisionError, type Store } from '../store.ts';

const meta = { virtualMs: 5, identity: 'tester', causes: ['input:1'] };
const pods = '/registry/pods/';

interface Watched {
  readonly store: Store<string>;
  readonly seen: string[];
  note(name: string): (changes: readonly Change<string>[]) => void;
}

export function storeRules(create: <V>() => Store<V>): void {
  const makeStore = (): Watched => {
    const seen: string[] = [];
    return { store: create<string>(), seen, note: (name) => (changes) => void seen.push(...changes.map((change) => `${name}${change.revision}`)) };
  };

  test('R4 R5 a delete uses a revision, carries the last version, and a key that lives again starts at version 1', () => {
    const { store } = makeStore();
    store.create(`${pods}a`, 'one', meta);
    store.update(`${pods}a`, 2, 'two', meta);
    expect(store.update(`${pods}a`, 2, 'late', meta)).toMatchObject({ type: 'failure', reason: 'mismatch', current: { value: 'two', version: 2 } });
    expect(store.remove(`${pods}a`, 3, meta)).toMatchObject({ type: 'delete', revision: 4, previous: { value: 'two', modRevision: 3 }, meta });
    store.create(`${pods}a`, 'again', meta);
    expect(store.get(`${pods}a`)).toMatchObject({ createRevision: 5, modRevision: 5, version: 1 });
    expect([2, 3, 4, 5].map((revision) => store.get(`${pods}a`, revision)?.value)).toEqual(['one', 'two', undefined, 'again']);
  });

  test('R6 values are shared and an encoding is made once per version and media key', () => {
    const store = create<object>();
    const value = Object.freeze({ kind: 'Pod' });
    store.create(`${pods}a`, value, meta);
    let made = 0;
    const make = () => `encoded ${++made}`;
    expect(store.get(`${pods}a`)?.value).toBe(value);
    expect(['json', 'json', 'yaml'].map((media) => store.get(`${pods}a`)?.getEncoding(media, make))).toEqual(['encoded 1', 'encoded 1', 'encoded 2']);
    store.update(`${pods}a`, undefined, value, meta);
    expect(store.get(`${pods}a`)?.getEncoding('json', make)).toBe('encoded 3');
  });

  test('R10 watches of a prefix, of a key and of everything get just theirs', () => {
    const { store, seen, note } = makeStore();
    store.watch({ prefix: pods, onChanges: note('prefix') });
    store.watch({ key: `${pods}a`, onChanges: note('key') });
    store.watch({ onChanges: note('all') });
    store.create(`${pods}a`, '', meta);
    store.create(`${pods}a2`, '', meta);
    store.create('/registry/nodes/n', '', meta);
    expect(seen).toEqual(['all2', 'prefix2', 'key2', 'all3', 'prefix3', 'all4']);
  });

  test('R11 a write inside a delivery comes after it for everybody, also for a watch opened there', () => {
    const { store, seen, note } = makeStore();
    store.watch({
      prefix: pods,
      onChanges: (changes) => {
        note('first')(changes);
        if (changes[0]?.revision !== 2) return;
        store.create(`${pods}b`, '', meta);
        store.watch({ prefix: pods, afterRevision: 1, onChanges: note('inner') });
        store.create(`${pods}c`, '', meta);
      },
    });
    store.watch({ prefix: pods, onChanges: note('second') });
    store.create(`${pods}a`, '', meta);
    expect(seen).toEqual(['first2', 'inner2', 'inner3', 'second2', 'first3', 'second3', 'first4', 'second4', 'inner4']);
  });

  test('R13 a watcher cancelled by another one gets nothing more', () => {
    const { store, seen, note } = makeStore();
    store.watch({ prefix: pods, onChanges: () => second.cancel() });
    const second = store.watch({ prefix: pods, onChanges: note('second') });
    store.create(`${pods}a`, '', meta);
    expect(seen).toEqual([]);
  });

  test('R12 R14 a watch from the future waits, and progress names the present', () => {
    const { store, seen, note } = makeStore();
    store.watch({ prefix: pods, afterRevision: 2, onChanges: note('late'), onProgress: (revision) => void seen.push(`progress${revision}`) });
    store.create(`${pods}a`, '', meta);
    store.create(`${pods}b`, '', meta);
    store.notifyProgress();
    expect(seen).toEqual(['late3', 'progress3']);
  });

  test('R14 one watcher alone can be told, when what waits is delivered', () => {
    const { store, seen, note } = makeStore();
    const told = (name: string) => (revision: number) => void seen.push(`${name} ${revision}`);
    store.watch({ prefix: pods, onChanges: note('other'), onProgress: told('other') });
    const one = store.watch({ prefix: pods, onChanges: () => one.tellProgress(), onProgress: told('one') });
    store.create(`${pods}a`, '', meta);
    one.tellProgress();
    expect(seen).toEqual(['other2', 'one 2', 'one 2']);
    one.cancel();
    one.tellProgress();
    expect(seen).toHaveLength(3);
  });

  test('R15 a watcher that throws costs the others nothing', () => {
    const { store, seen, note } = makeStore();
    const broken = store.watch({
      prefix: pods,
      onChanges: () => {
        throw new Error('broken watcher');
      },
    });
    store.watch({ prefix: pods, onChanges: note('other') });
    expect(() => store.create(`${pods}a`, '', meta)).toThrow('broken watcher');
    broken.cancel();
    store.create(`${pods}b`, '', meta);
    expect(seen).toEqual(['other2', 'other3']);
  });

  test('R9 R16 R17 the past stays readable beneath the visible floor until retention frees it', () => {
    const { store, note } = makeStore();
    for (const value of ['one', 'two']) {
      for (const key of ['/registry/leases/l', `${pods}a`]) {
        if (value === 'one') store.create(key, value, meta);
        else store.update(key, undefined, value, meta);
      }
    }
    store.compact(5);
    expect(() => store.compact(6)).toThrow(FutureRevisionError);
    expect(() => store.range({ prefix: pods, revision: 3 })).toThrow(CompactedError);
    expect(() => store.watch({ afterRevision: 4, onChanges: note('') })).toThrow(CompactedError);
    expect(store.range({ revision: 3, history: true }).items.map(({ value }) => value)).toEqual(['one', 'one']);

    store.retain(5, '/registry/leases/');
    expect(() => store.get('/registry/leases/l', 3, true)).toThrow(CompactedError);
    expect(store.get(`${pods}a`, 3, true)?.value).toBe('one');
    expect(store.changesBetween(0, 5).map(({ revision }) => revision)).toEqual([3, 5]);
    expect(store.changeAt(3)).toMatchObject({ key: `${pods}a`, meta });
    store.update(`${pods}a`, undefined, 'three', meta);
    const [last, before] = [store.changeAt(6), store.changeAt(5)];
    expect([last?.previous?.value, before?.previous?.value]).toEqual(['two', 'one']);
    store.retain(5);
    expect(() => store.changesBetween(4, 6)).toThrow(CompactedError);
    expect([last?.previous?.value, before?.previous?.value]).toEqual(['two', undefined]);
    expect(store.get(`${pods}a`)?.value).toBe('three');
  });

  test('R12 at the floor of what is retained everything stands as it stood', () => {
    const { store } = makeStore();
    store.create(`${pods}a`, 'one', meta);
    store.update(`${pods}a`, undefined, 'two', meta);
    store.create(`${pods}gone`, 'here', meta);
    const floor = store.currentRevision();
    store.update(`${pods}a`, undefined, 'three', meta);
    store.remove(`${pods}gone`, undefined, meta);
    store.compact(floor);
    store.retain(floor);
    expect(store.get(`${pods}a`, floor)?.value).toBe('two');
    expect(store.get(`${pods}gone`, floor)?.value).toBe('here');
    expect(store.range({ prefix: pods, revision: floor }).items.map(({ value }) => value)).toEqual(['two', 'here']);
    expect(store.range({ prefix: pods }).items.map(({ value }) => value)).toEqual(['three']);
  });

  test('R3 R18 a fork starts above every revision issued before', () => {
    const { store } = makeStore();
    store.create(`${pods}a`, 'one', meta);
    store.remove(`${pods}a`, undefined, meta);
    const fork = create<string>();
    fork.load(store.checkpoint());
    fork.advanceRevisionTo(1000);
    fork.compact(1000);
    expect(fork.create(`${pods}a`, 'fork', meta)).toMatchObject({ revision: 1001 });
    expect(() => fork.watch({ afterRevision: 3, onChanges: () => undefined })).toThrow(CompactedError);
    expect(store.currentRevision()).toBe(3);
  });
}
