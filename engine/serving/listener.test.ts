/** What a client of whom nothing is known can hold open, and for how long; and that the listener ends whatever clients do. */
import { Buffer } from 'node:buffer';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthority, issueCertificate, type KeyPair } from './certificates.ts';
import type { ServedRequest, ServedResponse } from './exchange.ts';
import { type Listener, type ListenerLimits, listen } from './listener.ts';
import { Client } from './testing/client.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-listener-'));
let tls: { readonly server: KeyPair; readonly clientAuthorityPem: string };
let listener: Listener;
let asked: ServedRequest[];
let defects: Error[];
let answer: (request: ServedRequest) => ServedResponse | Promise<ServedResponse>;

beforeAll(() => {
  const authority = createAuthority('test authority');
  const server = issueCertificate(authority, { commonName: 'test', names: ['localhost', '127.0.0.1'], usage: 'server', days: 1 });
  tls = { server, clientAuthorityPem: authority.certificatePem };
});

beforeEach(() => {
  asked = [];
  defects = [];
  answer = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'answered' });
});

afterEach(async () => {
  await listener.close();
  expect(defects).toEqual([]);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function start(limits: Partial<ListenerLimits> = {}, secure = false, onUpgrade?: () => void): Promise<void> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    ...(secure ? { tls } : {}),
    ...(onUpgrade === undefined ? {} : { onUpgrade }),
    limits,
    onDefect: (error) => defects.push(error),
    handler: (request) => {
      asked.push(request);
      return answer(request);
    },
  });
}

function post(bytes: number, more = ''): string {
  return `POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: ${bytes}\r\n${more}\r\n`;
}

/** Code and reason of an answer that must be a Status object. */
function statusOf(text: string): unknown {
  const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { kind: string; status: string; code: number; reason?: string };
  expect(text.split('\r\n')[0]).toContain(` ${body.code} `);
  return [body.kind, body.status, body.code, body.reason];
}

describe('a client that goes away before it is answered', () => {
  async function gone(leave: (asked: Promise<void>) => Promise<void>, secure: boolean): Promise<void> {
    let begin = (): void => undefined;
    let told = (): void => undefined;
    let settle: (response: ServedResponse) => void = () => undefined;
    const asking = new Promise<void>((resolve) => (begin = resolve));
    const left = new Promise<void>((resolve) => (told = resolve));
    answer = (request) => {
      request.onGone?.(told);
      begin();
      return new Promise((resolve) => (settle = resolve));
    };
    await start({}, secure);
    await leave(asking);
    await left;
    // Its answer goes nowhere, and hurts nobody; the next client is served.
    settle({ status: 429, headers: { 'content-type': 'text/plain' }, body: 'too late' });
  }

  it('is told of over HTTP/1.1, when its connection closes', async () => {
    await gone(async (asking) => {
      const client = new Client(listener, 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
      await asking;
      client.socket.destroy();
    }, false);
  });

  it('is told of over HTTP/2, when it resets its stream, and others on the connection go on', async () => {
    let session: ReturnType<typeof connectHttp2> | undefined;
    await gone(async (asking) => {
      session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: tls.clientAuthorityPem });
      const stream = session.request({ ':path': '/x' });
      stream.on('error', () => undefined);
      await asking;
      stream.close(8);
    }, true);
    answer = () => ({ status: 200, headers: {}, body: 'answered' });
    const next = session?.request({ ':path': '/y' });
    const text = await new Promise<string>((resolve) => {
      let read = '';
      next?.on('data', (chunk: Buffer) => (read += chunk.toString()));
      next?.on('end', () => resolve(read));
    });
    expect(text).toBe('answered');
    session?.close();
  });

  it('and who is answered has not gone', async () => {
    let isGone = false;
    answer = (request) => {
      const forget = request.onGone?.(() => (isGone = true));
      forget?.();
      return { status: 200, headers: {}, body: 'answered' };
    };
    await start({});
    await new Client(listener, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n').closed;
    expect(isGone).toBe(false);
  });
});

describe('a body', () => {
  it('that does not come to its end in time is answered, and its connection closed', async () => {
    await start({ bodyTimeoutMs: 50 });
    const text = await new Client(listener, `${post(100)}half`).closed;
    expect(statusOf(text)).toEqual(['Status', 'Failure', 504, 'Timeout']);
    expect(asked).toEqual([]);
  });

  it('over HTTP/2 that does not come to its end in time is answered too', async () => {
    await start({ bodyTimeoutMs: 50 }, true);
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: tls.clientAuthorityPem });
    const stream = session.request({ ':method': 'POST', ':path': '/x' });
    stream.write('half');
    const [status, body] = await new Promise<[number | undefined, string]>((resolve) => {
      let text = '';
      let code: number | undefined;
      stream.on('response', (headers) => (code = headers[':status']));
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('close', () => resolve([code, text]));
    });
    expect([status, (JSON.parse(body) as { code: number }).code]).toEqual([504, 504]);
    session.close();
  });

  it('in pieces is put together in their order', async () => {
    await start({});
    const client = new Client(
      listener,
      'POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n6\r\nsecond\r\n5\r\nthird\r\n0\r\n\r\n',
    );
    await client.hears('answered');
    expect(Buffer.from(asked[0]?.body ?? []).toString()).toBe('firstsecondthird');
    client.socket.destroy();
  });

  it('that is too large is refused while it comes', async () => {
    await start({ bodyBytesMax: 1000 });
    expect(statusOf(await new Client(listener, post(5000) + 'x'.repeat(5000)).closed)).toEqual(['Status', 'Failure', 413, 'RequestEntityTooLarge']);
  });

  it('that waits the longest gives way when all together hold too much, and one that comes at once passes', async () => {
    await start({ bodiesBytesMax: 20_000, bodyTimeoutMs: 600_000 });
    const slow: Client[] = [];
    for (let index = 0; index < 5; index += 1) {
      slow.push(new Client(listener, post(5000) + 'x'.repeat(3900)));
      // One after the other, so that it is known who waits the longest.
      await new Promise((resolve) => slow.at(-1)?.socket.once('ready', resolve));
    }
    const refused = await (slow[0] as Client).closed;
    expect(statusOf(refused)).toEqual(['Status', 'Failure', 429, 'TooManyRequests']);
    expect(refused.toLowerCase()).toContain('retry-after: 1');
    const quick = new Client(listener, post(4) + 'body');
    expect(await quick.hears('answered')).toContain('200 OK');
    expect(Buffer.from(asked[0]?.body ?? []).toString()).toBe('body');
    for (const { socket } of [...slow, quick]) socket.destroy();
  });

  it('in a thousand pieces of one byte counts what the pieces hold', async () => {
    await start({ bodiesBytesMax: 10_000, bodyTimeoutMs: 600_000 });
    const client = new Client(listener, `POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n`);
    client.socket.write('1\r\nx\r\n'.repeat(1000));
    expect(statusOf(await client.closed)).toEqual(['Status', 'Failure', 429, 'TooManyRequests']);
  });
});

describe('a connection', () => {
  it.each<[string, string, unknown]>([
    ['that says nothing', '', [408, 'Timeout']],
    ['that does not end its head', 'GET / HTTP/1.1\r\nHost: h\r\n', [408, 'Timeout']],
    ['that does not speak HTTP', 'GET / HALLO\r\n\r\n', [400, 'BadRequest']],
    ['with a method that there is not', 'DANCE / HTTP/1.1\r\nHost: h\r\n\r\n', [405, 'MethodNotAllowed']],
    ['with a head that is too large', `GET / HTTP/1.1\r\nHost: h\r\nx: ${'x'.repeat(5000)}\r\n\r\n`, [431, undefined]],
    ['with an expectation', 'GET / HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n', [417, undefined]],
  ])('%s gets a Status and is closed', async (_name, text, want) => {
    await start({ headTimeoutMs: 100, headBytesMax: 4096 });
    const heard = await new Client(listener, text).closed;
    expect((statusOf(heard) as unknown[]).slice(2)).toEqual(want);
    expect(asked).toEqual([]);
  });

  it('with a method that there is not is refused in the words and the form of a real 1.36.3', async () => {
    await start();
    const heard = await new Client(listener, 'get /version HTTP/1.1\r\nHost: h\r\n\r\n').closed;
    const told = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
    const message = 'the server does not allow this method on the requested resource';
    expect(heard.split('\r\n\r\n')[1]).toBe(JSON.stringify({ ...told, message, reason: 'MethodNotAllowed', details: {}, code: 405 }, null, 2));
  });

  it('is asked for a watch in SPDY, which there is none in, and answers as ever', async () => {
    answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' });
    await start({}, false, () => expect.unreachable('nothing is upgraded'));
    const head = 'GET /pods?watch=true HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, close\r\nUpgrade: SPDY/3.1\r\n\r\n';
    expect(await new Client(listener, head).closed).toContain('HTTP/1.1 200 OK');
  });

  it.each([false, true])(
    'whose request came whole is answered before it is told that what came behind cannot be read (in one piece: %s)',
    async (isOne) => {
      const { promise, resolve } = Promise.withResolvers<ServedResponse>();
      answer = () => promise;
      await start();
      const [head, more] = ['DELETE /x HTTP/1.1\r\nHost: h\r\n\r\n', '{"a":1}\r\n\r\n'];
      const client = new Client(listener, isOne ? head + more : head);
      if (!isOne) client.socket.write(more);
      await vi.waitFor(() => expect(asked).toHaveLength(1));
      client.socket.write('and more of it\r\n\r\n');
      resolve({ status: 200, headers: {}, body: 'deleted' });
      const heard = await client.closed;
      expect(heard.match(/HTTP\/1\.1 \d|deleted/g)).toEqual(['HTTP/1.1 2', 'deleted', 'HTTP/1.1 4']);
    },
  );

  it('whose body breaks off in its middle is told so at once', async () => {
    answer = () => new Promise<ServedResponse>(() => undefined);
    await start();
    const heard = await new Client(listener, 'POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n').closed;
    expect((statusOf(heard) as unknown[]).slice(2)).toEqual([400, 'BadRequest']);
    expect(asked).toEqual([]);
  });

  it.each(['/%zz', '/a//b', '/x?%', '*'])('with the path %j is left to the handler', async (path) => {
    await start();
    const client = new Client(listener, `GET ${path} HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n`);
    expect(await client.closed).toContain('200 OK');
    expect([asked[0]?.path.split('?')[0], asked[0]?.headers['host']]).toEqual([path.split('?')[0], 'evil']);
  });

  it('under TLS that never shakes hands is closed', async () => {
    await start({ headTimeoutMs: 150 }, true);
    expect(await new Client(listener).closed).toBe('');
  });

  it.each([false, true])('does not hold small pieces back until the client has confirmed the one before (TLS: %s)', async (secure) => {
    const accepted: object[] = [];
    const note = (message: unknown): void => void accepted.push((message as { readonly socket: object }).socket);
    subscribe('net.server.socket', note);
    await start({}, secure);
    const { socket } = new Client(listener);
    while (accepted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    unsubscribe('net.server.socket', note);
    // Nothing else tells of TCP_NODELAY but the time that pieces take.
    const flags = Object.getOwnPropertySymbols(accepted[0]).filter(({ description }) => description === 'kSetNoDelay');
    expect(flags.map((flag) => Reflect.get(accepted[0] as object, flag) as unknown)).toEqual([true]);
    socket.destroy();
  });

  it('that carries no request is closed after a while', async () => {
    await start({ idleTimeoutMs: 50 });
    expect(await new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n').closed).toContain('answered');
  });

  it('above the number allowed is closed at once, the others are served', async () => {
    await start({ connectionsMax: 1 });
    const first = new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    await first.hears('answered');
    expect(await new Client(listener, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n').closed).toBe('');
    first.socket.destroy();
  });
});

describe('a short answer', () => {
  // As the bytes of UTF-8 stand in headers for Node.js: a character each.
  const warning = Buffer.from('299 - "größer"').toString('latin1');
  it.each([{}, { warning }, { warning: [warning, 'plain'] }])('keeps the bytes of body and head: %j', async (headers) => {
    answer = ({ method }) => ({ status: 200, headers, body: method === 'PUT' ? Buffer.from('größer') : 'größer' });
    await start();
    for (const method of ['GET', 'PUT', 'HEAD']) {
      const text = await new Client(listener, `${method} / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`).closed;
      const [head = '', body] = text.split('\r\n\r\n');
      expect([head.split('\r\n').includes('warning: 299 - "größer"'), body]).toEqual(['warning' in headers, method === 'HEAD' ? '' : 'größer']);
      expect(head).toContain('content-length: 8\r\n');
    }
  });
});

describe('closing', () => {
  it('ends while clients connect all the time', async () => {
    await start({}, true);
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) await new Client(listener).closed;
    });
    const loop = (async () => {
      while (!isOver) {
        const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: tls.clientAuthorityPem });
        await new Promise<void>((resolve) => {
          session.on('error', () => resolve());
          session.on('close', () => resolve());
          const stream = session.request({ ':path': '/' });
          stream.on('error', () => resolve());
          stream.on('close', () => {
            session.close();
            resolve();
          });
          stream.resume();
        });
      }
    })();
    while (asked.length < 3) await new Promise((resolve) => setImmediate(resolve));
    await listener.close();
    isOver = true;
    await Promise.all([...clients, loop]);
  });

  it('lets an answer that is on its way arrive whole, ends streams, and waits for no body', async () => {
    await start({ closeGraceMs: 200 });
    let finish: (response: ServedResponse) => void = () => undefined;
    let streamClosed = false;
    answer = ({ path }) =>
      path === '/stream'
        ? { status: 200, headers: {}, open: (sink) => (sink.write('begun'), () => (streamClosed = true)) }
        : new Promise((resolve) => (finish = resolve));
    const stream = new Client(listener, 'GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
    await stream.hears('begun');
    const slow = new Client(listener, post(100));
    const late = new Client(listener, 'GET /late HTTP/1.1\r\nHost: h\r\n\r\n');
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const closing = listener.close();
    finish({ status: 200, headers: {}, body: 'late but whole' });
    expect(await late.closed).toContain('late but whole');
    expect((await stream.closed).endsWith('0\r\n\r\n')).toBe(true);
    await closing;
    expect([streamClosed, await slow.closed]).toEqual([true, '']);
  });
});
