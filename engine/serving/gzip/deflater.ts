/**
 * Compresses parts of answers beside the thread of the cluster: in libuv's threads, of which one is left to files and names. What was
 * compressed is kept for a while, since lists are asked for again and most of what is in them is the same: lists hold the very texts
 * that they held before. Each block can stand behind any other in a stream of DEFLATE.
 */
import { Buffer } from 'node:buffer';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { ByteWriter } from '../../base/byte-writer.ts';
import type { Chunk } from '../exchange.ts';
import { shiftOf } from './crc.ts';

export interface Block {
  readonly deflated: Uint8Array;
  /** Of what was compressed. */
  readonly length: number;
  readonly crc: number;
  /** See joinedCrc. */
  readonly shift: number;
}

interface Kept {
  readonly chunks: readonly Chunk[];
  /** In characters or bytes. */
  readonly size: number;
  block: Block | Promise<Block>;
}

export interface DeflaterLimits {
  readonly jobsMax: number;
  /** Of all texts whose blocks are kept. */
  readonly keptSizeMax: number;
}

/** libuv has four threads. */
const defaultLimits: DeflaterLimits = { jobsMax: 3, keptSizeMax: 48 * 1024 * 1024 };
/** Upstream's. */
const level = 1;
/** Shorter chunks stand in too many blocks to name one. */
const nameLengthMin = 64;
/** Chunks of bytes up to this may be others and say the same. */
const comparedBytesMax = 32;

export class Deflater {
  readonly #limits: DeflaterLimits;
  /** By the first long chunk; what was asked for last stands at the end. */
  readonly #kept = new Map<Chunk, Kept>();
  #keptSize = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: DeflaterLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** A promise where it was not compressed before; it rejects when that fails. */
  block(chunks: readonly Chunk[]): Block | Promise<Block> {
    const name = chunks.find(({ length }) => length >= nameLengthMin);
    const known = name === undefined ? undefined : this.#kept.get(name);
    if (name === undefined || known === undefined || !areSame(known.chunks, chunks)) return this.#made(name, chunks);
    this.#kept.delete(name);
    this.#kept.set(name, known);
    return known.block;
  }

  #made(name: Chunk | undefined, chunks: readonly Chunk[]): Promise<Block> {
    const made = this.#deflated(bytesOf(chunks));
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    if (name === undefined || size > this.#limits.keptSizeMax) return made;
    const kept: Kept = { chunks, size, block: made };
    this.#forget(name);
    this.#kept.set(name, kept);
    this.#keptSize += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptSize <= this.#limits.keptSizeMax) break;
      this.#forget(oldest);
    }
    made.then(
      (block) => (kept.block = block),
      // Whoever waits for it hears why.
      () => this.#kept.get(name) === kept && this.#forget(name),
    );
    return made;
  }

  #forget(name: Chunk): void {
    this.#keptSize -= this.#kept.get(name)?.size ?? 0;
    this.#kept.delete(name);
  }

  async #deflated(bytes: Uint8Array): Promise<Block> {
    if (this.#running >= this.#limits.jobsMax) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      const deflated = await inThread(bytes);
      return { deflated, length: bytes.length, crc: crc32(bytes), shift: shiftOf(bytes.length) };
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

/** Ends at a whole byte, and no stream ends with it. */
function inThread(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH }, (error, deflated) => {
      if (error === null) resolve(deflated);
      else reject(error);
    });
  });
}

function bytesOf(chunks: readonly Chunk[]): Uint8Array {
  const writer = new ByteWriter(chunks.reduce((sum, { length }) => sum + length, 0));
  for (const chunk of chunks) writer.add(chunk);
  return writer.take();
}

/** Texts are compared quickly where they are the very same. */
function areSame(some: readonly Chunk[], others: readonly Chunk[]): boolean {
  return some.length === others.length && some.every((chunk, index) => isSame(chunk, others[index] as Chunk));
}

function isSame(one: Chunk, other: Chunk): boolean {
  if (one === other) return true;
  if (typeof one === 'string' || typeof other === 'string' || one.length > comparedBytesMax) return false;
  return Buffer.compare(one, other) === 0;
}
