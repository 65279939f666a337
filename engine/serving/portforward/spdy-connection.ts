/**
 * One SPDY/3.1 connection over any bytes in order: a raw socket, or binary WebSocket messages. Streams are opened by either side,
 * carry data both ways, and are over when both sides have finished or one has reset. There is no flow control of streams, as in
 * the library that kubectl uses: neither side of that one ever sends a window update.
 */
import type { Buffer } from 'node:buffer';
import {
  type ControlFrame,
  encodeData,
  encodeGoAway,
  encodePing,
  encodeReset,
  encodeSynReply,
  encodeSynStream,
  finFlag,
  type Frame,
  FrameReader,
  frameType,
  numberAt,
} from './spdy-frames.ts';
import { HeaderDecoder, HeaderEncoder, SpdyError, type SpdyHeaders } from './spdy-header-codec.ts';

export interface SpdyTransport {
  write(bytes: Buffer): void;
  close(): void;
}

export interface SpdyOptions {
  readonly role: 'server' | 'client';
  readonly transport: SpdyTransport;
  /** Whether a stream of the other side with these headers is taken; else it is reset. */
  readonly accepts: (headers: SpdyHeaders) => boolean;
  /** A stream of the other side, replied to already. */
  readonly onStream: (stream: SpdyStream) => void;
}

export interface SpdyStreamHandler {
  onData(data: Buffer): void;
  /** The other side sends no more. */
  onEnd(): void;
  /** The stream is over at once: reset, or the connection is lost. */
  onReset(): void;
}

export const resetStatus = { protocolError: 1, cancel: 5 } as const;

const dataBytesMax = 64 * 1024;

export class SpdyStream {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly #connection: SpdyConnection;
  #handler: SpdyStreamHandler | undefined;
  /** What came before there was a handler. */
  #early: Array<(handler: SpdyStreamHandler) => void> = [];
  #localEnded = false;
  #remoteEnded: boolean;

  constructor(connection: SpdyConnection, id: number, headers: SpdyHeaders, remoteEnded: boolean) {
    this.#connection = connection;
    this.id = id;
    this.headers = headers;
    this.#remoteEnded = remoteEnded;
    if (remoteEnded) this.#early.push((handler) => handler.onEnd());
  }

  /** Sets who hears of the stream, and tells what has come already. */
  handle(handler: SpdyStreamHandler): void {
    this.#handler = handler;
    const early = this.#early;
    this.#early = [];
    for (const tell of early) tell(handler);
  }

  write(data: Uint8Array): void {
    if (this.#localEnded) return;
    for (let at = 0; at < data.length; at += dataBytesMax) this.#connection.send(encodeData(this.id, data.subarray(at, at + dataBytesMax), false));
  }

  /** Sends no more. */
  end(): void {
    if (this.#localEnded) return;
    this.#localEnded = true;
    this.#connection.send(encodeData(this.id, new Uint8Array(0), true));
    if (this.#remoteEnded) this.#connection.forget(this);
  }

  reset(status: number = resetStatus.cancel): void {
    if (this.#localEnded && this.#remoteEnded) return;
    this.#localEnded = true;
    this.#remoteEnded = true;
    this.#connection.send(encodeReset(this.id, status));
    this.#connection.forget(this);
  }

  received(data: Buffer, fin: boolean): void {
    if (this.#remoteEnded) return;
    if (data.length > 0) this.#tell((handler) => handler.onData(data));
    if (!fin) return;
    this.#remoteEnded = true;
    this.#tell((handler) => handler.onEnd());
    if (this.#localEnded) this.#connection.forget(this);
  }

  lost(): void {
    this.#localEnded = true;
    this.#remoteEnded = true;
    this.#tell((handler) => handler.onReset());
  }

  #tell(tell: (handler: SpdyStreamHandler) => void): void {
    if (this.#handler === undefined) this.#early.push(tell);
    else tell(this.#handler);
  }
}

export class SpdyConnection {
  readonly #options: SpdyOptions;
  readonly #reader = new FrameReader();
  readonly #encoder = new HeaderEncoder();
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #pings = new Map<number, () => void>();
  #nextId: number;
  #nextPingId: number;
  #lastReceivedId = 0;
  #closed = false;

  constructor(options: SpdyOptions) {
    this.#options = options;
    this.#nextId = options.role === 'client' ? 1 : 2;
    this.#nextPingId = this.#nextId;
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  receive(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.push(chunk)) {
        if (this.#closed) return;
        this.#receiveFrame(frame);
      }
    } catch (error) {
      if (!(error instanceof SpdyError)) throw error;
      this.send(encodeGoAway(this.#lastReceivedId, resetStatus.protocolError));
      this.#options.transport.close();
      this.lost();
    }
  }

  open(headers: SpdyHeaders): SpdyStream {
    const stream = new SpdyStream(this, this.#nextId, headers, false);
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    this.send(encodeSynStream(stream.id, this.#encoder.encode(headers)));
    return stream;
  }

  ping(answered: () => void): void {
    this.#pings.set(this.#nextPingId, answered);
    this.send(encodePing(this.#nextPingId));
    this.#nextPingId += 2;
  }

  send(bytes: Buffer): void {
    if (!this.#closed) this.#options.transport.write(bytes);
  }

  forget(stream: SpdyStream): void {
    this.#streams.delete(stream.id);
  }

  /** The bytes below have ended: every stream is over. */
  lost(): void {
    if (this.#closed) return;
    this.#closed = true;
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.lost();
  }

  #receiveFrame(frame: Frame): void {
    if (frame.control) return this.#receiveControl(frame);
    // A stream that is over here may still be written to by a peer that does not know yet.
    this.#streams.get(frame.streamId)?.received(frame.payload, (frame.flags & finFlag) !== 0);
  }

  #receiveControl(frame: ControlFrame): void {
    const { type, payload } = frame;
    if (type === frameType.synStream) this.#receiveStream(frame);
    else if (type === frameType.ping) this.#receivePing(numberAt(payload, 0));
    else if (type === frameType.rstStream) this.#receiveReset(numberAt(payload, 0));
    else if (type === frameType.synReply || type === frameType.headers) {
      this.#decoder.decode(payload.subarray(4));
      if ((frame.flags & finFlag) !== 0) this.#streams.get(numberAt(payload, 0))?.received(payload.subarray(0, 0), true);
    }
    // Settings and window updates concern flow control; after GOAWAY the peer closes by itself.
  }

  #receiveStream(frame: ControlFrame): void {
    const id = numberAt(frame.payload, 0);
    const headers = this.#decoder.decode(frame.payload.subarray(10));
    const ours = id % 2 === this.#nextId % 2;
    if (ours || id <= this.#lastReceivedId) return this.send(encodeReset(id, resetStatus.protocolError));
    this.#lastReceivedId = id;
    const stream = new SpdyStream(this, id, headers, (frame.flags & finFlag) !== 0);
    this.#streams.set(id, stream);
    if (!this.#options.accepts(headers)) return stream.reset();
    // Before anything can be written: kubectl's library drops data of streams that were not replied to.
    this.send(encodeSynReply(id, this.#encoder.encode({})));
    this.#options.onStream(stream);
  }

  #receiveReset(id: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.lost();
  }

  #receivePing(id: number): void {
    if (id % 2 !== this.#nextId % 2) return this.send(encodePing(id));
    const answered = this.#pings.get(id);
    this.#pings.delete(id);
    answered?.();
  }
}
