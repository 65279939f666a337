/** Floods of every kind: who asks for little beside one is answered, nothing of it is a defect, and nothing of it stays. */
import { request } from 'node:https';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { anEngine, type ServedEngine } from '../support/engine.ts';
import { type FloodTarget, floods } from './floods.ts';

const pod = '/api/v1/namespaces/default/pods/web';
const maps = '/api/v1/namespaces/default/configmaps';
let served: ServedEngine;
let target: FloodTarget;
const defects: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => defects.push(String(text)) > 0);
  served = await anEngine({ nodes: 1 }, (error) => defects.push(error.message));
  const { engine, keys } = served;
  const { pacer, cluster } = engine.branch;
  target = { port: Number(new URL(engine.endpoint.server).port), token: keys.adminToken, pod: 'default/web' };
  await pacer.runUntil(cluster.loop.nowMs() + 5_000);
  const web = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  expect((await send('POST', '/api/v1/namespaces/default/pods', web)).code).toBe(201);
  const large = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'x'.repeat(100_000) } });
  for (let at = 0; at < 8; at++) expect((await send('POST', maps, large(`large-${at}`))).code).toBe(201);
  await pacer.runUntil(cluster.loop.nowMs() + 20_000);
});

afterAll(async () => {
  await served.close();
  vi.restoreAllMocks();
});

function send(method: string, path: string, body?: object): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port: target.port, path, method, headers, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

it.each(Object.keys(floods))('%s', { timeout: 60_000 }, async (name) => {
  const stop = new AbortController();
  const flooding = floods[name]?.(target, stop.signal);
  for (let asked = 0; asked < 4; asked++) expect((await send('GET', pod)).code).toBe(200);
  stop.abort();
  await flooding;
  const inFlight = async (): Promise<boolean> =>
    /current_inflight_requests\{request_kind="readOnly"\} [1-9]/.test((await send('GET', '/metrics')).text);
  while (await inFlight()) expect(defects).toEqual([]);
  expect(served.engine.branch.failure).toBeUndefined();
  expect(defects).toEqual([]);
});
