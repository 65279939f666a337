/** MD5 (RFC 1321) and SHA-256 (FIPS 180-4), for those who compare files by them; no protection of anything. */

import { assert } from './assert.ts';

const blockBytes = 64;

/** Sines of 1 to 64, cube roots of the first 64 primes and square roots of the first 8: 32 bits behind the point of each, in order. */
const sines = wordsOf(
  'd76aa478e8c7b756242070dbc1bdceeef57c0faf4787c62aa8304613fd469501698098d88b44f7afffff5bb1895cd7be6b901122fd987193a679438e49b40821' +
    'f61e2562c040b340265e5a51e9b6c7aad62f105d02441453d8a1e681e7d3fbc821e1cde6c33707d6f4d50d87455a14eda9e3e905fcefa3f8676f02d98d2a4c8a' +
    'fffa39428771f6816d9d6122fde5380ca4beea444bdecfa9f6bb4b60bebfbc70289b7ec6eaa127fad4ef308504881d05d9d4d039e6db99e51fa27cf8c4ac5665' +
    'f4292244432aff97ab9423a7fc93a039655b59c38f0ccc92ffeff47d85845dd16fa87e4ffe2ce6e0a30143144e0811a1f7537e82bd3af2352ad7d2bbeb86d391',
);
const cubeRoots = wordsOf(
  '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174' +
    'e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967' +
    '27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2',
);
const squareRoots = wordsOf('6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19');

function wordsOf(digits: string): readonly number[] {
  return Array.from({ length: digits.length / 8 }, (_, at) => Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16) | 0);
}

/** With its end: a one, zeros, and its length in bits. */
function padded(bytes: Uint8Array, isLittleEndian: boolean): DataView {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  assert(whole.length % blockBytes === 0 && whole.length > bytes.length + 8, 'a message ends with its length, at the end of a block');
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n, isLittleEndian);
  return view;
}

const turnsOfMd5 = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

/** 32 hexadecimal digits. */
export function md5(bytes: Uint8Array): string {
  const view = padded(bytes, true);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let at = 0; at < view.byteLength; at += blockBytes) {
    let [a, b, c, d] = state as [number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round] as number;
      const index = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] as number;
      const sum = (a + mixed + (sines[i] as number) + view.getUint32(at + (index % 16) * 4, true)) | 0;
      const turn = turnsOfMd5[round]?.[i % 4] as number;
      [a, d, c, b] = [d, c, b, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0];
    }
    [a, b, c, d].forEach((word, i) => (state[i] = ((state[i] as number) + word) | 0));
  }
  const out = new DataView(new ArrayBuffer(16));
  state.forEach((word, i) => out.setUint32(i * 4, word, true));
  return hex(new Uint8Array(out.buffer));
}

/** 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const view = padded(bytes, false);
  const state = [...squareRoots];
  const words = new Int32Array(64);
  for (let at = 0; at < view.byteLength; at += blockBytes) {
    for (let i = 0; i < 64; i++) words[i] = i < 16 ? view.getInt32(at + i * 4) : extended(words, i);
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (cubeRoots[i] as number) + (words[i] as number)) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = ((state[i] as number) + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function extended(words: Int32Array, i: number): number {
  const [x, y] = [words[i - 15] as number, words[i - 2] as number];
  const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
  const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
  return ((words[i - 16] as number) + low + (words[i - 7] as number) + high) | 0;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
