/** What a handler is told of headers that come once, several times, and with commas in them. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { afterEach, expect, it } from 'vitest';
import { createAuthority, issueCertificate } from './certificates.ts';
import type { ServedRequest } from './exchange.ts';
import { type Listener, listen } from './listener.ts';
import { Client } from './testing/client.ts';

let listener: Listener;
const asked: ServedRequest[] = [];

afterEach(() => listener.close());

async function start(tls?: Parameters<typeof listen>[0]['tls']): Promise<void> {
  asked.length = 0;
  listener = await listen({
    ...{ host: '127.0.0.1', port: 0, ...(tls && { tls }) },
    onDefect: (error) => {
      throw error;
    },
    handler: (request) => {
      asked.push(request);
      return { status: 200, headers: {}, body: 'answered' };
    },
  });
}

const told = {
  'impersonate-group': ['a, b', 'c'],
  'impersonate-user': 'jane, joe',
  accept: 'application/yaml, application/json',
  authorization: 'Bearer one',
};

it('over HTTP/1.1', async () => {
  await start();
  const lines = [
    'Impersonate-Group: a, b',
    'impersonate-group: c',
    'Impersonate-User: jane, joe',
    'Accept: application/yaml',
    'Accept: application/json',
  ];
  const head = ['GET / HTTP/1.1', 'Host: h', 'Authorization: Bearer one', 'Authorization: Bearer two', ...lines, 'Connection: close'];
  await new Client(listener, `${head.join('\r\n')}\r\n\r\n`).closed;
  expect(asked[0]?.headers).toMatchObject(told);
});

it('over HTTP/2', async () => {
  const authority = createAuthority('authority');
  const server = issueCertificate(authority, { commonName: 'server', names: ['127.0.0.1'], usage: 'server', days: 1 });
  await start({ server, clientAuthorityPem: authority.certificatePem });
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.certificatePem });
  const stream = session.request({ ':path': '/', ...told, accept: ['application/yaml', 'application/json'] });
  stream.resume();
  await once(stream, 'close');
  session.close();
  expect(asked[0]?.headers).toMatchObject(told);
});
