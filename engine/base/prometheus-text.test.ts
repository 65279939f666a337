import { describe, expect, it } from 'vitest';
import { compareLabels, metricHead, metricLine, metricPage } from './prometheus-text.ts';

describe('a sample', () => {
  // Each value beside what Go's strconv.FormatFloat(value, 'g', -1, 64) gives.
  it.each([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [999_999, '999999'],
    [1_000_000, '1e+06'],
    [6_291_456, '6.291456e+06'],
    [123_456_789, '1.23456789e+08'],
    [1.5e21, '1.5e+21'],
    [0.25, '0.25'],
    [0.0001, '0.0001'],
    [0.00004, '4e-05'],
    [4.253000000000001e-6, '4.253000000000001e-06'],
    [-1234567, '-1.234567e+06'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NaN, 'NaN'],
  ])('of %d is written %s', (value, text) => {
    expect(metricLine('m', {}, value)).toBe(`m ${text}\n`);
  });

  it('has its labels in order, escaped, and the bound of a bucket last', () => {
    expect(metricLine('m_bucket', { z: 'a"b\\c\nd\té', a: '' }, 3, { le: 0.005 })).toBe('m_bucket{a="",z="a\\"b\\\\c\\nd\té",le="0.005"} 3\n');
    expect(metricLine('m', { a: 'x' }, 2, { timeMs: 1_700_000_000_000 })).toBe('m{a="x"} 2 1700000000000\n');
  });

  it('stands by the values of its labels', () => {
    const samples = [
      { a: 'x!', b: '1' },
      { b: '2', a: 'x' },
      { a: 'x', b: '10' },
    ];
    expect(samples.toSorted(compareLabels)).toEqual([samples[2], samples[1], samples[0]]);
  });
});

it('a head escapes lines and keeps quotes', () => {
  expect(metricHead('m', 'gauge', 'a "b"\n\\')).toBe('# HELP m a "b"\\n\\\\\n# TYPE m gauge\n');
});

it('a page has its metrics by their names', () => {
  const [b, a, c] = ['b', 'a', 'a_b'].map((name) => metricHead(name, 'gauge', 'h') + metricLine(name, {}, 1));
  expect(metricPage([`${b}${a}`, '', `${c}`])).toBe(`${a}${c}${b}`);
});
