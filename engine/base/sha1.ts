/** SHA-1, for names that upstream cuts and tells apart by it; no protection of anything. */
const initial = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const;
const constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6] as const;
const blockBytes = 64;

/** 40 hexadecimal digits. */
export function sha1(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  let state: readonly number[] = initial;
  for (let at = 0; at < padded.length; at += blockBytes) state = afterBlock(state, view, at);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function afterBlock(state: readonly number[], view: DataView, at: number): readonly number[] {
  const words = new Int32Array(80);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 80; i++) words[i] = rotated(word(words, i - 3) ^ word(words, i - 8) ^ word(words, i - 14) ^ word(words, i - 16), 1);
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const phase = Math.floor(i / 20);
    const mixed = phase === 0 ? (b & c) | (~b & d) : phase === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
    const next = (rotated(a, 5) + mixed + e + (constants[phase] ?? 0) + word(words, i)) | 0;
    [a, b, c, d, e] = [next, a, rotated(b, 30), c, d];
  }
  return [a, b, c, d, e].map((word, i) => (word + (state[i] ?? 0)) | 0);
}

function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
