/**
 * The port-forward protocol over SPDY: for each forwarded connection the client opens an error stream and a data stream that name
 * the same request. Mirrors k8s.io/cri-streaming pkg/streaming/portforward/httpstream.go.
 */
import { Buffer } from 'node:buffer';
import { ForwardedPort, type OpenPort, type PodTarget } from './forwarded-port.ts';
import { SpdyConnection, type SpdyTransport } from './spdy-connection.ts';
import { resetStatus, type SpdyStream } from './spdy-stream.ts';
import type { SpdyHeaders } from './spdy-header-codec.ts';

interface StreamPair {
  data?: SpdyStream;
  error?: SpdyStream;
  readonly timer: NodeJS.Timeout;
}

/** As the kubelet: a request whose second stream does not come is given up. */
const streamCreationTimeoutMs = 30_000;
/** What answers of pods may wait for the client's windows, all together; more resets the stream that it is for. */
const queuedBytesMax = 64 * 1024 * 1024;

export class SpdyForwarding {
  readonly #target: PodTarget;
  readonly #open: OpenPort;
  readonly #connection: SpdyConnection;
  readonly #waiting = new Map<string, StreamPair>();

  constructor(target: PodTarget, open: OpenPort, transport: SpdyTransport) {
    this.#target = target;
    this.#open = open;
    this.#connection = new SpdyConnection({ role: 'server', transport, accepts: isForwardingStream, onStream: (stream) => this.#add(stream) });
  }

  receive(bytes: Buffer): void {
    this.#connection.receive(bytes);
  }

  /** The client is gone. */
  lost(): void {
    for (const pair of this.#waiting.values()) clearTimeout(pair.timer);
    this.#waiting.clear();
    this.#connection.lost();
  }

  #add(stream: SpdyStream): void {
    const id = requestId(stream);
    const type = stream.headers['streamtype'] as 'data' | 'error';
    const pair = this.#waiting.get(id) ?? this.#newPair(id);
    if (pair[type] !== undefined) {
      pair.error?.write(Buffer.from(`error processing stream for request ${id}: ${type} stream already assigned`));
      return;
    }
    pair[type] = stream;
    if (pair.data === undefined || pair.error === undefined) return;
    clearTimeout(pair.timer);
    this.#waiting.delete(id);
    this.#forward(pair.data, pair.error);
  }

  #newPair(id: string): StreamPair {
    const timer = setTimeout(() => {
      this.#waiting.delete(id);
      pair.error?.write(Buffer.from(`(request=${id}) timed out waiting for streams`));
      pair.error?.reset();
      pair.data?.reset();
    }, streamCreationTimeoutMs);
    const pair: StreamPair = { timer };
    this.#waiting.set(id, pair);
    return pair;
  }

  #forward(data: SpdyStream, error: SpdyStream): void {
    const port = new ForwardedPort(this.#target, Number(data.headers['port']), this.#open, {
      write: (bytes) => {
        if (this.#connection.queuedBytes + bytes.length > queuedBytesMax) data.fail(resetStatus.flowControlError);
        else data.write(bytes);
      },
      end: () => {
        data.end();
        error.end();
      },
      // The streams are reset, so that the client makes new ones.
      fail: (message) => {
        error.write(Buffer.from(message));
        data.reset();
        error.reset();
      },
    });
    data.handle({ onData: (bytes) => port.write(bytes), onEnd: () => port.end(), onReset: () => port.abort() });
  }
}

function isForwardingStream(headers: SpdyHeaders): boolean {
  const port = headers['port'] ?? '';
  const type = headers['streamtype'];
  return /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535 && (type === 'data' || type === 'error');
}

/** Clients of old name no request: the data stream is the one opened right after its error stream. */
function requestId(stream: SpdyStream): string {
  const named = stream.headers['requestid'] ?? '';
  if (named !== '') return named;
  return String(stream.headers['streamtype'] === 'error' ? stream.id : stream.id - 2);
}
