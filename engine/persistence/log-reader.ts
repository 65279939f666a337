/** Streams the lines of a log, forward from any line's beginning or backward from any line's end, in bounded memory (F2). */
import { readSync, writeSync } from 'node:fs';

/** A line without its line feed. Whoever keeps its bytes keeps the block that they are in. */
export interface RawLine {
  readonly offset: number;
  /** Offset of the next line. */
  readonly end: number;
  readonly bytes: Buffer;
}

const blockBytes = 1 << 20;
const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

/** Whole lines of `file` from `from` to before `to`. A last one without its line feed is left out. */
export function* readLines(file: number, from: number, to: number): Generator<RawLine> {
  let block: Buffer<ArrayBufferLike> = nothing;
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
    const read = blockOffset + block.length;
    blockOffset += at;
    block = readBlock(file, read, Math.min(to, read + Math.max(blockBytes, rest.length)), rest);
    if (block.length === rest.length) return;
    at = 0;
  }
}

/**
 * The same lines, told one by one as places in a block, until `take` says false: of millions of lines most are kept as they are, and an
 * object for each takes longer than its checksum. Whoever keeps a place keeps its block.
 */
export function scanLines(file: number, from: number, to: number, take: (line: LineAt, offset: number) => boolean): void {
  let block: Buffer<ArrayBufferLike> = nothing;
  let offset = from;
  const line: LineAt = { block, start: 0, end: 0 };
  for (;;) {
    let at = 0;
    line.block = block;
    for (let feed = block.indexOf(lineFeed); feed >= 0; feed = block.indexOf(lineFeed, at)) {
      line.start = at;
      line.end = feed;
      if (!take(line, offset + at)) return;
      at = feed + 1;
    }
    const rest = block.subarray(at);
    const read = offset + block.length;
    offset += at;
    block = readBlock(file, read, Math.min(to, read + Math.max(blockBytes, rest.length)), rest);
    if (block.length === rest.length) return;
  }
}

/** A line without its line feed, as a place in a block; it is another one at the next call. */
export interface LineAt {
  block: Buffer;
  start: number;
  end: number;
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

/** What stands there in the file, behind what was read before; less where the file ends. */
function readBlock(file: number, from: number, to: number, before: Buffer = nothing): Buffer {
  const block = Buffer.allocUnsafeSlow(before.length + Math.max(0, to - from));
  before.copy(block);
  let length = before.length;
  while (length < block.length) {
    const count = readSync(file, block, length, block.length - length, from + length - before.length);
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
