/** Texts and bytes in one buffer are what one text of them all would be. */
import { expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

it.each([1, 7, 1000])('joins texts of any script, and bytes, whatever it begins with (%i)', (capacity) => {
  const pieces = ['{"a":1}', '', 'größer', '漢字'.repeat(50), new TextEncoder().encode('bytes'), '🌊'.repeat(40), 'end'] as const;
  const writer = new ByteWriter(capacity);
  for (const piece of pieces) writer.add(piece);
  const want = pieces.map((piece) => (typeof piece === 'string' ? piece : text(piece))).join('');
  expect(writer.length).toBe(new TextEncoder().encode(want).length);
  expect(text(writer.take())).toBe(want);
});

it('begins anew when it has been emptied, and leaves what was taken alone', () => {
  const writer = new ByteWriter(8);
  writer.add('first');
  const first = writer.take();
  writer.add('other');
  expect([text(first), text(writer.take()), writer.length, writer.take().length]).toEqual(['first', 'other', 0, 0]);
});

it('uses the memory again of what was given back', () => {
  const writer = new ByteWriter(16);
  writer.add('first');
  const first = writer.take();
  writer.giveBack(first);
  writer.add('second, and longer than what it begins with');
  const second = writer.take();
  expect([text(second), second.buffer === first.buffer]).toEqual(['second, and longer than what it begins with', false]);
  writer.giveBack(second);
  writer.add('third');
  const third = writer.take();
  expect([text(third), third.buffer === second.buffer]).toEqual(['third', true]);
});
