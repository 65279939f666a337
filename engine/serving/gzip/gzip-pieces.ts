/**
 * The pieces of an answer as those of a gzip file (RFC 1952), of which a few blocks are under way at a time. Where blocks end is told by
 * the pieces themselves, so that a list in which one item came or went has the blocks that it had before, but for one.
 */
import type { Chunk } from '../exchange.ts';
import { stepMs } from '../slices.ts';
import { joinedCrc } from './crc.ts';
import type { Block, Deflater } from './deflater.ts';

/** Pieces that may have to be waited for: an empty piece asks for a pause, until `waitsFor` where that is there. */
export interface PausingPieces extends Iterator<Chunk> {
  readonly waitsFor?: Promise<unknown> | undefined;
}

/** In characters or bytes: a block ends behind the first edge from `blockMin` on. */
const blockMin = 48 * 1024;
const blockMax = 160 * 1024;
const underWayMax = 6;
const pause: IteratorResult<Chunk> = { done: false, value: '' };
/** Compressed by DEFLATE; no name, no time; quickly; by an unknown system, as Go writes it. */
const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff);

interface UnderWay {
  block: Block | undefined;
  readonly settled: Promise<unknown> | undefined;
  error?: unknown;
}

export class GzipPieces implements PausingPieces {
  readonly #source: Iterator<Chunk>;
  readonly #deflater: Deflater;
  readonly #underWay: UnderWay[] = [];
  #gathered: Chunk[] = [];
  #gatheredLength = 0;
  #state: 'begins' | 'goes on' | 'source is over' | 'is over' = 'begins';
  #crc = 0;
  #length = 0;
  waitsFor: Promise<unknown> | undefined;

  constructor(source: Iterator<Chunk>, deflater: Deflater) {
    this.#source = source;
    this.#deflater = deflater;
  }

  next(): IteratorResult<Chunk> {
    this.waitsFor = undefined;
    if (this.#state === 'begins') {
      this.#state = 'goes on';
      return { done: false, value: head };
    }
    const [first] = this.#underWay;
    if (first?.error !== undefined) throw first.error;
    if (first?.block !== undefined) return this.#leave(first.block);
    if (this.#state === 'goes on' && this.#underWay.length < underWayMax) return this.#pull();
    if (first !== undefined) {
      this.waitsFor = first.settled;
      return pause;
    }
    if (this.#state === 'is over') return { done: true, value: undefined };
    this.#state = 'is over';
    return { done: false, value: this.#tail() };
  }

  return(): IteratorResult<Chunk> {
    this.#state = 'is over';
    this.#underWay.length = 0;
    this.#source.return?.();
    return { done: true, value: undefined };
  }

  #leave({ deflated, crc, shift, length }: Block): IteratorResult<Chunk> {
    this.#underWay.shift();
    this.#crc = joinedCrc(this.#crc, crc, shift);
    this.#length += length;
    return { done: false, value: deflated };
  }

  /** Takes from the source until a block is whole, for as long as a step may take. */
  #pull(): IteratorResult<Chunk> {
    const endMs = performance.now() + stepMs;
    do {
      const next = this.#source.next();
      if (next.done === true) {
        this.#state = 'source is over';
        if (this.#gathered.length > 0) this.#compress();
        return this.next();
      }
      if (next.value.length === 0) return pause;
      this.#gathered.push(next.value);
      this.#gatheredLength += next.value.length;
      if (this.#gatheredLength >= blockMax || (this.#gatheredLength >= blockMin && isEdge(next.value))) {
        this.#compress();
        return this.next();
      }
    } while (performance.now() < endMs);
    return pause;
  }

  #compress(): void {
    const block = this.#deflater.block(this.#gathered);
    this.#gathered = [];
    this.#gatheredLength = 0;
    if (!(block instanceof Promise)) {
      this.#underWay.push({ block, settled: undefined });
      return;
    }
    const one: UnderWay = {
      block: undefined,
      settled: block.then(
        (made) => void (one.block = made),
        (error: unknown) => void (one.error = error),
      ),
    };
    this.#underWay.push(one);
  }

  /** An empty last block, and what was compressed as gzip checks it. */
  #tail(): Uint8Array {
    const bytes = new Uint8Array(10);
    bytes[0] = 3;
    const view = new DataView(bytes.buffer);
    view.setUint32(2, this.#crc, true);
    view.setUint32(6, this.#length % 0x100000000, true);
    return bytes;
  }
}

const samples = 12;
/** One in so many long pieces is an edge. */
const edgesEvery = 8;

/** Drawn from what stands in a piece: characters here and there. A short piece is none, which may stand between any two. */
function isEdge(piece: Chunk): boolean {
  const { length } = piece;
  if (length < samples) return false;
  let sum = length;
  for (let i = 0; i < samples; i++) {
    const at = Math.floor((i * length) / samples);
    sum = Math.imul(sum ^ (typeof piece === 'string' ? piece.charCodeAt(at) : (piece[at] as number)), 0x01000193);
  }
  return (sum >>> 8) % edgesEvery === 0;
}
