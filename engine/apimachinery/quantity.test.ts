import { expect, test } from 'vitest';
import { canonicalQuantity, isWholeQuantity } from './quantity-text.ts';
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  scaledValueFromIntOrPercent,
  subQuantity,
} from './quantity.ts';

test.each([
  ['0', '0'],
  ['0Mi', '0'],
  ['00', '0'],
  ['1', '1'],
  ['1000', '1k'],
  ['1500', '1500'],
  ['1000m', '1'],
  ['100m', '100m'],
  ['0.1', '100m'],
  ['.5', '500m'],
  ['1.5', '1500m'],
  ['1024Mi', '1Gi'],
  ['512Mi', '512Mi'],
  ['1536Mi', '1536Mi'],
  ['1.5Gi', '1536Mi'],
  ['0.5Mi', '512Ki'],
  ['1Ki', '1Ki'],
  ['0.5Ki', '512'],
  ['1.1Ki', '1126400m'],
  ['1e3', '1e3'],
  ['12e6', '12e6'],
  ['1e1', '10'],
  ['+5', '+5'],
  ['05', '05'],
  ['1.234', '1.234'],
  ['1.5', '1500m'],
  ['.125', '125m'],
  ['0.125', '125m'],
  ['1e0', '1e0'],
  ['1.000', '1'],
  ['12345678901234567.8901', '12345678901234567890100u'],
  ['-1000m', '-1'],
  ['-2Mi', '-2Mi'],
  ['1000000Ki', '1000000Ki'],
  ['1.0000000001', '1000000001n'],
  ['0.0000000001', '1n'],
  ['100000000000000000000', '100E'],
  ['9223372036854775808Ki', '9223372036854775807'],
  ['1M', '1M'],
  ['1000k', '1M'],
  ['1E', '1E'],
  ['10E6', '10E6'],
  ['2048', '2048'],
  [' 5Gi ', '5Gi'],
  ['1k', '1k'],
])('%s reads %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test.each([
  ['', /must match/],
  ['a', /must match/],
  ['1ki', /suffix/],
  ['1.2.3', /must match/],
  ['5 Gi', /must match/],
  ['1mi', /suffix/],
  ['--1', /suffix/],
  ['1e1001', /suffix/],
])('%s is no quantity', (text, message) => {
  expect(() => canonicalQuantity(text)).toThrow(message);
});

test('arithmetic is exact', () => {
  const sum = (a: string, b: string): string => formatQuantity(addQuantity(parseQuantity(a), parseQuantity(b)));
  expect(sum('100m', '0.9')).toBe('1');
  expect(sum('0', '1Gi')).toBe('1Gi');
  expect(sum('1Gi', '1G')).toBe('2073741824');
  expect(formatQuantity(subQuantity(parseQuantity('1'), parseQuantity('1500m')))).toBe('-500m');
  expect(compareQuantity(parseQuantity('1Gi'), parseQuantity('1G'))).toBe(1);
  expect(compareQuantity(parseQuantity('1000m'), parseQuantity('1'))).toBe(0);
  expect([
    quantityValue(parseQuantity('1001m')),
    quantityMilliValue(parseQuantity('1.5')),
    quantityValue(parseQuantity('-1100m')),
    quantityValue(parseQuantity('2Gi')),
  ]).toEqual([2, 1500, -2, 2147483648]);
});

test('counts and percentages', () => {
  expect(scaledValueFromIntOrPercent('25%', 10, true)).toBe(3);
  expect(scaledValueFromIntOrPercent('25%', 10, false)).toBe(2);
  expect(scaledValueFromIntOrPercent(4, 10, false)).toBe(4);
  expect(() => scaledValueFromIntOrPercent('4', 10, false)).toThrow('invalid value for IntOrString: invalid type: string is not a percentage');
});

test.each([
  ['1', true],
  ['1.234', false],
  ['1500m', false],
  ['0.0000000001', false],
  ['2000m', true],
  ['8E', true],
  ['1e20', true],
  ['1e400', true],
  ['123456789012345678', false],
  ['12345678901234567890', false],
  ['-1.5', false],
  ['1.5Gi', true],
  ['1.5', false],
])('%s is whole: %s, as upstream sees it in 64 bits', (text, isWhole) => {
  expect(isWholeQuantity(text)).toBe(isWhole);
});
