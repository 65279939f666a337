/**
 * HTTP without sockets: what the adapter takes and gives. Requests and responses have the shape of `serving/exchange.ts`, plus what
 * is known of the caller.
 */
import type { AggregatedCall } from './aggregation/backend.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { ProcessTarget } from '../contracts/connect.ts';
import type { PeerSubject } from '../contracts/credentials.ts';
import type { Identity } from '../contracts/request.ts';

export interface HttpRequest {
  readonly method: string;
  /** Without the query, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Of the client's certificate, where it showed one. */
  readonly peer?: PeerSubject | undefined;
  /** Who asks, where that is known already (the page, the library); credentials are not looked at then. */
  readonly identity?: Identity;
  /** The page's: a watch begins with all that is there and marks where that ends, whatever the release and its gates know of it. */
  readonly beginsWhole?: true;
  /** Calls when the client goes away before it was answered; returns what forgets the call. */
  onGone?(call: () => void): () => void;
}

/** A request that has been let in. */
export interface AdmittedRequest extends HttpRequest {
  readonly identity: Identity;
}

export type Chunk = string | Uint8Array;

/** Of a stream; one that is much work to make is made when its turn to leave has come. */
export type StreamChunk = Chunk | (() => Chunk);

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface HttpPlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Chunk | Iterable<Chunk>;
  /** A client that takes gzip gets a body that has more bytes compressed; none where absent. */
  readonly gzipOver?: number | undefined;
  /** Texts for the user; a filter makes headers of them. */
  readonly warnings?: readonly string[];
}

/** Pieces of a stream that leave together, one behind the other. */
export interface Gathered {
  readonly pieces: readonly Chunk[];
  /** Nothing is added any more. */
  close(): void;
  /** One hears of each piece, also of those that are added later. */
  onPiece(hear: (piece: Chunk) => void): void;
}

export interface HttpStreamSink {
  write(chunk: StreamChunk): void;
  /** Like `write`, of what may grow until it leaves. Absent where each piece has to be passed on by itself. */
  gather?(gathered: Gathered): void;
  end(): void;
  /** Whether the client has left so much unread that more would only wait; nobody is without it. */
  isBehind?(): boolean;
}

export interface HttpStreamResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly warnings?: readonly string[];
  /** Returns what to call when the client goes away. */
  open(sink: HttpStreamSink): () => void;
  /** What tells the client, in its own encoding, why the server ends its stream; absent where the form has no word for it. */
  farewell?(error: StatusError): Chunk;
  /** Wall milliseconds after which the stream ends. */
  readonly timeoutMs?: number;
  /** What to call two seconds before that: the client is told how far it has come. */
  nearEnd?(): void;
}

/** The room that owns the socket upgrades the connection and joins it to the pod, or to another server. */
export type HttpUpgradeResponse = PortUpgrade | ProcessUpgrade | AggregatedUpgrade;

interface Upgrade {
  /** The connection has ended. */
  closed?(): void;
}

export interface PortUpgrade extends Upgrade {
  readonly upgrade: 'portforward';
  readonly namespace: string;
  readonly pod: string;
  /** Named in the query; websocket clients only. */
  readonly ports: readonly number[];
}

export interface ProcessUpgrade extends Upgrade {
  readonly upgrade: 'process';
  readonly process: ProcessTarget;
}

/** The other end is a server of another API. */
export interface AggregatedUpgrade extends Upgrade {
  readonly upgrade: 'aggregated';
  readonly call: AggregatedCall;
}

export type HttpResponse = HttpPlainResponse | HttpStreamResponse | HttpUpgradeResponse;

export function headerOf(request: Pick<HttpRequest, 'headers'>, name: string): string {
  const value = request.headers[name];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(', ');
}
