/** The page's watches over a real endpoint: a browser that signed in, and a watch about which somebody outside has to be asked. */
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { defaultConfig, documentedStartMs } from '../cluster/config.ts';
import { newForbidden } from '../apimachinery/errors.ts';
import { Branch } from './branch.ts';
import { Endpoint } from './endpoint.ts';
import { loadKeys } from './home.ts';
import { type RunningPage, startPage } from './page.ts';
import type { KeptPage } from './page-memory.ts';

interface Told {
  readonly id: number;
  readonly type: string;
  readonly atMs?: number;
  readonly object?: { readonly code?: number; readonly reason?: string; readonly metadata?: { readonly name: string } };
}

const path = '/api/v1/namespaces/default/configmaps';
let home: string;
let branch: Branch;
let endpoint: Endpoint;
let page: RunningPage;
let socket: WebSocket;
let told: Told[];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'wavetank-page-'));
  const keys = loadKeys(home);
  const config = { ...defaultConfig, seed: 1, nodes: 0, startMs: documentedStartMs };
  const start = (): Promise<Branch> => Branch.start({ config, keys, speed: 'paused', onFailure: () => undefined });
  branch = await start();
  endpoint = new Endpoint(keys, 'first', branch);
  endpoint.addBranch('second', await start());
  for (const one of endpoint.listBranches()) one.branch.run();
  await endpoint.listen([0]);
  page = await startPage(endpoint);
  told = [];
  socket = await connect(page.url);
  socket.on('message', (data: Buffer) => told.push(...(JSON.parse(data.toString()) as Told[]).filter(({ id }) => id > 0)));
});

afterEach(async () => {
  socket.terminate();
  await page.close();
  await endpoint.close();
  await Promise.all(endpoint.listBranches().map((one) => one.branch.close()));
  rmSync(home, { recursive: true });
});

/** Of a browser that has opened the link. */
function cookieOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(String(response.headers['set-cookie']).split(';')[0] ?? '');
    }).on('error', reject);
  });
}

async function connect(url: string): Promise<WebSocket> {
  const cookie = await cookieOf(url);
  const { host, origin } = new URL(url);
  const made = new WebSocket(`ws://${host}/watch`, { origin, headers: { cookie } });
  await new Promise((resolve, reject) => {
    made.on('open', resolve);
    made.on('error', reject);
  });
  return made;
}

/** What is asked for below the path waits until the word is given, as if somebody outside were asked. */
function asked(): { readonly begun: Promise<void>; readonly say: (error?: Error) => void } {
  const { door } = branch.cluster;
  const serve = door.serve.bind(door);
  let say: (error?: Error) => void = () => undefined;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const word = new Promise<void>((resolve, reject) => (say = (error) => (error === undefined ? resolve() : reject(error))));
  vi.spyOn(door, 'serve').mockImplementation((request) => {
    if (request.path !== path) return serve(request);
    begin();
    return word.then(() => serve(request));
  });
  return { begun, say };
}

function send(message: object): void {
  socket.send(JSON.stringify(message));
}

function typesOf(id: number): readonly string[] {
  return told.filter((one) => one.id === id).map(({ type }) => type);
}

test('a watch of the page begins when somebody who has to be asked has answered; others go on meanwhile', async () => {
  const { begun, say } = asked();
  send({ id: 1, open: path });
  await begun;
  send({ id: 2, open: '/api/v1/namespaces' });
  await expect.poll(() => typesOf(2).at(-1)).toBe('SYNCED');
  expect(typesOf(1)).toEqual([]);
  say();
  await expect.poll(() => typesOf(1).at(-1)).toBe('SYNCED');
});

test('the page is told what was answered: no, in the words of the API', async () => {
  const { begun, say } = asked();
  send({ id: 1, open: path });
  await begun;
  say(newForbidden({ group: '', resource: 'configmaps' }, '', 'the webhook says no'));
  await expect.poll(() => told.find(({ id }) => id === 1)).toMatchObject({ type: 'ERROR', object: { code: 403, reason: 'Forbidden' } });
});

test('a watch that the page closed while somebody was asked never begins', async () => {
  const { begun, say } = asked();
  send({ id: 1, open: path });
  await begun;
  send({ id: 1, close: true });
  send({ id: 2, open: '/api/v1/namespaces' });
  await expect.poll(() => typesOf(2).at(-1)).toBe('SYNCED');
  say();
  send({ id: 3, open: path });
  await expect.poll(() => typesOf(3).at(-1)).toBe('SYNCED');
  expect(typesOf(1)).toEqual([]);
});

test('a watch about which somebody is asked while another branch is shown is expired', async () => {
  const { begun, say } = asked();
  send({ id: 1, open: path });
  await begun;
  endpoint.switchTo('second');
  say();
  await expect.poll(() => told.find(({ id }) => id === 1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
});

test('a page that is started again stands where it stood, and knows its browsers; where the place is taken it stands elsewhere', async () => {
  let kept: KeptPage | undefined;
  const memory = { read: () => kept, write: (next: KeptPage) => void (kept = next) };
  const first = await startPage(endpoint, { memory });
  const { port } = new URL(first.url);
  const signedIn = await cookieOf(first.url);
  expect(kept).toMatchObject({ port: Number(port) });
  expect(JSON.stringify(kept)).not.toContain(decodeURIComponent(signedIn.split('=')[1] ?? ''));
  await first.close();
  const second = await startPage(endpoint, { memory });
  expect(new URL(second.url).port).toBe(port);
  expect(await statusOf(second.url, signedIn)).toBe(200);
  const third = await startPage(endpoint, { memory });
  expect(new URL(third.url).port).not.toBe(port);
  expect(await statusOf(third.url, signedIn)).toBe(401);
  await Promise.all([second.close(), third.close()]);
});

function statusOf(url: string, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(new URL('/version', url), { agent: false, headers: { cookie } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', reject);
  });
}

test('of what is computed the page is told the instant: with the first of it, and when time has passed without a change', async () => {
  const nowMs = (): number => branch.cluster.loop.nowMs();
  const toldMs = (): number | undefined => told.findLast(({ type }) => type === 'TOLD')?.atMs;
  send({ id: 1, open: '/apis/sim.wavetank.dev/v1alpha1/problems' });
  await expect.poll(() => typesOf(1)).toEqual(['TOLD', 'SYNCED']);
  expect(toldMs()).toBe(nowMs());
  const before = nowMs();
  await branch.pacer.runUntil(before + 60_000);
  await expect.poll(toldMs).toBe(before + 60_000);
  send({ id: 2, open: '/api/v1/namespaces' });
  await expect.poll(() => typesOf(2).at(-1)).toBe('SYNCED');
  expect(typesOf(2)).not.toContain('TOLD');
});
