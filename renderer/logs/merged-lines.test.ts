import { describe, expect, it } from 'vitest';
import { LogTail } from './log-tail.ts';
import { linesMax, type LogLines } from './log-lines.ts';
import { MergedLines, type MergedSource } from './merged-lines.ts';
import { selectorOf } from './pods-of.ts';

const at = (second: number, text: string): string => `${new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('.000Z', 'Z')} ${text}\n`;
const textsOf = (lines: MergedLines | LogLines): readonly string[] =>
  Array.from({ length: lines.count }, (_, index) => lines.at(lines.first + index)?.text ?? '');

describe('a log that is read again', () => {
  it('takes each line once, whatever stands at the second it reads on from', () => {
    const tail = new LogTail(1);
    expect(tail.since).toBeUndefined();
    tail.add(at(1, 'a') + at(2, 'b') + at(2, 'b'), true);
    expect(tail.since).toBe('2026-01-01T00:00:02Z');
    tail.add(at(2, 'b') + at(2, 'b') + at(2, 'b') + at(3, 'c'), true);
    tail.add(at(3, 'c'), true);
    expect(textsOf(tail.lines)).toEqual(['a', 'b', 'b', 'b', 'c']);
  });

  it('orders times that leave zeros out, and reads a cut line again whole', () => {
    const tail = new LogTail(1);
    tail.add('2026-01-01T00:00:01.5Z early\n2026-01-01T00:00:01.500000001Z late\n2026-01-01T00:00:02Z cu', false);
    tail.add('2026-01-01T00:00:01.500Z early\n2026-01-01T00:00:01.500000001Z late\n2026-01-01T00:00:02Z cut no more', true);
    expect(textsOf(tail.lines)).toEqual(['early', 'late', 'cut no more']);
  });

  it('tells what begins after the last line read: something may be between', () => {
    const tail = new LogTail(1);
    tail.add(at(1, 'a'), true);
    expect(tail.add(at(1, 'a') + at(2, 'b'), true)).toBe(false);
    expect(tail.add(at(9, 'z'), true)).toBe(true);
    expect(tail.add('', true)).toBe(false);
  });
});

describe('several logs as one', () => {
  const source = (name: string): MergedSource & { readonly tail: LogTail } => {
    const tail = new LogTail(1);
    return { tail, lines: tail.lines, name: { name, colour: 0 } };
  };

  it('stand by time, those of one instant in the order of the logs, each with its name', () => {
    const [a, b] = [source('a'), source('b')];
    a.tail.add(at(1, 'a1') + at(3, 'a3'), true);
    b.tail.add(at(2, 'b2') + at(3, 'b3'), true);
    const merged = new MergedLines().with([a, b]);
    expect(textsOf(merged)).toEqual(['a1', 'b2', 'a3', 'b3']);
    expect(merged.at(1)?.from?.name).toBe('b');
    a.tail.add(at(4, 'a4'), true);
    expect(merged.with([a, b])).toBe(merged);
    expect(merged.at(4)).toMatchObject({ number: 4, text: 'a4' });
  });

  it('what comes late stands where it belongs, in lines that are others than before', () => {
    const [a, b] = [source('a'), source('b')];
    a.tail.add(at(1, 'a1') + at(5, 'a5'), true);
    const before = new MergedLines().with([a, b]);
    b.tail.add(at(3, 'b3'), true);
    const after = before.with([a, b]);
    expect(after).not.toBe(before);
    expect(textsOf(after)).toEqual(['a1', 'b3', 'a5']);
    expect(after.at(2)?.number).toBe(2);
  });

  it('are bounded, and say how many are gone, also of lines that went before they were merged', () => {
    const [a, b] = [source('a'), source('b')];
    const many = (from: number, count: number): string => Array.from({ length: count }, (_, index) => at(from + index, `n${from + index}`)).join('');
    a.tail.add(many(0, linesMax), true);
    b.tail.add(many(0, 10), true);
    let merged = new MergedLines().with([a, b]);
    expect([merged.first, merged.count]).toEqual([10, linesMax]);
    expect(merged.at(9)).toBeUndefined();
    a.tail.add(many(linesMax, 2 * linesMax), true);
    merged = merged.with([a, b]);
    expect([merged.first, merged.count]).toEqual([2 * linesMax + 10, linesMax]);
    expect(merged.at(merged.first + merged.count - 1)).toMatchObject({ number: 3 * linesMax + 9, text: `n${3 * linesMax - 1}` });
  });
});

it.each([
  [{ matchLabels: { app: 'web', tier: 'a' } }, 'app=web,tier=a'],
  [
    {
      matchExpressions: [
        { key: 'k', operator: 'In', values: ['a', 'b'] },
        { key: 'x', operator: 'DoesNotExist' },
      ],
    },
    'k in (a,b),!x',
  ],
  [{ app: 'plain' }, 'app=plain'],
  [{}, ''],
  [undefined, ''],
])('what selects pods is asked for as kubectl does: %j', (selector, asked) =>
  expect(selectorOf({ apiVersion: 'v1', kind: 'Any', metadata: {}, spec: { selector } })).toBe(asked),
);
