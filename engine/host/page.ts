/** The page over an endpoint: its own loopback listener, with the API as the admin and one socket for all watches. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminIdentity } from '../cluster/identities.ts';
import { asksForRows, watchRows } from '../cluster/page-rows.ts';
import { newInternalError } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import { parseTime } from '../apimachinery/time.ts';
import type { HttpRequest, HttpResponse, HttpStreamResponse } from '../apiserver/http-types.ts';
import { asOfAnnotation } from '../apiserver/storage/computed-watch.ts';
import type { Handler } from '../serving/exchange.ts';
import { ListenError } from '../serving/listener.ts';
import { createPageServer, type PageView } from '../serving/page/page-server.ts';
import type { PageEventType, PageWatchSink } from '../serving/page/watch-socket.ts';
import type { Branch } from './branch.ts';
import { branchNotFound, type Endpoint } from './endpoint.ts';
import type { PageMemory } from './page-memory.ts';
import { prepareAhead, prepared } from './prepared.ts';
import { Rehearsal } from './rehearsal.ts';

export interface RunningPage {
  /** A link that signs a browser in, once; each use makes another. */
  readonly url: string;
  close(): Promise<void>;
}

const initialEventsEnd = '"k8s.io/initial-events-end":"true"';

export interface PageOptions {
  /** Hears of the next link. */
  readonly onLinkUsed?: (url: string) => void;
  /** Where it was before, for browsers that look for it there. */
  readonly memory?: PageMemory;
}

/** At the address that it had before, where that is free. */
export async function startPage(endpoint: Endpoint, { onLinkUsed = () => undefined, memory }: PageOptions = {}): Promise<RunningPage> {
  const kept = memory?.read();
  if (kept === undefined) return startOn(0, [], endpoint, onLinkUsed, memory);
  try {
    return await startOn(kept.port, kept.sessions, endpoint, onLinkUsed, memory);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    // Sessions go by the port: at another one nobody is signed in.
    return startOn(0, [], endpoint, onLinkUsed, memory);
  }
}

async function startOn(
  port: number,
  sessions: readonly string[],
  endpoint: Endpoint,
  onLinkUsed: (url: string) => void,
  memory: PageMemory | undefined,
): Promise<RunningPage> {
  const onDefect = (error: Error): void => void process.stderr.write(`${error.stack ?? error.message}\n`);
  const rehearsal = new Rehearsal((error) => onDefect(error instanceof Error ? error : new Error(String(error))));
  const server = await createPageServer({
    host: '127.0.0.1',
    port,
    sessions,
    onSessions: (digests) => memory?.write({ port: server.port, sessions: digests }),
    onLinkUsed,
    assets: assetsFolder(),
    api: preparedApi(endpoint, rehearsal),
    look: (name) => viewOf(endpoint, name, rehearsal),
    onDefect,
  });
  memory?.write({ port: server.port, sessions });
  return {
    get url() {
      return server.url;
    },
    close: () => server.close(),
  };
}

function preparedApi(endpoint: Endpoint, rehearsal: Rehearsal): Handler {
  const answer = endpoint.adminHandler;
  return (request) => {
    rehearsal.asked();
    const [, name] = /^\/branches\/([^/]+)\//.exec(request.path) ?? [];
    const branch = name === undefined ? endpoint.shown : endpoint.branch(name);
    const waiting = branch === undefined || request.method !== 'GET' ? undefined : prepared(branch, request.path, request.query);
    return waiting === undefined ? answer(request) : waiting.then(() => answer(request));
  };
}

/** Where the built renderer lies: beside the bundle, or in dist/ when the engine runs from its sources. */
function assetsFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const beside = join(here, 'renderer');
  return existsSync(beside) ? beside : join(here, '..', '..', 'dist', 'renderer');
}

/** Watches are opened on the branch that has the name then, or is shown then. */
function viewOf(endpoint: Endpoint, name: string | undefined, rehearsal: Rehearsal): PageView | undefined {
  const branchNow = (): Branch | undefined => (name === undefined ? endpoint.shown : endpoint.branch(name));
  const branch = branchNow();
  if (branch === undefined) return undefined;
  return {
    clock: () => branch.clock(),
    isRushing: () => branch.pacer.speed === 'max',
    beat: () => prepareAhead(branch) && rehearsal.step(branch),
    watch: (path, sink) => {
      rehearsal.asked();
      const current = branchNow();
      if (current === undefined) throw branchNotFound(name ?? '');
      return watch(endpoint, current, path, sink);
    },
  };
}

/** Opens a watch of the API with its initial state, and hands every event on as the text it already is. */
function watch(endpoint: Endpoint, branch: Branch, pathWithQuery: string, sink: PageWatchSink): () => void {
  const [path = '', given = ''] = pathWithQuery.split('?', 2);
  const query = new URLSearchParams(given);
  if (asksForRows(query)) return open(rowsOf(endpoint, branch, path, query), sink);
  query.set('watch', 'true');
  const headers = { accept: 'application/json', 'user-agent': 'wavetank-page' };
  const request: HttpRequest = {
    method: 'GET',
    path,
    query: query.toString(),
    headers,
    body: new Uint8Array(0),
    identity: adminIdentity,
    beginsWhole: true,
  };
  const waiting = prepared(branch, path, given);
  const response = waiting === undefined ? endpoint.handle(request, branch) : waiting.then(() => endpoint.handle(request, branch));
  if (!(response instanceof Promise)) return opened(response, sink);
  let close = (): void => undefined;
  let isClosed = false;
  response.then(
    (answer) => {
      close = opened(answer, sink);
      if (isClosed) close();
    },
    (error: unknown) => sink.error(JSON.stringify((error instanceof StatusError ? error : newInternalError(String(error))).status)),
  );
  return () => {
    isClosed = true;
    close();
  };
}

function opened(response: HttpResponse, sink: PageWatchSink): () => void {
  if ('open' in response) return open(response, sink);
  sink.error('body' in response ? String(response.body) : '{}');
  return () => undefined;
}

function open(response: HttpStreamResponse, sink: PageWatchSink): () => void {
  return response.open({
    write: (chunk) => forward(String(typeof chunk === 'function' ? chunk() : chunk), sink),
    end: () => sink.end(),
    isBehind: () => sink.isBehind(),
  });
}

/** Rows as lines of a watch, which end as a watch does when another branch is shown. */
function rowsOf(endpoint: Endpoint, branch: Branch, path: string, query: URLSearchParams): HttpStreamResponse {
  const { store, registry } = branch.cluster;
  return endpoint.stream(branch, {
    status: 200,
    headers: {},
    farewell: ({ status }) => line('ERROR', JSON.stringify(status)),
    open: (out) =>
      watchRows({ store, registry, defer: (next) => setImmediate(next) }, path, query, {
        row: (type, json) => out.write(line(type, json)),
        synced: () => out.write(line('BOOKMARK', `{${initialEventsEnd}}`)),
      }),
  });
}

function line(type: string, objectJson: string): string {
  return `{"type":"${type}","object":${objectJson}}\n`;
}

/** A line is `{"type":"ADDED","object":…}`; the object's text is cut out, and parsed of marks alone. */
function forward(chunk: string, sink: PageWatchSink): void {
  for (const line of chunk.split('\n')) {
    if (line === '') continue;
    const type = line.slice(9, line.indexOf('"', 9));
    const object = line.slice(line.indexOf('"object":') + 9, -1);
    if (type === 'BOOKMARK') {
      const asOfMs = object.includes(asOfAnnotation) ? parseTime(asOfIn(object)) : undefined;
      if (asOfMs !== undefined) sink.told(asOfMs);
      if (object.includes(initialEventsEnd)) sink.synced();
    } else if (type === 'ERROR') sink.error(object);
    else sink.event(type as PageEventType, object);
  }
}

function asOfIn(bookmark: string): string {
  return (JSON.parse(bookmark) as KubeObject).metadata.annotations?.[asOfAnnotation] ?? '';
}
