import { load } from 'js-yaml';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decodeFirstYaml } from './yaml.ts';
import { Layout } from './yaml-layout.ts';

const value = (text: string): unknown => decodeFirstYaml(text).value;

describe('flows and quoted texts that end further left than what holds them are read', () => {
  it.each([
    ['command: [\n  "sh", "-c",\n  "sleep 1"\n]\n', { command: ['sh', '-c', 'sleep 1'] }],
    ['a:\n  b: {\n    c: d\n  }\n  e: f\n', { a: { b: { c: 'd' }, e: 'f' } }],
    ['- - k: {\n  x: z\n}\n- l\n', [[{ k: { x: 'z' } }], 'l']],
    ['a: \'x\ny\'\nb: "p\n\n  q\\\nr"\n', { a: 'x y', b: 'p\nqr' }],
    ['a: {\n# c ]\n"]": 1,\n\tt: [\n]\n}\n', { a: { ']': 1, t: [] } }],
    ['--- {\na: b\n}\n', { a: 'b' }],
    ['a: &y [\n]\nb: *y\n', { a: [], b: [] }],
    // What looks like the beginning of a flow inside a text is none.
    ['a: |\n  [ {\n  "\nb: {\n}\n', { a: '[ {\n"\n', b: {} }],
    ['a: text\n  "more [\nb: {\n}\n', { a: 'text "more [', b: {} }],
    ['k:\n  >-\n  text {\n  x\nb: [\n]', { k: 'text { x', b: [] }],
  ])('%j', (text, read) => {
    expect(value(text)).toEqual(read);
  });

  it('but for a document that ends inside of them', () => {
    expect(() => value('a: [\n---\n]')).toThrow('did not find expected node content');
    expect(() => value('a: "\n---\n"')).toThrow('found unexpected document indicator');
  });

  it('and what would grow out of all proportion is refused', () => {
    expect(() => value(`${'- '.repeat(400)}[\n${']\n'.repeat(400)}`)).toThrow();
    expect(new Layout(`${'- '.repeat(400)}[\n${',\n'.repeat(400)}]`).withFlowIndents).toBeUndefined();
  });
});

test('a colon right before the end of an element belongs to it', () => {
  expect(value('a: [1.2.3.4, fd00::]\nb: [::1, fd00::, "x:"]\nc: {a: b::}\nd: [it\'s::, [q::]]')).toEqual({
    a: ['1.2.3.4', 'fd00::'],
    b: ['::1', 'fd00::', 'x:'],
    c: { a: 'b::' },
    d: ["it's::", ['q::']],
  });
});

it.each([
  ['elements that end in colons', `a: [${'b:,'.repeat(200_000)}c]`, 200_001],
  ['elements too far left', `a: [\n${'b,\n'.repeat(100_000)}c]`, 100_001],
])('many %s are looked at once each', (_what, text, count) => {
  expect((value(text) as { readonly a: readonly string[] }).a).toHaveLength(count);
});

test('a line of many keys is looked at once', () => {
  expect(() => value(`${'a: '.repeat(500_000)}[b:]`)).toThrow('mapping values are not allowed in this context');
});

describe('a block text at the very end has no line break that is not written', () => {
  it.each([
    ['a: |\n  x\n  y', 'x\ny'],
    ['a: |+\n  x', 'x'],
    ['a: >+2 # c |\n    x\n\n  y', '  x\n\ny'],
    ['a: |2\r\n   x', ' x'],
    ['a: |\n  x\n ', 'x\n'],
    ['a: |\n  x\n', 'x\n'],
    ['a:\n  "x"', 'x'],
  ])('%j', (text, read) => {
    expect(value(text)).toEqual({ a: read });
  });
});

const word = fc.stringMatching(/^[a-z"'[\]{}#:,-]{1,6}$/);
const lines = fc.array(fc.tuple(fc.constantFrom('', '  ', '    ', '- ', '  - ', 'k: ', '  k: ', '  - k: ', '\t'), fc.array(word, { maxLength: 4 })));

test('what the reader takes as it is means the same in the other layout', () => {
  fc.assert(
    fc.property(lines, (given) => {
      const text = given.map(([indent, words]) => indent + words.join(' ')).join('\n');
      let read: unknown;
      try {
        read = load(text);
      } catch {
        return;
      }
      expect(load(new Layout(text).withFlowIndents ?? text)).toEqual(read);
    }),
    { numRuns: 3000 },
  );
});

test('a text alone in its document goes on further left than it begins, and what looks like a flow in it is none', () => {
  const text = '    :,\n  - [a\n:]#';
  expect(load(new Layout(text).withColonsKept)).toBe(load(text));
  expect(new Layout(text).withFlowIndents).toBeUndefined();
});
