/**
 * What every informer promises (informer.ts), whatever feeds it: each change told once and in order, through streams that break and
 * servers that have forgotten. Nothing is told anew by the clock: there is no resync, and nobody asks for one.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { ConfigMap } from '../../api/core/v1/types.gen.ts';
import type { Informer, InformerEvent, InformerFactory } from '../informer.ts';
import { configMaps, secrets } from '../resources.ts';

export interface InformerBench {
  readonly informers: InformerFactory;
  /** Resolves when all asked for so far are synced. */
  start(): Promise<void>;
  /** Ends the streams; no other is had until `mend`. */
  cut(): void;
  mend(): Promise<void>;
  /** Everything before the present becomes too old to be watched from. */
  compact(): void;
  create(name: string, data: Data, namespace?: string): void;
  update(name: string, data: Data): void;
  remove(name: string): void;
  /** Lets time pass until it holds. */
  until(holds: () => boolean): Promise<void>;
  /** Whoever threw at what. */
  readonly crashes: readonly string[];
  close(): Promise<void>;
}

type Data = Readonly<Record<string, string>>;

/** `create` gives a bench of its own, whose API server has nothing in namespaces `default` and `kube-public` that anybody changes. */
export function informerContract(create: () => Promise<InformerBench>): void {
  const setUp = async () => {
    const bench = await create();
    onTestFinished(() => bench.close());
    const informer = bench.informers.informer(configMaps);
    return { bench, informer, told: record(informer) };
  };

  test('what is there already is told as added, to each handler in its turn, to a late one too', async () => {
    const { bench, informer } = await setUp();
    const told: string[] = [];
    for (const name of ['first', 'second']) informer.addHandler((event) => isOurs(event) && told.push(`${name} ${textOf(event)}`));
    bench.create('a', { v: '1' });
    bench.create('b', { v: '1' });
    expect(informer.synced).toBe(false);
    await bench.start();
    expect(informer.synced).toBe(true);
    informer.addHandler((event) => isOurs(event) && told.push(`late ${textOf(event)}`));
    expect(told).toEqual(['first add a 1', 'second add a 1', 'first add b 1', 'second add b 1', 'late add a 1', 'late add b 1']);
  });

  test('a change is told with what was before and with its revision as the cause', async () => {
    const { bench, informer, told } = await setUp();
    await bench.start();
    const events: InformerEvent<ConfigMap>[] = [];
    informer.addHandler((event) => isOurs(event) && events.push(event));
    bench.create('a', { v: '1' });
    bench.update('a', { v: '2' });
    bench.remove('a');
    await bench.until(() => told.length === 3);
    expect(told).toEqual(['add a 1', 'update a 2', 'delete a 2']);
    const [, update] = events;
    expect(update?.type === 'update' && update.old.data).toEqual({ v: '1' });
    expect(update?.causes).toEqual([`rev:${update?.object.metadata.resourceVersion}`]);
    expect(informer.get('default', 'a')).toBeUndefined();
  });

  test('the cache answers by name, namespace and index, in key order', async () => {
    const { bench, informer, told } = await setUp();
    informer.addIndex('value', (object) => Object.values(object.data ?? {}));
    await bench.start();
    for (const name of ['b', 'a', 'c']) bench.create(name, { v: name === 'c' ? 'x' : 'y' });
    bench.create('a', { v: 'y' }, 'kube-public');
    await bench.until(() => told.length === 4);
    const keysOf = (objects: readonly ConfigMap[]): readonly string[] => objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(keysOf(informer.byIndex('value', 'y'))).toEqual(['default/a', 'default/b', 'kube-public/a']);
    bench.update('a', { v: 'x' });
    await bench.until(() => told.length === 5);
    expect(keysOf(informer.byIndex('value', 'x'))).toEqual(['default/a', 'default/c']);
    expect(keysOf(informer.list('default'))).toEqual(['default/a', 'default/b', 'default/c']);
    expect(informer.get('default', 'b')).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { v: 'y' } });
  });

  test('one that is asked for late starts at once', async () => {
    const { bench } = await setUp();
    await bench.start();
    const late = bench.informers.informer(secrets);
    await bench.until(() => late.synced);
    expect(bench.informers.informer(secrets)).toBe(late);
  });

  test('after a stream that broke nothing is lost and nothing comes twice', async () => {
    const { bench, told } = await setUp();
    for (const name of ['a', 'c']) bench.create(name, { v: '1' });
    await bench.start();
    told.length = 0;
    bench.cut();
    bench.update('a', { v: '2' });
    bench.create('b', { v: '1' });
    bench.update('a', { v: '3' });
    bench.remove('c');
    await bench.mend();
    await bench.until(() => told.length >= 4);
    bench.create('d', { v: '1' });
    await bench.until(() => told.some((text) => text.startsWith('add d')));
    expect(told).toEqual(['update a 2', 'add b 1', 'update a 3', 'delete c 1', 'add d 1']);
  });

  test('streams that break again and again', async () => {
    const { bench, informer, told } = await setUp();
    await bench.start();
    for (let i = 1; i <= 3; i++) {
      bench.create(`a-${i}`, { v: String(i) });
      bench.cut();
      bench.create(`b-${i}`, { v: String(i) });
      await bench.mend();
      await bench.until(() => informer.get('default', `b-${i}`) !== undefined);
    }
    expect(told).toEqual(['add a-1 1', 'add b-1 1', 'add a-2 2', 'add b-2 2', 'add a-3 3', 'add b-3 3']);
  });

  test('where the server has forgotten the past (410) only what differs is told, and what has gone as deleted', async () => {
    const { bench, informer, told } = await setUp();
    for (const name of ['anew', 'changed', 'gone', 'same']) bench.create(name, { v: '1' });
    await bench.start();
    told.length = 0;
    bench.cut();
    bench.remove('gone');
    bench.remove('anew');
    bench.create('anew', { v: '2' });
    bench.update('changed', { v: '2' });
    bench.create('new', { v: '2' });
    bench.compact();
    await bench.mend();
    await bench.until(() => told.length >= 5);
    expect(told.toSorted()).toEqual(['add anew 2', 'add new 2', 'delete anew 1', 'delete gone 1', 'update changed 2']);
    expect(told.indexOf('delete anew 1')).toBeLessThan(told.indexOf('add anew 2'));
    expect(informer.list('default').map(({ metadata }) => metadata.name)).toEqual(['anew', 'changed', 'new', 'same']);
    bench.update('same', { v: '3' });
    await bench.until(() => told.includes('update same 3'));
    expect(told).toHaveLength(6);
  });

  test('one that saw nothing for long, while the server forgot, misses nothing', async () => {
    const { bench, told } = await setUp();
    bench.create('a', { v: '1' });
    await bench.start();
    told.length = 0;
    bench.compact();
    bench.cut();
    bench.update('a', { v: '2' });
    await bench.mend();
    await bench.until(() => told.length > 0);
    bench.create('b', { v: '1' });
    await bench.until(() => told.includes('add b 1'));
    expect(told).toEqual(['update a 2', 'add b 1']);
  });

  test('a large object in many scripts arrives whole', async () => {
    const { bench, informer, told } = await setUp();
    await bench.start();
    const text = 'Größe 大小 размер 🌊 '.repeat(8_000);
    bench.create('large', { v: 'x', text });
    await bench.until(() => told.length === 1);
    expect(informer.get('default', 'large')?.data?.['text'] === text).toBe(true);
  });

  test('a handler that throws costs the others nothing, and is told again on the object as it is then', async () => {
    const { bench, informer, told } = await setUp();
    const tries: string[] = [];
    informer.addHandler((event) => {
      if (isOurs(event) && tries.push(textOf(event)) === 1) throw new Error('not today');
    }, 'moody');
    await bench.start();
    bench.create('a', { v: '1' });
    bench.update('a', { v: '2' });
    await bench.until(() => tries.length === 3);
    expect(tries).toEqual(['add a 1', 'update a 2', 'add a 2']);
    expect(told).toEqual(['add a 1', 'update a 2']);
    expect(bench.crashes).toEqual(['moody: not today']);
  });

  test('what a handler threw at is not told again when it has gone meanwhile', async () => {
    const { bench, informer, told } = await setUp();
    const tries: string[] = [];
    informer.addHandler((event) => {
      if (!isOurs(event)) return;
      tries.push(textOf(event));
      if (textOf(event) === 'add a 1' || (textOf(event) === 'add b 1' && tries.filter((text) => text === 'add b 1').length === 1))
        throw new Error('no');
    }, 'moody');
    await bench.start();
    bench.create('a', { v: '1' });
    bench.remove('a');
    bench.create('b', { v: '1' });
    await bench.until(() => tries.filter((text) => text === 'add b 1').length === 2);
    expect(tries).toEqual(['add a 1', 'delete a 1', 'add b 1', 'add b 1']);
    expect(told).toHaveLength(3);
  });
}

/** All that is told of our objects, as text. Throws where an object's revision goes back, or comes a second time. */
function record(informer: Informer<ConfigMap>): string[] {
  const told: string[] = [];
  const last = new Map<string, number>();
  informer.addHandler((event) => {
    if (!isOurs(event)) return;
    const { name = '', namespace, resourceVersion } = event.object.metadata;
    const key = `${namespace}/${name}`;
    const revision = Number(resourceVersion);
    const before = last.get(key);
    if (before !== undefined && (event.type === 'delete' ? revision < before : revision <= before))
      throw new Error(`${event.type} ${key} of revision ${revision} after ${before}`);
    last.set(key, revision);
    told.push(textOf(event));
  });
  return told;
}

function isOurs({ object }: InformerEvent<ConfigMap>): boolean {
  return object.data?.['v'] !== undefined;
}

function textOf({ type, object }: InformerEvent<ConfigMap>): string {
  return `${type} ${object.metadata.name} ${object.data?.['v']}`;
}
