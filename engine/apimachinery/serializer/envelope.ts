/** The `k8s\0` envelope around protobuf objects (runtime.Unknown), and the frames of a protobuf watch stream. */
import protobuf from 'protobufjs/minimal.js';
import { DecodeError } from './scalars.ts';

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

const prefix = [0x6b, 0x38, 0x73, 0x00] as const;
const bytesWire = 2;
const nothing = new Uint8Array(0);

function hasEnvelope(bytes: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

export function wrapEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32((1 << 3) | bytesWire).fork();
  writer.uint32((1 << 3) | bytesWire).string(apiVersion);
  writer.uint32((2 << 3) | bytesWire).string(kind);
  writer.ldelim();
  writer.uint32((2 << 3) | bytesWire).bytes(raw);
  // gogo-proto writes scalars that are no pointers even when they are empty.
  writer.uint32((3 << 3) | bytesWire).string('');
  writer.uint32((4 << 3) | bytesWire).string('');
  const body = writer.finish();
  const bytes = new Uint8Array(prefix.length + body.length);
  bytes.set(prefix);
  bytes.set(body, prefix.length);
  return bytes;
}

/** Throws DecodeError when the prefix is another one or the envelope is cut short. */
export function unwrapEnvelope(bytes: Uint8Array): Envelope {
  if (!hasEnvelope(bytes)) throw new DecodeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  const reader = protobuf.Reader.create(bytes.subarray(prefix.length));
  let apiVersion = '';
  let kind = '';
  let raw = new Uint8Array(0);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === 1) {
        const length = reader.uint32();
        const end = reader.pos + length;
        if (end > reader.len) throw new RangeError('type meta is cut short');
        while (reader.pos < end) {
          const inner = reader.uint32();
          if (inner >>> 3 === 1) apiVersion = reader.string();
          else if (inner >>> 3 === 2) kind = reader.string();
          else reader.skipType(inner & 7);
        }
      } else if (tag >>> 3 === 2) raw = new Uint8Array(reader.bytes());
      else reader.skipType(tag & 7);
    }
  } catch (error) {
    throw new DecodeError(error instanceof RangeError ? 'unexpected EOF' : `proto: ${(error as Error).message}`);
  }
  return { apiVersion, kind, raw };
}

/** A length-delimited frame: four bytes, big endian, then the bytes. */
export function frame(bytes: Uint8Array): Uint8Array {
  const framed = new Uint8Array(4 + bytes.length);
  new DataView(framed.buffer).setUint32(0, bytes.length);
  framed.set(bytes, 4);
  return framed;
}

/** A watch event whose object is an enveloped protobuf object: WatchEvent{type=1, object=2{raw=1}}, without an envelope of its own. */
export function encodeWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32((1 << 3) | bytesWire).string(type);
  writer.uint32((2 << 3) | bytesWire).fork();
  writer.uint32((1 << 3) | bytesWire).bytes(object);
  writer.ldelim();
  return writer.finish();
}

/** What stands in the frame of a protobuf watch stream; throws DecodeError for bytes that are no event. */
export function decodeWatchEvent(bytes: Uint8Array): { readonly type: string; readonly object: Uint8Array } {
  const { firsts, parts } = fieldsIn(bytes);
  const raw = fieldsIn(parts.at(-1) ?? nothing).firsts.at(-1);
  return { type: new TextDecoder().decode(firsts.at(-1)), object: raw ?? nothing };
}

/** The messages in that of a list: metadata is field 1, items are field 2. Throws DecodeError. */
export function splitList(raw: Uint8Array): { readonly metadata: Uint8Array; readonly items: readonly Uint8Array[] } {
  const { firsts, parts } = fieldsIn(raw);
  return { metadata: firsts.at(-1) ?? nothing, items: parts };
}

/** Fields 1 and 2 of a message, neither copied. */
function fieldsIn(bytes: Uint8Array): { readonly firsts: readonly Uint8Array[]; readonly parts: readonly Uint8Array[] } {
  const reader = protobuf.Reader.create(bytes);
  const firsts: Uint8Array[] = [];
  const parts: Uint8Array[] = [];
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === 1 && (tag & 7) === bytesWire) firsts.push(reader.bytes());
      else if (tag >>> 3 === 2 && (tag & 7) === bytesWire) parts.push(reader.bytes());
      else reader.skipType(tag & 7);
    }
  } catch (error) {
    throw new DecodeError(error instanceof RangeError ? 'unexpected EOF' : `proto: ${(error as Error).message}`);
  }
  return { firsts, parts };
}
