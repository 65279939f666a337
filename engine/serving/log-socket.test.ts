/** A log over a WebSocket: whole or as it comes, in bytes or in base64. */
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Listener, listen } from './listener.ts';
import type { ServedResponse } from './exchange.ts';
import { sendLogMessages, wantsLogMessages } from './log-socket.ts';

const path = '/api/v1/namespaces/default/pods/p/log';
let listener: Listener | undefined;

afterEach(async () => {
  await listener?.close();
});

async function read(response: ServedResponse, protocol?: string): Promise<readonly [type: string, text: string, code: number]> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    handler: () => ({ status: 400, headers: {}, body: '' }),
    onDefect: (error) => expect.unreachable(error.message),
    onUpgrade: (_request, raw: IncomingMessage, socket, head) => sendLogMessages(raw, socket, head, response),
  });
  const client = new WebSocket(`ws://127.0.0.1:${listener.port}${path}`, protocol === undefined ? [] : [protocol]);
  const parts: string[] = [];
  let type = '';
  client.on('message', (data: Buffer, isBinary) => {
    type = isBinary ? 'bytes' : 'text';
    parts.push(data.toString());
  });
  const code = await new Promise<number>((resolve, reject) => {
    client.on('close', resolve);
    client.on('error', reject);
  });
  return [type, parts.join(''), code];
}

test.each([
  [undefined, 'bytes', 'container is alive\n'],
  ['binary.k8s.io', 'bytes', 'container is alive\n'],
  ['base64.binary.k8s.io', 'text', btoa('container is alive\n')],
])('whole, with the protocol %s', async (protocol, type, text) => {
  expect(await read({ status: 200, headers: {}, body: 'container is alive\n' }, protocol)).toEqual([type, text, 1000]);
});

test('as it comes, until it ends', async () => {
  const open: Extract<ServedResponse, { readonly open: unknown }>['open'] = (sink) => {
    sink.write('one\n');
    sink.write(() => 'two\n');
    setImmediate(() => sink.end());
    return () => undefined;
  };
  expect(await read({ status: 200, headers: {}, open }, 'binary.k8s.io')).toEqual(['bytes', 'one\ntwo\n', 1000]);
});

test('is for logs that are there, and for who asks for a WebSocket', () => {
  const headers = { upgrade: 'WebSocket' };
  expect(wantsLogMessages(path, headers, { status: 200 })).toBe(true);
  expect(wantsLogMessages(path, headers, { status: 404 })).toBe(false);
  expect(wantsLogMessages(path, {}, { status: 200 })).toBe(false);
  expect(wantsLogMessages('/api/v1/pods', headers, { status: 200 })).toBe(false);
});
