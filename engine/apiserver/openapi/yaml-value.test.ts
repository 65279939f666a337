/** What yaml/v3 of Go makes of values: it was asked about each. */
import { expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { yamlValue } from './yaml-value.ts';

it.each<[JsonValue, string]>([
  ['merge,retainKeys', 'merge,retainKeys'],
  ['*', "'*'"],
  ["it's: here", "'it''s: here'"],
  ['', '""'],
  ['12', '"12"'],
  ['0x1F', '"0x1F"'],
  ['1:30', '"1:30"'],
  ['on', '"on"'],
  ['oN', 'oN'],
  ['~', '"~"'],
  ['a #b', "'a #b'"],
  ['a#b', 'a#b'],
  ['- a', "'- a'"],
  ['-a', '-a'],
  [' a', "' a'"],
  ['ü', 'ü'],
  ['tab\there', '"tab\\there"'],
  ['self > 0\n&& true', '|-\n    self > 0\n    && true'],
  ['one\n\ntwo\n', '|\n    one\n\n    two'],
  ['a \nb', '"a \\nb"'],
  [' a\nb', '|4-\n     a\n    b'],
  ['x\n\n', '|+\n    x\n'],
  ['2001-01-01', '"2001-01-01"'],
  ['1e3', '"1e3"'],
  ['1_000', '"1_000"'],
  ['%a', "'%a'"],
  ['a:', "'a:'"],
  ['? a', "'? a'"],
  ['?a', '?a'],
  ['\u2028', "'\u2028'"],
  ['+.inf', '"+.inf"'],
  [true, 'true'],
  [1.5, '1.5'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: { b: { c: 1 } } }, 'a:\n    b:\n        c: 1'],
  [[{ a: { b: 'x' }, c: 'y' }], '- a:\n    b: x\n  c: "y"'],
  [{ list: ['a', ['b', 'c']] }, 'list:\n    - a\n    - - b\n      - c'],
  [{ list: [{ text: 'x\ny', more: { z: 1 } }] }, 'list:\n    - text: |-\n        x\n        y\n      more:\n        z: 1'],
])('%j', (value, want) => {
  expect(yamlValue(value)).toBe(`${want}\n`);
});
