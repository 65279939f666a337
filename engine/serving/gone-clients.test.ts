/** Clients of HTTP/2 that are gone: what was being made for them, and what would have stayed open, is let go. */
import { randomBytes } from 'node:crypto';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAuthority, issueCertificate, type KeyPair } from './certificates.ts';
import type { ServedRequest, ServedResponse } from './exchange.ts';
import { Beginning } from './gzip/beginning.ts';
import { type Listener, listen } from './listener.ts';

let tls: { readonly server: KeyPair; readonly clientAuthorityPem: string };
let listener: Listener;
let defects: Error[];
let answer: (request: ServedRequest) => ServedResponse | Promise<ServedResponse>;

beforeAll(() => {
  const authority = createAuthority('test authority');
  const server = issueCertificate(authority, { commonName: 'test', names: ['localhost', '127.0.0.1'], usage: 'server', days: 1 });
  tls = { server, clientAuthorityPem: authority.certificatePem };
});

beforeEach(async () => {
  defects = [];
  listener = await listen({ host: '127.0.0.1', port: 0, tls, onDefect: (error) => defects.push(error), handler: (request) => answer(request) });
});

afterEach(async () => {
  await listener.close();
  expect(defects).toEqual([]);
});

function connected(): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: tls.clientAuthorityPem });
  session.on('error', () => undefined);
  return session;
}

/** Of bytes that no compression makes fewer of; `return` is called when they are let go. */
function pieces(onReturn: () => void): Iterable<Uint8Array> {
  const iterator: Iterator<Uint8Array> = {
    next: () => ({ done: false, value: randomBytes(100_000) }),
    return: () => {
      onReturn();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.iterator]: () => iterator };
}

const leavings = [
  { name: 'resets its stream', leave: (session: ClientHttp2Session, reset: () => void) => (reset(), session) },
  { name: 'breaks its connection off', leave: (session: ClientHttp2Session) => (session.destroy(), session) },
] as const;

for (const { name, leave } of leavings)
  for (const encoding of ['identity', 'gzip'])
    it(`a long answer (${encoding}) is made no further when its client ${name}`, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answer = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: pieces(resolve), gzipOver: 1_000_000 });
      const session = connected();
      const stream = session.request({ ':path': '/', 'accept-encoding': encoding });
      stream.on('error', () => undefined);
      stream.once('data', () => leave(session, () => stream.close(8)));
      await promise;
      session.destroy();
    });

it('an answer that comes when its client has gone is not made', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<() => void>();
  answer = async ({ onGone }) => {
    // The answer comes when the client is gone for good.
    await new Promise<void>((go) => {
      onGone?.(() => setImmediate(go));
      asked.resolve(go);
    });
    return { status: 200, headers: {}, body: pieces(resolve) };
  };
  const session = connected();
  session.request({ ':path': '/' }).on('error', () => undefined);
  await asked.promise;
  session.destroy();
  await promise;
});

it('a stream whose client went before it could be opened is closed, and told that nobody is there', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let toldAgain = false;
  answer = async ({ onGone }) => {
    await new Promise<void>((go) => {
      onGone?.(() => setImmediate(go));
      ask();
    });
    onGone?.(() => (toldAgain = true));
    return { status: 200, headers: {}, open: () => resolve };
  };
  const session = connected();
  session.request({ ':path': '/watch' }).on('error', () => undefined);
  await asked;
  session.destroy();
  await promise;
  expect(toldAgain).toBe(true);
});

it('an answer of which only the beginning was looked at is let go whole', () => {
  let isLetGo = false;
  const begun = new Beginning(pieces(() => (isLetGo = true))[Symbol.iterator](), 1_000);
  expect(begun.step()).toBe('long');
  begun.all().return?.();
  expect(isLetGo).toBe(true);
});
