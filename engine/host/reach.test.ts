import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { createAsk } from './asking.ts';
import { wallClock } from './pacing.ts';
import { createReach } from './reach.ts';

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const asked = (url: string, more: { readonly [name: string]: JsonValue } = {}, timeoutMs = 5_000) =>
  createAsk(createReach(), wallClock)({ to: `extender/${url}`, body: { url, text: '{"Pod":1}', https: false, tls: null, ...more }, timeoutMs });

test('an extender gets the question as JSON, and its code and text come back', async () => {
  const seen: unknown[] = [];
  const port = await listening(
    createServer((request, response) => {
      seen.push(request.method, request.url, request.headers['content-type']);
      request.on('data', (piece: Buffer) => seen.push(piece.toString())).on('end', () => response.writeHead(503).end('tired'));
    }),
  );
  expect(await asked(`http://127.0.0.1:${port}/s/filter`)).toEqual({ outcome: 'answered', body: { code: 503, text: 'tired' } });
  expect(seen).toEqual(['POST', '/s/filter', 'application/json', '{"Pod":1}']);
});

test('one that is not there is told in the words of Go; one that is silent is timed out', async () => {
  const port = await listening(createServer(() => undefined));
  expect(await asked(`http://127.0.0.1:${port}/filter`, {}, 50)).toEqual({ outcome: 'timedOut' });
  servers[0]?.closeAllConnections();
  expect(await asked('http://127.0.0.1:1/filter')).toEqual({ outcome: 'failed', message: 'dial tcp 127.0.0.1:1: connect: connection refused' });
});

test('over HTTPS a certificate is looked at where an authority is named', async () => {
  const authority = createAuthority('authority');
  const { certificatePem: cert, keyPem: key } = issueCertificate(authority, {
    commonName: 'extender',
    names: ['127.0.0.1'],
    usage: 'server',
    days: 2,
  });
  const port = await listening(createSecureServer({ cert, key }, (_request, response) => void response.end('{}')));
  const url = `https://127.0.0.1:${port}/filter`;
  const caData = Buffer.from(authority.certificatePem).toString('base64');
  expect(await asked(url, { https: true })).toMatchObject({ outcome: 'answered' });
  expect(await asked(url, { https: true, tls: { caData } })).toMatchObject({ outcome: 'answered' });
  const other = Buffer.from(createAuthority('other').certificatePem).toString('base64');
  expect(await asked(url, { https: true, tls: { caData: other } })).toMatchObject({ outcome: 'failed' });
  expect(await asked(url)).toMatchObject({ outcome: 'failed' });
});

test('a webhook is shown who calls it, by its host and port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  const authority = createAuthority('authority');
  const pair = issueCertificate(authority, { commonName: 'hook', names: ['127.0.0.1'], usage: 'server', days: 1 });
  const seen: (string | undefined)[] = [];
  const port = await listening(
    createSecureServer({ cert: pair.certificatePem, key: pair.keyPem }, (request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    }) as unknown as Server,
  );
  const caBundle = Buffer.from(authority.certificatePem).toString('base64');
  const kubeconfig = join(folder, 'kubeconfig');
  const called = async (users: readonly string[]): Promise<string | undefined> => {
    writeFileSync(kubeconfig, JSON.stringify({ users: users.map((name) => ({ name, user: { token: name } })) }));
    const call = { url: `https://127.0.0.1:${port}/`, text: '{}', caBundle, serverName: '', host: '', port: 0, kubeconfig };
    await createAsk(createReach(), wallClock)({ to: 'webhook/w', body: call, timeoutMs: 5_000 });
    return seen.at(-1);
  };
  expect(await called([`127.0.0.1:${port}`, '*.0.0.1'])).toBe(`Bearer 127.0.0.1:${port}`);
  expect(await called([`*.0.0.1:${port}`])).toBe(`Bearer *.0.0.1:${port}`);
  expect(await called(['127.0.0.1'])).toBe(undefined);
  rmSync(folder, { recursive: true });
});

test("a server's own certificate may stand for its authority, which did not sign itself, as Go trusts its roots", async () => {
  const pair = issueCertificate(createAuthority('authority'), { commonName: 'hook', names: ['127.0.0.1'], usage: 'server', days: 1 });
  const port = await listening(
    createSecureServer({ cert: pair.certificatePem, key: pair.keyPem }, (_request, response) => void response.end('{}')) as unknown as Server,
  );
  const own = Buffer.from(pair.certificatePem).toString('base64');
  const call = { url: `https://127.0.0.1:${port}/`, text: '{}', caBundle: own, serverName: '', host: '', port: 0 };
  expect(await createAsk(createReach(), wallClock)({ to: 'webhook/w', body: call, timeoutMs: 5_000 })).toMatchObject({ outcome: 'answered' });
  expect(await asked(`https://127.0.0.1:${port}/filter`, { https: true, tls: { caData: own } })).toMatchObject({ outcome: 'answered' });
});
