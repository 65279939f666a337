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
import { isCredentialed, isOwnRequest, isToken, type PageTrust, securityHeaders, sessionCookie, withoutCredential } from './trust.ts';
import { type PageWatch, type WatchLimits, WatchSocket } from './watch-socket.ts';

export interface PageServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The session's credential. */
  readonly token: string;
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
  /** Opens the page with its credential. */
  readonly url: string;
  close(): Promise<void>;
}

const apiRoots: ReadonlySet<string> = new Set(['api', 'apis', 'version', 'openapi', 'livez', 'readyz', 'healthz']);
const connectionsMax = 512;
const messageLimitBytes = 64 * 1024;

export async function createPageServer(options: PageServerOptions): Promise<PageServer> {
  const trust = { token: options.token, port: options.port };
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
    url: `http://127.0.0.1:${listener.port}/?token=${encodeURIComponent(options.token)}`,
    close: async () => {
      clock.close();
      for (const client of sockets.clients) client.terminate();
      await listener.close();
    },
  };
}

async function answer(request: ServedRequest, trust: PageTrust, options: PageServerOptions): Promise<ServedResponse> {
  if (!isOwnRequest(trust, request)) return textResponse(403, 'this address answers only to its own page\n');
  if (apiRoots.has(request.path.split('/', 2)[1] ?? '')) {
    if (!isCredentialed(trust, request)) return statusAnswer(newUnauthorized('Unauthorized'));
    return options.api(withoutCredential(request));
  }
  const query = new URLSearchParams(request.query);
  const token = query.get('token');
  if (token === null) return serveAsset(options.assets, request);
  if (!isToken(trust, token))
    return textResponse(403, 'This address belongs to a session that is over. Open the one that Wavetank printed when it started.\n');
  return { status: 303, headers: { location: '/', 'set-cookie': sessionCookie(trust), 'cache-control': 'no-store' }, body: '' };
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
