import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ServedRequest } from '../exchange.ts';
import { createPageServer, type PageServer } from './page-server.ts';
import type { PageWatchSink, WatchLimits } from './watch-socket.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Watched {
  readonly path: string;
  readonly sink: PageWatchSink;
  readonly branch?: string;
  cancelled: boolean;
}

let folder: string;
let server: PageServer;
let asked: ServedRequest[];
let watched: Watched[];
let defects: Error[];
let links: string[];
let branches: Set<string>;
/** Of a browser that has opened the link. */
let cookie: string;
let onWatch: (watch: Watched) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wavetank-page-'));
  mkdirSync(join(folder, 'dist', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html>page');
  writeFileSync(join(folder, 'dist', 'assets', 'main-abc.js'), 'run()');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  await start();
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
  expect(defects).toEqual([]);
});

async function start(watchLimits: Partial<WatchLimits> = {}, isRushing = false): Promise<void> {
  asked = [];
  watched = [];
  defects = [];
  links = [];
  branches = new Set(['run-1', 'run.two']);
  onWatch = () => {};
  server = await createPageServer({
    host: '127.0.0.1',
    port: 0,
    onLinkUsed: (url) => links.push(url),
    assets: join(folder, 'dist'),
    api: (request) => {
      asked.push(request);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"kind":"PodList"}' };
    },
    look: (branch) => {
      if (branch !== undefined && !branches.has(branch)) return undefined;
      return {
        watch: (path, sink) => {
          const watch: Watched = { path, sink, cancelled: false, ...(branch !== undefined && { branch }) };
          watched.push(watch);
          onWatch(watch);
          return () => {
            watch.cancelled = true;
          };
        },
        clock: () => ({ now: branch ?? 1 }),
        isRushing: () => isRushing,
      };
    },
    onDefect: (error) => defects.push(error),
    watchLimits,
  });
  cookie = await signIn();
  links = [];
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

const own = (): Record<string, string> => ({ cookie });
const secret = (): string => decodeURIComponent(cookie.split('=')[1] ?? '');

/** Opens the link as a browser does; answers the cookie. */
async function signIn(): Promise<string> {
  const { pathname, search } = new URL(server.url);
  const [given = ''] = (await get(pathname + search)).headers['set-cookie'] as string[];
  return given.split(';')[0] ?? '';
}

describe('the page', () => {
  test('is served with a strict policy and never from a cache', async () => {
    for (const path of ['/', '/index.html', '/pods/default/web']) {
      const answer = await get(path);
      expect(answer).toMatchObject({ status: 200, body: '<!doctype html>page' });
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    }
  });

  test('has files that browsers may keep', async () => {
    const answer = await get('/assets/main-abc.js');
    expect(answer).toMatchObject({ status: 200, body: 'run()' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('has them without its disk once somebody asked for them, but its document always from there', async () => {
    const before = await get('/assets/main-abc.js');
    rmSync(join(folder, 'dist', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html>newer');
    expect(await get('/assets/main-abc.js')).toMatchObject({
      status: 200,
      body: 'run()',
      headers: { 'content-type': before.headers['content-type'] },
    });
    expect(await get('/assets/./main-abc.js')).toMatchObject({ status: 404 });
    expect(await get('/')).toMatchObject({ body: '<!doctype html>newer' });
  });

  test.each([
    ['/../secret.txt', 404],
    ['/%2e%2e/secret.txt', 404],
    ['/assets/%2e%2e%2f%2e%2e%2fsecret.txt', 404],
    ['/assets/none.js', 404],
    ['/%zz.js', 400],
  ])('does not lead out of its folder: %s', async (path, status) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('secret');
  });

  test('says what to do when it is not built', async () => {
    rmSync(join(folder, 'dist'), { recursive: true });
    expect(await get('/')).toMatchObject({ status: 503, body: expect.stringContaining('npm run build') });
  });
});

describe('the page of a branch', () => {
  test('stands below its path, with its own files', async () => {
    for (const path of ['/branches/run-1/', '/branches/run.two/', '/branches/run-1/pods/default/web'])
      expect(await get(path)).toMatchObject({ status: 200, body: '<!doctype html>page' });
    expect(await get('/branches/run-1/assets/main-abc.js')).toMatchObject({ status: 200, body: 'run()' });
    expect(await get('/branches/run-1')).toMatchObject({ status: 308, headers: { location: '/branches/run-1/' } });
    expect((await get('/branches/run-1/../../../secret.txt')).body).not.toContain('secret');
  });

  test('asks the API of that branch, and only signed in', async () => {
    expect((await get('/branches/run-1/api/v1/pods')).status).toBe(401);
    expect((await get('/branches/run-1/api/v1/pods', own())).status).toBe(200);
    expect(asked).toMatchObject([{ path: '/branches/run-1/api/v1/pods' }]);
  });

  test('watches that branch and hears its clock', async () => {
    expect(await new Page({}, '/branches/run-1/watch').opened()).toContain('401');
    expect(await new Page(own(), '/branches/none/watch').opened()).toContain('404');
    const [first, second] = [new Page(own(), '/branches/run.two/watch'), new Page(own())];
    await Promise.all([first.opened(), second.opened()]);
    await Promise.all([first, second].map((page) => page.until(() => page.messages.length > 0)));
    expect(first.messages[0]).toEqual([{ id: 0, type: 'CLOCK', object: { now: 'run.two' } }]);
    expect(second.messages[0]).toEqual([{ id: 0, type: 'CLOCK', object: { now: 1 } }]);
    onWatch = ({ sink }) => sink.synced();
    first.send({ id: 1, open: '/api/v1/pods' });
    await first.until(() => first.frames().length === 1);
    expect(watched).toMatchObject([{ path: '/api/v1/pods', branch: 'run.two' }]);
  });

  test('is told when the branch goes, and the others stay', async () => {
    const [leaving, staying] = [new Page(own(), '/branches/run-1/watch'), new Page(own())];
    await Promise.all([leaving.opened(), staying.opened()]);
    const closed = new Promise<number>((resolve) => leaving.socket.on('close', resolve));
    branches.delete('run-1');
    expect(await closed).toBe(4404);
    expect(staying.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('trust', () => {
  test.each([
    ['another name for the address (DNS rebinding)', () => ({ host: `evil.example:${server.port}` })],
    ['another port', () => ({ host: '127.0.0.1:1' })],
    ['a page of another site', () => ({ origin: 'https://evil.example' })],
    ['a page of another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['a sandboxed page', () => ({ origin: 'null' })],
  ])('refuses %s', async (_name, headers) => {
    expect((await get('/api/v1/pods', { ...own(), ...headers() })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('accepts both names of the loopback address', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const host = `${name}:${server.port}`;
      expect((await get('/api/v1/pods', { ...own(), host, origin: `http://${host}` })).status).toBe(200);
    }
  });

  test('the printed address gives a cookie, and the cookie the API', async () => {
    const { pathname, search } = new URL(server.url);
    const first = await get(pathname + search);
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    const [given] = first.headers['set-cookie'] as string[];
    expect(given).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(given).not.toContain(search.slice('?token='.length));
    const headers = { cookie: `other=1; ${(given as string).split(';')[0]}` };
    expect((await get('/api/v1/pods?limit=5', headers)).body).toBe('{"kind":"PodList"}');
    expect(asked).toMatchObject([{ path: '/api/v1/pods', query: 'limit=5' }]);
    expect(asked[0]?.headers['cookie']).toBeUndefined();
    expect((await get('/api/v1/pods', { ...headers, 'sec-fetch-site': 'same-site' })).status).toBe(401);
  });

  test('the address works once: what a history or a terminal keeps of it opens nothing', async () => {
    const { pathname, search } = new URL(server.url);
    const mine = await signIn();
    expect(links).toEqual([server.url]);
    expect(new URL(server.url).search).not.toBe(search);
    const again = await get(pathname + search);
    expect(again).toMatchObject({ status: 403, body: expect.stringContaining('This link has been used') });
    expect(again.headers['set-cookie']).toBeUndefined();
    expect((await get('/api/v1/pods', { authorization: `Bearer ${search.slice('?token='.length)}` })).status).toBe(401);
    // In the browser that has used it, it leads to the page.
    expect(await get(pathname + search, { cookie: mine })).toMatchObject({ status: 303, headers: { location: '/' } });
    // The next one signs in another browser beside the first.
    const other = await signIn();
    expect(other).not.toBe(mine);
    for (const browser of [mine, other]) expect((await get('/api/v1/pods', { cookie: browser })).status).toBe(200);
  });

  test('only opening the address uses it', async () => {
    const { pathname, search } = new URL(server.url);
    expect((await get(pathname + search, {}, 'HEAD')).status).toBe(403);
    expect((await get(pathname + search, { host: 'evil.example' })).status).toBe(403);
    expect(links).toEqual([]);
    expect((await get(pathname + search)).status).toBe(303);
  });

  test.each([
    ['a path that is no path', 'GET', '/%zz'],
    ['a path of the API that is none', 'GET', '/api/%zz'],
    ['a method that nobody knows here', 'PROPFIND', '/api/v1/pods'],
    ['a search', 'SEARCH', '/'],
    ['an upload', 'POST', '/'],
    ['the form for proxies', 'GET', 'http://evil.example/api/v1/pods'],
  ])('%s says nothing to another name for the address (DNS rebinding)', async (_name, method, path) => {
    const foreign = await get(path, { ...own(), host: 'evil.example' }, method);
    expect(foreign).toMatchObject({ status: 403, body: 'this address answers only to its own page\n' });
    const answered = await get(path, {}, method);
    expect(answered.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(answered.body).not.toContain('FST_ERR');
    expect(asked).toEqual([]);
  });

  test.each(['/api', '/apis/apps/v1', '/version', '/openapi/v3', '/livez'])('%s wants the token', async (path) => {
    expect(await get(path)).toMatchObject({ status: 401, body: expect.stringContaining('"reason":"Unauthorized"') });
    expect((await get(path, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await get(path, { authorization: `Bearer ${secret()}` })).status).toBe(200);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers['authorization']).toBeUndefined();
  });

  test('a token of an old session is told so', async () => {
    expect(await get('/?token=old')).toMatchObject({ status: 403, body: expect.stringContaining('session that is over') });
  });
});

interface Frame {
  readonly id: number;
  readonly type: string;
  readonly object?: unknown;
}

/** A page's socket that keeps what it was sent, apart from the clock. */
class Page {
  readonly socket: WebSocket;
  readonly messages: Frame[][] = [];
  #waiting: (() => void) | undefined;

  constructor(headers: Record<string, string>, path = '/watch') {
    this.socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
    this.socket.on('message', (data) => {
      this.messages.push(JSON.parse(data.toString()) as Frame[]);
      this.#waiting?.();
    });
  }

  opened(): Promise<string> {
    return new Promise((resolve) => {
      this.socket.on('open', () => resolve('open'));
      this.socket.on('error', (error) => resolve(error.message));
    });
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  frames(): Frame[] {
    return this.messages.flat().filter((frame) => frame.type !== 'CLOCK');
  }

  async until(reached: () => boolean): Promise<void> {
    while (!reached()) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }
}

describe('the watch socket', () => {
  test('opens only for our own page with the token', async () => {
    expect(await new Page({}).opened()).toContain('401');
    expect(await new Page({ ...own(), origin: 'https://evil.example' }).opened()).toContain('403');
    expect(await new Page(own(), '/other').opened()).toContain('404');
    const page = new Page({ ...own(), origin: `http://127.0.0.1:${server.port}` });
    expect(await page.opened()).toBe('open');
    await page.until(() => page.messages.length > 0);
    expect(page.messages[0]).toEqual([{ id: 0, type: 'CLOCK', object: { now: 1 } }]);
  });

  test('sends the list, SYNCED and changes of many watches', async () => {
    onWatch = ({ path, sink }) => {
      sink.event('ADDED', `{"of":"${path}"}`);
      sink.synced();
    };
    const page = new Page(own());
    await page.opened();
    page.send({ id: 1, open: '/api/v1/pods?labelSelector=a%3Db' });
    page.send({ id: 2, open: '/api/v1/nodes' });
    await page.until(() => page.frames().length === 4);
    watched[0]?.sink.event('DELETED', '{"a":1}');
    await page.until(() => page.frames().length === 5);
    expect(page.frames()).toEqual([
      { id: 1, type: 'ADDED', object: { of: '/api/v1/pods?labelSelector=a%3Db' } },
      { id: 1, type: 'SYNCED' },
      { id: 2, type: 'ADDED', object: { of: '/api/v1/nodes' } },
      { id: 2, type: 'SYNCED' },
      { id: 1, type: 'DELETED', object: { a: 1 } },
    ]);
  });

  test('gathers what happens within a picture into one message', async () => {
    onWatch = ({ sink }) => {
      for (let i = 0; i < 100; i += 1) sink.event('ADDED', `{"n":${i}}`);
      sink.synced();
    };
    const page = new Page(own());
    await page.opened();
    page.send({ id: 7, open: '/api/v1/pods' });
    await page.until(() => page.frames().length === 101);
    expect(page.messages.filter((message) => message.some((frame) => frame.id === 7))).toHaveLength(1);
  });

  test('sends what a watch begins with as soon as it is whole, however long changes are gathered', async () => {
    await server.close();
    await start({ frameMs: 3_600_000 });
    onWatch = ({ sink }) => {
      sink.event('ADDED', '{"n":1}');
      sink.synced();
    };
    const page = new Page(own());
    await page.opened();
    page.send({ id: 7, open: '/api/v1/pods' });
    await page.until(() => page.frames().length === 2);
    expect(page.frames().at(-1)).toEqual({ id: 7, type: 'SYNCED' });
  });

  test('gathers changes for longer while time rushes', async () => {
    const toldIn = async (limits: Partial<WatchLimits>, isRushing: boolean): Promise<boolean> => {
      await server.close();
      await start(limits, isRushing);
      onWatch = ({ sink }) => sink.event('ADDED', '{"n":1}');
      const page = new Page(own());
      await page.opened();
      page.send({ id: 7, open: '/api/v1/pods' });
      // With the other limit it would not come within the test.
      await page.until(() => page.frames().length === 1);
      return page.frames()[0]?.type === 'ADDED';
    };
    expect(await toldIn({ frameMs: 3_600_000, rushMs: 1 }, true)).toBe(true);
    expect(await toldIn({ frameMs: 1, rushMs: 3_600_000 }, false)).toBe(true);
  });

  test('closes watches one by one and all with the socket', async () => {
    const page = new Page(own());
    await page.opened();
    page.send({ id: 1, open: '/api/v1/pods' });
    page.send({ id: 2, open: '/api/v1/nodes' });
    page.send({ id: 1, close: true });
    page.send({ id: 1, open: '/api/v1/services' });
    page.send({ id: 1, open: '/api/v1/again' });
    await page.until(() => page.frames().length === 1);
    expect(page.frames()[0]).toMatchObject({ id: 1, type: 'ERROR', object: { reason: 'BadRequest', message: 'watch 1 is already open' } });
    expect(watched.map((watch) => [watch.path, watch.cancelled])).toEqual([
      ['/api/v1/pods', true],
      ['/api/v1/nodes', false],
      ['/api/v1/services', false],
    ]);
    watched[1]?.sink.error('{"code":410}');
    watched[2]?.sink.end();
    await page.until(() => page.frames().length === 3);
    expect(page.frames().slice(1)).toEqual([
      { id: 2, type: 'ERROR', object: { code: 410 } },
      { id: 1, type: 'END' },
    ]);
    page.send({ id: 3, open: '/api/v1/secrets' });
    await new Promise<void>((resolve) => {
      onWatch = () => resolve();
    });
    const gone = new Promise<void>((resolve) => page.socket.on('close', () => resolve()));
    page.socket.close();
    await gone;
    await server.close();
    expect(watched[3]?.cancelled).toBe(true);
  });

  test('refuses what is not a request', async () => {
    const page = new Page(own());
    await page.opened();
    const closed = new Promise<number>((resolve) => page.socket.on('close', resolve));
    page.socket.send('{"id":"x"}');
    expect(await closed).toBe(1008);
  });

  test('drops a page that does not read', async () => {
    await server.close();
    await start({ stallMs: 50, socketBytesMax: 1024 * 1024 });
    const object = `{"text":"${'x'.repeat(1024 * 1024)}"}`;
    const page = new Page(own());
    await page.opened();
    page.send({ id: 1, open: '/api/v1/pods' });
    page.socket.pause();
    const cancelled = new Promise<void>((resolve) => {
      onWatch = (watch) => {
        for (let i = 0; i < 32; i += 1) watch.sink.event('ADDED', object);
        const timer = setInterval(() => {
          if (!watch.cancelled) return;
          clearInterval(timer);
          resolve();
        }, 10);
      };
    });
    await cancelled;
    page.socket.terminate();
  });

  test('drops a page for which more waits than it may keep, without waiting for it to stall', async () => {
    await server.close();
    await start({ stallMs: 3_600_000, socketBytesMax: 1024 * 1024, heldCharsMax: 16 * 1024 * 1024, watchesMax: 2 });
    const object = `{"text":"${'x'.repeat(1024 * 1024)}"}`;
    const page = new Page(own());
    await page.opened();
    for (const id of [1, 2, 3]) page.send({ id, open: '/api/v1/pods' });
    await page.until(() => page.frames().some(({ id }) => id === 3));
    expect(page.frames()).toMatchObject([{ id: 3, type: 'ERROR', object: { code: 429 } }]);
    page.socket.pause();
    const [first] = watched.slice(-2);
    let written = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (first?.cancelled === true || written >= 512) {
          clearInterval(timer);
          resolve();
          return;
        }
        written++;
        first?.sink.event('ADDED', object);
      }, 1);
    });
    expect(first?.cancelled).toBe(true);
    expect(written).toBeLessThan(64);
    page.socket.terminate();
  });
});
