/** Reads a base with the restore points that stand on it, up to a place (SESSION-FILE.md F9, F11). */
import { assert } from '../base/assert.ts';
import type { JsonValue } from '../base/json.ts';
import { Lazy } from '../store/lazy.ts';
import type { CheckpointChange, CheckpointEntry, PastPiece, StoreLoad } from '../store/store.ts';
import { apply, applyTo } from './delta.ts';
import { DerivedLines, place } from './derived-lines.ts';
import { beginsWith, checksumLength, decodeLine, isWhole, type SplitLine, splitLine, typeOf } from './log-line.ts';
import { isSealed, type LineSeals, openLine } from './sealed-lines.ts';
import { KeptLines } from './kept-lines.ts';
import { type LineAt, type RawLine, scanLines } from './log-reader.ts';
import {
  type BasedRecord,
  type BaseRecord,
  type ChangeRecord,
  type CheckpointRecord,
  type EntryRecord,
  metaOf,
  type PastRecord,
  type RestorePoint,
  type SessionRecord,
} from './session-records.ts';

/** A whole state as a file holds it. */
export interface StoredState {
  readonly point: RestorePoint;
  /** What the next restore point names as that which it is a delta to. */
  readonly address: number;
  /** Addresses of its base, and of the end of that. */
  readonly base: number;
  readonly based: number;
  readonly floor: number;
  /** The build that wrote it. */
  readonly build: string;
  /** Offset of the first line after the place of the restore point; pieces of a base may stand among them. */
  readonly end: number;
  readonly baseBytes: number;
  readonly store: StoreLoad<JsonValue>;
  /** Revision of the base: what was derived knows the changes up to here. */
  readonly baseRevision: number;
  /** What components remember. */
  readonly state: JsonValue;
  /** What was derived from all changes up to the base: still text. */
  readonly derived: DerivedLines;
}

export interface StateToRead {
  /** The end of the base, at this offset. */
  readonly based: BasedRecord;
  readonly offset: number;
  /** What is added to an offset to have an address. */
  readonly shift: number;
  readonly tasksMax: number;
  /** Where to stop reading. */
  readonly to: number;
  /** Opens lines that are sealed. */
  readonly seals?: LineSeals | undefined;
}

/** A value that is made of the one before it asks for that first: such rows must not get long. */
const depthMax = 32;

type Change = CheckpointChange<JsonValue | Lazy<JsonValue>>;
type Entry = CheckpointEntry<JsonValue | Lazy<JsonValue>> & { readonly value: Lazy<JsonValue> };

/** The last restore point on a base that is whole and not after a place; undefined when the base itself is damaged. */
export function readState(file: number, wanted: StateToRead): StoredState | undefined {
  const { based, shift, tasksMax, to } = wanted;
  const reading = new StateReading(wanted);
  scanLines(file, based.base - shift, to, (line, offset) => reading.take(line, offset) && reading.placeAfter <= tasksMax);
  return reading.finish();
}

/** What most lines are, told by their first bytes: two letters of the type, and then all of them. */
type Kind = 'entry' | 'old' | 'past' | 'change' | 'derived' | 'part';
const kinds = (['entry', 'old', 'past', 'change', 'part'] as const).map((kind) => ({ kind, beginning: Buffer.from(`{"t":"${kind}",`) }));
const derivedBeginning = Buffer.from('{"t":"part","p":["derived",');
const lettersAt = '{"t":"'.length;

function kindOf({ block, start }: LineAt): Kind | undefined {
  for (const { kind, beginning } of kinds) {
    if (!beginsWith(block, start, beginning, lettersAt)) continue;
    return kind === 'part' && beginsWith(block, start, derivedBeginning, beginning.length) ? 'derived' : kind;
  }
  return undefined;
}

class StateReading {
  readonly #wanted: StateToRead;
  /** As of the base. */
  readonly #entries: Entry[] = [];
  readonly #past = new PastLines();
  readonly #derived = new DerivedLines();
  readonly #changes: Change[] = [];
  /** The latest value of each key. */
  readonly #values = new LatestValues();
  /** Changes and restore points of the time in which the base was written: they come after all of it. */
  #later: (() => boolean)[] = [];
  readonly #pieces: { state: JsonValue } = { state: null };
  #base: BaseRecord | undefined;
  #build = '';
  #point: RestorePoint | undefined;
  /** What the next restore point is a delta to. */
  #pointAddress = 0;
  #pointEnd = 0;
  /** Where the lines after the base's place begin. */
  #begin = 0;
  #baseBytes = 0;
  #count = 0;
  /** Tasks run at the last line that has a place, once the base is whole. */
  placeAfter = 0;

  constructor(wanted: StateToRead) {
    this.#wanted = wanted;
  }

  /** False for a line that is damaged or out of place: nothing from it on can be used. Throws SealError. */
  take(line: LineAt, offset: number): boolean {
    const end = offset + line.end + 1 - line.start;
    if (!isSealed(line.block, line.start, line.end)) return this.#take(line, offset, end);
    const block = openLine(bytesOf(line), this.#wanted.seals);
    return this.#take({ block, start: 0, end: block.length }, offset, end);
  }

  #take(line: LineAt, offset: number, end: number): boolean {
    const kind = kindOf(line);
    if (kind === 'change') return this.#takeChange(bytesOf(line));
    // Pieces of a later base, which this one does not need.
    if (kind !== undefined && this.#point !== undefined) return true;
    if (kind === 'past' || kind === 'old') return this.#keep(line, this.#past);
    if (kind === 'entry') return this.#takeEntry(line);
    if (kind === 'derived') return this.#keep(line, this.#derived);
    const record = decodeLine(bytesOf(line)) as SessionRecord | undefined;
    return record !== undefined && this.#takeRecord(record, { offset, end });
  }

  #takeRecord(record: SessionRecord, line: Pick<RawLine, 'offset' | 'end'>): boolean {
    switch (record.t) {
      case 'base':
        if (this.#base !== undefined) return this.#point !== undefined;
        this.#base = record;
        this.#begin = line.end;
        this.#pointAddress = record.same ?? line.offset + this.#wanted.shift;
        return true;
      case 'part':
        this.#count++;
        place(this.#pieces as unknown as Record<string, JsonValue>, record.p, record.v);
        return true;
      case 'based':
        return this.#point !== undefined || this.#endBase(record, line);
      case 'checkpoint':
        return this.#takeCheckpoint(record, line);
      case 'build':
        return true;
      case 'input':
      case 'mark':
      case 'end':
        if (this.#point !== undefined) this.placeAfter = record.tasksRun;
        return true;
      default:
        return false;
    }
  }

  finish(): StoredState | undefined {
    const { shift, offset } = this.#wanted;
    const [base, point] = [this.#base, this.#point];
    if (base === undefined || point === undefined) return undefined;
    const { floor } = base;
    const after = this.#changes.filter(({ revision }) => revision <= point.revision);
    return {
      point,
      address: this.#pointAddress,
      base: this.#wanted.based.base,
      based: offset + shift,
      floor: point.floor,
      build: this.#build,
      end: this.#pointEnd,
      baseBytes: this.#baseBytes,
      store: {
        revision: point.revision,
        compactedRevision: floor,
        entries: this.#entries,
        changes: after,
        past: { revision: base.revision, read: () => this.#past.read() },
      },
      baseRevision: base.revision,
      state: this.#pieces.state,
      derived: this.#derived,
    };
  }

  /** Its value is decoded when it is asked for: of most Events nobody does. */
  #takeEntry(line: LineAt): boolean {
    if (!isWhole(line.block, line.start, line.end)) return false;
    this.#count++;
    const entry = usualEntry(line) ?? entryOf(splitLine<EntryRecord>(bytesOf(line), ['v']) as SplitLine<EntryRecord>);
    this.#entries.push(entry);
    this.#values.set(entry.key, entry.value);
    return true;
  }

  /** As text, until somebody asks. */
  #keep(line: LineAt, lines: { add(line: LineAt): void }): boolean {
    const { block, start, end } = line;
    if (!isWhole(block, start, end)) return false;
    this.#count++;
    lines.add(line);
    return true;
  }

  #endBase(record: BasedRecord, { offset, end }: Pick<RawLine, 'offset' | 'end'>): boolean {
    const { based, shift } = this.#wanted;
    if (record.base !== based.base || offset !== this.#wanted.offset || record.pieces !== this.#count) return false;
    this.#baseBytes = end - (based.base - shift);
    this.#point = record;
    this.#build = record.build;
    this.#pointEnd = this.#begin;
    const later = this.#later;
    this.#later = [];
    return later.every((take) => take());
  }

  #whenWhole(take: () => boolean): boolean {
    if (this.#point !== undefined) return take();
    this.#later.push(take);
    return true;
  }

  #takeCheckpoint(record: CheckpointRecord, { offset, end }: Pick<RawLine, 'offset' | 'end'>): boolean {
    if (record.tasksRun <= this.#wanted.tasksMax) return this.#whenWhole(() => this.#checkpoint(record, offset + this.#wanted.shift, end));
    if (this.#point !== undefined) this.placeAfter = record.tasksRun;
    return true;
  }

  /** False when it is a delta to another restore point than the one before: a line is missing, or it is of another history. */
  #checkpoint(record: CheckpointRecord, address: number, end: number): boolean {
    if (record.from !== this.#pointAddress) return false;
    this.#point = record;
    this.#pointAddress = address;
    this.#pointEnd = end;
    this.#pieces.state = applyTo(this.#pieces.state, record.state);
    return true;
  }

  #takeChange(bytes: Buffer): boolean {
    const split = splitLine<ChangeRecord>(bytes, ['v', 'd']);
    return split !== undefined && this.#whenWhole(() => this.#change(split));
  }

  /** Its value is decoded when it is asked for. False when the delta does not fit: a line before it is missing. */
  #change({ record, lastName, last }: SplitLine<ChangeRecord>): boolean {
    const { r: revision, k: key, w: weight } = record;
    const before = this.#values.get(key);
    if (revision <= (this.#changes.at(-1)?.revision ?? this.#base?.revision ?? 0)) return false;
    if (lastName !== 'v' && before === undefined) return false;
    const meta = metaOf(record);
    if (lastName === undefined) {
      this.#values.delete(key);
      this.#changes.push({ type: 'delete', revision, key, meta });
      return true;
    }
    const value = this.#values.next(key, lastName === 'v', last);
    this.#changes.push({ type: 'put', revision, key, value, meta, weight });
    return true;
  }
}

function bytesOf({ block, start, end }: LineAt): Buffer {
  return block.subarray(start, end);
}

/** An entry as nearly all are written: whoever parses it as JSON takes twice as long. */
const usualStart = /^ \{"t":"entry","k":"([\x20\x21\x23-\x5b\x5d-\x7e]*)","c":(\d+),"m":(\d+),"n":(\d+)(?:,"w":(\d+))?,"v":/;
const usualStartBytes = 400;

function usualEntry({ block, start, end }: LineAt): Entry | undefined {
  const from = start + checksumLength;
  const found = usualStart.exec(block.toString('latin1', from, Math.min(end, from + usualStartBytes)));
  if (found === null) return undefined;
  const [head, key = '', created, modified, version, weight] = found;
  const valueAt = from + head.length;
  const keyAt = from + ' {"t":"entry","k":"'.length;
  return {
    // A text of its own: what was found is a part of the whole beginning, and would keep it.
    key: block.toString('latin1', keyAt, keyAt + key.length),
    value: new Lazy(() => JSON.parse(block.toString('utf8', valueAt, end - 1)) as JsonValue),
    createRevision: Number(created),
    modRevision: Number(modified),
    version: Number(version),
    weight: weight === undefined ? undefined : Number(weight),
  };
}

function entryOf({ record, last }: SplitLine<EntryRecord>): Entry {
  const { k: key, c: createRevision, m: modRevision, n: version, w: weight } = record;
  return { key, value: new Lazy(last), createRevision, modRevision, version, weight };
}

/** The lines of a base about the time before it: known to be whole, and read when somebody asks for that time. */
class PastLines {
  readonly #lines = new KeptLines();

  add(line: LineAt): void {
    this.#lines.add(line);
  }

  /** Throws where lines contradict each other, which no writer has written. */
  *read(): Generator<PastPiece<JsonValue | Lazy<JsonValue>>> {
    const values = new LatestValues();
    for (const line of this.#lines) yield typeOf(line) === 'old' ? readOld(line, values) : readPast(line, values);
  }
}

function readOld(line: Buffer, values: LatestValues): PastPiece<JsonValue | Lazy<JsonValue>> {
  const entry = entryOf(splitLine<EntryRecord>(line, ['v']) as SplitLine<EntryRecord>);
  values.set(entry.key, entry.value);
  return { type: 'entry', ...entry };
}

function readPast(line: Buffer, values: LatestValues): PastPiece<JsonValue | Lazy<JsonValue>> {
  const { record, lastName, last } = splitLine<PastRecord>(line, ['v', 'd']) as SplitLine<PastRecord>;
  const { r: revision, k: key, now } = record;
  const meta = metaOf(record);
  if (now === 1) return { type: 'known', revision, key, meta };
  if (lastName === undefined) return { type: 'delete', revision, key, meta };
  assert(lastName === 'v' || values.get(key) !== undefined, `${key}@${revision} follows a value`);
  return { type: 'put', revision, key, value: values.next(key, lastName === 'v', last), meta };
}

/** Values by key, the latest of each: whole, or made of the one before by a delta. */
class LatestValues {
  readonly #values = new Map<string, Lazy<JsonValue>>();
  /** How many values are made one of the other before the latest is. */
  readonly #depths = new Map<string, number>();

  get(key: string): Lazy<JsonValue> | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Lazy<JsonValue>): void {
    this.#values.set(key, value);
  }

  /** One that follows: `read` gives it, or the delta to the one before. It is made when somebody asks, unless too many wait for each other. */
  next(key: string, isWhole: boolean, read: () => JsonValue): Lazy<JsonValue> {
    const before = this.#values.get(key);
    const value = new Lazy(() => (isWhole || before === undefined ? read() : apply(before.get(), read())));
    const depth = isWhole ? 0 : (this.#depths.get(key) ?? 0) + 1;
    if (depth === depthMax) value.get();
    this.#depths.set(key, depth % depthMax);
    this.#values.set(key, value);
    return value;
  }

  delete(key: string): void {
    this.#values.delete(key);
    this.#depths.delete(key);
  }
}

/** The pieces of a whole state: members of its outer levels, with their paths. */
export function* partsOf(
  state: JsonValue,
  depth: number,
  path: readonly string[] = [],
): Generator<{ readonly p: readonly string[]; readonly v: JsonValue }> {
  const isMap = state !== null && typeof state === 'object' && !Array.isArray(state);
  if (path.length > 0 && (!isMap || path.length === depth || Object.keys(state).length === 0)) {
    yield { p: path, v: state };
    return;
  }
  for (const [name, member] of Object.entries(state as Readonly<Record<string, JsonValue>>)) {
    if (member !== undefined) yield* partsOf(member, depth, [...path, name]);
  }
}
