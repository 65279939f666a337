import { expect, test } from 'vitest';
import { isDate, isDateTime } from './date-text.ts';

test.each([
  ['2020-02-29T05:00:00z', true],
  ['2020-01-01t23:59:59.5+99:99', true],
  ['2020-01-01T00:00:00,5Z', true],
  ['2020-01-01T5:00:00Z', false],
  ['2020-01-01T24:00:00Z', false],
  ['2021-02-29T00:00:00Z', false],
  ['2020-01-01T00:00:00', false],
  ['20', false],
])('%s is a date-time of schemas and expressions: %s', (text, is) => {
  expect(isDateTime(text)).toBe(is);
});

test('dates are days that there are', () => {
  expect([isDate('2020-02-29'), isDate('1900-02-29'), isDate('2020-1-01'), isDate('2020-04-31')]).toEqual([true, false, false, false]);
});
