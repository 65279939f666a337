import { describe, expect, it } from 'vitest';
import { groupedLines } from './lines.ts';

const groups = [
  { key: 'node-0', count: 2 },
  { key: 'node-1', count: 3 },
  { key: '', count: 1 },
];

describe('lines of groups', () => {
  it('have a head over their rows', () => {
    const lines = groupedLines(groups, new Set());
    expect(lines.total).toBe(9);
    expect([0, 1, 2, 3, 4, 6, 7, 8].map((index) => lines.rowAt(index))).toEqual([undefined, 0, 1, undefined, 2, 4, undefined, 5]);
    expect([0, 1, 2, 4, 5].map((row) => lines.indexOf(row))).toEqual([1, 2, 4, 6, 8]);
    expect(lines.lineAt(5)).toMatchObject({ group: { key: 'node-1' }, isHead: false });
  });
  it('leave only the head of a collapsed group', () => {
    const lines = groupedLines(groups, new Set(['node-1']));
    expect(lines.total).toBe(6);
    expect([2, 3, 4, 5].map((index) => lines.rowAt(index))).toEqual([1, undefined, undefined, 2]);
    expect(lines.indexOf(2)).toBe(5);
  });
});
