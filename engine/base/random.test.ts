import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';

describe('random streams', () => {
  it('give the same draws for the same seed and name, and others for others', () => {
    const draw = (seed: number, name: string): number[] => Array.from({ length: 5 }, () => new Random(seed).stream(name).next());
    expect(draw(1, 'uid')).toEqual(draw(1, 'uid'));
    expect(draw(1, 'uid')).not.toEqual(draw(2, 'uid'));
    expect(draw(1, 'uid')).not.toEqual(draw(1, 'latency'));
  });

  it('do not shift each other', () => {
    const alone = new Random(7);
    const first = [alone.stream('a').next(), alone.stream('a').next()];
    const together = new Random(7);
    const mixed = [together.stream('a').next(), (together.stream('b').next(), together.stream('a').next())];
    expect(mixed).toEqual(first);
  });

  it('go on where they were after save and restore', () => {
    const one = new Random(3);
    one.stream('a').hex(12);
    const two = new Random(3);
    two.restore(structuredClone(one.save()));
    expect(two.stream('a').hex(32)).toBe(one.stream('a').hex(32));
  });

  it('say their bits in hex, as many characters as are asked for', () => {
    const bits = new Random(5).stream('a');
    const words = Array.from({ length: 4 }, () =>
      Math.floor(bits.next() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
    for (const count of [1, 8, 12, 32]) expect(new Random(5).stream('a').hex(count)).toBe(words.slice(0, count));
  });
});
