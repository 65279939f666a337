/** Texts are written as go-yaml writes them (test/contract/reviewed has what real servers wrote), and read as what they were. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createYamlEncoder, decodeYaml, encodeYaml } from './yaml.ts';

const texts = [
  ['plain word', 'Running'],
  ['label', 'app.kubernetes.io/name'],
  ['managed field', 'f:metadata'],
  ['path with colons', 'system:serviceaccount:kube-system:x'],
  ['uid', '0e5a9f3c-1234-4abc-8def-0123456789ab'],
  ['uid of digits', '12345678-1234-4123-8123-123456789012'],
  ['address', '10.244.1.3'],
  ['quantity', '100m'],
  ['exponent', '1e3'],
  ['half a version', '1.20'],
  ['revision', '1234'],
  ['octal', '0123'],
  ['longer than any number', '1234567890123456789012'],
  ['container', 'containerd://0f1e'],
  ['image by digest', 'docker.io/library/nginx@sha256:00'],
  ['owned element', 'k:{"containerPort":80,"protocol":"TCP"}'],
  ['sentence', 'Successfully assigned default/web to node-1 (again)'],
] as const;

it.each(texts)('%s', (_name, text) => {
  const written = encodeYaml({ a: text, list: [text] });
  expect(decodeYaml(written).value).toEqual({ a: text, list: [text] });
  expect(createYamlEncoder()({ a: text, list: [text] })).toBe(written);
});

it.each(texts.slice(0, 7))('%s stands without quotes', (_name, text) => {
  expect(encodeYaml({ a: text })).toBe(`a: ${text}\n`);
});

const long = 'a sentence that goes on and on until it is longer than any line should be, whoever reads it';

it.each([
  ['a long text goes on in the next line', long, `${long.slice(0, 82)}\n  ${long.slice(83)}`],
  ['so does one in quotes', `x: ${long}`, `'x: ${long.slice(0, 74)}\n  ${long.slice(75)}'`],
  ['and one that is escaped', `\t${long}`, `"\\t${long.slice(0, 82)}\n  ${long.slice(83)}"`],
  ['a text of one word stays in its line', 'x'.repeat(200), 'x'.repeat(200)],
  ['lines are a block', 'one\ntwo\n', '|\n  one\n  two'],
  ['lines that do not end', 'one\ntwo', '|-\n  one\n  two'],
  ['lines that begin with a space', ' one\ntwo\n\n', '|2+\n   one\n  two\n'],
  ['lines with tabs are no block', 'one\n\ttwo', '"one\\n\\ttwo"'],
  ['what means something in YAML', 'a: b', "'a: b'"],
  ['what would be a number', '0x1F', '"0x1F"'],
  ['what would be a time', '2019-02-28', '"2019-02-28"'],
  ['a day that there is not', '2019-02-30', '2019-02-30'],
  ['a number that there is not', '1e400', '1e400'],
  ['what is no plane of YAML', '\u{1f600}', '"\\U0001F600"'],
])('%s', (_name, text, written) => {
  expect(encodeYaml({ a: text })).toBe(`a: ${written}\n`);
  expect(decodeYaml(encodeYaml({ a: text })).value).toEqual({ a: text });
});

it('keys stand in the order of go-yaml: numbers by what they count, letters last', () => {
  const keys = ['a10', 'a2', 'a01', 'ab', 'a_b', 'aB', '-x', 'n.', '2', '10', 'y'];
  const written = ['-x', '"2"', '"10"', 'a_b', 'a01', 'a2', 'a10', 'aB', 'ab', 'n.', '"y"'];
  expect(encodeYaml(Object.fromEntries(keys.map((key) => [key, 0])))).toBe(written.map((key) => `${key}: 0\n`).join(''));
});

it('a key of several lines, or of very many characters, stands in front of a line of its own', () => {
  const value = { ['k'.repeat(129)]: { a: 1, b: [1] }, 'one\ntwo': 'x' };
  expect(encodeYaml(value)).toBe(`? ${'k'.repeat(129)}\n: a: 1\n  b:\n  - 1\n? |-\n  one\n  two\n: x\n`);
});

it('what is no integer is written as Go writes it', () => {
  expect(encodeYaml([1.5, 1234567.5, 0.00001, 1e21, 9007199254740993n])).toBe('- 1.5\n- 1.2345675e+06\n- 1e-05\n- 1e+21\n- 9007199254740993\n');
});

it('times, words of YAML and numbers as text stand in quotes, values do not', () => {
  const value = { time: '2026-01-01T00:00:00Z', word: 'yes', number: '5', n: 5, b: true, none: null };
  const text = 'b: true\n"n": 5\nnone: null\nnumber: "5"\ntime: "2026-01-01T00:00:00Z"\nword: "yes"\n';
  expect(encodeYaml(value)).toBe(text);
});

it('an encoder of many values writes each as if it stood alone', () => {
  const encode = createYamlEncoder();
  const values = [{ 'k:{"a":"b"}': 'x: y' }, { 'x: y': 'k:{"a":"b"}' }, { a: 'line\nline\n', deep: { b: 'line\nline\n' } }, { a: '0' }, { 0: 'a' }];
  for (const value of [...values, ...values]) expect(encode([value])).toBe(encodeYaml([value]));
});

/** Pieces that have a meaning somewhere in YAML, and such that have none. */
const piece = fc.constantFrom(
  ...': # - ? , [ ] { } & * ! | > % @ ` = . / \\ " \' ~ a B 7 _ y no'.split(' '),
  ' ',
  ': ',
  ' #',
  '\t',
  'é',
  'true',
  '1e3',
);
const anyText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

it('whatever begins as plain texts do is read as what it was', () => {
  fc.assert(
    fc.property(fc.constantFrom('a', 'Zz', '/', 'key'), anyText, fc.boolean(), (start, rest, isLong) => {
      const text = isLong ? `${start}${rest}`.repeat(30) : `${start}${rest}`;
      expect(decodeYaml(encodeYaml({ a: text, [text]: [text] })).value).toEqual({ a: text, [text]: [text] });
    }),
    { numRuns: 2000 },
  );
});

const anyValue = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, anyText, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(anyText, tie('value'), { maxKeys: 5, noNullPrototype: true }),
})).value;

it('any value is read as what was written, alone or behind others', () => {
  const encode = createYamlEncoder();
  fc.assert(
    fc.property(anyValue, (value) => {
      const written = encodeYaml([value]);
      expect(decodeYaml(written).value).toEqual([value]);
      expect(encode([value])).toBe(written);
    }),
    { numRuns: 500 },
  );
});

it('maps with keys that are not there, or stand in another order, are written as others of their keys', () => {
  const encode = createYamlEncoder();
  const values = [{ b: 1, a: 2 }, { b: 1, c: undefined, a: 2 }, { a: 2, b: 1 }, { b: undefined }, {}, { b: 1, a: { b: [] } }];
  for (const value of [...values, ...values]) expect(encode(value)).toBe(encodeYaml(value));
  expect(values.map((value) => encode([value]))).toEqual([
    '- a: 2\n  b: 1\n',
    '- a: 2\n  b: 1\n',
    '- a: 2\n  b: 1\n',
    '- {}\n',
    '- {}\n',
    '- a:\n    b: []\n  b: 1\n',
  ]);
});

it('more sets of keys than are remembered are written all the same', () => {
  const encode = createYamlEncoder();
  for (let index = 0; index < 6000; index++) expect(encode({ z: 1, [`key-${index}`]: 'a' })).toBe(`key-${index}: a\nz: 1\n`);
});
