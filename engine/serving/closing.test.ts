/** A listener ends, and makes room for others, whatever its clients hold open and however little they listen. */
import { Buffer } from 'node:buffer';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { createAuthority, issueCertificate, type KeyPair } from './certificates.ts';
import type { ServedResponse } from './exchange.ts';
import { type Listener, type ListenerLimits, listen } from './listener.ts';

let tls: { readonly server: KeyPair; readonly clientAuthorityPem: string };
let listener: Listener;
let sockets: { destroy(): unknown }[] = [];
let asked: string[] = [];
let upgraded = 0;

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** The head of a HEADERS frame of fifty bytes that never come. */
const cutHeaders = Buffer.from([0, 0, 50, 1, 4, 0, 0, 0, 1]);
const long = 'x'.repeat(1 << 20);

beforeAll(() => {
  const authority = createAuthority('test authority');
  const server = issueCertificate(authority, { commonName: 'test', names: ['localhost', '127.0.0.1'], usage: 'server', days: 1 });
  tls = { server, clientAuthorityPem: authority.certificatePem };
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

async function start(limits: Partial<ListenerLimits>): Promise<void> {
  [sockets, asked, upgraded] = [[], [], 0];
  const answer = (path: string): ServedResponse => {
    if (path === '/stream') return { status: 200, headers: {}, open: () => () => undefined };
    return { status: 200, headers: {}, body: path === '/long' ? Array.from({ length: 64 }, () => long) : 'answered' };
  };
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    tls,
    limits,
    onDefect: (error) => expect.fail(error.message),
    onUpgrade: (_request, _raw, socket) => {
      upgraded += 1;
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    },
    handler: ({ path }) => {
      asked.push(path);
      return answer(path);
    },
  });
}

function held<T extends Socket>(socket: T): T {
  sockets.push(socket);
  socket.on('error', () => undefined);
  return socket;
}

/** A client that reads nothing of what it is told. */
function deaf(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = held(
      connectTls({ port: listener.port, host: '127.0.0.1', ca: tls.clientAuthorityPem }, () => socket.write(text, () => resolve())),
    );
    socket.pause();
  });
}

/** One that speaks HTTP/2, from the server's first word on: before that there is no session to close. */
function deafSession(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const more = { ca: tls.clientAuthorityPem, ALPNProtocols: ['h2'] };
    const socket = held(connectTls({ port: listener.port, host: '127.0.0.1', ...more }, () => socket.write(bytes)));
    socket.once('readable', () => resolve());
  });
}

function bare(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = held(connectTcp(listener.port, '127.0.0.1', () => socket.write(bytes, () => resolve())));
    socket.pause();
  });
}

function streamsOf(path: string, method: string): Promise<void> {
  return new Promise((resolve) => {
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: tls.clientAuthorityPem, settings: { initialWindowSize: 10 } });
    sockets.push(session);
    session.on('error', () => undefined);
    const stream = session.request({ ':path': path, ':method': method }, { endStream: method === 'GET' });
    stream.on('error', () => undefined);
    if (method === 'GET') stream.once('response', () => resolve());
    else stream.write('half', () => resolve());
  });
}

/** One that is answered: by then the server has heard those before. */
function passer(): Promise<void> {
  return new Promise((resolve) => {
    const socket = held(connectTls({ port: listener.port, host: '127.0.0.1', ca: tls.clientAuthorityPem }));
    socket.end('GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    socket.resume();
    socket.once('close', () => resolve());
  });
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

it.each<[string, () => Promise<void>]>([
  ['say nothing', () => bare(Buffer.alloc(0))],
  ['begin to shake hands', () => bare(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]))],
  ['shake hands and say nothing', () => deaf('')],
  ['do not end a head', () => deaf('GET /x HTTP/1.1\r\nHo')],
  ['do not end a body', () => deaf('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf')],
  ['follow a stream and do not read it', () => deaf('GET /stream HTTP/1.1\r\nHost: h\r\n\r\n').then(() => until(() => asked.length === 1))],
  ['take nothing of long answers', () => deaf('GET /long HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(4)).then(() => until(() => asked.length > 0))],
  [
    'have been upgraded',
    () => deaf('GET /exec HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n').then(() => until(() => upgraded === 1)),
  ],
  ['do not end the first words of HTTP/2', () => deafSession(preface.subarray(0, 17))],
  ['ask nothing over HTTP/2 and do not read', () => deafSession(Buffer.concat([preface, settings]))],
  ['do not end a head of HTTP/2', () => deafSession(Buffer.concat([preface, settings, cutHeaders]))],
  ['follow a stream of HTTP/2', () => streamsOf('/stream', 'GET')],
  ['take nothing of a long answer of HTTP/2', () => streamsOf('/long', 'GET')],
  ['do not end a body of HTTP/2', () => streamsOf('/x', 'POST')],
])('closing waits for no clients that %s', async (_name, connect) => {
  await start({ closeGraceMs: 100 });
  await connect();
  await passer();
  await listener.close();
});

it('a client of HTTP/2 that asks nothing and does not hang up makes room for others', async () => {
  await start({ idleTimeoutMs: 50, closeGraceMs: 50, connectionsMax: 1 });
  await deafSession(Buffer.concat([preface, settings]));
  while (asked.length === 0) await passer();
  expect(asked).toEqual(['/x']);
  await listener.close();
});
