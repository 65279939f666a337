import { describe, expect, test } from 'vitest';
import { packTexts, unpackTexts } from './packed-texts.ts';
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
      ...(row.kind === 'Node' ? {} : { namespace: 'default' }),
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

const gone = {
  deletedMs: begin + 10_000.5,
  segments: [
    { fromMs: begin, toMs: begin + 4000.25, state: 'Pending', ready: false, reason: 'ContainerCreating' },
    { fromMs: begin + 4000.25, toMs: begin + 10_000.5, state: 'Exists' },
  ],
} as const;
const node = { kind: 'Node', resource: 'nodes', name: 'pool-0', id: 'nodes/pool-0' } as const;

describe('a packed timeline is unpacked to what it was', () => {
  test.each<readonly [string, Timeline]>([
    ['nothing in it', timelineOf(begin)],
    ['marks with and without revision, level and writer', timelineOf(begin, { marks: [mark, warning, { ms: begin, type: 'create', text: '' }] })],
    ['a mark from before the range', timelineOf(begin, { marks: [{ ...mark, ms: begin - 12.5 }] })],
    ['a range that begins between two milliseconds', timelineOf(begin - 1234.567, { marks: [mark], area: [begin + 0.301, 3, 1, 2] })],
    ['a range from before 1970', timelineOf(-86_400_000, { marks: [{ ...mark, ms: 0.25 }], area: [0, 1, 1, 1] })],
    ['instants of more digits than thousandths', timelineOf(begin, { marks: [1 / 3, 2 / 3, 0.1 + 0.2].map((ms) => ({ ...mark, ms: begin + ms })) })],
    [
      'what was created long before and is gone, in a state that has ended for a reason',
      timelineOf(begin, { ...gone, createdMs: begin - 86_400_000.125 }),
    ],
    ['a row of no namespace, and one that is named in a way of its own', timelineOf(begin, { ...node }, { ...node, id: 'nodes/another' })],
    [
      'what is of a namespace, an owner and a node',
      timelineOf(begin, { namespace: 'default', owner: 'replicasets.apps/default/web', node: 'pool-0' }),
    ],
    [
      'revisions out of order and texts that return',
      timelineOf(begin, { marks: [mark, { ...mark, revision: 4, text: 'ready: 1' }, { ...mark, text: 'ready: 2' }, mark] }),
    ],
    [
      'what is counted of marks that are left out',
      timelineOf(begin, { density: [0, 2], densityEvents: [0, 1], densityWarnings: [0, 0], droppedMarks: 3 }),
    ],
    ['an area over time', timelineOf(begin, { area: [begin - 5, 3, 0, 1, begin + 10.25, 3, 2, 3, begin + 11, 5, 3, 3] })],
    ['a word that any object inherits', timelineOf(begin, { marks: [{ ...mark, text: '__proto__', by: 'constructor' }] })],
  ])('%s', (_what, timeline) =>
    expect(unpackTimeline(JSON.parse(JSON.stringify(packTimeline(timeline))) as ReturnType<typeof packTimeline>)).toEqual(timeline),
  );
});

test('what many marks say is said once, and instants by few digits', () => {
  const rows = Array.from({ length: 50 }, () => ({ marks: [mark, { ...mark, ms: mark.ms + 1.5, revision: 14 }, warning] }));
  const packed = packTimeline(timelineOf(begin, ...rows));
  expect(packed.words).toEqual(['', 'default', 'Running', 'status', mark.by, 'event', 'Warning', warning.by]);
  expect(packed.texts).toEqual({ forms: [], texts: [mark.text, warning.text] });
  expect(packed.sorts).toEqual([
    [3, 0, 4, 1],
    [5, 6, 7, 0],
  ]);
  expect(packed.rows[0]?.id).toBeUndefined();
  expect(packed.rows[0]?.marks).toEqual([564_084, 12, 0, 0, 1500, 2, 1, 0, -1500, 0, 0, 1]);
  expect(packed.rows[49]?.marks).toEqual([564_084, 12, 1, 0, 1500, 2, 1, 0, -1500, 0, 2, 1]);
});

test('of texts that differ by their numbers alone the numbers are said', () => {
  const all = ['ready: 2 → 3', 'created', 'ready: 03 → 14', 'of #1', 'of #2', 'alone: 7', ''];
  const packed = packTexts(all);
  expect(packed).toEqual({ forms: ['ready: # → #'], texts: [[0, '2 3'], 'created', [0, '03 14'], 'of #1', 'of #2', 'alone: 7', ''] });
  expect(unpackTexts(packed)).toEqual(all);
});
