/** The query behind `timelines/main`: rows that touch a range, filtered, in tree order, with no more marks than the range can show. */
import { type PackedTimeline, packTimeline } from '../api/sim/v1alpha1/packed-timeline.ts';
import type { Timeline, TimelineGroup, TimelineMark, TimelineRow } from '../api/sim/v1alpha1/timeline.ts';
import { newBadRequest } from '../apimachinery/errors.ts';
import { areaWithin } from './area.ts';
import type { Crashes } from './crashes.ts';
import type { HistoryRecorder } from './recorder.ts';
import { RowIndex } from './row-index/row-index.ts';
import { type Mark, marksWithin, type MarkType } from './marks.ts';
import { type Row, showMark, showSegment } from './row.ts';
import { groupRows, isRowGrouping, type RowGrouping } from './row-groups.ts';
import { checkRange, numberIn } from './query-numbers.ts';
import { SteadyPages } from './steady-pages.ts';
import { isSorted, parseRowQuery, type Range, type RowQuery, TimelineRows } from './timeline-rows.ts';

export interface TimelineQuery extends RowQuery {
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly buckets?: number;
  /** Only rows that lived in this part of the range; the rest of the range is asked for ahead of panning. */
  readonly shownFromMs?: number;
  readonly shownToMs?: number;
  readonly group?: RowGrouping;
  /** Keys of groups whose rows are left out; after `*`, of those whose rows are not. */
  readonly collapsed?: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
}

const limitDefault = 200;
const limitMax = 5_000;
const bucketsDefault = 600;
const bucketsMax = 10_000;
/** A row with fewer marks than this share of the buckets shows them all. */
const sparseShare = 1 / 4;

const numberParameters = {
  from: 'fromMs',
  to: 'toMs',
  shownFrom: 'shownFromMs',
  shownTo: 'shownToMs',
  buckets: 'buckets',
  offset: 'offset',
  limit: 'limit',
} as const;

/** What is kept of a crowded bucket. */
const telling: Readonly<Record<MarkType, number>> = {
  delete: 9,
  missed: 8,
  skipped: 8,
  replaced: 8,
  restart: 7,
  finished: 6,
  started: 6,
  scheduled: 6,
  create: 5,
  event: 4,
  condition: 3,
  update: 2,
  status: 1,
};

export class TimelineQueries {
  readonly #recorder: HistoryRecorder;
  readonly #crashes: Crashes;
  readonly #index: RowIndex;
  readonly #rows: TimelineRows;
  readonly #pages: SteadyPages;
  readonly #nowMs: () => number;

  constructor(recorder: HistoryRecorder, crashes: Crashes, nowMs: () => number, index = new RowIndex(recorder)) {
    this.#recorder = recorder;
    this.#crashes = crashes;
    this.#index = index;
    this.#rows = new TimelineRows(index);
    this.#pages = new SteadyPages(index, this.#rows);
    this.#nowMs = nowMs;
  }

  /** Reads labels of so many rows, before a selector is asked of all; tells whether none is left. */
  prepareLabels(most: number): boolean {
    return this.#rows.prepareLabels(most);
  }

  query(query: TimelineQuery): Timeline {
    const nowMs = this.#nowMs();
    const { startMs, areas } = this.#recorder;
    const { fromMs = startMs, toMs = nowMs, offset = 0, limit = limitDefault } = query;
    const buckets = Math.min(bucketsMax, query.buckets ?? bucketsDefault);
    checkRange(fromMs, toMs);
    const { slots, total, groups } = this.#page(query, { fromMs: query.shownFromMs ?? fromMs, toMs: query.shownToMs ?? toMs }, offset, limit);
    const { forgottenUntilMs } = this.#recorder;
    const range = { fromMs, toMs, startMs, nowMs, ...(forgottenUntilMs === 0 ? {} : { forgottenUntilMs }) };
    return {
      kind: 'Timeline',
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      metadata: { name: 'main' },
      range,
      total,
      groups,
      rows: Array.from(slots, (slot) => showRow(this.#index.row(slot), fromMs, toMs, buckets)),
      cluster: {
        pods: areaWithin(areas.pods, fromMs, toMs, buckets),
        nodes: areaWithin(areas.nodes, fromMs, toMs, buckets),
      },
      faults: this.#recorder.faults.within(fromMs, toMs),
      crashes: this.#crashes.within(fromMs, toMs),
    };
  }

  /** As the page asks: of groups by owner those alone whose owner is among the rows, which are a few of thousands. */
  packed(query: TimelineQuery): PackedTimeline {
    const timeline = this.query(query);
    if (groupingOf(query) !== 'owner') return packTimeline(timeline);
    const shown = new Set(timeline.rows.map(({ id }) => id));
    return packTimeline({ ...timeline, groups: (timeline.groups ?? []).filter(({ key }) => shown.has(key)) });
  }

  #page(query: TimelineQuery, range: Range, offset: number, limit: number): { slots: Int32Array; total: number; groups: readonly TimelineGroup[] } {
    const { sort = 'tree' } = query;
    const group = groupingOf(query);
    const end = offset + Math.min(limit, limitMax);
    if (sort === 'tree') {
      const { slots, groups } = this.#pages.page(query, group, range);
      return { slots: slots.subarray(offset, end), total: slots.length, groups };
    }
    const found = this.#rows.select(query, range);
    if (group === 'none') return { slots: this.#rows.sorted(found, sort, range, offset, end), total: found.length, groups: [] };
    const all = this.#rows.sorted(found, sort, range, 0, found.length);
    const { slots, groups } = groupRows(this.#index, all, group, new Set(query.collapsed));
    return { slots: slots.subarray(offset, end), total: slots.length, groups };
  }
}

function groupingOf(query: TimelineQuery): RowGrouping {
  return query.group ?? (isSorted(query) ? 'none' : 'owner');
}

/** The query as it stands in an address. */
export function parseTimelineQuery(query: { readonly [parameter: string]: string }): TimelineQuery {
  const parsed: { -readonly [K in keyof TimelineQuery]: TimelineQuery[K] } = {};
  for (const [parameter, name] of Object.entries(numberParameters)) {
    const value = numberIn(query, parameter);
    if (value !== undefined) parsed[name] = value;
  }
  Object.assign(parsed, parseRowQuery(query));
  if (query['collapsed']) parsed.collapsed = query['collapsed'].split(',');
  const group = query['group'];
  if (group) {
    if (!isRowGrouping(group)) throw newBadRequest(`group=${group} is none of owner, node, namespace, kind and none`);
    parsed.group = group;
  }
  return parsed;
}

function showRow(row: Row, fromMs: number, toMs: number, buckets: number): TimelineRow {
  // The planned time of a late run lies before marks that were made earlier.
  const inRange = marksWithin(row.marks, fromMs, toMs).sort((a, b) => a.ms - b.ms);
  const isSparse = inRange.length <= Math.max(8, buckets * sparseShare);
  const { marks, ...densities } = isSparse ? { marks: inRange } : thin(inRange, fromMs, toMs, buckets);
  return {
    id: row.id,
    group: row.group,
    version: row.version,
    kind: row.kind,
    resource: row.resource,
    ...(row.namespace === '' ? {} : { namespace: row.namespace }),
    name: row.name,
    uid: row.uid,
    ...(row.owner === '' ? {} : { owner: row.owner }),
    ...(row.node === '' ? {} : { node: row.node }),
    createdMs: row.createdMs,
    ...(row.deletedMs === 0 ? {} : { deletedMs: row.deletedMs }),
    segments: row.segments.filter((one) => one.fromMs <= toMs && (one.toMs === 0 || one.toMs >= fromMs)).map(showSegment),
    ...(row.area.length === 0 ? {} : { area: areaWithin(row.area, fromMs, toMs, buckets) }),
    marks: marks.map(showMark) as readonly TimelineMark[],
    ...densities,
    ...(row.dropped === 0 ? {} : { droppedMarks: row.dropped }),
  };
}

type Densities = Required<Pick<TimelineRow, 'density' | 'densityEvents' | 'densityWarnings'>>;

/** The most telling mark of each bucket; the others are counted. */
function thin(marks: readonly Mark[], fromMs: number, toMs: number, buckets: number): { readonly marks: readonly Mark[] } & Densities {
  const best = new Map<number, Mark>();
  const [density, densityEvents, densityWarnings] = [0, 0, 0].map(() => new Array<number>(buckets).fill(0)) as [number[], number[], number[]];
  const span = Math.max(toMs - fromMs, 1);
  const count = (bucket: number, { type, level }: Mark): void => {
    const add = (counts: number[]): void => void (counts[bucket] = (counts[bucket] as number) + 1);
    add(density);
    if (level === 'Warning') add(densityWarnings);
    else if (type === 'event') add(densityEvents);
  };
  for (const mark of marks) {
    const bucket = Math.min(buckets - 1, Math.floor(((mark.ms - fromMs) / span) * buckets));
    const before = best.get(bucket);
    const isBetter = before === undefined || weightOf(mark) > weightOf(before);
    if (before !== undefined) count(bucket, isBetter ? before : mark);
    if (isBetter) best.set(bucket, mark);
  }
  return { marks: [...best.values()].sort((a, b) => a.ms - b.ms), density, densityEvents, densityWarnings };
}

/** A warning among Events is more telling than they are, and than a change in passing. */
function weightOf({ type, level }: Mark): number {
  return telling[type] + (level === 'Warning' ? 0.5 : 0);
}
