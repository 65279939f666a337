/**
 * Pieces of answers whose length is not said beforehand. Over HTTP/1.1 each is a chunk with its length in front; Node.js writes that in
 * three parts, each time anew. Here the whole chunk is one buffer, which several clients can share, and goes to the socket as it is.
 */
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { ByteWriter } from '../base/byte-writer.ts';
import type { RawResponse } from './answers.ts';
import type { Chunk } from './exchange.ts';

/** For the length in hexadecimal digits and the end of its line. */
const headRoom = 10;
const tail = '\r\n';
const room = new Uint8Array(headRoom);
const encoder = new TextEncoder();

/** A piece with its head and tail. As Buffers, which Node.js does not wrap anew for each client that is sent one. */
export class Frame {
  readonly length: number;
  readonly #chunk: Buffer;
  readonly #piece: Buffer;

  /** `bytes` has room for the head in front, and the tail behind. */
  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset } = bytes;
    this.length = bytes.length - headRoom - tail.length;
    const head = `${this.length.toString(16)}\r\n`;
    const headAt = headRoom - head.length;
    this.#chunk = Buffer.from(buffer, byteOffset + headAt, bytes.length - headAt);
    this.#piece = Buffer.from(buffer, byteOffset + headRoom, this.length);
    encoder.encodeInto(head, this.#chunk);
  }

  /** False when the client should take some before there is more. The header must have left. */
  send(response: RawResponse, onSent?: () => void): boolean {
    // A chunk of no length would end the answer.
    if (this.length === 0) return true;
    if (isOpenInChunks(response)) return (response.socket as Socket).write(this.#chunk, onSent);
    return response.write(this.#piece, onSent);
  }
}

/** Not so of HTTP/2, of HTTP/1.0, of what has no body, and of a response that waits behind another on its connection. */
function isOpenInChunks(response: RawResponse): boolean {
  return response.stream === undefined && response.socket !== null && response.chunkedEncoding && response.req.method !== 'HEAD';
}

/** Joins small pieces to frames. */
export class FrameWriter {
  readonly #writer: ByteWriter;

  /** `capacity` is what a frame begins with; it grows. */
  constructor(capacity: number) {
    this.#writer = new ByteWriter(capacity + headRoom + tail.length);
  }

  get length(): number {
    return Math.max(0, this.#writer.length - headRoom);
  }

  add(chunk: Chunk): void {
    if (this.#writer.length === 0) this.#writer.add(room);
    this.#writer.add(chunk);
  }

  take(): Frame {
    return new Frame(this.#take());
  }

  /** Sends what has been added, to one client alone. */
  send(response: RawResponse): boolean {
    if (this.length === 0) return true;
    const bytes = this.#take();
    return new Frame(bytes).send(response, () => this.#writer.giveBack(bytes));
  }

  #take(): Uint8Array {
    this.#writer.add(tail);
    return this.#writer.take();
  }
}
