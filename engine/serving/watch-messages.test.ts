/** A watch over a WebSocket: each event a message, and refusals of the handshake as upstream's. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { StreamResponse } from './exchange.ts';
import { type Listener, listen } from './listener.ts';
import { sendWatchMessages, wantsMessages } from './watch-messages.ts';

let listener: Listener | undefined;
const defects: string[] = [];

afterEach(async () => {
  await listener?.close();
});

type Told = readonly (readonly [what: string, text: string | number])[];

async function serve(response: Omit<StreamResponse, 'status'>): Promise<string> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    handler: () => ({ status: 400, headers: {}, body: '' }),
    onDefect: (error) => expect.unreachable(error.message),
    onUpgrade: (_request, raw: IncomingMessage, socket, head) =>
      sendWatchMessages(raw, socket, head, { status: 200, ...response }, ({ message }) => defects.push(message)),
  });
  return `ws://127.0.0.1:${listener.port}/api/v1/pods?watch=1`;
}

async function watch(response: Omit<StreamResponse, 'status'>, headers: Record<string, string> = {}, protocols: string[] = []): Promise<Told> {
  const client = new WebSocket(await serve(response), protocols, { headers: { origin: 'https://client', ...headers } });
  const told: (readonly [string, string | number])[] = [];
  client.on('open', () => told.push(['open', client.protocol]));
  client.on('message', (data: Buffer, isBinary) => told.push([isBinary ? 'bytes' : 'text', data.toString()]));
  return await new Promise<Told>((resolve, reject) => {
    client.on('unexpected-response', (_request, answer) => {
      client.on('error', () => undefined);
      client.terminate();
      resolve([['refused', answer.statusCode ?? 0]]);
    });
    client.on('close', (code) => resolve([...told, ['close', code]]));
    client.on('error', reject);
  });
}

function events(...chunks: readonly (string | (() => string))[]): StreamResponse['open'] {
  return (sink) => {
    for (const chunk of chunks) sink.write(chunk);
    setImmediate(() => sink.end());
    return () => undefined;
  };
}

const json = { 'content-type': 'application/json' };

test('each event is a message of text, also what is made when its turn comes, and then it ends', async () => {
  const told = await watch({ headers: json, open: events('{"type":"ADDED"}\n', () => '{"type":"BOOKMARK"}\n') });
  expect(told).toEqual([['open', ''], ['text', '{"type":"ADDED"}\n'], ['text', '{"type":"BOOKMARK"}\n'], ['close', 1000]]); // biome-ignore format: one line
});

test('protobuf comes in bytes, without the length that a stream needs', async () => {
  const told = await watch({ headers: { 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' }, open: events('\0\0\0\u0003abc') });
  expect(told).toEqual([['open', ''], ['bytes', 'abc'], ['close', 1000]]); // biome-ignore format: one line
});

test('the one protocol that is offered is taken, of several none', async () => {
  expect(await watch({ headers: json, open: events() }, {}, ['a.b'])).toEqual([['open', 'a.b'], ['close', 1000]]); // biome-ignore format: one line
  await listener?.close();
  expect(await watch({ headers: json, open: events() }, {}, ['a.b', 'c'])).toEqual([['refused', 400]]);
});

test.each(['', 'nonsense'])('who does not say where it comes from (%j) is refused', async (origin) => {
  expect(await watch({ headers: json, open: events() }, { origin })).toEqual([['refused', 403]]);
});

test('one that cannot begin is told as the fault of the server, which goes on', async () => {
  const open = (): never => {
    throw new Error('gone meanwhile');
  };
  expect(await watch({ headers: json, open })).toEqual([['open', ''], ['close', 1011]]); // biome-ignore format: one line
  expect(defects).toEqual(['gone meanwhile']);
});

test('it ends when its time is over', async () => {
  const told = await watch({ headers: json, timeoutMs: 1, open: () => () => undefined });
  expect(told).toEqual([['open', ''], ['close', 1000]]); // biome-ignore format: one line
});

test('for a client that does not read nothing more is made, until it reads again', async () => {
  const count = 200;
  let made = 0;
  const open: StreamResponse['open'] = (sink) => {
    for (let index = 0; index < count; index++) sink.write(() => `${++made} `.padEnd(500_000, 'x'));
    sink.end();
    sink.end();
    return () => undefined;
  };
  const client = new WebSocket(await serve({ headers: json, open }), [], { headers: { origin: 'https://client' } });
  const heard: number[] = [];
  client.on('message', (data: Buffer) => heard.push(Number.parseInt(data.toString(), 10)));
  client.on('open', () => client.pause());
  await once(client, 'open');
  for (let [before, still] = [-1, 0]; still < 100; still = before === made ? still + 1 : 0) {
    before = made;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([made > 0, made < count]).toEqual([true, true]);
  client.resume();
  expect((await once(client, 'close'))[0]).toBe(1000);
  expect(heard).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

test('a client that goes takes its watch with it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const client = new WebSocket(await serve({ headers: json, open: () => resolve }), [], { headers: { origin: 'https://client' } });
  client.on('open', () => client.terminate());
  await promise;
});

test('messages are for who asks for a WebSocket', () => {
  expect(wantsMessages({ upgrade: 'WebSocket', connection: 'keep-alive, Upgrade' })).toBe(true);
  expect(wantsMessages({ upgrade: 'websocket', connection: 'close' })).toBe(false);
  expect(wantsMessages({ upgrade: 'h2c', connection: 'Upgrade' })).toBe(false);
});
