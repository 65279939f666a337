/** Bytes as a gzip file that holds them as they are: whoever reads gzip reads it, and nothing here has to compress. See RFC 1951 and 1952. */
import { assert } from './assert.ts';

const header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const blockBytesMax = 0xffff;

export function storedGzip(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / blockBytesMax));
  const out = new Uint8Array(header.length + bytes.length + blocks * 5 + 8);
  out.set(header);
  const view = new DataView(out.buffer);
  let at = header.length;
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * blockBytesMax, (block + 1) * blockBytesMax);
    out[at] = block + 1 === blocks ? 1 : 0;
    view.setUint16(at + 1, part.length, true);
    view.setUint16(at + 3, ~part.length & 0xffff, true);
    out.set(part, at + 5);
    at += 5 + part.length;
  }
  assert(at + 8 === out.length, 'how long a file of blocks is was known before');
  view.setUint32(at, checksum(bytes), true);
  view.setUint32(at + 4, bytes.length, true);
  return out;
}

/** CRC-32. */
export function checksum(bytes: Uint8Array): number {
  const table = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}
