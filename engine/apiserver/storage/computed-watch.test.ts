/** Watches of what nobody tells of changes of: what a list says now against what the client was shown. */
import { expect, test } from 'vitest';
import type { KubeObject } from '../../apimachinery/object.ts';
import { defineKind } from '../../contracts/kind.ts';
import { enterNow } from '../../registry/testing/serve-now.ts';
import { makeWire } from '../testing/wire.ts';

const problems = defineKind({
  group: 'sim.wavetank.dev',
  version: 'v1alpha1',
  kind: 'Problem',
  plural: 'problems',
  singular: 'problem',
  namespaced: true,
  schema: { name: 'sim.Problem', fields: [] },
  storagePrefix: 'problems',
});
const all = '/apis/sim.wavetank.dev/v1alpha1/problems';

interface Line {
  readonly type: string;
  readonly object: KubeObject & { readonly since?: number; readonly code?: number };
}

const asOf = 'sim.wavetank.dev/as-of';

class Tank {
  /** By name; names of namespace `other` begin with `o`. */
  readonly objects = new Map<string, number>();
  /** How often all were found. */
  lists = 0;
  nowMs = 0;
  readonly #looks = new Set<() => boolean>();
  readonly #wire = makeWire({}, [
    {
      kind: problems,
      get: () => undefined,
      list: (_query, namespace) => {
        this.lists++;
        return [...this.objects]
          .map(([name, since]) => problem(name, since))
          .filter((one) => namespace === undefined || one.metadata.namespace === namespace);
      },
      nowMs: () => this.nowMs,
      follow: (look) => {
        this.#looks.add(look);
        return () => this.#looks.delete(look);
      },
    },
  ]);

  get followers(): number {
    return this.#looks.size;
  }

  look(): void {
    for (const look of [...this.#looks]) look();
  }

  list(query = ''): {
    readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
    readonly items: readonly KubeObject[];
    readonly code?: number;
  } {
    return JSON.parse(this.#wire.send('GET', `${all}${query}`).text) as never;
  }

  watch(query: string, path = all): Watch {
    return new Watch(this.#wire.raw('GET', `${path}?watch=true${query}`) as never);
  }

  /** As the page does. */
  watchWhole(): Watch {
    const request = { method: 'GET', path: all, query: 'watch=true', headers: {}, body: new Uint8Array(0), identity: { name: 'u', groups: [] } };
    return new Watch(this.#wire.http.handle({ ...request, beginsWhole: true }, enterNow(this.#wire.registry)) as never);
  }
}

class Watch {
  readonly lines: Line[] = [];
  isBehind = false;
  readonly close: () => void;

  constructor(stream: { open(sink: object): () => void }) {
    this.close = stream.open({
      write: (chunk: unknown) => this.lines.push(JSON.parse(String(typeof chunk === 'function' ? (chunk as () => unknown)() : chunk)) as Line),
      end: () => undefined,
      isBehind: () => this.isBehind,
    });
  }

  /** What was told since somebody asked. */
  told(): readonly string[] {
    return this.lines.splice(0).map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code ?? '-'} ${object.since ?? '-'}`);
  }
}

function problem(name: string, since: number): KubeObject {
  const metadata = { name, namespace: name.startsWith('o') ? 'other' : 'default', labels: { even: String(since % 2 === 0) } };
  return { kind: 'Problem', apiVersion: 'sim.wavetank.dev/v1alpha1', metadata, since } as KubeObject;
}

test('a watch that begins finds all once to be refused for it, and once to tell', () => {
  const tank = new Tank();
  tank.objects.set('a', 1);
  const watch = tank.watch('');
  expect(watch.told()).toEqual(['ADDED a 1']);
  expect(tank.lists).toBe(2);
});

test('from a list on, a watch tells what has come, changed and gone since, and nothing else', () => {
  const tank = new Tank();
  for (const name of ['a', 'b', 'c']) tank.objects.set(name, 1);
  const { metadata, items } = tank.list();
  expect(items.map((item) => item.metadata.resourceVersion)).toEqual(Array(3).fill(metadata.resourceVersion));
  tank.objects.delete('a');
  tank.objects.set('b', 2);
  tank.objects.set('d', 1);
  const watch = tank.watch(`&resourceVersion=${metadata.resourceVersion}`);
  expect(watch.told()).toEqual(['MODIFIED b 2', 'ADDED d 1', 'DELETED a 1']);
  tank.look();
  expect(watch.told()).toEqual([]);
  tank.objects.set('c', 5);
  tank.look();
  expect(watch.told()).toEqual(['MODIFIED c 5']);
  watch.close();
  expect(tank.followers).toBe(0);
});

test('who was cut off goes on from the last event; who comes with a version that nobody knows begins anew', () => {
  const tank = new Tank();
  tank.objects.set('a', 1);
  const first = tank.watch(`&resourceVersion=${tank.list().metadata.resourceVersion}`);
  tank.objects.set('a', 2);
  tank.look();
  const version = first.lines.at(-1)?.object.metadata.resourceVersion ?? '';
  first.close();
  tank.objects.delete('a');
  expect(tank.watch(`&resourceVersion=${version}`).told()).toEqual(['DELETED a 2']);
  expect(tank.watch('&resourceVersion=987654321').told()).toEqual(['ERROR 410 -']);
  for (let count = 0; count < 40; count++) tank.list();
  expect(tank.watch(`&resourceVersion=${version}`).told()).toEqual(['ERROR 410 -']);
});

test('initial events come where upstream gives them, with their bookmark', () => {
  const tank = new Tank();
  tank.objects.set('a', 1);
  expect(tank.watch('').told()).toEqual(['ADDED a 1']);
  expect(tank.watch('&resourceVersion=0').told()).toEqual(['ADDED a 1']);
  const streaming = '&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&sendInitialEvents=';
  const watch = tank.watch(`${streaming}true`);
  const version = watch.lines.at(-1)?.object.metadata.resourceVersion ?? '';
  expect(watch.told()).toEqual(['ADDED a 1', 'BOOKMARK - -']);
  watch.close();
  expect(tank.watch(`&resourceVersion=${version}`).told()).toEqual([]);
  const quiet = tank.watch(`${streaming}false`);
  expect(quiet.told()).toEqual([]);
  tank.objects.set('b', 1);
  tank.look();
  expect(quiet.told()).toEqual(['ADDED b 1']);
});

test('namespaces and selectors are those of lists: what leaves a selection goes', () => {
  const tank = new Tank();
  tank.objects.set('a', 2).set('b', 3).set('o', 2);
  const even = tank.watch('&labelSelector=even%3Dtrue');
  const named = tank.watch('&fieldSelector=metadata.name%3Db');
  const other = tank.watch('', '/apis/sim.wavetank.dev/v1alpha1/namespaces/other/problems');
  expect([even.told(), named.told(), other.told()]).toEqual([['ADDED a 2', 'ADDED o 2'], ['ADDED b 3'], ['ADDED o 2']]);
  tank.objects.set('a', 3).set('b', 4);
  tank.look();
  expect([even.told(), named.told(), other.told()]).toEqual([['ADDED b 4', 'DELETED a 2'], ['MODIFIED b 4'], []]);
});

test('a client that does not read is not looked at for, and is then shown what is so by then', () => {
  const tank = new Tank();
  const watch = tank.watch('');
  watch.isBehind = true;
  for (let since = 1; since <= 1_000; since++) {
    tank.objects.set('a', since);
    tank.look();
  }
  expect(watch.told()).toEqual([]);
  watch.isBehind = false;
  tank.look();
  expect(watch.told()).toEqual(['ADDED a 1000']);
});

test('a list comes in pages of what it was when the first of them was read', () => {
  const tank = new Tank();
  for (let count = 0; count < 5; count++) tank.objects.set(`a${count}`, count);
  const first = tank.list('?limit=2');
  tank.objects.clear();
  const second = tank.list(`?limit=2&continue=${first.metadata.continue ?? ''}`);
  const third = tank.list(`?limit=2&continue=${second.metadata.continue ?? ''}`);
  expect([first, second, third].map(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual([['a0', 'a1'], ['a2', 'a3'], ['a4']]);
  expect([first, second, third].map(({ metadata }) => metadata.remainingItemCount)).toEqual([3, 1, undefined]);
  expect(tank.watch(`&resourceVersion=${third.metadata.resourceVersion}`).told()).toHaveLength(5);
  for (let count = 0; count < 20; count++) tank.list();
  expect(tank.list(`?continue=${first.metadata.continue ?? ''}`).code).toBe(410);
});

test('the page is told of which instant all is that it was told, with each look; who is behind is not, and nobody else', () => {
  const tank = new Tank();
  const [page, other] = [tank.watchWhole(), tank.watch('')];
  const told = () => page.lines.splice(0).map(({ type, object }) => [type, object.metadata.name ?? object.metadata.annotations?.[asOf]]);
  expect(told()).toEqual([['BOOKMARK', '1970-01-01T00:00:00.000000Z']]);
  tank.objects.set('a', 1);
  tank.nowMs = 1500;
  tank.look();
  const mark = ['BOOKMARK', '1970-01-01T00:00:01.500000Z'];
  expect(told()).toEqual([['ADDED', 'a'], mark]);
  tank.nowMs = 60_000;
  page.isBehind = true;
  tank.look();
  expect(told()).toEqual([]);
  page.isBehind = false;
  tank.look();
  expect(told()).toEqual([['BOOKMARK', '1970-01-01T00:01:00.000000Z']]);
  expect(other.told()).toEqual(['ADDED a 1']);
});
