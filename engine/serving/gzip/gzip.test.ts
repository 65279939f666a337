/** Compressed answers are those that were meant, whatever is kept of earlier ones. */
import { crc32, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Chunk } from '../exchange.ts';
import { joinedCrc, shiftOf } from './crc.ts';
import { Deflater } from './deflater.ts';
import { GzipPieces } from './gzip-pieces.ts';

const item = (index: number, more = ''): string =>
  JSON.stringify({
    metadata: { name: `web-${(index * 7919) % 10007}`, uid: `${index * 104_729}-ü` },
    spec: { image: `nginx:${index % 7}${more}` },
    pad: 'x'.repeat(400),
  });
const items = (count: number): string[] => Array.from({ length: count }, (_, index) => item(index));

function* listOf(texts: readonly string[]): Generator<Chunk> {
  yield '{"items":[';
  for (const [index, text] of texts.entries()) {
    if (index > 0) yield ',';
    yield text;
  }
  yield '';
  yield ']}\n';
}

async function drained(pieces: GzipPieces): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    if (next.value.length > 0) taken.push(next.value as Uint8Array);
    else await pieces.waitsFor;
  }
  return Buffer.concat(taken);
}

/** Counts what is compressed anew. */
class CountingDeflater extends Deflater {
  anew = 0;
  override block(chunks: readonly Chunk[]): ReturnType<Deflater['block']> {
    const found = super.block(chunks);
    if (found instanceof Promise) this.anew++;
    return found;
  }
}

const bytes = (length: number, step: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * step) % 251);

test.each([
  [0, 0],
  [1, 0],
  [0, 1],
  [5, 70_001],
  [65_536, 131_071],
])('the checksum of %i and %i bytes follows from those of both', (left, right) => {
  const [a, b] = [bytes(left, 7), bytes(right, 13)];
  expect(joinedCrc(crc32(a), crc32(b), shiftOf(b.length))).toBe(crc32(Buffer.concat([a, b])));
});

test.each([0, 1, 300, 5_000])('a list of %i items is read again as it was', async (count) => {
  const texts = items(count);
  const compressed = await drained(new GzipPieces(listOf(texts), new Deflater()));
  expect(gunzipSync(compressed).toString()).toBe(`{"items":[${texts.join(',')}]}\n`);
});

test('a list that is asked for again is not compressed again, but for the block in which something changed', async () => {
  const deflater = new CountingDeflater();
  const texts = items(4_000);
  await drained(new GzipPieces(listOf(texts), deflater));
  const blocks = deflater.anew;
  expect(blocks).toBeGreaterThan(10);
  await drained(new GzipPieces(listOf(texts), deflater));
  expect(deflater.anew).toBe(blocks);
  const changed = [...texts.slice(0, 1000), item(1000, '-new'), ...texts.slice(1002)];
  const compressed = await drained(new GzipPieces(listOf(changed), deflater));
  expect(gunzipSync(compressed).toString()).toBe(`{"items":[${changed.join(',')}]}\n`);
  expect(deflater.anew - blocks).toBeLessThanOrEqual(3);
});

test('clients that ask for the same at once have it compressed once', async () => {
  const deflater = new Deflater();
  const texts = items(500);
  const all = await Promise.all(Array.from({ length: 8 }, () => drained(new GzipPieces(listOf(texts), deflater))));
  for (const one of all) expect(one).toEqual(all[0]);
});

test('what is kept has a bound, and what was dropped is compressed anew', async () => {
  const deflater = new CountingDeflater({ jobsMax: 1, keptSizeMax: 200_000 });
  const texts = items(3_000);
  await drained(new GzipPieces(listOf(texts), deflater));
  const blocks = deflater.anew;
  const again = await drained(new GzipPieces(listOf(texts), deflater));
  expect(deflater.anew).toBe(2 * blocks);
  expect(gunzipSync(again).toString()).toBe(`{"items":[${texts.join(',')}]}\n`);
});

test('a source that breaks breaks the answer', async () => {
  function* broken(): Generator<Chunk> {
    yield* items(300);
    throw new Error('no more');
  }
  await expect(drained(new GzipPieces(broken(), new Deflater()))).rejects.toThrow('no more');
});
