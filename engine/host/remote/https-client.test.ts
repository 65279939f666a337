import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { httpsBench } from '../../../test/support/transports.ts';
import { clientContract } from '../../client/testing/client.contract.ts';
import { loadKeys } from '../home.ts';
import { Connection } from './connection.ts';

describe('the client over HTTPS', () => clientContract(httpsBench));

const silence = { callMs: 100, watchMs: 100 };

/** A server that takes requests and does with them what the test says. */
async function serve(answer: Parameters<Server['on']>[1]): Promise<Connection> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-silent-'));
  const { authority, server: keys } = loadKeys(home);
  const server = createServer({ cert: keys.certificatePem, key: keys.keyPem }, answer as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = new Connection({ server: `https://127.0.0.1:${port}`, ca: authority.certificatePem }, 'test', silence);
  onTestFinished(() => {
    connection.close();
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true });
  });
  return connection;
}

const unreachable = { status: { code: 503, reason: 'ServiceUnavailable' } };

test('a server that takes a request and never answers is given up', async () => {
  const connection = await serve(() => undefined);
  await expect(connection.call('GET', '/api')).rejects.toMatchObject({
    status: { ...unreachable.status, message: 'the API server cannot be reached: nothing arrived for 100 ms' },
  });
});

test('an answer that stops in the middle, and one that is no JSON, are no answers', async () => {
  const cut = await serve((_request: unknown, response: { write(text: string): void; destroy(): void }) => {
    response.write('{"kind":');
    setImmediate(() => response.destroy());
  });
  await expect(cut.call('GET', '/api')).rejects.toMatchObject(unreachable);
  const text = await serve((_request: unknown, response: { end(text: string): void }) => response.end('hello'));
  await expect(text.call('GET', '/api')).rejects.toMatchObject(unreachable);
});

test('calls under way end when the connection is closed', async () => {
  const connection = await serve(() => setImmediate(() => connection.close()));
  await expect(connection.call('GET', '/api')).rejects.toMatchObject(unreachable);
});
