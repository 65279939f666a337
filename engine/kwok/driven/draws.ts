/** Chance for what is read: the same for the same words, so that reading moves no stream and changes no history. */

/** Floats in [0, 1), one after the other (FNV-1a for the start, then a Weyl sequence with a mixer). */
export function drawsOf(words: string): () => number {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(words)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
