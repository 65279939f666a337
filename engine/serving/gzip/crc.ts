/**
 * CRC-32 of texts that stand one behind the other, from those of the parts: what was compressed before is not read again. A checksum is
 * a remainder of polynomials over two elements, of which bit 31 is the constant term; what follows multiplies it by a power of x.
 */
import { assert } from '../../base/assert.ts';

const polynomial = 0xedb88320;
const one = 0x80000000;
const x = 0x40000000;

/** x to the power of 1, 2, 4, 8 and so on, as far as lengths go. */
const squares = powersOfTwo(48);

/** What a checksum is multiplied by when so many bytes follow. */
export function shiftOf(bytes: number): number {
  assert(bytes >= 0 && Number.isSafeInteger(bytes), 'a length is a whole number');
  let shift = one;
  // A byte is eight bits: the first power is the eighth.
  for (let rest = bytes, place = 3; rest > 0; rest = Math.floor(rest / 2), place++) {
    if (rest % 2 === 1) shift = product(squares[place] as number, shift);
  }
  return shift >>> 0;
}

/** Of what has `before`, followed by what has `crc`; `shift` is that of the length of what follows. */
export function joinedCrc(before: number, crc: number, shift: number): number {
  return (product(shift, before) ^ crc) >>> 0;
}

function product(a: number, b: number): number {
  let sum = 0;
  let factor = b;
  for (let bit = 31; bit >= 0; bit--) {
    if (((a >>> bit) & 1) === 1) sum ^= factor;
    factor = (factor & 1) === 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return sum >>> 0;
}

function powersOfTwo(count: number): readonly number[] {
  const powers = [x];
  while (powers.length < count) powers.push(product(powers.at(-1) as number, powers.at(-1) as number));
  return powers;
}
