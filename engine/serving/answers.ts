/** Whole answers on their way out. A client that takes nothing of one for a while is let go: it asks anew. */
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Departures } from './departures.ts';
import type { Chunk, PlainResponse } from './exchange.ts';
import { FrameWriter } from './frames.ts';
import { gather, writeBytes } from './gather.ts';
import { Beginning, byteLength, gzipHeaders, takesGzip } from './gzip/beginning.ts';
import { Deflater } from './gzip/deflater.ts';
import { GzipPieces, type PausingPieces } from './gzip/gzip-pieces.ts';
import type { Slices } from './slices.ts';

/** HTTP/2 requests and answers come through Node's compatibility interface: they have the shape of HTTP/1.1 ones. */
export type RawRequest = IncomingMessage & { readonly stream?: Http2ServerRequest['stream'] };
export type RawResponse = ServerResponse & { readonly stream?: Http2ServerResponse['stream'] };

/** Shorter answers leave at once: the system takes them. */
const stallingBytesMin = 64 * 1024;
/** So much of a long answer may be on its way: a client that waited for each piece would find the next one only a turn later. */
const onTheWayBytes = 512 * 1024;
/** What is still taken, and dropped, of a body that was refused: a client that sends first and reads then hears why. */
const refusedBytesMax = 8 * 1024 * 1024;
const refusedMs = 2000;

export class Answers {
  readonly #stallTimeoutMs: number;
  readonly #departures: Departures;
  readonly #slices: Slices;
  readonly #deflater = new Deflater();

  constructor(stallTimeoutMs: number, departures: Departures, slices: Slices) {
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#departures = departures;
    this.#slices = slices;
  }

  /** A promise where the answer is long; it rejects when a chunk could not be made. */
  plain(request: RawRequest, response: RawResponse, served: PlainResponse): Promise<void> | undefined {
    const { status, headers, body, gzipOver = Number.POSITIVE_INFINITY } = served;
    if (typeof body === 'string' || body instanceof Uint8Array) {
      const length = byteLength(body);
      if (length > gzipOver && takesGzip(request, served)) return this.#deflated(response, served, [body].values());
      this.#whole(request, response, served, body, length);
      return undefined;
    }
    if (gzipOver < Number.POSITIVE_INFINITY && takesGzip(request, served))
      return this.#perhapsDeflated(request, response, served, body[Symbol.iterator](), gzipOver);
    if (request.method !== 'HEAD') return this.#long(response, served, body[Symbol.iterator]());
    response.writeHead(status, toOutgoing(headers));
    response.end();
    return undefined;
  }

  #whole(request: RawRequest, response: RawResponse, { status, headers }: PlainResponse, body: Chunk, length: number): void {
    // What is not sent because its client has it is not empty.
    response.writeHead(status, status === 304 ? toOutgoing(headers) : { ...toOutgoing(headers), 'content-length': length });
    const sent = typeof body === 'string' && !isAscii(headers) ? Buffer.from(body) : body;
    this.#departures.add(() => {
      if (length > stallingBytesMin) this.#letGoWhenStalled(response, () => length);
      response.end(request.method === 'HEAD' ? undefined : sent);
    });
  }

  #long(response: RawResponse, { status, headers }: PlainResponse, pieces: PausingPieces): Promise<void> {
    response.writeHead(status, toOutgoing(headers));
    response.flushHeaders();
    return this.#chunks(response, pieces);
  }

  #deflated(response: RawResponse, served: PlainResponse, pieces: Iterator<Chunk>): Promise<void> {
    return this.#long(response, { ...served, headers: gzipHeaders(served.headers) }, new GzipPieces(pieces, this.#deflater));
  }

  /** As it is where it is short after all, which is known only when so much of it has been made. */
  #perhapsDeflated(request: RawRequest, response: RawResponse, served: PlainResponse, pieces: Iterator<Chunk>, gzipOver: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begun = new Beginning(pieces, gzipOver);
      this.#slices.add(() => {
        try {
          if (hasGone(response)) {
            pieces.return?.();
            resolve();
            return false;
          }
          const found = begun.step();
          if (found === 'unknown') return true;
          if (found === 'long') this.#deflated(response, served, begun.all()).then(resolve, reject);
          else {
            const whole = begun.whole();
            this.#whole(request, response, served, whole, byteLength(whole));
            resolve();
          }
        } catch (error) {
          reject(error as Error);
        }
        return false;
      });
    });
  }

  /** Piece by piece, as the client takes them and as others leave time; settles when all is written or the client has gone. */
  #chunks(response: RawResponse, chunks: PausingPieces): Promise<void> {
    const writer = new FrameWriter(writeBytes + writeBytes / 4);
    let written = 0;
    this.#letGoWhenStalled(response, () => written);
    return new Promise((resolve, reject) => {
      const stop = (): false => {
        chunks.return?.();
        resolve();
        return false;
      };
      const step = (): boolean => {
        try {
          if (hasGone(response)) return stop();
          const isOver = gather(chunks, writer);
          const waitsFor = isOver ? undefined : chunks.waitsFor;
          if (!isOver && waitsFor === undefined && writer.length < writeBytes) return true;
          written += writer.length;
          const goesOn = writer.send(response) || backlog(response) < onTheWayBytes;
          if (isOver) {
            response.end();
            return stop();
          }
          if (goesOn && waitsFor === undefined) return true;
          if (goesOn) {
            void waitsFor?.then(() => this.#slices.add(step));
            return false;
          }
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

  /** Looks now and then whether anything was taken of what waits: of a long answer as much may wait as before, and be other bytes. */
  #letGoWhenStalled(response: RawResponse, written: () => number): void {
    let before = Number.NEGATIVE_INFINITY;
    const timer = setInterval(() => {
      const waiting = backlog(response);
      const taken = written() - waiting;
      if (waiting > 0 && taken <= before) response.destroy();
      before = taken;
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

/**
 * Whether the head may leave as one text with the body, which is one piece less to write. Texts leave as UTF-8: characters of a header
 * stand for bytes, and would become others.
 */
function isAscii(headers: PlainResponse['headers']): boolean {
  return Object.values(headers).every((value) => (typeof value === 'string' ? asciiOnly.test(value) : value.every((one) => asciiOnly.test(one))));
}

const asciiOnly = /^[\t -~]*$/;

/** Whether nobody is there to take more of an answer. The answers of HTTP/2 do not say so, their streams do; and `close` comes once only. */
export function hasGone(response: RawResponse): boolean {
  return response.stream?.destroyed ?? response.destroyed;
}

/** Bytes of an answer that the client has not taken. */
export function backlog(response: RawResponse): number {
  return response.stream?.writableLength ?? response.writableLength;
}

export function toOutgoing(headers: PlainResponse['headers']): Record<string, string | string[]> {
  return headers as Record<string, string | string[]>;
}

/** Over HTTP/1.1 it is the socket that says so: what is written goes past the response. */
function drained(response: RawResponse): Promise<void> {
  const { socket } = response;
  return new Promise((resolve) => {
    const done = (): void => {
      socket?.off('drain', done);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    if (response.stream === undefined) socket?.on('drain', done);
    response.on('drain', done);
    response.on('close', done);
  });
}
