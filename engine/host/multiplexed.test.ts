/** Reviews over HTTP/2 and through proxies of SOCKS 5, on this machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../contracts/questions.ts';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { createAsk } from './asking.ts';
import { startAudit } from './commands/audit-options.ts';
import { Multiplexed, type Posted } from './multiplexed.ts';
import { wallClock } from './pacing.ts';
import { ReviewReach } from './reach-review.ts';

const authority = createAuthority('authority');
const pair = issueCertificate(authority, { commonName: 'hook', names: ['127.0.0.1', 'hook.test'], usage: 'server', days: 1 });
const callMs = 5_000;
const pingMs = 15_000;

let folder = '';
let server: Http2SecureServer;
let sessions: ServerHttp2Session[] = [];
let answer: (stream: ServerHttp2Stream, nth: number) => void;
const sockets = new Set<Socket>();
const proxies: Server[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'multiplexed-'));
  await open(0);
});
afterEach(async () => {
  await shut();
  for (const proxy of proxies.splice(0)) await new Promise((resolve) => proxy.close(resolve));
  rmSync(folder, { recursive: true });
});

async function open(port: number): Promise<void> {
  let nth = 0;
  sessions = [];
  server = createSecureServer({ cert: pair.certificatePem, key: pair.keyPem });
  server.on('session', (session) => void sessions.push(session));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    answer(stream, ++nth);
  });
  server.on('secureConnection', remember);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

function remember(socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
}

async function shut(): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
}

const portOf = (listening: Pick<Server, 'address'>): number => (listening.address() as AddressInfo).port;

function configured(cluster: object = {}): string {
  const path = join(folder, 'kubeconfig');
  const trusted = { 'certificate-authority-data': Buffer.from(authority.certificatePem).toString('base64') };
  writeFileSync(
    path,
    JSON.stringify({
      ...{ 'current-context': 'w', contexts: [{ name: 'w', context: { cluster: 'w', user: 'u' } }] },
      clusters: [{ name: 'w', cluster: { server: `https://127.0.0.1:${portOf(server)}/reviews`, ...trusted, ...cluster } }],
      users: [{ name: 'u', user: { token: 'secret' } }],
    }),
  );
  return path;
}

/** Who asks; `late` are called when it is told that time is over. */
function asker(cluster: object = {}): { readonly ask: () => Promise<Answer>; readonly late: Map<number, () => void>; readonly reach: ReviewReach } {
  const kubeconfig = configured(cluster);
  const late = new Map<number, () => void>();
  const after = (delayMs: number, call: () => void): (() => void) => {
    if (delayMs !== callMs && delayMs !== pingMs) return wallClock.after(0, call);
    late.set(delayMs, call);
    return () => void late.delete(delayMs);
  };
  const reach = new ReviewReach({ after });
  const others = (): Promise<never> => Promise.reject(new Error('not for others'));
  const body = { kubeconfig, text: '{"a":1}', timeoutMs: callMs, backoffMs: 500 };
  const put = createAsk(reach.before(others), wallClock);
  return { ask: () => put({ to: 'review/tokens', body, timeoutMs: 20_000 }), late, reach };
}

const ok = (stream: ServerHttp2Stream): void => {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.end('{}');
};
const answered = expect.objectContaining({ outcome: 'answered', body: expect.objectContaining({ code: 200, text: '{}' }) });

test('many calls at once go over one connection, and say who asks', async () => {
  const heads: unknown[] = [];
  answer = (stream) => {
    stream.resume();
    ok(stream);
  };
  server.on('stream', (_stream, headers) => void heads.push([headers[':path'], headers.authorization, headers['user-agent']]));
  const { ask } = asker();
  const all = await Promise.all(Array.from({ length: 600 }, ask));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect([all[0], sessions.length, heads[0]]).toEqual([answered, 1, ['/reviews?timeout=5s', 'Bearer secret', 'Go-http-client/2.0']]);
});

test('who gives up while all places are taken is handed none: the next one is', async () => {
  const open: ServerHttp2Stream[] = [];
  const full = Promise.withResolvers<void>();
  answer = (stream, nth) => {
    if (nth > 256) return ok(stream);
    open.push(stream);
    if (nth === 256) full.resolve();
  };
  const url = new URL(`https://127.0.0.1:${portOf(server)}`);
  const line = new Multiplexed({ url, tls: { ca: authority.certificatePem }, proxy: undefined, wall: wallClock });
  const post = (signal: AbortSignal): Promise<Posted | undefined> =>
    line.post({ path: '/', headers: {}, text: '{}', signal, bytesMax: 1_000 }, () => undefined);
  const never = new AbortController().signal;
  const first = Array.from({ length: 256 }, () => post(never));
  await full.promise;
  const leaving = new AbortController();
  const impatient = [post(leaving.signal), post(leaving.signal)];
  const patient = post(never);
  // All of them wait by then.
  await new Promise((resolve) => void setImmediate(resolve));
  leaving.abort();
  expect((await Promise.allSettled(impatient)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  ok(open.shift() as ServerHttp2Stream);
  expect(await patient).toMatchObject({ code: 200, text: '{}' });
  for (const stream of open) ok(stream);
  expect(new Set((await Promise.all(first)).map((one) => one?.code))).toEqual(new Set([200]));
  line.retire();
});

test('a server that leaves finishes what it has begun, and is called over another connection', async () => {
  const waiting: (() => void)[] = [];
  const came = Promise.withResolvers<void>();
  answer = (stream, nth) => {
    if (nth > 1) return ok(stream);
    waiting.push(() => ok(stream));
    came.resolve();
  };
  const { ask } = asker();
  const first = ask();
  await came.promise;
  const left = new Promise((resolve) => sessions[0]?.on('close', resolve));
  sessions[0]?.close();
  // It has been told by the time that it is answered.
  await new Promise((resolve) => setImmediate(resolve));
  for (const finish of waiting) finish();
  expect(await first).toEqual(answered);
  await left;
  expect([await ask(), sessions.length]).toEqual([answered, 2]);
});

test('a call that is refused unseen is made again at once, one that is broken off is told', async () => {
  const codes = [7, 0, 2];
  answer = (stream) => {
    const code = codes.shift() ?? 0;
    if (code === 0) ok(stream);
    else stream.close(code);
  };
  const { ask } = asker();
  expect(await ask()).toEqual(answered);
  expect(await ask()).toEqual({
    outcome: 'failed',
    message: `Post "https://127.0.0.1:${portOf(server)}/reviews?timeout=5s": stream error: stream ID 3; INTERNAL_ERROR; received from peer`,
  });
  expect(await ask()).toEqual(answered);
});

test('a connection that is lost under a call is made again, and the call too', async () => {
  let calls = 0;
  answer = (stream) => {
    if (++calls === 1) stream.session?.destroy();
    else ok(stream);
  };
  expect([await asker().ask(), calls]).toEqual([answered, 2]);
});

test('a silent server is not waited for longer than said; one that answers no ping either is left', async () => {
  const seen = Promise.withResolvers<void>();
  answer = (_stream, nth) => {
    if (nth === 1) seen.resolve();
  };
  const { ask, late } = asker();
  const first = ask();
  await seen.promise;
  for (const socket of sockets) socket.pause();
  late.get(callMs)?.();
  expect(await first).toMatchObject({ outcome: 'failed', message: expect.stringContaining('context deadline exceeded') });
  answer = ok;
  late.get(pingMs)?.();
  expect([await ask(), sessions.length]).toEqual([answered, 2]);
});

test('an answer that never ends is hung up on', async () => {
  answer = (stream) => {
    stream.respond({ ':status': 200 });
    const piece = Buffer.alloc(1 << 20);
    const go = (): void => {
      while (!stream.destroyed && stream.write(piece));
    };
    stream.on('drain', go);
    go();
  };
  expect(await asker().ask()).toMatchObject({ outcome: 'failed', message: expect.stringContaining('the answer is longer than 10000000 bytes') });
});

test('audit events go over one connection of HTTP/2; what is refused and lost is said as a client of Go says it', async () => {
  const policy = join(folder, 'policy');
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] }));
  const heads: unknown[] = [];
  let bodies = '';
  let codes: number[] = [];
  answer = (stream) => {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => (bodies += piece));
    stream.on('end', () => {
      stream.respond({ ':status': codes.shift() ?? 200 });
      stream.end('busy');
    });
  };
  server.on('stream', (_stream, headers) => void heads.push([headers[':path'], headers.authorization, headers['user-agent']]));
  const said: string[] = [];
  const given = {
    auditPolicyFile: policy,
    auditWebhookConfigFile: configured(),
    auditWebhookMode: 'blocking-strict',
    auditWebhookInitialBackoff: '1ms',
  };
  const audit = startAudit(given, (line) => void said.push(line));
  const [backend] = audit?.options.backends ?? [];
  const sent = ['1', '2', '3'].map((auditID) => backend?.sink.write(JSON.stringify({ auditID })));
  expect(await Promise.all(sent)).toEqual([true, true, true]);
  expect([sessions.length, heads.length, heads[0]]).toEqual([1, 3, ['/reviews?timeout=30s', 'Bearer secret', 'Go-http-client/2.0']]);
  expect(bodies).toContain('{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[{"auditID":"2"}]}');
  codes = [503, 200];
  expect(await backend?.sink.write('{"auditID":"4"}')).toBe(true);
  codes = Array.from({ length: 5 }, () => 503);
  expect(await backend?.sink.write('{"auditID":"5"}')).toBe(false);
  expect(said).toEqual(["Error in audit plugin 'webhook' affecting 1 audit events: the server is currently unable to handle the request"]);
  await audit?.close();
});

test('a server that is replaced by one of HTTP/1.1 is called all the same', async () => {
  answer = ok;
  const { ask, reach } = asker();
  expect(await ask()).toEqual(answered);
  const port = portOf(server);
  await shut();
  server = createSecureServer(
    { cert: pair.certificatePem, key: pair.keyPem, allowHTTP1: true, ALPNProtocols: ['http/1.1'] } as object,
    (_request, response) => {
      response.end('{}');
    },
  );
  server.on('secureConnection', remember);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await ask()).toEqual(answered);
  reach.renew();
  expect(await ask()).toEqual(answered);
});

/** A proxy that leads everything to the server, and tells what it was asked. */
async function socks(asked: string[], reply = 0): Promise<string> {
  const proxy = createServer((socket) => {
    remember(socket);
    let step = 0;
    socket.on('data', function talk(data: Buffer) {
      step++;
      if (step === 1) {
        asked.push(`methods ${[...data.subarray(2)].join(' ')}`);
        return socket.write(Buffer.from([5, data.includes(2, 2) ? 2 : 0]));
      }
      if (data[0] === 1) {
        asked.push(data.subarray(2).toString('latin1'));
        return socket.write(Buffer.from([1, 0]));
      }
      asked.push(data[3] === 3 ? data.subarray(5, -2).toString() : [...data.subarray(4, -2)].join('.'));
      // Byte by byte: nobody may rely on how bytes come.
      for (const byte of [5, reply, 0, 1, 0, 0, 0, 0, 0, 0]) socket.write(Buffer.from([byte]));
      if (reply !== 0) return socket.end();
      socket.off('data', talk);
      const onward = connect(portOf(server), '127.0.0.1');
      remember(onward);
      return socket.pipe(onward).pipe(socket);
    });
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${portOf(proxy)}`;
}

test('a proxy of SOCKS 5 is gone through; it looks names up, and is shown a login', async () => {
  answer = ok;
  const asked: string[] = [];
  const at = await socks(asked);
  expect(await asker({ 'proxy-url': `socks5://${at}` }).ask()).toEqual(answered);
  expect(asked).toEqual(['methods 0', '127.0.0.1']);
  asked.length = 0;
  const named = { server: `https://hook.test:${portOf(server)}/`, 'proxy-url': `socks5://jane:p%40ss@${at}` };
  expect(await asker(named).ask()).toEqual(answered);
  expect(asked).toEqual(['methods 0 2', expect.stringMatching(/^ane|jane.p@ss$/), 'hook.test']);
});

test('what a proxy of SOCKS 5 refuses is said in its words, and one that is not there', async () => {
  answer = ok;
  const at = await socks([], 5);
  const target = `127.0.0.1:${portOf(server)}`;
  const url = `https://${target}/reviews?timeout=5s`;
  expect(await asker({ 'proxy-url': `socks5://${at}` }).ask()).toEqual({
    outcome: 'failed',
    message: `Post "${url}": socks connect tcp ${at}->${target}: unknown error connection refused`,
  });
  expect(await asker({ 'proxy-url': 'socks5://127.0.0.1:1' }).ask()).toEqual({
    outcome: 'failed',
    message: `Post "${url}": socks connect tcp 127.0.0.1:1->${target}: dial tcp 127.0.0.1:1: connect: connection refused`,
  });
});
