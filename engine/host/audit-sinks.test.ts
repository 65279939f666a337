/** Events on their way to an AuditSink over real HTTPS. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { AuditSinkWays } from './audit-sinks.ts';

async function aServer(codes: readonly number[]) {
  const authority = createAuthority('sinks');
  const { certificatePem: cert, keyPem: key } = issueCertificate(authority, {
    commonName: 'sink',
    names: ['127.0.0.1'],
    usage: 'server',
    days: 2,
  });
  const heard: { readonly url: string; readonly body: unknown }[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(codes[heard.length - 1] ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, port, caBundle: Buffer.from(authority.certificatePem).toString('base64'), close: () => server.close() };
}

const now = { after: (_delayMs: number, call: () => void) => (setImmediate(call), () => undefined), nowMs: () => 0 };
const list = (...ids: string[]) => ({
  kind: 'EventList',
  apiVersion: 'audit.k8s.io/v1',
  metadata: {},
  items: ids.map((auditID) => ({ auditID })),
});

test('each event is a body of its own, as a real 1.13 sends them, and one that is not taken is sent again', async () => {
  const server = await aServer([500]);
  const said: string[] = [];
  const ways = new AuditSinkWays((line) => said.push(line), now);
  const { port, caBundle } = server;
  const way = ways.open({
    name: 'one',
    throttle: { qps: 10, burst: 15 },
    call: (text) => ({ url: `https://127.0.0.1:${port}/events?timeout=30s`, text, caBundle, serverName: '', host: '', port: 0 }),
  });
  way.write('{"auditID":"1"}');
  way.write('{"auditID":"2"}');
  await expect.poll(() => server.heard.length).toBe(3);
  await way.close();
  expect(server.heard.map(({ url }) => url)).toEqual(Array(3).fill('/events?timeout=30s'));
  expect(server.heard.map(({ body }) => body)).toEqual([list('1'), list('1'), list('2')]);
  expect(said).toEqual([]);
  server.close();
});

test('a sink that nobody is behind loses its events, is told of once, and holds nobody up', async () => {
  const said: string[] = [];
  const ways = new AuditSinkWays((line) => said.push(line), now);
  const way = ways.open({
    name: 'lost',
    throttle: { qps: 10, burst: 15 },
    call: () => {
      throw new Error('service "sink" not found');
    },
  });
  way.write('{"auditID":"1"}');
  way.write('{"auditID":"2"}');
  await ways.close();
  expect(said).toEqual(['AuditSink lost: Error in audit plugin \'webhook\' affecting 1 audit events: service "sink" not found']);
});
