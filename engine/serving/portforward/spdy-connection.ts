/**
 * One SPDY/3.1 connection over any bytes in order: a raw socket, or binary WebSocket messages. Streams are opened by either side,
 * carry data both ways, and are over when both sides have finished or one has reset. What a peer that speaks of windows does not take
 * waits here (spdy-windows.ts).
 */
import type { Buffer } from 'node:buffer';
import type { Backlog } from '../backlog.ts';
import {
  type ControlFrame,
  encodeData,
  encodeGoAway,
  encodePing,
  encodeReset,
  encodeSynReply,
  encodeSynStream,
  encodeWindowUpdate,
  finFlag,
  type Frame,
  FrameReader,
  frameType,
  initialWindowIn,
  numberAt,
} from './spdy-frames.ts';
import { HeaderDecoder, HeaderEncoder, SpdyError, type SpdyHeaders } from './spdy-header-codec.ts';
import { resetStatus, SpdyStream } from './spdy-stream.ts';
import { initialWindowBytes, ReceiveWindow, SendWindow } from './spdy-windows.ts';

export interface SpdyTransport {
  /** `left` is called when the bytes have left this process. */
  write(bytes: Buffer, left?: () => void): void;
  close(): void;
}

export interface SpdyOptions {
  readonly role: 'server' | 'client';
  readonly transport: SpdyTransport;
  /** Whether a stream of the other side with these headers is taken; else it is reset. */
  readonly accepts: (headers: SpdyHeaders) => boolean;
  /** A stream of the other side, replied to already. */
  readonly onStream: (stream: SpdyStream) => void;
  /** Has the data of streams, from when it is written until it has left. */
  readonly backlog?: Backlog;
}

/** Of the other side, open at once: no client forwards a thousand connections over one. */
const streamsMax = 2048;
/** Whoever is refused so many, one after the other, does not listen. */
const refusalsMax = 1024;

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
  /** What the other side gives a stream to begin with; undefined until it speaks of windows. */
  #peerWindow: number | undefined;
  /** Of all streams; binding once the other side has widened it. */
  readonly #sendWindow = new SendWindow();
  #isSendWindowBinding = false;
  readonly #receiveWindow = new ReceiveWindow();
  #queuedBytes = 0;
  #refusals = 0;

  constructor(options: SpdyOptions) {
    this.#options = options;
    this.#nextId = options.role === 'client' ? 1 : 2;
    this.#nextPingId = this.#nextId;
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** What waits for windows to widen. */
  get queuedBytes(): number {
    return this.#queuedBytes;
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

  send(bytes: Buffer, left?: () => void): void {
    if (!this.#closed) this.#options.transport.write(bytes, left);
    else left?.();
  }

  roomFor({ sendWindow }: SpdyStream): number {
    if (this.#peerWindow === undefined) return Number.POSITIVE_INFINITY;
    const room = sendWindow.room(this.#peerWindow);
    return this.#isSendWindowBinding ? Math.min(room, this.#sendWindow.room(initialWindowBytes)) : room;
  }

  sendData(stream: SpdyStream, data: Buffer, fin: boolean): void {
    stream.sendWindow.sent(data.length);
    this.#sendWindow.sent(data.length);
    this.#queuedBytes -= data.length;
    this.send(encodeData(stream.id, data, fin), () => this.#options.backlog?.remove(data.length));
  }

  sendReset({ id }: SpdyStream, status: number): void {
    this.send(encodeReset(id, status));
  }

  sendWindow({ id }: SpdyStream, bytes: number): void {
    this.send(encodeWindowUpdate(id, bytes));
  }

  queued(bytes: number): void {
    this.#queuedBytes += bytes;
    this.#options.backlog?.add(bytes);
  }

  dropped(bytes: number): void {
    this.#queuedBytes -= bytes;
    this.#options.backlog?.remove(bytes);
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
    const credit = this.#receiveWindow.taken(frame.payload.length);
    if (credit > 0) this.send(encodeWindowUpdate(0, credit));
    // A stream that is over here may still be written to by a peer that does not know yet.
    this.#streams.get(frame.streamId)?.received(frame.payload, (frame.flags & finFlag) !== 0);
  }

  #receiveControl(frame: ControlFrame): void {
    const { type, payload } = frame;
    if (type === frameType.synStream) this.#receiveStream(frame);
    else if (type === frameType.ping) this.#receivePing(numberAt(payload, 0));
    else if (type === frameType.rstStream) this.#receiveReset(numberAt(payload, 0));
    else if (type === frameType.settings) this.#receiveSettings(frame);
    else if (type === frameType.windowUpdate) this.#receiveWindowUpdate(numberAt(payload, 0), numberAt(payload, 4));
    else if (type === frameType.synReply || type === frameType.headers) {
      this.#decoder.decode(payload.subarray(4));
      if ((frame.flags & finFlag) !== 0) this.#streams.get(numberAt(payload, 0))?.received(payload.subarray(0, 0), true);
    }
    // After GOAWAY the peer closes by itself.
  }

  #receiveSettings({ payload }: ControlFrame): void {
    this.#peerWindow = initialWindowIn(payload) ?? this.#peerWindow ?? initialWindowBytes;
    this.#flush();
  }

  /** Of a stream, or of all where none is named. */
  #receiveWindowUpdate(id: number, bytes: number): void {
    this.#peerWindow ??= initialWindowBytes;
    if (id === 0) {
      this.#isSendWindowBinding = true;
      if (!this.#sendWindow.widen(bytes, initialWindowBytes)) throw new SpdyError('a window grows too wide');
    } else {
      const stream = this.#streams.get(id);
      if (stream?.sendWindow.widen(bytes, this.#peerWindow) === false) stream.fail(resetStatus.flowControlError);
    }
    this.#flush();
  }

  #flush(): void {
    for (const stream of [...this.#streams.values()]) stream.flush();
  }

  #receiveStream(frame: ControlFrame): void {
    const id = numberAt(frame.payload, 0);
    const headers = this.#decoder.decode(frame.payload.subarray(10));
    const ours = id % 2 === this.#nextId % 2;
    if (ours || id <= this.#lastReceivedId) return this.send(encodeReset(id, resetStatus.protocolError));
    this.#lastReceivedId = id;
    if (this.#streams.size >= streamsMax) return this.#refuse(id);
    this.#refusals = 0;
    const stream = new SpdyStream(this, id, headers, (frame.flags & finFlag) !== 0);
    this.#streams.set(id, stream);
    if (!this.#options.accepts(headers)) return stream.reset();
    // Before anything can be written: kubectl's library drops data of streams that were not replied to.
    this.send(encodeSynReply(id, this.#encoder.encode({})));
    this.#options.onStream(stream);
  }

  #refuse(id: number): void {
    this.#refusals += 1;
    if (this.#refusals > refusalsMax) throw new SpdyError('too many streams');
    this.send(encodeReset(id, resetStatus.refusedStream));
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
