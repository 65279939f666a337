/**
 * The page's own endpoint: plain HTTP/1.1 on loopback, so that no browser warns of a certificate. It serves the built page, the API
 * to whoever holds the session's token, and one WebSocket for all watches of a page.
 */
import { WebSocketServer } from 'ws';
import { newUnauthorized } from '../../apimachinery/errors.ts';
import { type Handler, isStream, type PlainResponse, type ServedRequest, type ServedResponse } from '../exchange.ts';
import { listen } from '../listener.ts';
import { statusAnswer } from '../refusals.ts';
import { answerSocket } from '../socket-answer.ts';
import { serveAsset, textResponse } from './assets.ts';
import { ClockFeed } from './clock-feed.ts';
import { isCredentialed, isOwnRequest, PageSessions, type PageTrust, securityHeaders, sessionCookie, withoutCredential } from './trust.ts';
import { type PageWatch, type WatchLimits, WatchSocket } from './watch-socket.ts';

export interface PageServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The link was used; `url` is the next one. */
  readonly onLinkUsed?: (url: string) => void;
  /** Folder of the built page. */
  readonly assets: string;
  /** The API, asked as the administrator. */
  readonly api: Handler;
  readonly watch: PageWatch;
  /** The Clock object as it is now. */
  readonly clock: () => object;
  readonly onDefect: (error: Error) => void;
  readonly watchLimits?: Partial<WatchLimits>;
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

export async function createPageServer(options: PageServerOptions): Promise<PageServer> {
  const trust = { sessions: new PageSessions(), port: options.port };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageLimitBytes });
  const clock = new ClockFeed(options.clock, options.onDefect);
  const listener = await listen({
    host: options.host,
    port: options.port,
    limits: { connectionsMax },
    onDefect: options.onDefect,
    handler: async (request) => withHeaders(await answer(request, trust, options), trust),
    onUpgrade: (request, raw, socket, head) => {
      const refusal = refuseUpgrade(request, trust);
      if (refusal !== undefined) return answerSocket(socket, refusal);
      sockets.handleUpgrade(raw, socket, head, (webSocket) => {
        const watchSocket = new WatchSocket(webSocket, {
          watch: options.watch,
          onDefect: options.onDefect,
          ...(options.watchLimits && { limits: options.watchLimits }),
        });
        clock.add(watchSocket);
        webSocket.on('close', () => clock.remove(watchSocket));
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
      clock.close();
      for (const client of sockets.clients) client.terminate();
      await listener.close();
    },
  };
}

async function answer(request: ServedRequest, trust: PageTrust, options: PageServerOptions): Promise<ServedResponse> {
  if (!isOwnRequest(trust, request)) return textResponse(403, 'this address answers only to its own page\n');
  // A proxy's form of a request, or `*`: nothing here has such an address.
  if (!request.path.startsWith('/')) return textResponse(400, 'bad request\n');
  if (apiRoots.has(request.path.split('/', 2)[1] ?? '')) {
    if (!isCredentialed(trust, request)) return statusAnswer(newUnauthorized('Unauthorized'));
    return options.api(withoutCredential(request));
  }
  const token = new URLSearchParams(request.query).get('token');
  return token === null ? serveAsset(options.assets, request) : openSession(request, token, trust, options);
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
