/**
 * The streams of a process over SPDY: the client opens one for each thing it wants, and says in a header which. Mirrors
 * remotecommand/httpstream.go of k8s.io/cri-streaming.
 */
import { Buffer } from 'node:buffer';
import type { ProcessTarget } from '../../contracts/connect.ts';
import { Backlog } from '../backlog.ts';
import { SpdyConnection, type SpdyTransport } from '../portforward/spdy-connection.ts';
import type { SpdyStream } from '../portforward/spdy-stream.ts';
import { failureText, type OpenProcess, RemoteProcess, statusText } from './remote-process.ts';

const kinds = ['error', 'stdin', 'stdout', 'stderr', 'resize'] as const;
type StreamKind = (typeof kinds)[number];

/** Newest first. */
export const spdyProtocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'] as const;
export type SpdyProtocol = (typeof spdyProtocols)[number];

/** As the kubelet: a client that does not open what it asked for is given up. */
const streamCreationTimeoutMs = 30_000;

export class SpdyStreams {
  readonly #target: ProcessTarget;
  readonly #protocol: SpdyProtocol;
  readonly #open: OpenProcess;
  readonly #transport: SpdyTransport;
  readonly #backlog: Backlog;
  readonly #connection: SpdyConnection;
  readonly #streams = new Map<StreamKind, SpdyStream>();
  readonly #timer: NodeJS.Timeout;
  #process: RemoteProcess | undefined;

  constructor(target: ProcessTarget, protocol: SpdyProtocol, open: OpenProcess, transport: SpdyTransport) {
    this.#target = target;
    this.#protocol = protocol;
    this.#open = open;
    this.#transport = transport;
    this.#backlog = new Backlog({ onHeld: (isHeld) => void setImmediate(() => this.#process?.hold(isHeld)), onTooLong: () => transport.close() });
    this.#connection = new SpdyConnection({
      role: 'server',
      transport,
      backlog: this.#backlog,
      accepts: (headers) => kinds.includes(headers['streamtype'] as StreamKind),
      onStream: (stream) => this.#add(stream),
    });
    this.#timer = setTimeout(() => transport.close(), streamCreationTimeoutMs);
  }

  receive(bytes: Buffer): void {
    this.#connection.receive(bytes);
  }

  /** The client is gone. */
  lost(): void {
    clearTimeout(this.#timer);
    this.#process?.abort();
    this.#connection.lost();
  }

  #add(stream: SpdyStream): void {
    const kind = stream.headers['streamtype'] as StreamKind;
    if (this.#streams.has(kind)) return stream.reset();
    this.#streams.set(kind, stream);
    if (this.#process === undefined && this.#wanted().every((one) => this.#streams.has(one))) this.#begin();
  }

  #wanted(): readonly StreamKind[] {
    const { stdin, stdout, stderr, tty } = this.#target;
    const resizes = tty && (this.#protocol === 'v4.channel.k8s.io' || this.#protocol === 'v3.channel.k8s.io');
    const asked = { error: true, stdin, stdout, stderr, resize: resizes };
    return kinds.filter((kind) => asked[kind]);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    const process = new RemoteProcess(this.#target, this.#open, {
      write: (stream, data) => this.#streams.get(stream)?.write(data),
      end: (end) => {
        const isAttach = this.#target.command === null;
        const text = this.#protocol === 'v4.channel.k8s.io' ? statusText(end, isAttach, false) : failureText(end, isAttach, false);
        if (text !== undefined) this.#streams.get('error')?.write(Buffer.from(text));
        for (const stream of this.#streams.values()) stream.end();
        this.#backlog.whenEmpty(() => this.#transport.close());
      },
    });
    this.#process = process;
    const deaf = { onEnd: () => undefined, onReset: () => undefined };
    this.#streams.get('stdin')?.handle({ onData: (data) => process.write(data), onEnd: () => process.endInput(), onReset: () => process.endInput() });
    this.#streams.get('resize')?.handle({ ...deaf, onData: (data) => process.resize(data) });
  }
}
