import { describe, expect, test } from 'vitest';
import { Lazy } from './lazy.ts';
import { createStore, restoreStore } from './memory-store.ts';
import { storeRules } from './testing/store-rules.contract.ts';
import { storeContract } from './testing/store.contract.ts';

const meta = { virtualMs: 5, identity: 'tester', causes: [] };

describe('the store in memory', () => {
  storeContract((stamp) => createStore<string>(stamp === undefined ? {} : { stamp }));
  storeRules(<V>() => createStore<V>());

  test('R22 what lives is weighed, through updates, deletes and a restore; only puts need space', () => {
    const options = { weigh: (value: string): number => value.length, quota: 10 };
    const store = createStore<string>(options);
    store.create('/a', '1234', meta);
    store.create('/b', '12', meta);
    store.update('/a', undefined, '12345', meta);
    expect(store.livingWeight).toBe(7);
    const put = (value: string) => ({ type: 'put', key: '/c', value }) as const;
    expect([store.fits([put('123')]), store.fits([put('1234')]), store.fits([put('12'), put('12')])]).toEqual([true, false, false]);
    store.create('/full', '123', meta);
    expect(store.fits([{ type: 'delete', key: '/a' }])).toBe(true);
    store.remove('/a', undefined, meta);
    expect(store.livingWeight).toBe(5);
    expect(restoreStore(store.checkpoint(), options).livingWeight).toBe(5);
  });

  test('what a restored store holds is weighed and read when it must be, and changes that are known are told to nobody', () => {
    const first = createStore<string>();
    first.create('/a', 'one', meta);
    first.create('/b', 'other', meta);
    const known = first.currentRevision();
    first.update('/a', undefined, 'two', meta);
    const { entries: _none, ...saved } = first.checkpoint();
    const told: string[] = [];
    const second = createStore<string>({ weigh: (value) => value.length });
    second.watch({ prefix: '', onChanges: (changes) => told.push(...changes.map(({ key, revision }) => `${key}@${revision}`)) });
    const never = new Lazy<string>(() => {
      throw new Error('nobody asks for it');
    });
    const old = { key: '/old', value: never, createRevision: 1, modRevision: 1, version: 1, weight: 40 };
    second.load({ ...saved, compactedRevision: 1, entries: [old], toldUpTo: known });
    expect(told).toEqual([`/a@${first.currentRevision()}`]);
    expect(second.get('/a')?.value).toBe('two');
    expect(second.livingWeight).toBe(40 + 'two'.length + 'other'.length);
  });

  test('R6 wire forms are dropped when they take too much, and made again', () => {
    const store = createStore<string>();
    const large = 'x'.repeat(140 << 20);
    let made = 0;
    const read = (): string => store.get('/a')?.getEncoding('json', () => (made++, large)) ?? '';
    store.create('/a', '', meta);
    store.create('/b', '', meta);
    read();
    store.get('/b')?.getEncoding('json', () => large);
    read();
    expect(made).toBe(1);
    store.create('/c', '', meta);
    expect(read()).toBe(large);
    expect(made).toBe(2);
  });
});
