/**
 * Pieces of answers whose length is not said beforehand. Over HTTP/1.1 each is a chunk with its length in front; Node.js writes that in
 * three parts, each time anew. Here the whole chunk is one buffer, which several clients can share, and goes to the socket as it is.
 */
import type { Socket } from 'node:net';
import { ByteWriter } from '../base/byte-writer.ts';
import type { RawResponse } from './answers.ts';
import type { Chunk } from './exchange.ts';

/** For the length in hexadecimal digits and the end of its line. */
const headRoom = 10;
const tail = '\r\n';
const room = new Uint8Array(headRoom);
const encoder = new TextEncoder();

/** A piece with its head and tail. */
export class Frame {
  readonly #bytes: Uint8Array;
  readonly #headAt: number;

  /** `bytes` has room for the head in front, and the tail behind. */
  constructor(bytes: Uint8Array) {
    const head = `${(bytes.length - headRoom - tail.length).toString(16)}\r\n`;
    this.#bytes = bytes;
    this.#headAt = headRoom - head.length;
    encoder.encodeInto(head, bytes.subarray(this.#headAt));
  }

  get length(): number {
    return this.#bytes.length - headRoom - tail.length;
  }

  /** False when the client should take some before there is more. The header must have left. */
  send(response: RawResponse, onSent?: () => void): boolean {
    // A chunk of no length would end the answer.
    if (this.length === 0) return true;
    if (isOpenInChunks(response)) return (response.socket as Socket).write(this.#bytes.subarray(this.#headAt), onSent);
    return response.write(this.#bytes.subarray(headRoom, -tail.length), onSent);
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
