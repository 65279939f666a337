/**
 * A listener that hands every request to one handler: over TLS with HTTP/2 and HTTP/1.1 for the API, plain HTTP/1.1 for the page. It
 * stands on Node.js alone: with a framework there were answers that no handler had seen. Whatever a client holds open has a time and
 * a budget, also before anything is known of it.
 */
import { UserError } from '../base/user-error.ts';
import type { Buffer } from 'node:buffer';
import { createServer as createHttpServer, type IncomingMessage, type ServerOptions } from 'node:http';
import { createSecureServer, type Http2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, type SecureVersion, type TlsOptions as TlsServerOptions } from 'node:tls';
import type { PeerSubject } from '../contracts/credentials.ts';
import { Answers, hasGone, type RawRequest, type RawResponse } from './answers.ts';
import type { KeyPair } from './certificates.ts';
import { type Carrier, Connections } from './connections.ts';
import { Departures } from './departures.ts';
import { type Handler, isStream, type ServedRequest, type ServedResponse } from './exchange.ts';
import { OpenStreams } from './open-streams.ts';
import { headersOf } from './repeated-headers.ts';
import { Peers } from './peers.ts';
import { unmetExpectation, unreadable } from './refusals.ts';
import { type BodyLimits, BodyReader } from './request-body.ts';
import { Slices } from './slices.ts';
import { answerSocket } from './socket-answer.ts';

export type UpgradeHandler = (request: ServedRequest, raw: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly tls?: TlsOptions;
  readonly handler: Handler;
  readonly onUpgrade?: UpgradeHandler;
  readonly limits?: Partial<ListenerLimits>;
  /** A handler threw: a defect. It is reported and answered with 500. */
  readonly onDefect: (error: Error) => void;
}

export interface TlsOptions {
  readonly server: KeyPair;
  /** Of all who sign certificates of clients; empty asks nobody for one. */
  readonly clientAuthorityPem: string;
  /** Which pair a client is shown that asks for this name; the server's own where nothing is said. */
  readonly pairFor?: (name: string) => KeyPair | undefined;
  readonly minVersion?: SecureVersion;
  /** In OpenSSL's words, with colons between them. */
  readonly ciphers?: string;
  readonly maxConcurrentStreams?: number;
  /** HTTP/2 is not offered. */
  readonly http1Only?: boolean;
}

export interface ListenerLimits extends BodyLimits {
  readonly connectionsMax: number;
  readonly headBytesMax: number;
  /** For the head of a request; a TLS handshake has a third of it. */
  readonly headTimeoutMs: number;
  /** For a connection that carries no request. */
  readonly idleTimeoutMs: number;
  /** For a client that takes nothing of an answer that waits for it. */
  readonly stallTimeoutMs: number;
  /** For answers on their way when the listener closes. */
  readonly closeGraceMs: number;
}

/** Times are those of upstream: ReadHeaderTimeout, IdleTimeout and --request-timeout of kube-apiserver. */
export const defaultLimits: ListenerLimits = {
  bodyBytesMax: 3 * 1024 * 1024,
  bodyTimeoutMs: 60_000,
  bodiesBytesMax: 64 * 1024 * 1024,
  connectionsMax: 4096,
  headBytesMax: 64 * 1024,
  headTimeoutMs: 32_000,
  idleTimeoutMs: 90_000,
  stallTimeoutMs: 60_000,
  closeGraceMs: 2000,
};

export interface Listener {
  readonly port: number;
  /** Connections that never came to speak TLS. */
  readonly failedHandshakes: number;
  close(): Promise<void>;
}

/** The address cannot be listened on; the message is one line that says what to do. */
export class ListenError extends UserError {
  constructor(message: string) {
    super(message);
    this.name = 'ListenError';
  }
}

const maxConcurrentStreams = 1000;
const emptyBody = new Uint8Array(0);

export async function listen(options: ListenerOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer(options, limits);
  const connections = new Connections(server, options.tls !== undefined, limits.closeGraceMs);
  const departures = new Departures(options.onDefect);
  const slices = new Slices(() => departures.leave());
  const answers = new Answers(limits.stallTimeoutMs, departures, slices);
  const streams = new OpenStreams({ departures, slices, onDefect: options.onDefect });
  const bodies = new BodyReader(limits);
  const peers = new Peers();
  server.on('session', (session: Http2Session) => {
    session.setTimeout(limits.idleTimeoutMs, () => {
      if (!connections.isBusy(session)) connections.retire(session);
    });
  });
  const answer = (request: RawRequest, response: RawResponse, served: ServedResponse): Promise<void> | undefined => {
    if (!isStream(served)) return answers.plain(request, response, served);
    streams.open(request, response, served);
    return undefined;
  };
  const fail = (response: RawResponse, error: unknown): void => {
    options.onDefect(error instanceof Error ? error : new Error(String(error)));
    // Half an answer must not look like a whole one.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(500);
    response.end();
  };
  /** Without a promise where nobody has to be waited for: most requests are answered in the turn that brought them. */
  const serve = (request: RawRequest, response: RawResponse, body: Uint8Array): void => {
    try {
      const served = options.handler(toServed(request, body, peers.of(carrierOf(request)), response));
      const done = served instanceof Promise ? served.then((one) => answer(request, response, one)) : answer(request, response, served);
      done?.catch((error: unknown) => fail(response, error));
    } catch (error) {
      fail(response, error);
    }
  };
  const exchanges = new LastExchanges();
  server.on('request', (request: RawRequest, response: RawResponse) => {
    exchanges.begin(request, response);
    response.on('close', connections.begin(carrierOf(request)));
    bodies.read(request, (body) => {
      if (body === 'aborted') return;
      if (body instanceof Uint8Array) serve(request, response, body);
      else answers.refuse(request, response, body);
    });
  });
  server.on('checkExpectation', (request: RawRequest, response: RawResponse) => {
    answers.refuse(request, response, unmetExpectation(String(request.headers.expect)));
  });
  // Bytes that are no request have no response object: the answer is written on the bare socket. Where TLS does not stand there is none.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || !/^(HPE|ERR_HTTP)_/.test(error.code ?? '')) return socket.destroy();
    exchanges.whenAnswered(socket, () => {
      if (socket.writable) answerSocket(socket, unreadable(error.code));
      socket.destroySoon();
    });
  });
  let failedHandshakes = 0;
  server.on('tlsClientError', () => {
    failedHandshakes++;
  });
  const { onUpgrade } = options;
  if (onUpgrade !== undefined) {
    // Who offers another protocol than these (HTTP/2 in the clear) is answered in this one, and so is a watch, which knows WebSockets alone.
    (server as Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean }).shouldUpgradeCallback = ({ headers, url = '' }) =>
      (/[?&]watch=(?:true|1)(?:&|$)/.test(url) ? /^\s*websocket\s*$/i : /^\s*(?:websocket|spdy\/3\.1)\s*$/i).test(headers.upgrade ?? '');
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      onUpgrade(toServed(request, emptyBody, peers.of(request.socket), socket), request, socket, head);
    });
  }
  await start(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    get failedHandshakes() {
      return failedHandshakes;
    },
    close: () => connections.close(() => streams.endAll()),
  };
}

/**
 * The last request of each connection of HTTP/1.1. Where it came whole, what comes behind it is no part of it (the body of a DELETE that
 * no head announced), and is told of once it has its own answer.
 */
class LastExchanges {
  readonly #last = new WeakMap<Socket, readonly [request: RawRequest, response: RawResponse]>();
  /** Each piece of what cannot be read is told of anew. */
  readonly #waiting = new WeakSet<Socket>();

  begin(request: RawRequest, response: RawResponse): void {
    if (request.stream === undefined) this.#last.set(request.socket, [request, response]);
  }

  whenAnswered(socket: Socket, call: () => void): void {
    if (this.#waiting.has(socket)) return;
    const [request, response] = this.#last.get(socket) ?? [];
    if (request?.complete !== true || response === undefined || response.writableFinished) return call();
    this.#waiting.add(socket);
    response.once('close', call);
  }
}

function createServer({ tls }: ListenerOptions, limits: ListenerLimits): Server {
  const { headBytesMax, headTimeoutMs, idleTimeoutMs, connectionsMax } = limits;
  const http = {
    maxHeaderSize: headBytesMax,
    headersTimeout: headTimeoutMs,
    // Bodies have a time of their own, which is answered in words.
    requestTimeout: 0,
    // Node.js says so by itself for HTTP alone: over TLS a small piece would wait until the client confirmed the one before, up to 40 ms.
    noDelay: true,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.floor(headTimeoutMs / 8)),
  };
  const server = tls === undefined ? createHttpServer(http) : createTlsServer(http, tls, limits);
  server.maxConnections = connectionsMax;
  return server;
}

function createTlsServer(http: ServerOptions, tls: TlsOptions, { headBytesMax, headTimeoutMs }: ListenerLimits): Server {
  const secure = {
    ...http,
    cert: tls.server.certificatePem,
    key: tls.server.keyPem,
    ca: tls.clientAuthorityPem,
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: Math.floor(headTimeoutMs / 3),
  };
  // A server of both offers both, whatever it is told.
  if (tls.http1Only === true) return createHttpsServer({ ...secure, ...moreOfTls(tls) });
  return createSecureServer({
    ...secure,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: tls.maxConcurrentStreams ?? maxConcurrentStreams, maxHeaderListSize: headBytesMax },
    ...moreOfTls(tls),
  });
}

/** What a daemon's flags say of its TLS. */
function moreOfTls({ pairFor, minVersion, ciphers }: TlsOptions): TlsServerOptions {
  return {
    ...(minVersion === undefined ? {} : { minVersion }),
    ...(ciphers === undefined ? {} : { ciphers }),
    ...(pairFor === undefined
      ? {}
      : {
          SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void): void => {
            const pair = pairFor(name);
            done(null, pair === undefined ? undefined : createSecureContext({ cert: pair.certificatePem, key: pair.keyPem }));
          },
        }),
  };
}

async function start(server: Server, { host, port }: ListenerOptions): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE') throw new ListenError(`port ${port} is in use; choose another with --port, or 0 for any free one`);
    if (code === 'EACCES') throw new ListenError(`port ${port} may not be used by this user; choose one above 1023 with --port`);
    throw error;
  }
}

function carrierOf(raw: RawRequest): Carrier {
  return raw.stream?.session ?? raw.socket;
}

/** `way`: what closes when the client goes. */
function toServed(raw: RawRequest, body: Uint8Array, peer: PeerSubject | undefined, way: RawResponse | Duplex): ServedRequest {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: raw.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: headersOf(raw),
    body,
    peer,
    onGone: (call) => {
      if ('writeHead' in way ? hasGone(way) : way.destroyed) call();
      else way.once('close', call);
      return () => void way.off('close', call);
    },
  };
}
