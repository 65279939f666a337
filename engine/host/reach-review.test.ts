/** Webhooks behind a kubeconfig, over real HTTPS on this machine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createProxy, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../contracts/questions.ts';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { createAsk } from './asking.ts';
import { wallClock } from './pacing.ts';
import { ReviewReach } from './reach-review.ts';

const authority = createAuthority('authority');
const pair = issueCertificate(authority, { commonName: 'hook', names: ['127.0.0.1'], usage: 'server', days: 1 });
let folder = '';
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse, tries: number) => void;
let tries = 0;
let kubeconfig = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'review-'));
  tries = 0;
  server = createServer({ cert: pair.certificatePem, key: pair.keyPem }, (request, response) => answer(request, response, ++tries));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  kubeconfig = configured({ 'certificate-authority-data': Buffer.from(authority.certificatePem).toString('base64') });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function url(): string {
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/reviews`;
}

function configured(cluster: object, user: object = { token: 'secret' }): string {
  const path = join(folder, 'kubeconfig');
  const config = {
    ...{ 'current-context': 'w', contexts: [{ name: 'w', context: { cluster: 'w', user: 'u' } }] },
    clusters: [{ name: 'w', cluster: { server: `${url()}?dropped=1`, ...cluster } }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** Waits as long as it is told, in no time, but for time-outs that count. */
function asked(timeoutMs = 5_000, waits: number[] = []): Promise<Answer> {
  const after = (delayMs: number, call: () => void): (() => void) => {
    if (delayMs === timeoutMs) return wallClock.after(delayMs, call);
    waits.push(delayMs);
    return wallClock.after(0, call);
  };
  const others = (): Promise<never> => Promise.reject(new Error('not for others'));
  const body = { kubeconfig, text: '{"a":1}', timeoutMs, backoffMs: 500 };
  return createAsk(new ReviewReach({ after }).before(others), wallClock)({ to: 'review/tokens', body, timeoutMs: 20_000 });
}

test('the review goes where the kubeconfig says, with its token, and says how long it waits', async () => {
  const seen: unknown[] = [];
  answer = (request, response) => {
    seen.push(request.method, request.url, request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  expect(await asked()).toEqual({
    outcome: 'answered',
    body: { url: `${url()}?timeout=5s`, code: 200, text: '{}', contentType: 'application/json', retryAfter: '' },
  });
  expect(seen).toEqual(['POST', '/reviews?timeout=5s', 'Bearer secret']);
});

test('a user name and a password are shown as basic authentication, and never beside a token', async () => {
  const authority64 = Buffer.from(authority.certificatePem).toString('base64');
  const seen: unknown[] = [];
  answer = (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const user = { username: 'jo:e', password: 'p:ä' };
  kubeconfig = configured({ 'certificate-authority-data': authority64 }, user);
  await asked();
  expect(seen).toEqual([`Basic ${Buffer.from('jo:e:p:ä').toString('base64')}`]);
  kubeconfig = configured({ 'certificate-authority-data': authority64 }, { ...user, token: 't' });
  expect(await asked()).toMatchObject({ message: expect.stringContaining('found [token basicAuth], only one is allowed') as string });
});

test('a server that failed or hung up is asked five times, ever later', async () => {
  const waits: number[] = [];
  answer = (request, response, count) => (count === 1 ? request.socket.destroy() : response.writeHead(500).end('oops'));
  expect(await asked(5_000, waits)).toMatchObject({ outcome: 'answered', body: { code: 500, text: 'oops' } });
  expect(tries).toBe(5);
  expect(waits).toEqual([500, 750, 1125, 1687.5]);
});

test('one that refuses is asked once', async () => {
  answer = (_, response) => response.writeHead(403).end('no');
  expect(await asked()).toMatchObject({ outcome: 'answered', body: { code: 403 } });
  expect(tries).toBe(1);
});

test('one that hangs, drips or never ends is given up in the words of Go', async () => {
  answer = () => undefined;
  expect(await asked(50)).toEqual({ outcome: 'failed', message: `Post "${url()}?timeout=50ms": context deadline exceeded` });
  answer = (_, response) => void response.writeHead(200).write('{');
  expect(await asked(1_000)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('reading response body. Please retry. Original error: context deadline exceeded') as string,
  });
  answer = (_, response) => {
    const more = (error?: Error | null): void => {
      // A response whose connection is gone stays `writable`: whoever goes on writing leaves the process no other turn.
      if (!(error instanceof Error) && !response.destroyed) response.write(' '.repeat(1_000_000), more);
    };
    more();
  };
  expect(await asked()).toMatchObject({ outcome: 'failed', message: expect.stringContaining('longer than 10000000 bytes') as string });
});

test('a certificate of somebody else, and a kubeconfig that is gone, are said so', async () => {
  const other = Buffer.from(createAuthority('other').certificatePem).toString('base64');
  kubeconfig = configured({ 'certificate-authority-data': other });
  expect(await asked()).toEqual({
    outcome: 'failed',
    message: `Post "${url()}?timeout=5s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  });
  rmSync(kubeconfig);
  expect(await asked()).toMatchObject({ outcome: 'failed', message: expect.stringContaining('cannot read the kubeconfig') as string });
});

test('a proxy that the kubeconfig names is gone through, and one of another kind is refused', async () => {
  const asked64 = Buffer.from(authority.certificatePem).toString('base64');
  const tunnels: string[] = [];
  const proxy = createProxy();
  proxy.on('connect', ({ url: to = '' }: IncomingMessage, socket: Socket) => {
    tunnels.push(to);
    const [host = '', port = ''] = to.split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  answer = (_request, response) => response.end('{"kind":"TokenReview"}');
  kubeconfig = configured({ 'certificate-authority-data': asked64, 'proxy-url': `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  expect(await asked()).toMatchObject({ outcome: 'answered', body: { code: 200 } });
  expect(tunnels).toEqual([new URL(url()).host]);
  kubeconfig = configured({ 'certificate-authority-data': asked64, 'proxy-url': 'ftp://127.0.0.1' });
  expect(await asked()).toMatchObject({
    message: expect.stringContaining('unsupported scheme "ftp", must be http, https, or socks5') as string,
  });
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});
