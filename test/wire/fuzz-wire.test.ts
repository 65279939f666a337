import { request } from 'node:https';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { Random } from '../../engine/base/random.ts';
import { type RunningPage, startPage } from '../../engine/host/page.ts';
import { anEngine, type ServedEngine } from '../support/engine.ts';
import { noise, oddConnection, oddHttp2, oddHttp2Frames, type WireTarget } from './fuzz-wire.ts';

const maps = '/api/v1/namespaces/default/configmaps';
let served: ServedEngine;
let engine: ServedEngine['engine'];
let keys: ServedEngine['keys'];
let page: RunningPage;
let target: WireTarget;
const defects: string[] = [];

beforeAll(async () => {
  // A defect of serving is told there.
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => defects.push(String(text)) > 0);
  served = await anEngine({ nodes: 1 }, (error) => defects.push(error.message));
  ({ engine, keys } = served);
  page = await startPage(engine.endpoint);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  await engine.branch.pacer.runUntil(engine.branch.cluster.loop.nowMs() + 5_000);
  expect(await send('POST', '/api/v1/namespaces/default/pods', pod)).toBe(201);
  await engine.branch.pacer.runUntil(engine.branch.cluster.loop.nowMs() + 20_000);
  target = { port: Number(new URL(engine.endpoint.server).port), token: keys.adminToken };
});

afterAll(async () => {
  await page.close();
  await served.close();
  vi.restoreAllMocks();
});

function send(method: string, path: string, body?: object, type = 'application/json'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${keys.adminToken}`, 'content-type': type };
    const sent = request(`${engine.endpoint.server}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function isWell(): Promise<void> {
  expect(await send('GET', '/readyz')).toBe(200);
  expect(await send('GET', '/api/v1/namespaces/default/pods/web')).toBe(200);
  expect(engine.branch.failure).toBeUndefined();
  expect(defects).toEqual([]);
}

it('answers what is asked properly after odd connections, and none of them is a defect', async () => {
  const random = new Random(1).stream('wire');
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 12 }, () => oddConnection(random, target)));
  await isWell();
});

it('answers after odd HTTP/2', async () => {
  const random = new Random(2).stream('wire');
  for (let round = 0; round < 15; round++) await Promise.all(Array.from({ length: 4 }, () => oddHttp2(random, target)));
  await isWell();
});

it('answers after frames that no client of HTTP/2 sends, and bytes in place of a handshake', async () => {
  const random = new Random(4).stream('wire');
  for (let round = 0; round < 15; round++)
    await Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? oddHttp2Frames : noise)(random, target)));
  await isWell();
});

it('the page’s socket takes any message, and goes on or ends', async () => {
  const { origin } = new URL(page.url);
  const cookie = (await fetch(page.url, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? '';
  const random = new Random(3).stream('wire');
  const paths = [
    '/api/v1/pods',
    '/api/v1/pods?labelSelector=((',
    '/nowhere',
    'x',
    '/api/v1/pods?resourceVersion=99999999',
    '/branches/none/api/v1/pods',
    '/%00',
    '//',
  ];
  const ids = ['1', '-1', '1.5', '1e99', '"1"', 'null', '{}', '0'];
  const messages = ids.flatMap((id) => [...paths.map((path) => `{"id":${id},"open":${JSON.stringify(path)}}`), `{"id":${id},"close":true}`]);
  const shreds = ['', '{', 'null', '[]', '7', '{"id":1}', '{"id":1,"open":{}}', '{"__proto__":{"id":1}}', '\u0000', 'x'.repeat(100_000), ...messages];
  let opened = 0;
  for (let round = 0; round < 10; round++) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/watch`, { headers: { cookie, origin } });
    await new Promise<void>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.on('unexpected-response', () => socket.terminate());
      socket.on('open', () => {
        opened++;
        // One that is no message closes the socket: at first only such as may be one.
        for (let i = 0; i < 10; i++)
          socket.send((i < 6 ? messages[random.integer(9 * 2)] : shreds[random.integer(shreds.length)]) as string, { binary: random.next() < 0.1 });
        setTimeout(() => socket.terminate(), 50);
      });
    });
  }
  expect(opened).toBe(10);
  await isWell();
});

it('of many who write one object at once each is answered, and what stands is what one of them wrote', async () => {
  expect(await send('POST', maps, { metadata: { name: 'shared' }, data: { by: 'nobody' } })).toBe(201);
  const before = engine.branch.cluster.store.currentRevision();
  const codes = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? send('PUT', `${maps}/shared`, { metadata: { name: 'shared', resourceVersion: String(before) }, data: { by: `put-${index}` } })
        : send('PATCH', `${maps}/shared`, { data: { [`k${index}`]: 'x' } }, 'application/merge-patch+json'),
    ),
  );
  const won = codes.filter((code, index) => index % 3 === 0 && code === 200).length;
  expect(codes.filter((code, index) => index % 3 === 0 && code !== 200)).toEqual(Array.from({ length: 20 - won }, () => 409));
  expect(won).toBeLessThanOrEqual(1);
  expect(codes.filter((_, index) => index % 3 !== 0)).toEqual(Array.from({ length: 40 }, () => 200));
  const changes = engine.branch.cluster.store.changesBetween(before, engine.branch.cluster.store.currentRevision()).length;
  expect(changes).toBe(40 + won);
  await isWell();
});
