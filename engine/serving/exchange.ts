/**
 * What a socket's request is to the rest of the engine, and what may come back. Serving knows sockets and nothing of kinds; the
 * API server's HTTP adapter and the page's routes are handlers of this shape.
 */
import type { PeerSubject } from '../contracts/credentials.ts';

export interface ServedRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Of the client's certificate, where it showed one. */
  readonly peer: PeerSubject | undefined;
  /** Calls when the client goes away before it was answered; returns what forgets the call. At once where it has gone. */
  onGone?(call: () => void): () => void;
}

export type Chunk = string | Uint8Array;

/** Of a stream; one that is much work to make is made when its turn to leave has come. Made in the order in which they were written. */
export type StreamChunk = Chunk | (() => Chunk);

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Chunk | Iterable<Chunk>;
  /** A client that takes gzip gets a body that has more bytes compressed; none where absent. */
  readonly gzipOver?: number | undefined;
}

/** An open-ended answer, e.g. a watch. `open` gets the sink and returns what to call when the client goes away. */
export interface StreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  open(sink: StreamSink): () => void;
  /** Wall milliseconds after which the server ends the stream. */
  readonly timeoutMs?: number;
  /** What to call shortly before that. */
  nearEnd?(): void;
}

/** As upstream (apiserver pkg/storage/cacher/cache_watcher.go). */
const nearEndMs = 2000;

/** Ends a stream when its time is over; returns what calls that off. */
export function endInTime({ timeoutMs, nearEnd }: Pick<StreamResponse, 'timeoutMs' | 'nearEnd'>, end: () => void): () => void {
  if (timeoutMs === undefined) return () => undefined;
  const timers = [setTimeout(end, timeoutMs)];
  if (nearEnd !== undefined && timeoutMs > nearEndMs) timers.push(setTimeout(nearEnd, timeoutMs - nearEndMs));
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** Pieces that leave together; there may come more until it is closed. */
export interface Gathered {
  readonly pieces: readonly Chunk[];
  close(): void;
}

export interface StreamSink {
  write(chunk: StreamChunk): void;
  /** Like `write`. */
  gather?(gathered: Gathered): void;
  end(): void;
  /** Whether the client has left so much unread that more would only wait. */
  isBehind?(): boolean;
}

export type ServedResponse = PlainResponse | StreamResponse;

export function isStream(response: ServedResponse): response is StreamResponse {
  return 'open' in response;
}

export type Handler = (request: ServedRequest) => ServedResponse | Promise<ServedResponse>;
