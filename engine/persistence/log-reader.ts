/** Streams the lines of a log, forward from any line's beginning or backward from any line's end, in bounded memory (F2). */
import { readSync, writeSync } from 'node:fs';

/** A line without its line feed. The bytes are valid until the next one is read. */
export interface RawLine {
  readonly offset: number;
  /** Offset of the next line. */
  readonly end: number;
  readonly bytes: Buffer;
}

const blockBytes = 1 << 20;
const lineFeed = 0x0a;

/** Whole lines of `file` from `from` to before `to`. A last one without its line feed is left out. */
export function* readLines(file: number, from: number, to: number): Generator<RawLine> {
  let block: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let blockOffset = from;
  let at = 0;
  for (;;) {
    const feed = block.indexOf(lineFeed, at);
    if (feed >= 0) {
      yield { offset: blockOffset + at, end: blockOffset + feed + 1, bytes: block.subarray(at, feed) };
      at = feed + 1;
      continue;
    }
    const rest = block.subarray(at);
    const next = readBlock(file, blockOffset + block.length, Math.min(to, blockOffset + block.length + Math.max(blockBytes, rest.length)));
    if (next.length === 0) return;
    blockOffset += at;
    block = rest.length === 0 ? next : Buffer.concat([rest, next]);
    at = 0;
  }
}

/** The same lines, the last one first. */
export function* readLinesBackward(file: number, from: number, to: number): Generator<RawLine> {
  let blockStart = to;
  let block: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  /** Line feeds from here on in the block have been seen; the line before it ends here. */
  let end = -1;
  for (;;) {
    const feed = end < 0 ? block.lastIndexOf(lineFeed) : end === 0 ? -1 : block.lastIndexOf(lineFeed, end - 1);
    if (feed >= 0) {
      if (end >= 0) yield { offset: blockStart + feed + 1, end: blockStart + end + 1, bytes: block.subarray(feed + 1, end) };
      end = feed;
      continue;
    }
    if (blockStart === from) {
      if (end >= 0) yield { offset: from, end: from + end + 1, bytes: block.subarray(0, end) };
      return;
    }
    const kept = end < 0 ? Buffer.alloc(0) : block.subarray(0, end + 1);
    const start = Math.max(from, blockStart - Math.max(blockBytes, kept.length));
    const before = readBlock(file, start, blockStart);
    block = Buffer.concat([before, kept]);
    if (end >= 0) end += before.length;
    blockStart = start;
  }
}

function readBlock(file: number, from: number, to: number): Buffer {
  const block = Buffer.allocUnsafe(Math.max(0, to - from));
  let length = 0;
  while (length < block.length) {
    const count = readSync(file, block, length, block.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return block.subarray(0, length);
}

/** Appends all of the bytes, however few the system takes at a time. */
export function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    const count = writeSync(file, bytes, written, bytes.length - written);
    if (count <= 0) throw Object.assign(new Error('the system takes no bytes'), { code: 'EIO' });
    written += count;
  }
}

/** Appends a part of one file to another; throws when the file is shorter. */
export function copyBytesTo(from: number, start: number, end: number, to: number): void {
  const block = Buffer.allocUnsafe(blockBytes);
  for (let at = start; at < end; ) {
    const count = readSync(from, block, 0, Math.min(block.length, end - at), at);
    if (count === 0) throw Object.assign(new Error(`the file ends at ${at} and not at ${end}`), { code: 'EIO' });
    writeAll(to, block.subarray(0, count));
    at += count;
  }
}
