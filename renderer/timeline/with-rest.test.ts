import { describe, expect, it } from 'vitest';
import type { Timeline, TimelineRow } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { withRest } from './with-rest.ts';

const rowsOf = (names: string, createdMs: number): readonly TimelineRow[] => [...names].map((id) => ({ id, createdMs }) as TimelineRow);
const timelineOf = (names: string, total: number, createdMs: number): Timeline => ({ rows: rowsOf(names, createdMs), total }) as unknown as Timeline;

describe('rows beyond those that are seen', () => {
  const before = timelineOf('abcdef', 9, 1);
  const cases: readonly { name: string; seen: Timeline; want: string }[] = [
    { name: 'stay as they were known', seen: timelineOf('abc', 9, 2), want: 'a2 b2 c2 d1 e1 f1' },
    { name: 'are not kept where there are more rows now', seen: timelineOf('abc', 10, 2), want: 'a2 b2 c2' },
    { name: 'are not kept where another row is the last in sight', seen: timelineOf('abx', 9, 2), want: 'a2 b2 x2' },
    { name: 'are not kept where none is in sight', seen: timelineOf('', 9, 2), want: '' },
    { name: 'are not kept where as many were answered', seen: timelineOf('abcdef', 9, 2), want: 'a2 b2 c2 d2 e2 f2' },
  ];
  for (const { name, seen, want } of cases)
    it(name, () => {
      expect(
        withRest(seen, before)
          .rows.map(({ id, createdMs }) => `${id}${createdMs}`)
          .join(' '),
      ).toBe(want);
    });

  it('own what they were known to own; other groups are those of the answer', () => {
    const grouped = (timeline: Timeline, ...keys: readonly string[]): Timeline => ({
      ...timeline,
      groups: keys.map((key, count) => ({ key, count })),
    });
    const { groups } = withRest(grouped(timelineOf('abc', 9, 2), 'a', 'z'), grouped(before, 'x', 'a', 'e'));
    expect(groups).toEqual([
      { key: 'a', count: 0 },
      { key: 'z', count: 1 },
      { key: 'e', count: 2 },
    ]);
  });

  it('are none where nothing was known', () => {
    const seen = timelineOf('abc', 9, 2);
    expect(withRest(seen, undefined)).toBe(seen);
  });
});
