/** One stream of a SPDY/3.1 connection, with its windows (spdy-windows.ts). */
import { Buffer } from 'node:buffer';
import type { SpdyHeaders } from './spdy-header-codec.ts';
import { initialWindowBytes, ReceiveWindow, SendWindow } from './spdy-windows.ts';

export interface SpdyStreamHandler {
  onData(data: Buffer): void;
  /** The other side sends no more. */
  onEnd(): void;
  /** The stream is over at once: reset, or the connection is lost. */
  onReset(): void;
}

/** What a stream needs of its connection. */
export interface StreamConnection {
  /** How many bytes the other side takes of this stream now. */
  roomFor(stream: SpdyStream): number;
  sendData(stream: SpdyStream, data: Buffer, fin: boolean): void;
  sendReset(stream: SpdyStream, status: number): void;
  /** So many bytes that came have been taken. */
  sendWindow(stream: SpdyStream, bytes: number): void;
  /** So many bytes wait here for room, until they are sent or dropped. */
  queued(bytes: number): void;
  dropped(bytes: number): void;
  forget(stream: SpdyStream): void;
}

export const resetStatus = { protocolError: 1, refusedStream: 3, cancel: 5, flowControlError: 7 } as const;

const dataBytesMax = 64 * 1024;
/** Bytes kept of a stream that nobody handles yet; kubectl's library knows no windows and is given more than one. */
const earlyBytesMax = 16 * initialWindowBytes;

export class SpdyStream {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly sendWindow = new SendWindow();
  readonly #received = new ReceiveWindow();
  readonly #connection: StreamConnection;
  #handler: SpdyStreamHandler | undefined;
  /** What came before there was a handler. */
  #early: Array<(handler: SpdyStreamHandler) => void> = [];
  #earlyBytes = 0;
  /** What waits for room. */
  #queue: Buffer[] = [];
  #localEnded = false;
  #finSent = false;
  #remoteEnded: boolean;

  constructor(connection: StreamConnection, id: number, headers: SpdyHeaders, remoteEnded: boolean) {
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
    this.#taken(this.#earlyBytes);
    this.#earlyBytes = 0;
  }

  write(data: Uint8Array): void {
    if (this.#localEnded || data.length === 0) return;
    this.#queue.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    this.#connection.queued(data.length);
    this.flush();
  }

  /** Sends what there is room for. */
  flush(): void {
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      const room = Math.min(this.#connection.roomFor(this), dataBytesMax);
      if (room <= 0) return;
      const piece = first.subarray(0, room);
      if (piece.length === first.length) this.#queue.shift();
      else this.#queue[0] = first.subarray(room);
      this.#connection.sendData(this, piece, false);
    }
    if (this.#localEnded && !this.#finSent) this.#finish();
  }

  /** Sends no more than what waits. */
  end(): void {
    if (this.#localEnded) return;
    this.#localEnded = true;
    if (this.#queue.length === 0) this.#finish();
  }

  reset(status: number = resetStatus.cancel): void {
    if (this.#finSent && this.#remoteEnded) return;
    this.#over();
    this.#connection.sendReset(this, status);
    this.#connection.forget(this);
  }

  /** It broke the protocol: both sides are told. */
  fail(status: number): void {
    this.reset(status);
    this.#tell((handler) => handler.onReset());
  }

  received(data: Buffer, fin: boolean): void {
    if (this.#remoteEnded) return;
    if (data.length > 0) this.#receivedData(data);
    if (!fin || this.#remoteEnded) return;
    this.#remoteEnded = true;
    this.#tell((handler) => handler.onEnd());
    if (this.#finSent) this.#connection.forget(this);
  }

  lost(): void {
    this.#over();
    this.#tell((handler) => handler.onReset());
  }

  #receivedData(data: Buffer): void {
    if (this.#handler === undefined) {
      this.#earlyBytes += data.length;
      if (this.#earlyBytes > earlyBytesMax) return this.fail(resetStatus.flowControlError);
    }
    this.#tell((handler) => handler.onData(data));
    if (this.#handler !== undefined) this.#taken(data.length);
  }

  #taken(bytes: number): void {
    const credit = this.#received.taken(bytes);
    if (credit > 0 && !this.#remoteEnded) this.#connection.sendWindow(this, credit);
  }

  #finish(): void {
    this.#finSent = true;
    this.#connection.sendData(this, Buffer.alloc(0), true);
    if (this.#remoteEnded) this.#connection.forget(this);
  }

  #over(): void {
    this.#localEnded = true;
    this.#finSent = true;
    this.#remoteEnded = true;
    for (const { length } of this.#queue) this.#connection.dropped(length);
    this.#queue = [];
  }

  #tell(tell: (handler: SpdyStreamHandler) => void): void {
    if (this.#handler === undefined) this.#early.push(tell);
    else tell(this.#handler);
  }
}
