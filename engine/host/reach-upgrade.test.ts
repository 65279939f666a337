import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { AggregatedCall } from '../apiserver/aggregation/backend.ts';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { joinAggregated } from './reach-upgrade.ts';

const authority = createAuthority('test');
const keys = issueCertificate(authority, { commonName: 'other', names: ['sample.default.svc'], usage: 'server', days: 1 });
const open: { close(): void }[] = [];

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** What a client reads that sends `sent` behind its request for an upgrade. */
async function told(other: Server | undefined, sent: string, until: RegExp): Promise<string> {
  let port = 1;
  if (other !== undefined) {
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    open.push(other);
    ({ port } = other.address() as AddressInfo);
  }
  const call: AggregatedCall = {
    method: 'POST',
    url: 'https://10.96.0.9:443/x',
    path: '/x?y',
    headers: { connection: 'Upgrade', upgrade: 'spdy/3.1', 'x-remote-user': 'jane' },
    body: '',
    serverName: 'sample.default.svc',
    host: '127.0.0.1',
    port,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
    isTrusted: false,
    isStream: true,
  };
  const front = createServer((socket: Socket) => joinAggregated(call, undefined, socket, Buffer.from('early ')));
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  open.push(front);
  const client = connect((front.address() as AddressInfo).port, '127.0.0.1');
  client.write(sent);
  let text = '';
  for await (const chunk of client as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (until.test(text)) break;
  }
  client.destroy();
  return text;
}

describe('an upgrade by a server of another API', () => {
  it('joins the client to it, with who asks and what was sent already', async () => {
    const other = createTlsServer({ cert: keys.certificatePem, key: keys.keyPem });
    other.on('upgrade', ({ url, headers }: IncomingMessage, socket: Duplex) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n${url ?? ''} ${String(headers['x-remote-user'])};`,
      );
      socket.pipe(socket);
    });
    const text = await told(other, 'hello', /early hello$/);
    expect(text).toBe('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n/x?y jane;early hello');
  });

  it('that refuses is told as it says', async () => {
    const other = createTlsServer({ cert: keys.certificatePem, key: keys.keyPem }, (_request, response) => {
      response.writeHead(403, { 'content-type': 'text/plain', 'content-length': 2 }).end('no');
    });
    const text = await told(other, '', /no$/);
    expect(text).toMatch(/^HTTP\/1.1 403 Forbidden\r\ncontent-type: text\/plain\r\n/);
    expect(text).toContain('connection: close\r\n');
  });

  it('that breaks off in the middle of its refusal ends the connection', async () => {
    const other = createTlsServer({ cert: keys.certificatePem, key: keys.keyPem }, (_request, response) => {
      response.writeHead(403, { 'content-length': 9 }).write('half', () => response.destroy());
    });
    expect(await told(other, '', /whole/)).toMatch(/\r\n\r\n(half)?$/);
  });

  it('that is not there is 503 in the words of Go', async () => {
    const text = await told(undefined, '', /refused\n$/);
    expect(text).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/);
    expect(text).toMatch(/dial tcp 127.0.0.1:1: connect: connection refused\n$/);
  });
});
