import { expect, test } from 'vitest';
import { durationFault } from './duration-fault.ts';
import { formatDuration, formatMicroTime, formatTime, humanDuration, inOneUnit, parseDuration, parseTime } from './time.ts';

test('times', () => {
  const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  expect(formatTime(ms)).toBe('2026-01-02T03:04:05Z');
  expect(formatMicroTime(ms + 0.9)).toBe('2026-01-02T03:04:05.678900Z');
  expect(parseTime('2026-01-02T04:04:05+01:00')).toBe(ms - 678);
  expect(parseTime('2026-01-02T03:04:05.678Z')).toBe(ms);
  expect(parseTime('2026-01-02T3:04:05Z')).toBe(ms - 678);
  for (const bad of ['', '2026-02-30T00:00:00Z', '2026-01-02', 'x', '2026-01-02T3:04:05', '2026-13-02T00:00:00Z'])
    expect(parseTime(bad)).toBeUndefined();
});

test.each([
  ['1m30s', 90_000, '1m30s'],
  ['0', 0, '0s'],
  ['1.5h', 5_400_000, '1h30m0s'],
  ['-2s', -2000, '-2s'],
  ['1500ms', 1500, '1.5s'],
  ['10us', 0.01, '10µs'],
  ['24h', 86_400_000, '24h0m0s'],
])('duration %s', (text, ms, canonical) => {
  expect(parseDuration(text)).toBe(ms);
  expect(formatDuration(ms)).toBe(canonical);
});

test('texts that are no duration', () => {
  for (const bad of ['', '3', 's', '1d', '1 s', '.s']) expect(parseDuration(bad)).toBeUndefined();
});

test('what is wrong with a text that is no duration is found in a time that grows as its length does', () => {
  const digits = '1'.repeat(300_000);
  expect(durationFault(`${digits}x`, () => '…')).toBe('unknown unit … in duration …');
  expect(durationFault(`1s${digits}.${digits}`, () => '…')).toBe('missing unit in duration …');
});

const minute = 60_000;
const hour = 60 * minute;
test.each([
  [-2000, '<invalid>'],
  [-1500, '0s'],
  [0, '0s'],
  [119_999, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 5000, '2m5s'],
  [10 * minute + 9000, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [8 * hour + minute, '8h'],
  [47 * hour, '47h'],
  [48 * hour, '2d'],
  [49 * hour, '2d1h'],
  [8 * 24 * hour + hour, '8d'],
  [729 * 24 * hour, '729d'],
  [730 * 24 * hour, '2y'],
  [731 * 24 * hour, '2y1d'],
  [8 * 365 * 24 * hour + 24 * hour, '8y'],
])('age %d reads %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test.each([
  ['59s', '59s'],
  ['119s', '1m'],
  ['9m59s', '9m'],
  ['150m', '2h'],
  ['7h59m', '7h'],
  ['47h', '1d'],
  ['7d23h', '7d'],
  ['729d', '1y'],
  ['2y35d', '2y'],
  ['0s', '0s'],
  ['<unknown>', '<unknown>'],
])('%s in one unit', (text, told) => {
  expect(inOneUnit(text)).toBe(told);
});
