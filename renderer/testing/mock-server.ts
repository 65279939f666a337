/** The page's server contract on a pretend cluster: static page, API paths, and one WebSocket for all watches. `startMock()` for tests; run the file to look at the page. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer, type WebSocket } from 'ws';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { isPageRowName, toPageRow } from '../../engine/component-helpers/page-rows.ts';
import { createMockState, type MockState } from './mock-state.ts';
import type { MockSize } from './mock-cluster.ts';

const pageRoot = fileURLToPath(new URL('../../dist/renderer/', import.meta.url));
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

export interface Mock {
  readonly url: string;
  readonly state: MockState;
  close(): Promise<void>;
}

export async function startMock(size: MockSize = { nodes: 30, pods: 300 }, port = 0): Promise<Mock> {
  const state = createMockState(size);
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
  });
  const sockets = new WebSocketServer({ server, path: '/watch' });
  sockets.on('connection', (socket) => serveWatches(state, socket));
  const timer = setInterval(() => state.tick(100), 100);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    state,
    close: async () => {
      clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function handle(state: MockState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://mock');
  if (!/^\/(api|apis|version)(\/|$)/.test(url.pathname)) return servePage(url.pathname, response);
  if (url.pathname.endsWith('/log')) return serveLog(url, response);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const answer = state.request(
    request.method ?? 'GET',
    url,
    text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    request.headers.accept ?? '',
  );
  response.writeHead(answer.code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
}

/** Two lines at once, and a third while it is followed. */
function serveLog(url: URL, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write('listening on 8080\nready\n');
  if (url.searchParams.get('follow') === 'true') setTimeout(() => response.write('GET / 200\n'), 50);
  else response.end();
}

async function servePage(path: string, response: ServerResponse): Promise<void> {
  const file = path === '/' ? 'index.html' : normalize(path).replace(/^(\.\.[/\\])+/, '');
  const body = await readFile(join(pageRoot, file)).catch(() => undefined);
  if (body === undefined) {
    response.writeHead(404);
    response.end('not found');
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy });
  response.end(body);
}

function serveWatches(state: MockState, socket: WebSocket): void {
  const stops = new Map<number, () => void>();
  const send = (frames: readonly object[]) => socket.send(JSON.stringify(frames));
  stops.set(
    0,
    state.onClock((clock) => send([{ id: 0, type: 'CLOCK', object: clock }])),
  );
  const beat = setInterval(() => send([{ id: 0, type: 'BEAT', object: {} }]), 200);
  stops.set(-1, () => clearInterval(beat));
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { id: number; open?: string; close?: boolean };
    if (message.close) {
      stops.get(message.id)?.();
      stops.delete(message.id);
      return;
    }
    const url = new URL(message.open ?? '/', 'http://mock');
    const rows = url.searchParams.get('rows') ?? '';
    const shown = (object: KubeObject): object => (isPageRowName(rows) ? { metadata: object.metadata, row: toPageRow(rows, object) } : object);
    const objects = state.list(url.pathname, url.searchParams);
    for (let at = 0; at < objects.length; at += 500)
      send(objects.slice(at, at + 500).map((object) => ({ id: message.id, type: 'ADDED', object: shown(object) })));
    // It is told of the instant first, and of each that the clock comes to.
    const onClock = (clock: object): void => {
      const { virtualMs } = (clock as { readonly status: { readonly virtualMs: number } }).status;
      send([{ id: message.id, type: 'TOLD', atMs: virtualMs }]);
    };
    const ends = url.pathname.startsWith('/apis/sim.wavetank.dev/') ? [state.onClock(onClock)] : [];
    send([{ id: message.id, type: 'SYNCED' }]);
    ends.push(state.onChange(url.pathname, url.searchParams, (type, object) => send([{ id: message.id, type, object: shown(object) }])));
    stops.set(message.id, () => {
      for (const end of ends) end();
    });
  });
  socket.on('close', () => {
    for (const stop of stops.values()) stop();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mock = await startMock({ nodes: Number(process.argv[2] ?? 1000), pods: Number(process.argv[3] ?? 10_000) }, Number(process.argv[4] ?? 0));
  console.log(mock.url);
}
