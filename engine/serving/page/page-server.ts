/**
 * The page's own endpoint: plain HTTP/1.1 on loopback, so that no browser warns of a certificate. It serves the built page, the API
 * to whoever holds the session's token, and one WebSocket for all watches of a page. Below `/branches/NAME/` it is the page of that branch.
 */
import { WebSocketServer } from 'ws';
import { newUnauthorized } from '../../apimachinery/errors.ts';
import { type Handler, isStream, type PlainResponse, type ServedRequest, type ServedResponse } from '../exchange.ts';
import { listen } from '../listener.ts';
import { statusAnswer } from '../refusals.ts';
import { answerSocket } from '../socket-answer.ts';
import { Assets, textResponse } from './assets.ts';
import { ClockFeeds, type LookedAt } from './clock-feed.ts';
import { isCredentialed, isOwnRequest, PageSessions, type PageTrust, securityHeaders, sessionCookie, withoutCredential } from './trust.ts';
import { type PageWatch, type WatchLimits, WatchSocket } from './watch-socket.ts';

export interface PageServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Digests of the sessions that go on, and who hears of them when there is another. */
  readonly sessions?: readonly string[];
  readonly onSessions?: (digests: readonly string[]) => void;
  /** The link was used; `url` is the next one. */
  readonly onLinkUsed?: (url: string) => void;
  /** Folder of the built page. */
  readonly assets: string;
  /** The API, asked as the administrator. */
  readonly api: Handler;
  /** What a page looks at: the branch that is shown, or the one of that name; undefined: there is none, or no more. */
  readonly look: (branch: string | undefined) => PageView | undefined;
  readonly onDefect: (error: Error) => void;
  readonly watchLimits?: Partial<WatchLimits>;
}

export interface PageView extends LookedAt {
  readonly watch: PageWatch;
}

export interface PageServer {
  readonly port: number;
  /** Opens the page, once: each use makes another. */
  readonly url: string;
  close(): Promise<void>;
}

const apiRoots: ReadonlySet<string> = new Set(['api', 'apis', 'version', 'openapi', 'livez', 'readyz', 'healthz']);
const connectionsMax = 512;
const messageLimitBytes = 64 * 1024;
const branchPath = /^\/branches\/([^/]+)(\/.*)?$/;
/** A WebSocket's close code: the branch that the page looked at is there no more. */
const goneCode = 4404;
const goneText = 'There is no such cluster, or no more: what a scenario run leaves behind is put away when newer runs have ended.\n';

export async function createPageServer(options: PageServerOptions): Promise<PageServer> {
  const trust = { sessions: new PageSessions(options.sessions, options.onSessions), port: options.port };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageLimitBytes });
  const clocks = new ClockFeeds(options);
  const assets = new Assets(options.assets);
  const listener = await listen({
    host: options.host,
    port: options.port,
    limits: { connectionsMax },
    onDefect: options.onDefect,
    handler: async (request) => withHeaders(await answer(request, trust, assets, options), trust),
    onUpgrade: (request, raw, socket, head) => {
      const { branch, path } = locate(request.path);
      const refusal = refuseUpgrade({ ...request, path }, trust);
      if (refusal !== undefined) return answerSocket(socket, refusal);
      const view = options.look(branch);
      if (view === undefined) return answerSocket(socket, textResponse(404, goneText));
      sockets.handleUpgrade(raw, socket, head, (webSocket) => {
        const watchSocket = new WatchSocket(webSocket, {
          watch: view.watch,
          onDefect: options.onDefect,
          ...(view.isRushing && { isRushing: view.isRushing }),
          ...(options.watchLimits && { limits: options.watchLimits }),
        });
        webSocket.on('close', clocks.follow(branch, { announce: (...told) => watchSocket.announce(...told), gone: () => webSocket.close(goneCode) }));
      });
    },
  });
  trust.port = listener.port;
  return {
    port: listener.port,
    get url() {
      return linkOf(trust);
    },
    close: async () => {
      clocks.close();
      for (const client of sockets.clients) client.terminate();
      await listener.close();
    },
  };
}

async function answer(request: ServedRequest, trust: PageTrust, assets: Assets, options: PageServerOptions): Promise<ServedResponse> {
  if (!isOwnRequest(trust, request)) return textResponse(403, 'this address answers only to its own page\n');
  // A proxy's form of a request, or `*`: nothing here has such an address.
  if (!request.path.startsWith('/')) return textResponse(400, 'bad request\n');
  const { branch, path } = locate(request.path);
  if (apiRoots.has(path.split('/', 2)[1] ?? '')) {
    if (!isCredentialed(trust, request)) return statusAnswer(newUnauthorized('Unauthorized'));
    return options.api(withoutCredential(request));
  }
  const token = new URLSearchParams(request.query).get('token');
  if (token !== null) return openSession(request, token, trust, options);
  // Without the slash the page's own files would be looked for in the wrong folder.
  if (branch !== undefined && request.path === `/branches/${branch}`) return { status: 308, headers: { location: `${request.path}/` }, body: '' };
  return assets.serve({ ...request, path });
}

/** The branch that a path names, undefined for the one that is shown, and the path within it. */
function locate(path: string): { readonly branch: string | undefined; readonly path: string } {
  const [, branch, inner] = branchPath.exec(path) ?? [];
  return branch === undefined ? { branch: undefined, path } : { branch, path: inner ?? '/' };
}

/** The token leaves the address with the answer: the browser goes on to the page itself. */
function openSession(request: ServedRequest, token: string, trust: PageTrust, { onLinkUsed }: PageServerOptions): PlainResponse {
  const secret = request.method === 'GET' ? trust.sessions.open(token) : undefined;
  const onward = { location: '/', 'cache-control': 'no-store' };
  if (secret !== undefined) {
    onLinkUsed?.(linkOf(trust));
    return { status: 303, headers: { ...onward, 'set-cookie': sessionCookie(trust, secret) }, body: '' };
  }
  // The same link again in a browser that it has signed in.
  if (isCredentialed(trust, request)) return { status: 303, headers: onward, body: '' };
  return textResponse(403, 'This link has been used, or belongs to a session that is over. `wavetank status` shows one that works.\n');
}

function linkOf({ port, sessions }: PageTrust): string {
  return `http://127.0.0.1:${port}/?token=${encodeURIComponent(sessions.link)}`;
}

function withHeaders(response: ServedResponse, trust: PageTrust): ServedResponse {
  const headers = { ...response.headers, ...securityHeaders(trust) };
  if (!isStream(response)) return { status: response.status, headers, body: response.body };
  const { status, timeoutMs } = response;
  return { status, headers, open: (sink) => response.open(sink), ...(timeoutMs !== undefined && { timeoutMs }) };
}

function refuseUpgrade(request: ServedRequest, trust: PageTrust): PlainResponse | undefined {
  if (!isOwnRequest(trust, request)) return textResponse(403, 'this address answers only to its own page\n');
  if (request.path !== '/watch') return textResponse(404, 'not found\n');
  return isCredentialed(trust, request) ? undefined : statusAnswer(newUnauthorized('Unauthorized'));
}
