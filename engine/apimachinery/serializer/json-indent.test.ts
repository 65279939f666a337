/** Indented JSON is what the platform's own writer makes of the value, whatever texts hold; and it has a bound. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentJson, JsonIndenter } from './json-indent.ts';

const text = fc
  .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'é', '😀', '\u2028', '\n', 'a', ' '), { maxLength: 6 })
  .map((parts) => parts.join(''));
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
})).value;

it('stands on lines, two spaces a level, behind a first line that has begun', () => {
  const indenter = new JsonIndenter();
  fc.assert(
    fc.property(anyJson, fc.nat(4), (value, depth) => {
      const lines = JSON.stringify(value, undefined, 2).split('\n');
      expect(indenter.indent(JSON.stringify(value), depth)).toBe(lines.join(`\n${'  '.repeat(depth)}`));
    }),
    { numRuns: 500 },
  );
});

it('one that would grow beyond all measure stays in its line, and the next is indented', () => {
  const depth = 900;
  const json = `${'['.repeat(depth)}${'1,'.repeat(40_000)}1${']'.repeat(depth)}`;
  const indenter = new JsonIndenter();
  expect(indenter.indent(json) === json).toBe(true);
  expect(indenter.indent('{"a":[]}')).toBe('{\n  "a": []\n}');
});

it('what is no JSON ends too', () => {
  expect(indentJson('{"a":"b')).toBe('{\n  "a": "b');
});
