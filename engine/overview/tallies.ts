/** Counts what the overview shows, change by change: nothing is listed to know how many there are. */
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { Event } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { membersOf } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { isNodeReady } from '../component-helpers/node.ts';
import type { HistoryObserver } from '../history/recorder.ts';
import { resourceType, type Row } from '../history/row.ts';
import type { Change } from '../store/store.ts';
import { LeftOpen } from './left-open.ts';
import { Series, seriesCodec } from './series.ts';

/** Warnings are counted by the minute. */
export const minuteMs = 60_000;
export const podsPrefix = 'pods/';

export class Tallies implements HistoryObserver {
  /** By name, e.g. `pods/Running`. A name is there once it was counted. */
  #series = new Map<string, Series>();
  readonly #leftOpen = new LeftOpen((state, by, ms) => this.#add(`${podsPrefix}${state}`, by, ms));
  /** Whether an object is a workload with fewer pods than it asks for; `resource` with its group. */
  readonly #isShort: (resource: string, object: KubeObject) => boolean;

  constructor(isShort: (resource: string, object: KubeObject) => boolean) {
    this.#isShort = isShort;
  }

  names(): IterableIterator<string> {
    return this.#series.keys();
  }

  series(name: string): Series {
    return this.#series.get(name) ?? new Series();
  }

  onChange({ current, previous, meta }: Change<KubeObject>, row: Row): void {
    const resource = resourceType(row);
    if (resource === 'pods') {
      this.#leftOpen.onPod(previous?.value as Pod | undefined, current?.value as Pod | undefined, meta.virtualMs);
      return;
    }
    if (resource === 'nodes') this.#leftOpen.onNode(row.name, current?.value as Node | undefined, meta.virtualMs);
    const classesOf = classifiers.get(resource) ?? ((object) => (this.#isShort(resource, object) ? ['workloads/Short'] : []));
    const [before, after] = [previous === undefined ? [] : classesOf(previous.value), current === undefined ? [] : classesOf(current.value)];
    for (const name of before) if (!after.includes(name)) this.#add(name, -1, meta.virtualMs);
    for (const name of after) if (!before.includes(name)) this.#add(name, 1, meta.virtualMs);
  }

  onEvent({ type }: Event, _row: Row, ms: number): void {
    if (type !== 'Warning') return;
    const minute = Math.floor(ms / minuteMs) * minuteMs;
    const series = this.#one('warnings');
    const isSame = series.changes.at(-2) === minute;
    // Each minute begins with none, also one that counts as many as the minute before.
    if (!isSame && series.changes.length > 0) series.set((series.changes.at(-2) ?? 0) + minuteMs, 0);
    series.set(minute, (isSame ? series.value : 0) + 1);
  }

  /** Of the last minute, whenever that began: those of the present one, and of the one before the share that is left of it. */
  warningsPerMinute(nowMs: number): number {
    const { changes } = this.series('warnings');
    const minute = Math.floor(nowMs / minuteMs) * minuteMs;
    const countOf = (asked: number): number => {
      let at = changes.length - 2;
      while (at > 0 && (changes[at] as number) > asked) at -= 2;
      return changes[at] === asked ? (changes[at + 1] as number) : 0;
    };
    return countOf(minute) + Math.round(countOf(minute - minuteMs) * (1 - (nowMs - minute) / minuteMs));
  }

  /** Warnings by minute; the last minute that had any ends as the others do. */
  warnings(): Series {
    const { changes } = this.series('warnings');
    return changes.length === 0 ? new Series() : new Series([...changes, (changes.at(-2) ?? 0) + minuteMs, 0]);
  }

  keepIn(slots: Slots): void {
    slots.field(
      'tallies',
      membersOf(seriesCodec),
      () => this.#series,
      (series) => {
        this.#series = new Map(series);
      },
    );
    this.#leftOpen.keepIn(slots);
  }

  #add(name: string, by: number, ms: number): void {
    const series = this.#one(name);
    series.set(ms, series.value + by);
  }

  #one(name: string): Series {
    let series = this.#series.get(name);
    if (series === undefined) this.#series.set(name, (series = new Series()));
    return series;
  }
}

type Classes = (object: KubeObject) => readonly string[];

const classifiers: ReadonlyMap<string, Classes> = new Map<string, Classes>([
  ['nodes', (object) => (isNodeReady(object as Node) ? ['nodes', 'nodes/Ready'] : ['nodes'])],
  ['faults.sim.wavetank.dev', (object) => ((object as { status?: { phase?: string } }).status?.phase === 'Active' ? ['faults/Active'] : [])],
]);
