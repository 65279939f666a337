/** Events that one watch is told of in close succession: what passes those who count and pace once, and is sent together. */
import { expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';
import { adminIdentity } from '../cluster/identities.ts';
import type { Chunk, Gathered, HttpStreamSink, StreamChunk } from './http-types.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

function get({ door }: TestCluster, path: string, query = ''): ReturnType<TestCluster['door']['serveAtOnce']> {
  return door.serveAtOnce({ method: 'GET', path, query, headers: {}, body: new Uint8Array(0), identity: adminIdentity });
}

/** What was written and gathered, in order; a client that takes all of it closes what it takes. */
class Sent implements HttpStreamSink {
  readonly #written: (StreamChunk | Gathered)[] = [];
  get handovers(): number {
    return this.#written.length;
  }
  write(chunk: StreamChunk): void {
    this.#written.push(chunk);
  }
  gather(gathered: Gathered): void {
    this.#written.push(gathered);
  }
  end(): void {}
  take(): string[] {
    const texts = this.#written.splice(0).flatMap((one): readonly Chunk[] => {
      if (typeof one === 'function') return [one()];
      if (typeof one === 'string' || one instanceof Uint8Array) return [one];
      one.close();
      return one.pieces;
    });
    return texts.map((text) => {
      const { type, object } = JSON.parse(String(text)) as {
        readonly type: string;
        readonly object: { readonly metadata: { readonly name: string } };
      };
      return `${type} ${object.metadata.name}`;
    });
  }
}

function eventsTold(tank: TestCluster): number {
  const response = get(tank, '/metrics');
  const text = 'body' in response ? String(response.body) : '';
  return Number(/^apiserver_watch_events_total\{[^}]*resource="configmaps"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0);
}

function watched(tank: TestCluster): Sent {
  const sent = new Sent();
  const response = get(tank, configMaps, 'watch=1');
  if (!('open' in response)) throw new Error('a watch is a stream');
  response.open(sent);
  sent.take();
  return sent;
}

it('each event is sent once and in order, also behind what has left, and each is counted', async () => {
  const tank = await aCluster({ nodes: 1 });
  const sent = watched(tank);
  const before = eventsTold(tank);
  const create = (name: string): unknown => tank.call('POST', configMaps, { metadata: { name } });
  for (const name of ['a', 'b', 'c']) create(name);
  expect(eventsTold(tank) - before).toBe(3);
  expect(sent.handovers).toBe(1);
  expect(sent.take()).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  create('d');
  tank.call('DELETE', `${configMaps}/a`);
  expect(sent.take()).toEqual(['ADDED d', 'DELETED a']);
  expect(eventsTold(tank) - before).toBe(5);
});

it('what is gathered does not grow without end, so that much leaves in steps', async () => {
  const tank = await aCluster({ nodes: 1 });
  const sent = watched(tank);
  const names = Array.from({ length: 200 }, (_, index) => `c${index}`);
  for (const name of names) tank.call('POST', configMaps, { metadata: { name } });
  expect(sent.handovers).toBeGreaterThan(names.length / 20);
  expect(sent.take()).toEqual(names.map((name) => `ADDED ${name}`));
});
