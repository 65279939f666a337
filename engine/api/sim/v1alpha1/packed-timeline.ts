/**
 * A timeline as the page asks for it: GET …/timelines/main?packed=true&…
 *
 *   { words: ['', 'default', 'Running', …], kinds: [['apps', 'v1', 'Deployment', 'deployments']], sorts: [[4, 0, 5, 1], …], rows: [{ kind: 0, marks: [4, 701, 0, 2, 6087, 125, 0, 3, …] }] }
 *
 * Hundreds of rows say the same few words, and each instant of a range begins with the same digits: an answer is a third as long, and its length is most of
 * what it costs to send and to read.
 */
import { Instants, isThousandth } from './packed-instants.ts';
import { type PackedTexts, packTexts, unpackTexts } from './packed-texts.ts';
import type { Timeline, TimelineMark, TimelineRow, TimelineSegment } from './timeline.ts';

type Unpacked =
  | 'id'
  | 'group'
  | 'version'
  | 'kind'
  | 'resource'
  | 'namespace'
  | 'owner'
  | 'node'
  | 'createdMs'
  | 'deletedMs'
  | 'segments'
  | 'area'
  | 'marks';

/** Instants are since `range.fromMs`, without its fraction; words by their place in `words`, the first of which is ''. */
export interface PackedRow extends Omit<TimelineRow, Unpacked> {
  /** Its place in `kinds`. */
  readonly kind: number;
  readonly namespace?: number;
  readonly owner?: number;
  readonly node?: number;
  /** Absent where kind, namespace and name tell it. */
  readonly id?: string;
  /** Its instants are milliseconds, each for itself; else thousandths of them, since the one before in the same list. */
  readonly isFine?: true;
  /** When it was created and, if it is, deleted. */
  readonly life: readonly number[];
  /** Five places for each: from, to, state, reason, and the sum of 1 where it has ended, 2 where readiness is told, 4 where it is ready. */
  readonly segments: readonly number[];
  /** Four places for each step: instant, and by how much there is more wished, ready, there than before. */
  readonly area?: readonly number[];
  /** Four places for each: instant, revision since the one before, text (0: the first that was not told yet; else one more than its place), place in `sorts`. */
  readonly marks: readonly number[];
}

export interface PackedTimeline extends Omit<Timeline, 'rows' | 'cluster'> {
  readonly kind: 'Timeline';
  readonly words: readonly string[];
  readonly texts: PackedTexts;
  readonly kinds: readonly (readonly [group: string, version: string, kind: string, resource: string])[];
  /** What marks are, in words: type, level, by, and whether they have a revision. */
  readonly sorts: readonly (readonly [type: number, level: number, by: number, hasRevision: 0 | 1])[];
  readonly rows: readonly PackedRow[];
  readonly cluster: { readonly pods: readonly number[]; readonly nodes: readonly number[]; readonly isFine?: true };
}

/** More than the most rows have: three of their places are one number. */
const wordsMost = 2 ** 17;
const markWidth = 4;
const segmentWidth = 5;
const stepWidth = 4;
const [hasEnded, saysReady, isReady] = [1, 2, 4];

export function packTimeline({ rows, cluster, ...timeline }: Timeline): PackedTimeline {
  return new Packer(Math.floor(timeline.range.fromMs)).pack(timeline, rows, cluster);
}

export function unpackTimeline({ rows, words, texts, kinds, sorts, cluster, ...timeline }: PackedTimeline): Timeline {
  const unpacker = new Unpacker(Math.floor(timeline.range.fromMs), { words, texts: unpackTexts(texts), kinds, sorts });
  const whole = rows.map((row) => unpacker.row(row));
  return { ...timeline, rows: whole, cluster: { pods: unpacker.area(cluster.pods, cluster), nodes: unpacker.area(cluster.nodes, cluster) } };
}

/** Places of what was told, in the order in which it was first. */
class Places {
  readonly #places = new Map<string, number>();

  get told(): readonly string[] {
    return [...this.#places.keys()];
  }

  get count(): number {
    return this.#places.size;
  }

  of(one: string): number {
    let place = this.#places.get(one);
    if (place === undefined) this.#places.set(one, (place = this.#places.size));
    return place;
  }
}

class Packer {
  readonly #sinceMs: number;
  readonly #words = new Places();
  readonly #texts = new Places();
  readonly #kinds = new Places();
  readonly #sorts: PackedTimeline['sorts'][number][] = [];
  readonly #placeOfSort = new Map<number, number>();

  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
    this.#words.of('');
  }

  pack(timeline: Omit<Timeline, 'rows' | 'cluster'>, rows: readonly TimelineRow[], { pods, nodes }: Timeline['cluster']): PackedTimeline {
    const packed = rows.map((row) => this.#row(row));
    const inThousandths = this.#isAreaRough(pods) && this.#isAreaRough(nodes);
    const cluster = { pods: this.#area(pods, inThousandths), nodes: this.#area(nodes, inThousandths), ...(inThousandths ? {} : fine) };
    return {
      ...timeline,
      kind: 'Timeline',
      words: this.#words.told,
      texts: packTexts(this.#texts.told),
      kinds: this.#kinds.told.map((kind) => JSON.parse(kind) as PackedTimeline['kinds'][number]),
      sorts: this.#sorts,
      rows: packed,
      cluster,
    };
  }

  #row(row: TimelineRow): PackedRow {
    const { id, group, version, kind, resource, namespace, owner, node, createdMs, deletedMs, segments, area, marks, ...rest } = row;
    const inThousandths = this.#isRough(row);
    const life = new Instants(this.#sinceMs, inThousandths);
    return {
      ...rest,
      kind: this.#kinds.of(JSON.stringify([group, version, kind, resource])),
      ...(namespace === undefined ? {} : { namespace: this.#words.of(namespace) }),
      ...(owner === undefined ? {} : { owner: this.#words.of(owner) }),
      ...(node === undefined ? {} : { node: this.#words.of(node) }),
      ...(id === idOf(group, resource, namespace, row.name) ? {} : { id }),
      ...(inThousandths ? {} : fine),
      life: (deletedMs === undefined ? [createdMs] : [createdMs, deletedMs]).map((ms) => life.told(ms)),
      segments: this.#segments(segments, inThousandths),
      ...(area === undefined ? {} : { area: this.#area(area, inThousandths) }),
      marks: this.#marks(marks, inThousandths),
    };
  }

  /** All its instants are whole thousandths. */
  #isRough({ createdMs, deletedMs = createdMs, segments, area = [], marks }: TimelineRow): boolean {
    if (!this.#isThousandth(createdMs) || !this.#isThousandth(deletedMs) || !this.#isAreaRough(area)) return false;
    for (const { fromMs, toMs = fromMs } of segments) if (!this.#isThousandth(fromMs) || !this.#isThousandth(toMs)) return false;
    for (const { ms } of marks) if (!this.#isThousandth(ms)) return false;
    return true;
  }

  #isAreaRough(area: readonly number[]): boolean {
    for (let at = 0; at < area.length; at += stepWidth) if (!this.#isThousandth(area[at] as number)) return false;
    return true;
  }

  #isThousandth(ms: number): boolean {
    return isThousandth(this.#sinceMs, ms);
  }

  #segments(segments: readonly TimelineSegment[], inThousandths: boolean): readonly number[] {
    const instants = new Instants(this.#sinceMs, inThousandths);
    return segments.flatMap(({ fromMs, toMs, state, ready, reason = '' }) => {
      const flags = (toMs === undefined ? 0 : hasEnded) + (ready === undefined ? 0 : saysReady) + (ready === true ? isReady : 0);
      return [instants.told(fromMs), instants.told(toMs ?? fromMs), this.#words.of(state), this.#words.of(reason), flags];
    });
  }

  #area(area: readonly number[], inThousandths: boolean): readonly number[] {
    const instants = new Instants(this.#sinceMs, inThousandths);
    const packed = new Array<number>(area.length);
    for (let at = 0; at < area.length; at++) {
      const part = area[at] as number;
      packed[at] = at % stepWidth === 0 ? instants.told(part) : part - (at < stepWidth ? 0 : (area[at - stepWidth] as number));
    }
    return packed;
  }

  #marks(marks: readonly TimelineMark[], inThousandths: boolean): readonly number[] {
    const instants = new Instants(this.#sinceMs, inThousandths);
    const packed = new Array<number>(marks.length * markWidth);
    let [before, at] = [0, 0];
    for (const mark of marks) {
      const { ms, revision, text } = mark;
      const { count } = this.#texts;
      const place = this.#texts.of(text);
      packed[at++] = instants.told(ms);
      packed[at++] = revision === undefined ? 0 : revision - before;
      packed[at++] = place === count ? 0 : place + 1;
      packed[at++] = this.#sortOf(mark);
      before = revision ?? before;
    }
    return packed;
  }

  /** There are few, and thousands of marks: to write each down in order to find it would take longer than all else. */
  #sortOf({ type, level = '', by = '', revision }: TimelineMark): number {
    const words = this.#words;
    const [ofType, ofLevel, ofBy] = [words.of(type), words.of(level), words.of(by)];
    const hasRevision = revision === undefined ? 0 : 1;
    const key = ((ofType * wordsMost + ofLevel) * wordsMost + ofBy) * 2 + hasRevision;
    let place = this.#placeOfSort.get(key);
    if (place === undefined) {
      this.#placeOfSort.set(key, (place = this.#sorts.length));
      this.#sorts.push([ofType, ofLevel, ofBy, hasRevision]);
    }
    return place;
  }
}

interface Told extends Pick<PackedTimeline, 'words' | 'kinds' | 'sorts'> {
  readonly texts: readonly string[];
}

class Unpacker {
  readonly #sinceMs: number;
  readonly #told: Told;
  /** Place of the first text that was not told yet. */
  #nextText = 0;

  constructor(sinceMs: number, told: Told) {
    this.#sinceMs = sinceMs;
    this.#told = told;
  }

  row(row: PackedRow): TimelineRow {
    const { kind: place, namespace: placeOfNamespace, owner, node, id, isFine, life, segments, area, marks, ...rest } = row;
    const [group, version, kind, resource] = this.#told.kinds[place] as PackedTimeline['kinds'][number];
    const namespace = placeOfNamespace === undefined ? undefined : this.#word(placeOfNamespace);
    const instants = new Instants(this.#sinceMs, isFine !== true);
    const [createdMs = 0, deletedMs] = life.map((told) => instants.read(told));
    return {
      ...rest,
      id: id ?? idOf(group, resource, namespace, row.name),
      group,
      version,
      kind,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      ...(owner === undefined ? {} : { owner: this.#word(owner) }),
      ...(node === undefined ? {} : { node: this.#word(node) }),
      createdMs,
      ...(deletedMs === undefined ? {} : { deletedMs }),
      segments: this.#segments(segments, row),
      ...(area === undefined ? {} : { area: this.area(area, row) }),
      marks: this.#marks(marks, row),
    };
  }

  area(area: readonly number[], { isFine }: Pick<PackedRow, 'isFine'>): readonly number[] {
    const instants = new Instants(this.#sinceMs, isFine !== true);
    const steps = new Array<number>(area.length);
    for (let at = 0; at < area.length; at++) {
      const part = area[at] as number;
      steps[at] = at % stepWidth === 0 ? instants.read(part) : part + (at < stepWidth ? 0 : (steps[at - stepWidth] as number));
    }
    return steps;
  }

  #word(place: number): string {
    return this.#told.words[place] as string;
  }

  #segments(packed: readonly number[], { isFine }: PackedRow): readonly TimelineSegment[] {
    const instants = new Instants(this.#sinceMs, isFine !== true);
    const segments: TimelineSegment[] = [];
    for (let at = 0; at < packed.length; at += segmentWidth) {
      const part = (place: number): number => packed[at + place] as number;
      const [fromMs, toMs, reason, flags] = [instants.read(part(0)), instants.read(part(1)), part(3), part(4)];
      segments.push({
        fromMs,
        ...((flags & hasEnded) === 0 ? {} : { toMs }),
        state: this.#word(part(2)),
        ...((flags & saysReady) === 0 ? {} : { ready: (flags & isReady) !== 0 }),
        ...(reason === 0 ? {} : { reason: this.#word(reason) }),
      });
    }
    return segments;
  }

  #marks(packed: readonly number[], { isFine }: PackedRow): readonly TimelineMark[] {
    const instants = new Instants(this.#sinceMs, isFine !== true);
    const { words, texts, sorts } = this.#told;
    const marks = new Array<TimelineMark>(packed.length / markWidth);
    let revision = 0;
    for (let index = 0, at = 0; at < packed.length; index++, at += markWidth) {
      const place = packed[at + 2] as number;
      const [type, level, by, hasRevision] = sorts[packed[at + 3] as number] as PackedTimeline['sorts'][number];
      const text = texts[place === 0 ? this.#nextText++ : place - 1] as string;
      const mark: { -readonly [K in keyof TimelineMark]: TimelineMark[K] } = {
        ms: instants.read(packed[at] as number),
        type: words[type] as TimelineMark['type'],
        text,
      };
      if (hasRevision === 1) mark.revision = revision += packed[at + 1] as number;
      if (level !== 0) mark.level = words[level] as string;
      if (by !== 0) mark.by = words[by] as string;
      marks[index] = mark;
    }
    return marks;
  }
}

const fine = { isFine: true } as const;

/** As rows are named: `pods/default/web-1`, `nodes/pool-0`, `jobs.batch/default/x`. */
function idOf(group: string, resource: string, namespace: string | undefined, name: string): string {
  const type = group === '' ? resource : `${resource}.${group}`;
  return namespace === undefined ? `${type}/${name}` : `${type}/${namespace}/${name}`;
}
