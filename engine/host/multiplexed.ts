/**
 * One connection for all calls of a server that offers HTTP/2 (ALPN), as Go's client makes one: others are told that they have to speak
 * HTTP/1.1. What goes wrong is said in Go's words.
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { isIP } from 'node:net';
import { connect as secure, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { WallClock } from './pacing.ts';
import { connected, dial } from './remote/tunnel.ts';

export interface Multiplexing {
  readonly url: URL;
  readonly tls: ConnectionOptions;
  readonly proxy: string | undefined;
  readonly wall: Pick<WallClock, 'after'>;
}

export interface Post {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly text: string;
  readonly signal: AbortSignal;
  /** A longer answer is none. */
  readonly bytesMax: number;
}

export interface Posted {
  readonly code: number;
  readonly text: string;
  readonly contentType: string;
  readonly retryAfter: string;
}

/** A server that does not answer a ping for so long is gone, as for Go's client. */
const pingMs = 15_000;
/** Calls on one connection; who comes then waits for one to end. */
const callsMax = 256;

/** The server had begun to leave, or has no room: it has not looked at the call. */
class RefusedError extends Error {}

/** The connection ended under a call. */
export class LostError extends Error {
  constructor() {
    super('http2: client connection lost');
  }
}

interface Line {
  /** Undefined in the end where the server speaks HTTP/1.1 alone. */
  readonly promise: Promise<ClientHttp2Session | undefined>;
  /** Once there is one. */
  session: ClientHttp2Session | undefined;
}

export class Multiplexed {
  readonly #options: Multiplexing;
  #line: Line | undefined;
  #spare: TLSSocket | undefined;
  readonly #open = new Set<ClientHttp2Session>();
  #calls = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: Multiplexing) {
    this.#options = options;
  }

  /** Undefined where the server speaks HTTP/1.1 alone. `onAnswer` is called when the head of the answer has come. */
  async post(call: Post, onAnswer: () => void): Promise<Posted | undefined> {
    for (let isSecond = false; ; isSecond = true) {
      const session = await unlessAborted((this.#line ??= this.#begin()).promise, call.signal);
      if (session === undefined) return undefined;
      try {
        return await this.#inTurn(call.signal, () => this.#exchange(session, call, onAnswer));
      } catch (error) {
        if (isSecond || !(error instanceof RefusedError)) throw error;
        this.#forget(session);
        session.close();
      }
    }
  }

  /** Calls on their way come to their end, and nobody gets this connection any more; the next call asks anew what the server speaks. */
  retire(): void {
    this.#line = undefined;
    this.takeSpare()?.destroy();
    for (const session of this.#open) session.close();
  }

  /** The connection over which the server said that it speaks HTTP/1.1 alone; it can be used once. */
  takeSpare(): TLSSocket | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.destroyed === false ? spare : undefined;
  }

  /** Who comes while one is made waits for it. */
  #begin(): Line {
    const line: Line = {
      session: undefined,
      promise: this.#connect().then((socket) => (line.session = socket && this.#opened(socket))),
    };
    line.promise.catch(() => {
      if (this.#line === line) this.#line = undefined;
    });
    return line;
  }

  async #connect(): Promise<TLSSocket | undefined> {
    const { url, tls, proxy } = this.#options;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const raw = await dial({ host, port: Number(url.port === '' ? 443 : url.port) }, proxy);
    const name = isIP(host) === 0 ? { servername: host } : { host };
    const socket = await connected(secure({ ...name, ...tls, ALPNProtocols: ['h2', 'http/1.1'], socket: raw }), 'secureConnect');
    if (socket.alpnProtocol === 'h2') return socket;
    this.#keep(socket);
    return undefined;
  }

  #keep(socket: TLSSocket): void {
    this.#spare?.destroy();
    this.#spare = socket;
    socket.unref();
    // Whoever takes it hears of it too.
    socket.on('error', () => socket.destroy());
  }

  #opened(socket: TLSSocket): ClientHttp2Session {
    const session = connect(this.#options.url, { createConnection: () => socket });
    this.#open.add(session);
    session.unref();
    // Its calls hear of it themselves.
    session.on('error', () => this.#forget(session));
    session.on('goaway', () => this.#forget(session));
    session.on('close', () => {
      this.#forget(session);
      this.#open.delete(session);
    });
    return session;
  }

  #forget(session: ClientHttp2Session): void {
    if (this.#line?.session === session) this.#line = undefined;
  }

  async #inTurn<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    if (this.#calls < callsMax) this.#calls++;
    else await this.#turn(signal);
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#calls--;
      else next();
    }
  }

  /** Resolves when a call that ended hands its place on. Who gives up is handed none. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        signal.removeEventListener('abort', abort);
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new Error('context canceled'));
      };
      this.#waiting.push(take);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  #exchange(session: ClientHttp2Session, { path, headers, text, signal, bytesMax }: Post, onAnswer: () => void): Promise<Posted> {
    return new Promise((resolve, reject) => {
      if (session.closed || session.destroyed) return reject(new RefusedError('the connection has ended'));
      const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
      const abort = (): void => {
        stream.close(constants.NGHTTP2_CANCEL);
        reject(new Error('context canceled'));
        this.#lookAfter(session);
      };
      signal.addEventListener('abort', abort);
      stream.on('response', onAnswer);
      stream.on('close', () => signal.removeEventListener('abort', abort));
      answerOf(session, stream, bytesMax).then(resolve, reject);
      stream.end(text);
      if (signal.aborted) abort();
    });
  }

  /** Somebody has waited in vain: is the server still there? */
  #lookAfter(session: ClientHttp2Session): void {
    if (session.destroyed || session.closed) return;
    const cancel = this.#options.wall.after(pingMs, () => session.destroy(new LostError()));
    if (!session.ping(() => cancel())) cancel();
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('context canceled'));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function answerOf(session: ClientHttp2Session, stream: ClientHttp2Stream, bytesMax: number): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let [bytes, isWhole] = [0, false];
    let head: IncomingHttpHeaders & { readonly ':status'?: number | undefined } = {};
    stream.on('response', (headers) => (head = headers));
    stream.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= bytesMax) return void pieces.push(piece);
      reject(new Error(`the answer is longer than ${bytesMax} bytes`));
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on('end', () => (isWhole = true));
    // What it was is told when the stream is closed.
    stream.on('error', () => undefined);
    stream.on('close', () => {
      const { 'retry-after': retryAfter = '', 'content-type': contentType = '', ':status': code = 0 } = head;
      if (isWhole && code !== 0 && stream.rstCode === constants.NGHTTP2_NO_ERROR)
        return resolve({ code, text: Buffer.concat(pieces).toString('utf8'), contentType, retryAfter });
      reject(closedError(session, stream));
    });
  });
}

function closedError({ destroyed }: ClientHttp2Session, { id, rstCode }: ClientHttp2Stream): Error {
  if (rstCode === constants.NGHTTP2_REFUSED_STREAM) return new RefusedError(`stream error: stream ID ${id}; REFUSED_STREAM; received from peer`);
  if (destroyed || rstCode === constants.NGHTTP2_NO_ERROR) return new LostError();
  return new Error(`stream error: stream ID ${id}; ${codes[rstCode] ?? `unknown error code 0x${rstCode.toString(16)}`}; received from peer`);
}

const codes: readonly string[] = [
  ...['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR'],
  ...['REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'],
];
