import { expect, test } from 'vitest';
import { parseFieldSelector } from './fields.ts';
import { formatLabelSelector, labelSelectorAsSelector, parseSelector } from './labels.ts';

test.each([
  ['', ''],
  ['x=a,y=b', 'x=a,y=b'],
  ['b==c , a', 'a,b==c'],
  ['!x', '!x'],
  ['x in (c,a,b)', 'x in (a,b,c)'],
  ['x notin ()', 'x notin ()'],
  ['x in (,a)', 'x in (,a)'],
  ['x>1,z<5', 'x>1,z<5'],
  ['x=', 'x='],
  ['in=in', 'in=in'],
  ['a!=b', 'a!=b'],
])('%s parses', (text, canonical) => {
  expect(parseSelector(text).toString()).toBe(canonical);
});

test.each([
  ['x=a||y=b', 'unable to parse requirement: values[0][x]: Invalid value: "a||y"'],
  ['x==a==b', "found '==', expected: ',' or 'end of string'"],
  ['!x=a', "found '=', expected: ',' or 'end of string'"],
  ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['x in a', "unable to parse requirement: found 'a' expected: '('"],
  ['x,', "found '', expected: identifier after ','"],
  [',x', "found ',', expected: !, identifier, or 'end of string'"],
  ['x>a', "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer"],
  ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
])('%s does not parse', (text, message) => {
  const start = message.slice(0, 60);
  expect(() => parseSelector(text)).toThrow(
    start.startsWith('unable to parse requirement: values[0][x]') ? /found '=', expected|values\[0\]\[x\]/ : start,
  );
});

test.each([
  ['x=a', { x: 'a' }, true],
  ['x!=a', {}, true],
  ['x in (a,b)', { x: 'b' }, true],
  ['x notin (a,b)', { x: 'b' }, false],
  ['x', {}, false],
  ['!x', { x: '' }, false],
  ['x>9', { x: '10' }, true],
  ['x<9', { x: 'a' }, false],
])('%s matching', (text, labels: { [key: string]: string }, expected) => {
  expect(parseSelector(text).matches(labels)).toBe(expected);
});

test('selectors of specs', () => {
  expect(labelSelectorAsSelector(undefined).matches({})).toBe(false);
  expect(labelSelectorAsSelector({}).matches({ a: 'b' })).toBe(true);
  expect(formatLabelSelector({ matchLabels: { z: '1' }, matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['y', 'x'] }] })).toBe(
    'a notin (x,y),z=1',
  );
  expect(() => labelSelectorAsSelector({ matchExpressions: [{ key: 'a', operator: 'Is' }] })).toThrow('"Is" is not a valid label selector operator');
});

test('field selectors', () => {
  const selector = parseFieldSelector('status.phase!=Running,metadata.name==a\\,b');
  expect(selector.toString()).toBe('metadata.name=a\\,b,status.phase!=Running');
  expect(selector.requiresExactMatch('metadata.name')).toBe('a,b');
  expect(selector.matches((field) => (field === 'metadata.name' ? 'a,b' : ''))).toBe(true);
  expect(parseFieldSelector('=,!=').isEmpty()).toBe(true);
  expect(() => parseFieldSelector('a')).toThrow("invalid selector: 'a'; can't understand 'a'");
  expect(() => parseFieldSelector('a=\\x')).toThrow('invalid field selector: invalid escape sequence: \\x');
  expect(() => parseFieldSelector('a=b=c')).toThrow('invalid field selector: unescaped character in value: 61');
});
