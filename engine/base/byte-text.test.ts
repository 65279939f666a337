import { describe, expect, it } from 'vitest';
import { bytesOfText, joinTexts, textOfBytes } from './byte-text.ts';
import { Random } from './random.ts';

const back = (bytes: readonly number[]): readonly number[] => [...bytesOfText(textOfBytes(Uint8Array.from(bytes)))];

describe('bytes as text', () => {
  it('text is text', () => {
    const text = 'Grüße, 世界 🌊\ufeff\n';
    expect(textOfBytes(new TextEncoder().encode(text))).toBe(text);
    expect(bytesOfText(text)).toEqual(new TextEncoder().encode(text));
  });

  it.each([
    [[0xff, 0xfe, 0x00]],
    [[0xc0, 0x80, 0x41]],
    [[0xe2, 0x82]],
    [[0xed, 0xa0, 0x80, 0xed, 0xb2, 0x80]],
    [[0xf4, 0x90, 0x80, 0x80]],
    [[0xf0, 0x9f, 0x8c, 0x8a, 0x9f]],
    [[0xef, 0xbb, 0xbf, 0xff]],
  ])('%j comes back', (bytes) => {
    expect(back(bytes)).toEqual(bytes);
  });

  it('all that chance makes comes back, whole and in pieces', () => {
    const draw = new Random(1).stream('bytes');
    const bytes = Array.from({ length: 100_000 }, () => draw.integer(256));
    expect(back(bytes)).toEqual(bytes);
    const text = new TextEncoder().encode('ü世🌊'.repeat(50));
    for (let cut = 0; cut < 40; cut++)
      expect(joinTexts(textOfBytes(text.subarray(0, cut)), textOfBytes(text.subarray(cut)))).toBe('ü世🌊'.repeat(50));
  });
});
