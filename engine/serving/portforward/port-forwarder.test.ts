import { Buffer } from 'node:buffer';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { newNotFound } from '../../apimachinery/errors.ts';
import type { PortSink } from '../../contracts/connect.ts';
import { type Listener, listen } from '../listener.ts';
import { createPortForwarder } from './port-forwarder.ts';
import { SpdyConnection } from './spdy-connection.ts';
import type { SpdyStream } from './spdy-stream.ts';

interface Opened {
  readonly port: number;
  readonly sink: PortSink;
  received: string;
  ended: boolean;
}

let listener: Listener;
let opened: Opened[];
let closers: Array<() => void>;

beforeEach(async () => {
  opened = [];
  closers = [];
  const forward = createPortForwarder({
    check: (_namespace, pod) => {
      if (pod === 'none') throw newNotFound({ group: '', resource: 'pods' }, pod);
    },
    open: (_namespace, _pod, port, sink) => {
      const one: Opened = { port, sink, received: '', ended: false };
      opened.push(one);
      if (port === 81) {
        sink.onError('connection refused');
        sink.onEnd();
      }
      return {
        write: (data) => {
          one.received += Buffer.from(data).toString();
          if (port === 80) sink.onData(Buffer.from(`echo ${Buffer.from(data).toString()}`));
        },
        end: () => {
          one.ended = true;
          if (port === 80) sink.onEnd();
        },
      };
    },
  });
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    handler: () => ({ status: 400, headers: {}, body: '' }),
    onDefect: (error) => expect.unreachable(error.message),
    onUpgrade: (request, raw, socket, head) => {
      const ports = request.query === '' ? [] : request.query.slice('ports='.length).split(',').map(Number);
      forward(raw, socket, head, { namespace: 'default', pod: request.path.slice(1), ports });
    },
  });
});

afterEach(async () => {
  for (const close of closers) close();
  await listener.close();
});

interface Client {
  readonly connection: SpdyConnection;
  readonly closed: Promise<void>;
  close(): void;
  write(bytes: Buffer): void;
}

function spdyClient(socket: { write(bytes: Buffer): void; close(): void }): SpdyConnection {
  closers.push(() => socket.close());
  return new SpdyConnection({ role: 'client', transport: socket, accepts: () => false, onStream: () => {} });
}

function connectSocket(pod = 'web', protocols = 'portforward.k8s.io'): Promise<Client | { readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols };
    const request = httpRequest({ host: '127.0.0.1', port: listener.port, path: `/${pod}`, method: 'POST', headers });
    request.on('upgrade', (_response, socket: Duplex, head: Buffer) => {
      const connection = spdyClient({ write: (bytes) => socket.write(bytes), close: () => socket.destroy() });
      if (head.length > 0) connection.receive(head);
      socket.on('data', (bytes: Buffer) => connection.receive(bytes));
      const closed = new Promise<void>((done) => socket.on('close', () => done()));
      void closed.then(() => connection.lost());
      resolve({ connection, closed, close: () => socket.destroy(), write: (bytes) => socket.write(bytes) });
    });
    request.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

/** A WebSocket by hand: ws refuses the tunnel's protocol name. Masks are zero, so payloads go as they are. */
function connectTunnel(): Promise<Client> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io',
    };
    const request = httpRequest({ host: '127.0.0.1', port: listener.port, path: '/web', headers });
    request.on('upgrade', (response, socket: Duplex, head: Buffer) => {
      expect(response.headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
      const write = (bytes: Buffer): void => {
        const size = Buffer.alloc(8);
        size.writeUInt32BE(bytes.length, 4);
        socket.write(Buffer.concat([Buffer.from([0x82, 0xff]), size, Buffer.alloc(4), bytes]));
      };
      const connection = spdyClient({ write, close: () => socket.destroy() });
      let held = Buffer.alloc(0);
      const read = (bytes: Buffer): void => {
        held = Buffer.concat([held, bytes]);
        for (let message = cutMessage(held); message !== undefined; message = cutMessage(held)) {
          held = held.subarray(message.end);
          if (message.opcode === 2) connection.receive(message.payload);
          else socket.destroy();
        }
      };
      socket.on('data', read);
      if (head.length > 0) read(head);
      const closed = new Promise<void>((done) => socket.on('close', () => done()));
      void closed.then(() => connection.lost());
      resolve({ connection, closed, close: () => socket.destroy(), write });
    });
    request.on('error', reject);
    request.end();
  });
}

function cutMessage(bytes: Buffer): { readonly opcode: number; readonly payload: Buffer; readonly end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : bytes.readUInt32BE(6);
  if (bytes.length < start + length) return undefined;
  return { opcode: bytes.readUInt8(0) & 15, payload: bytes.subarray(start, start + length), end: start + length };
}

/** All that comes on a stream, and how it ends. */
function collect(stream: SpdyStream): Promise<{ readonly text: string; readonly how: 'end' | 'reset' }> {
  return new Promise((resolve) => {
    let text = '';
    stream.handle({
      onData: (data) => {
        text += data.toString();
      },
      onEnd: () => resolve({ text, how: 'end' }),
      onReset: () => resolve({ text, how: 'reset' }),
    });
  });
}

function openPair(connection: SpdyConnection, port: number, id: string): { readonly data: SpdyStream; readonly error: SpdyStream } {
  const error = connection.open({ streamtype: 'error', port: String(port), ...(id !== '' && { requestid: id }) });
  error.end();
  const data = connection.open({ streamtype: 'data', port: String(port), ...(id !== '' && { requestid: id }) });
  return { data, error };
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve));
}

const transports = [
  ['a SPDY socket', async () => (await connectSocket()) as Client],
  ['a WebSocket tunnel', connectTunnel],
] as const;

describe.each(transports)('over %s', (_name, connect) => {
  test('bytes go both ways, and both sides end', async () => {
    const { connection } = await connect();
    for (const id of ['0', '1', '']) {
      const { data, error } = openPair(connection, 80, id);
      const [text, problem] = [collect(data), collect(error)];
      data.write(Buffer.from('hello'));
      data.end();
      expect(await text).toEqual({ text: 'echo hello', how: 'end' });
      expect(await problem).toEqual({ text: '', how: 'end' });
    }
    expect(connection.streamCount).toBe(0);
    expect(opened.every((one) => one.ended)).toBe(true);
  });

  test('much data arrives whole', async () => {
    const { connection } = await connect();
    const { data } = openPair(connection, 90, '0');
    const text = collect(data);
    const big = 'x'.repeat(1_000_000);
    data.write(Buffer.from(big));
    await until(() => opened[0]?.received.length === big.length);
    opened[0]?.sink.onData(Buffer.from(big));
    opened[0]?.sink.onEnd();
    expect((await text).text === big).toBe(true);
  });

  test('a refusal is told on the error stream', async () => {
    const { connection } = await connect();
    const { data, error } = openPair(connection, 81, '0');
    expect(await collect(error)).toEqual({ text: 'error forwarding port 81 to pod web, uid : connection refused', how: 'reset' });
    expect((await collect(data)).how).toBe('reset');
    const next = openPair(connection, 80, '1');
    next.data.end();
    expect((await collect(next.data)).how).toBe('end');
  });

  test('streams that make no sense are reset', async () => {
    const { connection } = await connect();
    for (const headers of [{ streamtype: 'data', port: '0' }, { streamtype: 'data', port: 'http' }, { streamtype: 'other', port: '80' }, {}]) {
      expect((await collect(connection.open(headers))).how).toBe('reset');
    }
    expect(opened).toEqual([]);
  });

  test('a client that goes away leaves nothing open', async () => {
    const client = await connect();
    openPair(client.connection, 90, '0');
    openPair(client.connection, 91, '1');
    client.connection.open({ streamtype: 'error', port: '92', requestid: '2' });
    await until(() => opened.length === 2);
    client.close();
    await until(() => opened.every((one) => one.ended));
  });

  test('a reset stream ends the connection to the pod, others live on', async () => {
    const { connection } = await connect();
    const first = openPair(connection, 90, '0');
    const second = openPair(connection, 90, '1');
    await until(() => opened.length === 2);
    first.data.reset();
    await until(() => opened[0]?.ended === true);
    second.data.write(Buffer.from('still'));
    await until(() => opened[1]?.received === 'still');
    expect(opened[1]?.ended).toBe(false);
  });

  test('streams without end are refused, and then their client is', async () => {
    const client = await connect();
    const headers = { streamtype: 'data', port: '90' };
    const first = Array.from({ length: 2048 }, (_, index) => client.connection.open({ ...headers, requestid: String(index) }));
    expect((await collect(client.connection.open({ ...headers, requestid: 'more' }))).how).toBe('reset');
    first[0]?.reset();
    const { data } = openPair(client.connection, 90, '0');
    data.reset();
    for (let more = 0; more <= 1024; more++) client.connection.open({ ...headers, requestid: `more ${more}` });
    await client.closed;
  });

  test('pings are answered', async () => {
    const { connection } = await connect();
    await new Promise<void>((resolve) => connection.ping(resolve));
  });

  test('bytes that are not SPDY end the connection', async () => {
    const client = await connect();
    openPair(client.connection, 90, '0');
    client.write(Buffer.from([0x80, 9, 0, 1, 0, 0, 0, 0]));
    await client.closed;
    expect(opened[0]?.ended).toBe(true);
  });
});

describe('refusals before the upgrade', () => {
  test('another protocol', async () => {
    expect(await connectSocket('web', 'v9.other')).toEqual({
      status: 403,
      body: 'unable to upgrade: unable to negotiate protocol: client supports [v9.other], server accepts [portforward.k8s.io]\n',
    });
  });

  test('a pod that does not exist', async () => {
    const answer = await connectSocket('none');
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('pods \\"none\\" not found') });
  });
});

describe('channels of the older WebSocket form', () => {
  test.each([
    [
      'v4.channel.k8s.io',
      (bytes: Buffer) => [bytes[0], bytes.subarray(1).toString('latin1')],
      (channel: number, text: string) => Buffer.from(`${String.fromCharCode(channel)}${text}`),
    ],
    [
      'v4.base64.channel.k8s.io',
      (bytes: Buffer) => [Number(bytes.toString()[0]), Buffer.from(bytes.toString().slice(1), 'base64').toString('latin1')],
      (channel: number, text: string) => `${channel}${Buffer.from(text).toString('base64')}`,
    ],
  ] as const)('%s', async (protocol, read, write) => {
    const socket = new WebSocket(`ws://127.0.0.1:${listener.port}/web?ports=80,81`, [protocol]);
    const seen: unknown[] = [];
    socket.on('message', (bytes: Buffer) => seen.push(read(bytes)));
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(write(0, 'hello'));
    await until(() => seen.length === 6);
    expect(seen).toEqual([
      [0, 'P\0'],
      [1, 'P\0'],
      [2, 'Q\0'],
      [3, 'Q\0'],
      [3, 'error forwarding port 81 to pod web, uid : connection refused'],
      [0, 'echo hello'],
    ]);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    opened[0]?.sink.onEnd();
    expect(await closed).toBe(1000);
  });
});
