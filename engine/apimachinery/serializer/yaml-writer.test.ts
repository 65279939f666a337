/** Texts that are written without asking the library are written as the library would, and read as what they were. */
import fc from 'fast-check';
import { dump } from 'js-yaml';
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

it.each(texts.slice(0, 7))('%s stands without quotes, as the library writes it', (_name, text) => {
  expect(encodeYaml({ a: text })).toBe(`a: ${text}\n`);
  expect(dump({ a: text })).toBe(`a: ${text}\n`);
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

it('whatever begins as plain texts do is quoted where the library quotes it', () => {
  fc.assert(
    fc.property(fc.constantFrom('a', 'Zz', '/', 'key'), anyText, (start, rest) => {
      const text = `${start}${rest}`;
      const options = { lineWidth: -1, quoteStyle: 'double' } as const;
      expect(encodeYaml({ a: text })).toBe(dump({ a: text }, options));
      expect(encodeYaml({ [text]: 1 })).toBe(dump({ [text]: 1 }, options));
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
