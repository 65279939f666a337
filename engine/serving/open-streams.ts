/**
 * Answers that stay open: watches and followed logs. What is written to one during a turn leaves as one piece. A client that leaves
 * too much unread is let go, as upstream ends a slow watch: it lists and watches anew.
 */
import { Buffer } from 'node:buffer';
import { backlog, type RawRequest, type RawResponse, toOutgoing } from './answers.ts';
import type { Departures } from './departures.ts';
import type { Chunk, StreamResponse } from './exchange.ts';

/** Bytes that clients may leave unread of their streams. */
export interface StreamLimits {
  /** Of one stream: the events of a large list leave at once. */
  readonly eachBytes: number;
  /** Of all streams together. */
  readonly allBytes: number;
  /** What a stream may keep waiting even when all together are over the limit. */
  readonly shareBytes: number;
}

const defaultLimits: StreamLimits = { eachBytes: 64 * 1024 * 1024, allBytes: 256 * 1024 * 1024, shareBytes: 1024 * 1024 };

/** One piece of a stream: its bytes, and the same as a chunk of HTTP/1.1's chunked encoding, made when it is first wanted. */
interface Piece {
  readonly chunks: readonly Chunk[];
  readonly bytes: Buffer;
  framed?: Buffer;
}

export class OpenStreams {
  readonly #departures: Departures;
  readonly #limits: StreamLimits;
  readonly #open = new Map<() => void, RawResponse>();
  /** The last piece that left: watches of one collection send the same events, which are made bytes of once. */
  #last: Piece | undefined;

  constructor(departures: Departures, limits: StreamLimits = defaultLimits) {
    this.#departures = departures;
    this.#limits = limits;
  }

  open(request: RawRequest, response: RawResponse, served: StreamResponse): void {
    response.writeHead(served.status, toOutgoing(served.headers));
    response.flushHeaders();
    const timeout = served.timeoutMs === undefined ? undefined : setTimeout(() => end(), served.timeoutMs);
    let waiting: Chunk[] = [];
    const flush = (): void => {
      if (waiting.length === 0) return;
      const chunks = waiting;
      waiting = [];
      if (response.writableEnded || response.destroyed) return;
      this.#send(response, chunks);
      if (this.#isOverLimit(backlog(response))) response.destroy();
    };
    const end = (): void => {
      flush();
      response.end();
    };
    this.#open.set(end, response);
    const close = served.open({
      write: (chunk) => {
        if (chunk.length > 0 && waiting.push(chunk) === 1) this.#departures.add(flush);
      },
      end,
    });
    const closed = (): void => {
      if (!this.#open.delete(end)) return;
      clearTimeout(timeout);
      close();
    };
    response.on('close', closed);
    response.on('finish', closed);
    request.on('error', closed);
  }

  endAll(): void {
    for (const end of [...this.#open.keys()]) end();
  }

  #send(response: RawResponse, chunks: readonly Chunk[]): void {
    const piece = this.#last !== undefined && areSame(chunks, this.#last.chunks) ? this.#last : { chunks, bytes: joined(chunks) };
    this.#last = piece.bytes.length <= keptBytesMax ? piece : undefined;
    const { socket } = response;
    // Node.js writes a chunk of HTTP/1.1 in three parts, each time anew; the header has left, so the socket is this answer's alone.
    if (response.stream === undefined && socket !== null && response.chunkedEncoding) {
      piece.framed ??= framed(piece.bytes);
      socket.write(piece.framed);
    } else response.write(piece.bytes);
  }

  #isOverLimit(bytes: number): boolean {
    if (bytes <= this.#limits.shareBytes) return false;
    if (bytes > this.#limits.eachBytes) return true;
    let all = 0;
    for (const response of this.#open.values()) all += backlog(response);
    return all > this.#limits.allBytes;
  }
}

/** A larger piece is hardly one that others send too. */
const keptBytesMax = 1 << 16;

/** By identity for bytes, by content for texts, which is quick where they are the very same. */
function areSame(some: readonly Chunk[], others: readonly Chunk[]): boolean {
  return some.length === others.length && some.every((chunk, index) => chunk === others[index]);
}

function joined(chunks: readonly Chunk[]): Buffer {
  if (chunks.every((chunk) => typeof chunk === 'string')) return Buffer.from(chunks.join(''));
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
}

function framed(bytes: Buffer): Buffer {
  const head = `${bytes.length.toString(16)}\r\n`;
  const whole = Buffer.allocUnsafe(head.length + bytes.length + 2);
  whole.write(head, 0, 'latin1');
  bytes.copy(whole, head.length);
  whole.write('\r\n', head.length + bytes.length, 'latin1');
  return whole;
}
