import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Connection } from '../remote/connection.ts';
import type { Workplace } from './daemon.ts';
import { serviceAccountConnection } from './service-account-connection.ts';

type Answer = readonly [code: number, body: object];

let server: Server;
let connections: Connection[] = [];
let asked: string[] = [];
let tokensShown: (string | undefined)[] = [];
let ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends) end();
  for (const connection of connections) connection.close();
  server.close();
});

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const notFound: Answer = [404, { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: 'not found' }];
const account = { metadata: { name: 'job-controller', uid: 'u' } };
const secret = (name: string, token: string, uid = 'u'): object => ({
  metadata: { name, annotations: { 'kubernetes.io/service-account.name': 'job-controller', 'kubernetes.io/service-account.uid': uid } },
  data: token === '' ? {} : { token: Buffer.from(token).toString('base64') },
});

/** A server that answers by method and last part of the path. */
async function connectedTo(answers: (asked: string, body: string) => Answer): Promise<Connection> {
  [connections, asked, tokensShown, ends] = [[], [], [], []];
  server = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const what = `${request.method} ${(request.url ?? '').split('?')[0]?.split('/').at(-1)}`;
      asked.push(what);
      tokensShown.push(request.headers.authorization);
      const [code, body] = answers(what, text);
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reached = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const connection = new Connection({ ...reached, token: 'of the manager' }, 'test');
  connections.push(connection);
  const runtime = { connection, onClose: (end: () => void): void => void ends.push(end) };
  const place = { runtime, server: reached, log: { error: () => undefined } } as unknown as Pick<Workplace, 'runtime' | 'server' | 'log'>;
  const own = await serviceAccountConnection('job-controller', place);
  connections.push(own);
  await own.call('GET', '/end');
  return own;
}

it('a server that gives tokens is asked for one, and the account is made where it is missing', async () => {
  let isThere = false;
  await connectedTo((what) => {
    if (what === 'POST serviceaccounts') isThere = true;
    if (what === 'POST token') return isThere ? [201, { status: { token: 'asked', expirationTimestamp: inAnHour } }] : notFound;
    return [200, {}];
  });
  expect(asked).toEqual(['POST token', 'POST serviceaccounts', 'POST token', 'GET end']);
  expect(tokensShown.at(-1)).toBe('Bearer asked');
});

it('of a server that gives none the token of its Secret is waited for; one that is not good is deleted', async () => {
  const secrets = new Map([
    ['foreign', secret('foreign', 'x', 'other')],
    ['bad', secret('bad', 'old')],
    ['slow', secret('slow', '')],
  ]);
  await connectedTo((what, body) => {
    if (what === 'POST token') return notFound;
    if (what === 'DELETE bad') {
      secrets.delete('bad');
      secrets.set('slow', secret('slow', 'new'));
    }
    if (what === 'GET secrets') return [200, { items: [...secrets.values()] }];
    if (what === 'POST tokenreviews') {
      const authenticated = body.includes('"new"');
      return [201, { status: { authenticated, user: { username: 'system:serviceaccount:kube-system:job-controller' } } }];
    }
    return [200, account];
  });
  expect([...secrets.keys()]).toEqual(['foreign', 'slow']);
  expect(tokensShown.at(-1)).toBe('Bearer new');
});
