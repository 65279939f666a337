/**
 * A Fastify listener that hands every request to one handler: over TLS with HTTP/2 and HTTP/1.1 for the API, plain HTTP/1.1 for
 * the page. Bodies are read whole, up to a limit; answers go out as they are, without a framework's serialisers in between.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import Fastify, { type FastifyInstance } from 'fastify';
import type { PeerSubject } from '../contracts/credentials.ts';
import type { KeyPair } from './certificates.ts';
import { type Handler, isStream, type PlainResponse, type ServedRequest, type StreamResponse } from './exchange.ts';
import { readSubject, refusedSubject } from './peer-subject.ts';

export type UpgradeHandler = (request: ServedRequest, raw: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface ListenerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly tls?: { readonly server: KeyPair; readonly clientAuthorityPem: string };
  readonly handler: Handler;
  readonly onUpgrade?: UpgradeHandler;
  /** Says how a body over the limit, or one that ended early, is answered. */
  readonly bodyLimitBytes: number;
  readonly tooLarge: () => PlainResponse;
  /** A handler threw: a defect. It is reported and answered with 500. */
  readonly onDefect: (error: Error) => void;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** The address cannot be listened on; the message is one line that says what to do. */
export class ListenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ListenError';
  }
}

/** HTTP/2 requests and answers come through Node's compatibility interface: they have the shape of HTTP/1.1 ones. */
type RawRequest = IncomingMessage & { readonly stream?: Http2ServerRequest['stream'] };
type RawResponse = ServerResponse & { readonly stream?: Http2ServerResponse['stream'] };

/** Bytes a client may leave unread before its stream is ended; it lists and watches anew. */
const streamBacklogMaxBytes = 64 * 1024 * 1024;
const emptyBody = new Uint8Array(0);

export async function listen(options: ListenerOptions): Promise<Listener> {
  const app = createApp(options);
  const streams = new Set<RawResponse>();
  const serve = (request: RawRequest, response: RawResponse): void => {
    readBody(request, options.bodyLimitBytes)
      .then(async (body) => {
        if (body === 'aborted') return;
        const served = body === 'too large' ? options.tooLarge() : await options.handler(toServed(request, body));
        if (isStream(served)) sendStream(request, response, served, streams);
        else await sendPlain(request, response, served);
      })
      .catch((error: unknown) => {
        options.onDefect(error instanceof Error ? error : new Error(String(error)));
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.all('*', (request, reply) => {
    reply.hijack();
    serve(request.raw as unknown as RawRequest, reply.raw as unknown as RawResponse);
  });
  const { onUpgrade } = options;
  if (onUpgrade !== undefined) {
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      onUpgrade(toServed(request, emptyBody), request, socket, head);
    });
  }
  const sockets = new Set<Duplex>();
  app.server.on(options.tls ? 'secureConnection' : 'connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await start(app, options);
  const address = app.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: async () => {
      for (const stream of streams) stream.end();
      const closed = app.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function createApp(options: ListenerOptions): FastifyInstance {
  const common = { routerOptions: { maxParamLength: 4096 }, keepAliveTimeout: 90_000, requestTimeout: 0, forceCloseConnections: true } as const;
  if (options.tls === undefined) return Fastify(common);
  const { server, clientAuthorityPem } = options.tls;
  const https = {
    allowHTTP1: true,
    cert: server.certificatePem,
    key: server.keyPem,
    ca: clientAuthorityPem,
    requestCert: true,
    rejectUnauthorized: false,
    settings: { maxConcurrentStreams: 1000 },
  };
  return Fastify({ ...common, http2: true, https }) as unknown as FastifyInstance;
}

async function start(app: FastifyInstance, options: ListenerOptions): Promise<void> {
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE') throw new ListenError(`port ${options.port} is in use; choose another with --port, or 0 for any free one`);
    if (code === 'EACCES') throw new ListenError(`port ${options.port} may not be used by this user; choose one above 1023 with --port`);
    throw error;
  }
}

function toServed(raw: RawRequest, body: Uint8Array): ServedRequest {
  const url = raw.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: raw.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: raw.headers,
    body,
    peer: peerOf(raw),
  };
}

const peers = new WeakMap<object, PeerSubject | undefined>();

/** The client certificate of a connection, read once per connection. */
function peerOf(raw: RawRequest): PeerSubject | undefined {
  const connection = raw.stream?.session ?? raw.socket;
  if (peers.has(connection)) return peers.get(connection);
  const peer = readPeer((raw.stream?.session?.socket ?? raw.socket) as TLSSocket);
  peers.set(connection, peer);
  return peer;
}

function readPeer(socket: TLSSocket): PeerSubject | undefined {
  if (typeof socket.getPeerX509Certificate !== 'function') return undefined;
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  return socket.authorized ? readSubject(certificate.raw) : refusedSubject(certificate.raw, String(socket.authorizationError));
}

function readBody(request: RawRequest, limit: number): Promise<Uint8Array | 'too large' | 'aborted'> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return Promise.resolve(emptyBody);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // A half-closed connection: nothing of it reaches the API.
    request.on('aborted', () => resolve('aborted'));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

async function sendPlain(request: RawRequest, response: RawResponse, served: PlainResponse): Promise<void> {
  const { status, headers, body } = served;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    response.writeHead(status, { ...toOutgoing(headers), 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  response.writeHead(status, toOutgoing(headers));
  for (const chunk of body) {
    if (response.destroyed) return;
    if (!write(response, chunk)) await drained(response);
  }
  response.end();
}

function sendStream(request: RawRequest, response: RawResponse, served: StreamResponse, streams: Set<RawResponse>): void {
  response.writeHead(served.status, toOutgoing(served.headers));
  response.flushHeaders();
  streams.add(response);
  const timeout = served.timeoutMs === undefined ? undefined : setTimeout(() => end(), served.timeoutMs);
  // What is written during one turn of the event loop leaves as one piece.
  let waiting: Uint8Array[] = [];
  const flush = (): void => {
    const bytes = waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting);
    waiting = [];
    if (bytes.length === 0 || response.writableEnded || response.destroyed) return;
    write(response, bytes);
    if (backlog(response) > streamBacklogMaxBytes) response.destroy();
  };
  const end = (): void => {
    flush();
    response.end();
  };
  const close = served.open({
    write: (chunk) => {
      if (waiting.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk) === 1) setImmediate(flush);
    },
    end,
  });
  const closed = (): void => {
    if (!streams.delete(response)) return;
    clearTimeout(timeout);
    close();
  };
  response.on('close', closed);
  response.on('finish', closed);
  request.on('error', closed);
}

function backlog(response: RawResponse): number {
  return response.stream?.writableLength ?? response.writableLength;
}

function toOutgoing(headers: PlainResponse['headers']): Record<string, string | string[]> {
  return headers as Record<string, string | string[]>;
}

function write(response: RawResponse, chunk: string | Uint8Array): boolean {
  return response.write(chunk);
}

function drained(response: RawResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
