/** One step of a long answer: its small pieces are joined to what is worth a write. */
import type { Chunk } from './exchange.ts';
import { stepMs } from './slices.ts';

/** Joins pieces. */
interface Writer {
  readonly length: number;
  add(piece: Chunk): void;
}

export const writeBytes = 1 << 16;

/** Takes enough for one write, or what there is time for; an empty piece asks for a pause. True at the end. */
export function gather(pieces: Iterator<Chunk>, writer: Writer): boolean {
  const endMs = performance.now() + stepMs;
  do {
    const next = pieces.next();
    if (next.done === true) return true;
    if (next.value.length === 0) return false;
    writer.add(next.value);
  } while (writer.length < writeBytes && performance.now() < endMs);
  return false;
}
