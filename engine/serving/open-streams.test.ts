/** Answers whose length is not known when they begin: long ones, and streams that stay open. What is sent is what arrives. */
import { Buffer } from 'node:buffer';
import type { ClientRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent as HttpsAgent, get as getHttps } from 'node:https';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthority, issueCertificate, type KeyPair } from './certificates.ts';
import type { Chunk, Gathered, ServedRequest, ServedResponse, StreamSink } from './exchange.ts';
import { type Listener, listen } from './listener.ts';
import { Client } from './testing/client.ts';

let tls: { readonly server: KeyPair; readonly clientAuthorityPem: string };
let listener: Listener;
let defects: Error[];
let answer: (request: ServedRequest) => ServedResponse;

beforeAll(() => {
  const authority = createAuthority('test authority');
  const server = issueCertificate(authority, { commonName: 'test', names: ['localhost', '127.0.0.1'], usage: 'server', days: 1 });
  tls = { server, clientAuthorityPem: authority.certificatePem };
});

afterEach(async () => {
  vi.restoreAllMocks();
  await listener.close();
  expect(defects).toEqual([]);
});

async function start(secure: boolean): Promise<void> {
  defects = [];
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    ...(secure ? { tls } : {}),
    onDefect: (error) => defects.push(error),
    handler: (request) => answer(request),
  });
}

describe('long answers', () => {
  const pieces = Array.from({ length: 3000 }, (_, index) =>
    index % 7 === 0 ? `größer ${index}\n`.repeat(20) : new TextEncoder().encode(`${index}\n`),
  );
  const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece))).join('');

  it('arrive whole over HTTP/1.1 and HTTP/2, many at once, one behind the other', async () => {
    await start(true);
    answer = () => ({ status: 200, headers: {}, body: pieces });
    const ca = tls.clientAuthorityPem;
    const agent = new HttpsAgent({ maxSockets: 2, keepAlive: true });
    const overHttp1 = Array.from({ length: 6 }, () => textOf(getHttps({ host: '127.0.0.1', port: listener.port, path: '/', ca, agent })));
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca });
    const overHttp2 = Array.from({ length: 3 }, async () => {
      let text = '';
      for await (const chunk of session.request({ ':path': '/' }).setEncoding('utf8')) text += String(chunk);
      return text;
    });
    for (const text of await Promise.all([...overHttp1, ...overHttp2])) expect(text === whole).toBe(true);
    agent.destroy();
    session.close();
  });
});

describe('streams', () => {
  const events = ['{"type":"ADDED"}\n', new TextEncoder().encode('{"type":"MODIFIED"}\n'), '{"type":"Grüße"}\n'] as const;
  const whole = events.map((event) => (typeof event === 'string' ? event : new TextDecoder().decode(event))).join('');
  let sinks: StreamSink[];

  beforeEach(() => {
    sinks = [];
    answer = ({ path }) =>
      path === '/stream'
        ? { status: 200, headers: {}, open: (sink) => (sinks.push(sink), () => undefined) }
        : { status: 200, headers: { 'content-type': 'text/plain' }, body: 'answered' };
  });

  async function tellAll(count: number): Promise<void> {
    while (sinks.length < count) await new Promise((resolve) => setImmediate(resolve));
    for (const event of events) for (const sink of sinks) sink.write(event);
    await new Promise((resolve) => setImmediate(resolve));
    for (const sink of sinks) sink.write(events[0]);
    for (const sink of sinks) sink.end();
  }

  it('that are told the same each get all of it, over HTTP/1.1 and HTTP/2', async () => {
    await start(true);
    const ca = tls.clientAuthorityPem;
    const overHttp1 = Array.from({ length: 3 }, () =>
      textOf(getHttps({ host: '127.0.0.1', port: listener.port, path: '/stream', ca, agent: false })),
    );
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca });
    const overHttp2 = Array.from({ length: 2 }, async () => {
      let text = '';
      for await (const chunk of session.request({ ':path': '/stream' }).setEncoding('utf8')) text += String(chunk);
      return text;
    });
    await tellAll(5);
    expect(await Promise.all([...overHttp1, ...overHttp2])).toEqual(Array.from({ length: 5 }, () => whole + String(events[0])));
    session.close();
  });

  it('send what was gathered until it leaves, in its place among all that is written, and close it then', async () => {
    await start(false);
    const client = new Client(listener, 'GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
    while (sinks.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const [sink] = sinks as [StreamSink];
    const [before, last] = [gathering('second\n'), gathering('fifth\n')];
    sink.write('first\n');
    sink.gather?.(before);
    before.pieces.push('third\n');
    expect(before.isClosed).toBe(false);
    sink.write('fourth\n');
    expect(before.isClosed).toBe(true);
    sink.gather?.(last);
    last.pieces.push('sixth\n');
    await client.hears('sixth\n');
    expect(last.isClosed).toBe(true);
    sink.end();
    expect(dechunked(await client.hears('0\r\n\r\n'))).toBe('first\nsecond\nthird\nfourth\nfifth\nsixth\n');
    client.socket.destroy();
  });

  it('asked for behind another request on one connection come behind its answer', async () => {
    await start(false);
    const client = new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    await tellAll(1);
    const text = await client.closed;
    expect(text.split('\r\n\r\n')[1]?.startsWith('answered')).toBe(true);
    // Where a step of the thread ends, so does a piece: a busy machine has more of them.
    expect(dechunked(text.slice(text.lastIndexOf('HTTP/1.1 200')))).toBe(whole + String(events[0]));
  });

  it('with much to tell at once tell it in order, made piece by piece, and let others in between', async () => {
    await start(false);
    const count = 2000;
    let [made, madeBefore] = [0, 0];
    const stream = new Client(listener, 'GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
    while (sinks.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const [sink] = sinks as [StreamSink];
    const answered = answer;
    answer = (request) => {
      madeBefore = made;
      return answered(request);
    };
    // A piece takes a millisecond of a time of its own, so that a turn has as many on a busy machine. The other client comes with the
    // first one; until its request is there the system is left a moment to bring it.
    vi.spyOn(performance, 'now').mockImplementation(() => made);
    const moment = new Int32Array(new SharedArrayBuffer(4));
    const others: Client[] = [];
    for (let index = 0; index < count; index++) {
      sink.write(() => {
        if (index === 0) others.push(new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'));
        if (madeBefore === 0) Atomics.wait(moment, 0, 0, 1);
        return `${made++ === index ? 'event' : 'too early'} ${index}\n`;
      });
    }
    sink.write('last\n');
    await stream.hears('last\n');
    const [other] = others as [Client];
    await other.hears('answered');
    sink.end();
    const lines = [...Array.from({ length: count }, (_, index) => `event ${index}`), 'last', ''];
    expect(dechunked(await stream.hears('0\r\n\r\n'))).toEqual(lines.join('\n'));
    expect([madeBefore > 0, madeBefore < count]).toEqual([true, true]);
    for (const client of [stream, other]) client.socket.destroy();
  });

  it('that end while much is waiting tell all of it', async () => {
    await start(false);
    const client = new Client(listener, 'GET /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    while (sinks.length < 1) await new Promise((resolve) => setImmediate(resolve));
    for (let index = 0; index < 100; index++) sinks[0]?.write(() => `${index}\n`);
    sinks[0]?.end();
    expect(dechunked(await client.closed)).toBe(Array.from({ length: 100 }, (_, index) => `${index}\n`).join(''));
  });

  it('of which a piece cannot be made are broken off, and the defect is told', async () => {
    await start(false);
    const client = new Client(listener, 'GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
    while (sinks.length < 1) await new Promise((resolve) => setImmediate(resolve));
    sinks[0]?.write(() => {
      throw new Error('no bytes');
    });
    expect((await client.closed).endsWith('0\r\n\r\n')).toBe(false);
    expect(defects.splice(0).map(({ message }) => message)).toEqual(['no bytes']);
  });

  it('to which nothing is written go on', async () => {
    await start(false);
    const client = new Client(listener, 'GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
    while (sinks.length < 1) await new Promise((resolve) => setImmediate(resolve));
    sinks[0]?.write('');
    await new Promise((resolve) => setImmediate(resolve));
    sinks[0]?.write('something');
    sinks[0]?.end();
    expect(dechunked(await client.hears('0\r\n\r\n'))).toBe('something');
    client.socket.destroy();
  });

  it('asked for by HEAD have no body, and the connection goes on', async () => {
    await start(false);
    const client = new Client(listener, 'HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    await tellAll(1);
    const [head = '', next = '', ...rest] = (await client.closed).split('\r\n\r\n');
    expect([head.split('\r\n')[0], next.split('\r\n')[0], rest]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', ['answered']]);
  });

  it('of HTTP/1.0 clients have no chunks', async () => {
    await start(false);
    const client = new Client(listener, 'GET /stream HTTP/1.0\r\n\r\n');
    await tellAll(1);
    expect((await client.closed).endsWith(`\r\n\r\n${whole}${String(events[0])}`)).toBe(true);
  });
});

/** The body of an answer in chunks. */
function dechunked(text: string): string {
  const bytes: Buffer[] = [];
  let rest = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4));
  for (;;) {
    const line = rest.indexOf('\r\n');
    const length = Number.parseInt(rest.toString('latin1', 0, line), 16);
    if (!(length > 0)) return Buffer.concat(bytes).toString();
    bytes.push(rest.subarray(line + 2, line + 2 + length));
    rest = rest.subarray(line + 2 + length + 2);
  }
}

function textOf(call: ClientRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
  });
}

function gathering(first: Chunk): Gathered & { readonly pieces: Chunk[]; readonly isClosed: boolean } {
  let isClosed = false;
  return {
    pieces: [first],
    get isClosed() {
      return isClosed;
    },
    close: () => {
      isClosed = true;
    },
  };
}
