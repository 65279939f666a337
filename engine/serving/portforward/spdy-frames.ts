/** Frames of SPDY/3.1 as bytes: finding them in what arrives, and writing them. Header blocks stay compressed here. */
import { Buffer } from 'node:buffer';
import { SpdyError } from './spdy-header-codec.ts';

export const frameType = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 } as const;

export const finFlag = 1;

export interface ControlFrame {
  readonly control: true;
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

export interface DataFrame {
  readonly control: false;
  readonly streamId: number;
  readonly flags: number;
  readonly payload: Buffer;
}

export type Frame = ControlFrame | DataFrame;

const version = 3;
const headBytes = 8;
const controlBit = 0x8000;
const idMask = 0x7fffffff;
/** Flags, number, value. */
const settingBytes = 8;
const initialWindowSetting = 7;

/** Cuts a byte stream into frames. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  *push(chunk: Buffer): Generator<Frame> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) yield frame;
  }

  #next(): Frame | undefined {
    if (this.#size < headBytes) return undefined;
    const head = this.#peekHead();
    const length = head.readUIntBE(5, 3);
    if (this.#size < headBytes + length) return undefined;
    const payload = this.#take(headBytes + length).subarray(headBytes);
    const flags = head.readUInt8(4);
    const first = head.readUInt16BE(0);
    if ((first & controlBit) === 0) return { control: false, streamId: head.readUInt32BE(0), flags, payload };
    if ((first & ~controlBit) !== version) throw new SpdyError(`version ${first & ~controlBit} is not SPDY/3`);
    return { control: true, type: head.readUInt16BE(2), flags, payload };
  }

  #peekHead(): Buffer {
    const [first] = this.#chunks;
    return first !== undefined && first.length >= headBytes ? first : this.#joined();
  }

  #take(length: number): Buffer {
    const first = this.#chunks[0] as Buffer;
    const whole = first.length >= length ? first : this.#joined();
    this.#size -= length;
    if (whole.length > length) this.#chunks[0] = whole.subarray(length);
    else this.#chunks.shift();
    return whole.subarray(0, length);
  }

  #joined(): Buffer {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}

export function encodeData(streamId: number, data: Uint8Array, fin: boolean): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + data.length);
  frame.writeUInt32BE(streamId, 0);
  frame.writeUInt8(fin ? finFlag : 0, 4);
  frame.writeUIntBE(data.length, 5, 3);
  frame.set(data, headBytes);
  return frame;
}

export function encodeSynStream(streamId: number, headerBlock: Buffer): Buffer {
  // Stream, no associated stream, priority 0, no credential slot.
  const fixed = Buffer.alloc(10);
  fixed.writeUInt32BE(streamId, 0);
  return encodeControl(frameType.synStream, Buffer.concat([fixed, headerBlock]));
}

export function encodeSynReply(streamId: number, headerBlock: Buffer): Buffer {
  return encodeControl(frameType.synReply, Buffer.concat([numbers(streamId), headerBlock]));
}

export function encodeReset(streamId: number, status: number): Buffer {
  return encodeControl(frameType.rstStream, numbers(streamId, status));
}

export function encodePing(id: number): Buffer {
  return encodeControl(frameType.ping, numbers(id));
}

export function encodeGoAway(lastStreamId: number, status: number): Buffer {
  return encodeControl(frameType.goAway, numbers(lastStreamId, status));
}

export function encodeWindowUpdate(streamId: number, bytes: number): Buffer {
  return encodeControl(frameType.windowUpdate, numbers(streamId, bytes));
}

/** Bytes that the sender of a SETTINGS frame takes of each new stream; undefined where it does not say. */
export function initialWindowIn(payload: Buffer): number | undefined {
  const count = numberAt(payload, 0);
  let found: number | undefined;
  for (let at = 4; at < 4 + count * settingBytes && at + settingBytes <= payload.length; at += settingBytes)
    if (payload.readUIntBE(at + 1, 3) === initialWindowSetting) found = numberAt(payload, at + 4);
  return found;
}

/** The stream id or number that a control frame's payload has at `offset`. */
export function numberAt(payload: Buffer, offset: number): number {
  if (payload.length < offset + 4) throw new SpdyError('frame ends early');
  return payload.readUInt32BE(offset) & idMask;
}

function encodeControl(type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(controlBit | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}
