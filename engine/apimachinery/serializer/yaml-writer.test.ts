/** Texts that are written without asking the library are written as the library would, and read as what they were. */
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
