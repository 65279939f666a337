/**
 * Events of one watch that leave together. Between a watch and its socket stand those who count, audit and pace; of a hundred watches
 * they would be gone through a hundred times for each change, which cost more than the change. They pass on the first, and what comes
 * before that has left is added behind it.
 */
import type { Chunk, Gathered } from './http-types.ts';

/** As much as leaves in one step. */
const piecesMax = 16;
const lengthMax = 16 * 1024;

export class GatheredEvents implements Gathered {
  readonly pieces: Chunk[];
  #length: number;
  #isClosed = false;
  #hear: ((piece: Chunk) => void) | undefined;

  constructor(first: Chunk) {
    this.pieces = [first];
    this.#length = first.length;
  }

  /** False where it has left, or is long enough: the piece begins another. */
  add(piece: Chunk): boolean {
    if (this.#isClosed || this.#length >= lengthMax || this.pieces.length >= piecesMax) return false;
    this.pieces.push(piece);
    this.#length += piece.length;
    this.#hear?.(piece);
    return true;
  }

  close(): void {
    this.#isClosed = true;
  }

  onPiece(hear: (piece: Chunk) => void): void {
    for (const piece of this.pieces) hear(piece);
    this.#hear = hear;
  }
}
