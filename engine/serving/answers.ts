/**
 * Answers on their way out: whole ones, and streams that stay open. A client that takes nothing for a while, or leaves too much
 * unread, is let go: it lists and watches anew.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Chunk, PlainResponse, StreamResponse } from './exchange.ts';
import { Slices } from './slices.ts';

/** HTTP/2 requests and answers come through Node's compatibility interface: they have the shape of HTTP/1.1 ones. */
export type RawRequest = IncomingMessage & { readonly stream?: Http2ServerRequest['stream'] };
export type RawResponse = ServerResponse & { readonly stream?: Http2ServerResponse['stream'] };

/** Bytes that clients may leave unread of their streams; a stream over its limit is ended as upstream ends a slow watch. */
export interface StreamLimits {
  /** Of one stream: the events of a large list leave at once. */
  readonly eachBytes: number;
  /** Of all streams together. */
  readonly allBytes: number;
  /** What a stream may keep waiting even when all together are over the limit. */
  readonly shareBytes: number;
}

const defaultLimits: StreamLimits = { eachBytes: 64 * 1024 * 1024, allBytes: 256 * 1024 * 1024, shareBytes: 1024 * 1024 };
/** Shorter answers leave at once: the system takes them. */
const stallingBytesMin = 64 * 1024;
/** What is still taken, and dropped, of a body that was refused: a client that sends first and reads then hears why. */
const refusedBytesMax = 8 * 1024 * 1024;
const refusedMs = 2000;

export class Answers {
  readonly #stallTimeoutMs: number;
  readonly #limits: StreamLimits;
  readonly #streams = new Map<() => void, RawResponse>();
  readonly #slices = new Slices();

  constructor(stallTimeoutMs: number, limits: StreamLimits = defaultLimits) {
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#limits = limits;
  }

  async plain(request: RawRequest, response: RawResponse, { status, headers, body }: PlainResponse): Promise<void> {
    if (typeof body === 'string' || body instanceof Uint8Array) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      response.writeHead(status, { ...toOutgoing(headers), 'content-length': bytes.length });
      if (bytes.length > stallingBytesMin) this.#letGoWhenStalled(response);
      response.end(request.method === 'HEAD' ? undefined : bytes);
      return;
    }
    response.writeHead(status, toOutgoing(headers));
    this.#letGoWhenStalled(response);
    if (request.method === 'HEAD') response.end();
    else await this.#chunks(response, body[Symbol.iterator]());
  }

  /** Chunk by chunk, as the client takes them and as others leave time; settles when all is written or the client has gone. */
  #chunks(response: RawResponse, chunks: Iterator<Chunk>): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): false => {
        chunks.return?.();
        resolve();
        return false;
      };
      const step = (): boolean => {
        try {
          if (response.destroyed) return stop();
          const next = chunks.next();
          if (next.done === true) {
            response.end();
            return stop();
          }
          if (next.value.length === 0 || response.write(next.value)) return true;
        } catch (error) {
          reject(error as Error);
          return false;
        }
        void drained(response).then(() => this.#slices.add(step));
        return false;
      };
      this.#slices.add(step);
    });
  }

  /** Answers a request whose body was not read to its end; its connection is not used again. */
  refuse(request: RawRequest, response: RawResponse, served: PlainResponse): void {
    const { stream } = request;
    const answer = stream === undefined ? { ...served, headers: { ...served.headers, connection: 'close' } } : served;
    // Of an HTTP/2 answer the stream says when it is out; the compatibility interface says so only when the client has ended too.
    if (stream === undefined) response.on('finish', () => drop(request));
    else stream.on('finish', () => stream.close());
    void this.plain(request, response, answer);
  }

  stream(request: RawRequest, response: RawResponse, served: StreamResponse): void {
    response.writeHead(served.status, toOutgoing(served.headers));
    response.flushHeaders();
    const timeout = served.timeoutMs === undefined ? undefined : setTimeout(() => end(), served.timeoutMs);
    // What is written during one turn of the event loop leaves as one piece.
    let waiting: Uint8Array[] = [];
    const flush = (): void => {
      const bytes = waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting);
      waiting = [];
      if (bytes.length === 0 || response.writableEnded || response.destroyed) return;
      response.write(bytes);
      if (this.#isOverLimit(backlog(response))) response.destroy();
    };
    const end = (): void => {
      flush();
      response.end();
    };
    this.#streams.set(end, response);
    const close = served.open({
      write: (chunk) => {
        if (waiting.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk) === 1) setImmediate(flush);
      },
      end,
    });
    const closed = (): void => {
      if (!this.#streams.delete(end)) return;
      clearTimeout(timeout);
      close();
    };
    response.on('close', closed);
    response.on('finish', closed);
    request.on('error', closed);
  }

  endStreams(): void {
    for (const end of [...this.#streams.keys()]) end();
  }

  #isOverLimit(bytes: number): boolean {
    if (bytes <= this.#limits.shareBytes) return false;
    if (bytes > this.#limits.eachBytes) return true;
    let all = 0;
    for (const response of this.#streams.values()) all += backlog(response);
    return all > this.#limits.allBytes;
  }

  /** Looks now and then whether anything was taken of what waits. */
  #letGoWhenStalled(response: RawResponse): void {
    let before = Number.POSITIVE_INFINITY;
    const timer = setInterval(() => {
      const waiting = backlog(response);
      if (waiting > 0 && waiting >= before) response.destroy();
      before = waiting;
    }, this.#stallTimeoutMs / 2);
    timer.unref();
    response.on('close', () => clearInterval(timer));
  }
}

/** Takes a little more of what the client sends, so that it comes to read the answer, and ends the connection. */
function drop(request: RawRequest): void {
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), refusedMs);
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > refusedBytesMax) socket.destroy();
  });
  request.on('end', () => socket.destroySoon());
  socket.on('close', () => clearTimeout(timer));
  request.resume();
}

function backlog(response: RawResponse): number {
  return response.stream?.writableLength ?? response.writableLength;
}

function toOutgoing(headers: PlainResponse['headers']): Record<string, string | string[]> {
  return headers as Record<string, string | string[]>;
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
