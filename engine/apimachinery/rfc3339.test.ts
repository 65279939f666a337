import { expect, test } from 'vitest';
import { readTime } from './rfc3339.ts';
import { parseTime } from './time.ts';

test.each([
  ['2020-01-01T5:00:00Z', '2020-01-01T05:00:00Z'],
  ['2020-01-01T00:00:00,5Z', '2020-01-01T00:00:00.500Z'],
  ['2020-01-02T00:00:00+24:00', '2020-01-01T00:00:00Z'],
  ['2020-01-01T01:00:00-00:60', '2020-01-01T02:00:00Z'],
  ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00Z'],
  [`2020-01-01T00:00:00.${'1'.repeat(100)}Z`, '2020-01-01T00:00:00.111Z'],
  ['0069-01-01T00:00:00Z', '0069-01-01T00:00:00Z'],
])('%s is a time as Go reads it', (text, same) => {
  expect(Math.floor(parseTime(text) ?? 0)).toBe(Date.parse(same));
});

test.each([
  ['2020-13-01T00:00:00x', 'parsing time "2020-13-01T00:00:00x": month out of range'],
  ['2020-01-32T00:00:00Z', 'parsing time "2020-01-32T00:00:00Z": day out of range'],
  ['2021-02-29T00:00:00Z', 'parsing time "2021-02-29T00:00:00Z": day out of range'],
  ['2020-01-01T24:00', 'parsing time "2020-01-01T24:00": hour out of range'],
  ['2020-01-01T00:00:00+25:61', 'parsing time "2020-01-01T00:00:00+25:61": time zone offset minute out of range'],
  ['2020-01-01T00:00:00*01:00', 'parsing time "2020-01-01T00:00:00*01:00" as "2006-01-02T15:04:05Z07:00": cannot parse "*01:00" as "Z07:00"'],
  ['é', String.raw`parsing time "\xc3\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "\xc3\xa9" as "2006"`],
  ['2020-01-01T00:00:00Zx', 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
  ['9999-12-31T23:59:59-23:59', 'parsing time "9999-12-31T23:59:59-23:59": year out of range'],
])('%s is none, and it is told why', (text, why) => {
  expect(readTime(text, 'seconds')).toBe(why);
});

test('microseconds are six digits, of any year exactly', () => {
  expect(readTime('0001-01-01T00:00:00.000001+01:00', 'micros')).toEqual({
    secondMs: Date.parse('0001-01-01T00:00:00Z') - 3_600_000,
    fraction: '000001',
  });
  expect(readTime('2020-01-01T00:00:00Z', 'micros')).toBe(
    'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  );
  expect(readTime('2020-01-01T00:00:00.-00001Z', 'micros')).toBe('parsing time "2020-01-01T00:00:00.-00001Z": fractional second out of range');
});

test('a long text costs no more than its length', () => {
  expect(readTime(`2020-01-01T00:00:00.${'1'.repeat(300_000)}`, 'seconds')).toContain('cannot parse "" as "Z07:00"');
});
