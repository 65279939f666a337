import { deflateRawSync, gzipSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from './inflate.ts';
import { Random } from './random.ts';

const sizeMax = 1 << 20;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('gunzip', () => {
  it('reads what zlib writes, at each level and by each strategy', () => {
    const draw = new Random(3).stream('bytes');
    const noise = Uint8Array.from({ length: 100_000 }, () => draw.integer(256));
    const words = bytes(Array.from({ length: 20_000 }, () => ['pod', 'node', '\n', 'ä', 'x'.repeat(draw.integer(40))][draw.integer(5)]).join(' '));
    for (const plain of [new Uint8Array(), bytes('a'), bytes('abc'.repeat(9_000)), noise, words]) {
      for (const level of [0, 1, 6, 9]) {
        for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE]) {
          const read = gunzip(gzipSync(plain, { level, strategy }), sizeMax);
          expect(typeof read === 'string' ? read : Buffer.compare(read, plain)).toBe(0);
        }
      }
    }
  });

  it('reads members behind each other as one text', () => {
    const two = Buffer.concat([gzipSync('one'), gzipSync('two')]);
    expect(gunzip(two, sizeMax)).toEqual(bytes('onetwo'));
  });

  it('refuses what ends early, is bent, or is none', () => {
    const whole = gzipSync('some text that is long enough to be of use, some text');
    for (let length = 0; length < whole.length; length++) expect(gunzip(whole.subarray(0, length), sizeMax)).toBe('invalid');
    expect(gunzip(bytes('no gzip at all'), sizeMax)).toBe('invalid');
    expect(gunzip(Buffer.concat([whole.subarray(0, 10), deflateRawSync('other'), whole.subarray(-8)]), sizeMax)).toBe('invalid');
  });

  it('makes no more than it may', () => {
    expect(gunzip(gzipSync(Buffer.alloc(1 << 22)), sizeMax)).toBe('too large');
  });
});
