/** What the filters make of a request, seen from both ends of a real connection: HTTP/1.1 and HTTP/2. */
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anEngine, type ServedEngine } from '../support/engine.ts';

interface Answer {
  readonly code: number;
  readonly warning: string | readonly string[] | undefined;
  readonly text: string;
}

const maps = '/api/v1/namespaces/default/configmaps';
let keys: ServedEngine['keys'];
let engine: ServedEngine['engine'];
let served: ServedEngine;

beforeAll(async () => {
  served = await anEngine({}, (error) => expect.unreachable(error.message));
  ({ engine, keys } = served);
});
afterAll(() => served.close());

type Send = (method: string, path: string, body: string, token?: string) => Promise<Answer>;

const overHttp1: Send = (method, path, body, token = keys.adminToken) => {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return new Promise((resolve, reject) => {
    const sent = request(`${engine.endpoint.server}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ code: response.statusCode ?? 0, warning: response.headers['warning'], text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
};

const overHttp2: Send = (method, path, body, token = keys.adminToken) => {
  const session = connect(engine.endpoint.server, { rejectUnauthorized: false });
  const headers = { ':method': method, ':path': path, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise<Answer>((resolve, reject) => {
    const stream = session.request(headers);
    let head: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
    let text = '';
    stream.on('response', (received) => {
      head = received;
    });
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on('end', () => resolve({ code: head[':status'] ?? 0, warning: head['warning'], text }));
    stream.on('error', reject);
    stream.end(body);
  }).finally(() => session.close());
};

it.each([
  ['HTTP/1.1', overHttp1, 'one'],
  ['HTTP/2', overHttp2, 'two'],
] as const)('%s: a warning in any script arrives with an answer that is no failure', async (_name, send, name) => {
  const answer = await send('POST', maps, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, 'größe 日本': 1 }));
  expect(answer.code).toBe(201);
  const bytes = Uint8Array.from(String(answer.warning), (character) => character.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toBe('299 - "unknown field \\"größe 日本\\""');
});

it('a warning that no header can hold is left out, and the object is stored', async () => {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'three' }, 'a\u0085b': 1 });
  expect(await overHttp1('POST', maps, body)).toMatchObject({ code: 201, warning: undefined });
});

it('an unknown token is refused over both, before its body is looked at', async () => {
  for (const send of [overHttp1, overHttp2]) {
    const answer = await send('POST', maps, '{', 'nobody');
    expect([answer.code, (JSON.parse(answer.text) as { reason: string }).reason]).toEqual([401, 'Unauthorized']);
  }
});

it('a computed object is replaced like any other', async () => {
  const clock = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';
  const spec = async (body: object): Promise<unknown> => {
    const answer = await overHttp1('PUT', clock, JSON.stringify({ metadata: { name: 'cluster' }, ...body }));
    return [answer.code, (JSON.parse(answer.text) as { spec?: { settle?: string } }).spec?.settle];
  };
  expect(await spec({ spec: { settle: '2s' } })).toEqual([200, '2s']);
  expect(await spec({ spec: { settle: '3s' } })).toEqual([200, '3s']);
  const number = await overHttp1('PATCH', clock, '{"spec":{"speed":60}}');
  expect([number.code, (JSON.parse(number.text) as { message: string }).message]).toEqual([422, expect.stringContaining('write a speed of 60 as')]);
  const wrong = await overHttp1('PUT', clock, JSON.stringify({ metadata: { name: 'other' }, spec: {} }));
  expect([wrong.code, (JSON.parse(wrong.text) as { reason: string }).reason]).toEqual([409, 'Conflict']);
});
