import { describe, expect, test } from 'vitest';
import { packTimeline, unpackTimeline } from './packed-timeline.ts';
import type { Timeline, TimelineRow } from './timeline.ts';

const begin = 1_795_781_496_000;

function timelineOf(fromMs: number, ...rows: readonly Partial<TimelineRow>[]): Timeline {
  const whole = rows.map(
    (row, index): TimelineRow => ({
      id: `pods/default/web-${index}`,
      group: '',
      version: 'v1',
      kind: 'Pod',
      resource: 'pods',
      name: `web-${index}`,
      uid: `uid-${index}`,
      createdMs: begin,
      segments: [{ fromMs: begin, state: 'Running', ready: true }],
      marks: [],
      ...row,
    }),
  );
  return {
    kind: 'Timeline',
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    metadata: { name: 'main' },
    range: { fromMs, toMs: begin + 60_000, startMs: begin, nowMs: begin + 60_000 },
    total: whole.length,
    groups: [],
    rows: whole,
    cluster: { pods: [begin, 0, 0, 0, begin + 1500.125, 3, 2, 3], nodes: [] },
    faults: [],
    crashes: [],
  };
}

const mark = { ms: begin + 564.084, type: 'status', revision: 12, text: 'status.phase: Pending → Running', by: 'system:node:pool-0' } as const;
const warning = {
  ms: begin + 564.084,
  type: 'event',
  level: 'Warning',
  text: 'FailedScheduling: 0/3 nodes are available',
  by: 'default-scheduler',
} as const;

describe('a packed timeline is unpacked to what it was', () => {
  test.each<readonly [string, Timeline]>([
    ['nothing in it', timelineOf(begin)],
    ['marks with and without revision, level and writer', timelineOf(begin, { marks: [mark, warning, { ms: begin, type: 'create', text: '' }] })],
    ['a mark from before the range', timelineOf(begin, { marks: [{ ...mark, ms: begin - 12.5 }] })],
    ['a range that begins between two milliseconds', timelineOf(begin - 1234.567, { marks: [mark], area: [begin + 0.301, 3, 1, 2] })],
    ['a range from before 1970', timelineOf(-86_400_000, { marks: [{ ...mark, ms: 0.25 }], area: [0, 1, 1, 1] })],
    ['instants of more digits than thousandths', timelineOf(begin, { marks: [1 / 3, 2 / 3, 0.1 + 0.2].map((ms) => ({ ...mark, ms: begin + ms })) })],
    ['a word that any object inherits', timelineOf(begin, { marks: [{ ...mark, text: '__proto__', by: 'constructor' }] })],
  ])('%s', (_what, timeline) =>
    expect(unpackTimeline(JSON.parse(JSON.stringify(packTimeline(timeline))) as ReturnType<typeof packTimeline>)).toEqual(timeline),
  );
});

test('what many marks say is said once, and instants by few digits', () => {
  const rows = Array.from({ length: 50 }, () => ({ marks: [mark, mark, warning] }));
  const packed = packTimeline(timelineOf(begin, ...rows));
  expect(packed.words).toEqual(['', 'status', mark.text, mark.by, 'event', warning.text, 'Warning', warning.by]);
  expect(packed.rows[0]?.marks).toEqual([564.084, 1, 12, 2, 0, 3, 564.084, 1, 12, 2, 0, 3, 564.084, 4, 0, 5, 6, 7]);
});
