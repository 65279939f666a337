/** What every store promises those who write in transactions (SPEC.md, R2, R19, R20), whatever it keeps its values in. */
import { expect, test } from 'vitest';
import type { Change, Stamp, Store } from '../store.ts';
import { Transaction } from '../transaction.ts';

const meta = { virtualMs: 5, identity: 'tester', causes: ['input:1'] };
const pods = '/registry/pods/';

export function storeContract(create: (stamp?: Stamp<string>) => Store<string>): void {
  const filled = (): Store<string> => {
    const store = create();
    for (const name of ['a', 'b', 'c']) store.create(`${pods}${name}`, name, meta);
    return store;
  };

  test('R2 a revision is written into a value once, when it is first read', () => {
    const stamped: number[] = [];
    const store = create((value, revision) => {
      stamped.push(revision);
      return `${value}@${revision}`;
    });
    store.create(`${pods}a`, 'one', meta);
    expect(stamped).toEqual([]);
    expect([store.get(`${pods}a`)?.value, store.get(`${pods}a`)?.value]).toEqual(['one@2', 'one@2']);
    store.update(`${pods}a`, undefined, 'two', meta);
    expect([store.get(`${pods}a`)?.value, store.get(`${pods}a`, 2)?.value]).toEqual(['two@3', 'one@2']);
    expect(stamped).toEqual([2, 3]);
  });

  test('R19 a commit makes all operations in order, and is told to watchers when all are made', () => {
    const store = filled();
    const seen: string[] = [];
    store.watch({
      prefix: pods,
      onChanges: (changes) => {
        for (const { type, key, revision } of changes) seen.push(`${type} ${key.slice(pods.length)}@${revision} of ${store.currentRevision()}`);
      },
    });
    const result = store.commit(
      [
        { type: 'put', key: `${pods}a`, value: 'a2', expected: 2 },
        { type: 'delete', key: `${pods}b`, expected: 3 },
        { type: 'put', key: `${pods}d`, value: 'd', expected: 0 },
        { type: 'put', key: `${pods}d`, value: 'd2' },
      ],
      meta,
    );
    expect(result).toMatchObject({ type: 'committed', changes: [{ revision: 5 }, { revision: 6 }, { revision: 7 }, { revision: 8, meta }] });
    expect(seen).toEqual(['put a@5 of 8', 'delete b@6 of 8', 'put d@7 of 8', 'put d@8 of 8']);
    expect(store.get(`${pods}d`)).toMatchObject({ value: 'd2', createRevision: 7, version: 2 });
  });

  test.each([
    ['another revision', 2, `${pods}b`],
    ['a key that lives', 0, `${pods}c`],
    ['a key that is gone', 9, `${pods}x`],
  ])('R19 an expectation that does not hold leaves everything as it was: %s', (_what, expected, key) => {
    const store = filled();
    const before = store.checkpoint();
    const result = store.commit(
      [
        { type: 'put', key: `${pods}a`, value: 'never', expected: 2 },
        { type: 'put', key, value: 'never', expected },
      ],
      meta,
    );
    expect(result).toEqual({ type: 'moved', key });
    expect(store.checkpoint()).toEqual(before);
  });

  test('R20 a transaction sees its own writes, and nobody else does before the commit', () => {
    const store = filled();
    const transaction = new Transaction(store);
    transaction.remove(`${pods}b`);
    const put = transaction.update(`${pods}c`, 'c2');
    transaction.create(`${pods}b2`, 'b2');
    const names = (view: Pick<Store<string>, 'range'>, limit = 0): string[] => view.range({ prefix: pods, limit }).items.map((item) => item.value);
    expect([names(transaction), names(transaction, 2), transaction.count(pods)]).toEqual([['a', 'b2', 'c2'], ['a', 'b2'], 3]);
    expect(transaction.range({ prefix: pods, limit: 2 })).toMatchObject({ more: true, count: 3 });
    expect([transaction.get(`${pods}b`), transaction.get(`${pods}c`)?.version]).toEqual([undefined, 2]);
    expect([names(store), store.currentRevision()]).toEqual([['a', 'b', 'c'], 4]);
    expect(transaction.commit(meta).type).toBe('committed');
    expect(names(store)).toEqual(['a', 'b2', 'c2']);
    expect(put).toMatchObject({ revision: 6, modRevision: 6, value: 'c2' });
  });

  test('R20 what cannot be written is told at once, as the store tells it', () => {
    const transaction = new Transaction(filled());
    expect(transaction.create(`${pods}a`, '')).toMatchObject({ type: 'failure', reason: 'exists', current: { value: 'a' } });
    expect(transaction.update(`${pods}x`, '')).toMatchObject({ type: 'failure', reason: 'missing' });
    transaction.remove(`${pods}a`);
    expect(transaction.remove(`${pods}a`)).toMatchObject({ type: 'failure', reason: 'missing' });
    transaction.create(`${pods}a`, 'again');
    expect(transaction.get(`${pods}a`)).toMatchObject({ value: 'again', version: 1 });
  });

  test.each<[string, (transaction: Transaction<string>) => unknown, (store: Store<string>) => unknown]>([
    ['changed', (t) => t.get(`${pods}a`), (store) => store.update(`${pods}a`, undefined, 'other', meta)],
    ['gone', (t) => t.get(`${pods}a`), (store) => store.remove(`${pods}a`, undefined, meta)],
    ['changed after a list showed it', (t) => t.range({ prefix: pods }), (store) => store.update(`${pods}a`, undefined, 'other', meta)],
  ])('R20 a key that another has %s since it was seen moves the transaction', (_what, look, interfere) => {
    const store = filled();
    const transaction = new Transaction(store);
    look(transaction);
    interfere(store);
    const after = store.checkpoint();
    if ('reason' in transaction.update(`${pods}a`, 'mine')) transaction.create(`${pods}a`, 'mine');
    expect(transaction.movedKey).toBe(`${pods}a`);
    expect(transaction.commit(meta)).toEqual({ type: 'moved', key: `${pods}a` });
    expect(store.checkpoint()).toEqual(after);
  });

  test('R20 what others write elsewhere moves nothing', () => {
    const store = filled();
    const transaction = new Transaction(store);
    transaction.get(`${pods}b`);
    transaction.update(`${pods}a`, 'mine');
    store.update(`${pods}b`, undefined, 'other', meta);
    expect(transaction.commit(meta)).toMatchObject({ type: 'committed', changes: [{ revision: 6 }] });
  });

  test('R20 a transaction without writes commits nothing, and one is committed once', () => {
    const store = filled();
    const changes: Change<string>[] = [];
    store.watch({ onChanges: (seen) => void changes.push(...seen) });
    const transaction = new Transaction(store);
    expect(transaction.commit(meta)).toEqual({ type: 'committed', changes: [] });
    expect(() => transaction.commit(meta)).toThrow('committed once');
    expect(() => transaction.create(`${pods}z`, '')).toThrow('takes no writes');
    expect([changes, store.currentRevision()]).toEqual([[], 4]);
  });
}
