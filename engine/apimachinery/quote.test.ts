import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goQuote, goUnquote } from './quote.ts';

test.each(['', 'a\\x41b', '\u{E0001}', '\x7f\x07\v', '\\', '"', '\u200b', '\ud800', '😀'])('what is quoted is read back: %j', (text) => {
  expect(goUnquote(goQuote(text))).toBe(text);
});

test('any text is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => goUnquote(goQuote(text)) === text));
});
