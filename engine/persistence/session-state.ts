/** Reads a restore point with all it stands on: the base, the changes and the deltas since (SESSION-FILE.md F9, F11). */
import type { JsonValue } from '../base/json.ts';
import type { CheckpointChange, CheckpointEntry, StoreCheckpoint } from '../store/store.ts';
import { apply } from './delta.ts';
import { decodeLine, typeOf } from './log-line.ts';
import { type RawLine, readLines } from './log-reader.ts';
import {
  type BasedRecord,
  type BaseRecord,
  type ChangeRecord,
  type CheckpointRecord,
  metaOf,
  type RestorePoint,
  type SessionRecord,
} from './session-records.ts';

/** A whole state as a file holds it. */
export interface StoredState {
  readonly point: RestorePoint;
  /** Offset of the first line after the place of the restore point; pieces of its base may stand among them. */
  readonly end: number;
  readonly baseBytes: number;
  readonly store: StoreCheckpoint<JsonValue>;
  /** Revision of the base: what was derived knows the changes up to here. */
  readonly baseRevision: number;
  /** What components remember. */
  readonly state: JsonValue;
  /** What was derived from all changes up to the base. */
  readonly derived: JsonValue;
}

/** Something that a restore point stands on is damaged, at this offset. */
export interface Damage {
  readonly damagedAt: number;
}

export function readState(file: number, { point, end }: { readonly point: RestorePoint; readonly end: number }): StoredState | Damage {
  const reading = new StateReading(point.base);
  for (const line of readLines(file, point.base, end)) {
    if (!reading.take(line)) return { damagedAt: line.offset };
  }
  return reading.finish(point, end) ?? { damagedAt: point.base };
}

class StateReading {
  readonly #baseOffset: number;
  readonly #entries: CheckpointEntry<JsonValue>[] = [];
  readonly #changes: CheckpointChange<JsonValue>[] = [];
  /** The latest value of each key. */
  readonly #values = new Map<string, JsonValue>();
  /** Changes that were made while the base was written: they come after all of it. */
  #later: ChangeRecord[] = [];
  readonly #pieces: { state: JsonValue; derived: JsonValue } = { state: null, derived: null };
  #base: BaseRecord | undefined;
  #based: BasedRecord | undefined;
  /** Where the lines after the base's place begin. */
  #begin = 0;
  #baseBytes = 0;
  #count = 0;
  #number = 0;

  constructor(baseOffset: number) {
    this.#baseOffset = baseOffset;
  }

  /** False for a line that is damaged or out of place. */
  take(line: RawLine): boolean {
    if (this.#isForeign(line)) return true;
    const record = decodeLine(line.bytes) as SessionRecord | undefined;
    if (record === undefined) return false;
    switch (record.t) {
      case 'base':
        this.#base = record;
        this.#begin = line.end;
        return true;
      case 'entry':
        this.#count++;
        this.#values.set(record.k, record.v);
        this.#entries.push({ key: record.k, value: record.v, createRevision: record.c, modRevision: record.m, version: record.n });
        return true;
      case 'part':
        this.#count++;
        place(this.#pieces as unknown as Record<string, JsonValue>, record.p, record.v);
        return true;
      case 'past':
        this.#count++;
        return this.#change(record);
      case 'change':
        if (this.#based !== undefined) return this.#change(record);
        this.#later.push(record);
        return true;
      case 'based':
        return this.#endBase(record, line);
      case 'checkpoint':
        return this.#checkpoint(record);
      case 'input':
      case 'mark':
      case 'end':
        return true;
    }
  }

  finish(point: RestorePoint, end: number): StoredState | undefined {
    const base = this.#base;
    if (base === undefined || this.#based === undefined || this.#number !== point.n) return undefined;
    const changes = this.#changes.filter(({ revision }) => revision <= point.revision);
    return {
      point,
      end: point.t === 'based' ? this.#begin : end,
      baseBytes: this.#baseBytes,
      store: { revision: point.revision, compactedRevision: base.floor, entries: this.#entries, changes },
      baseRevision: base.revision,
      ...this.#pieces,
    };
  }

  /** Pieces of a later base, which this one does not need. */
  #isForeign({ offset, bytes }: RawLine): boolean {
    const type = typeOf(bytes);
    if (this.#based !== undefined) return type === 'base' || type === 'entry' || type === 'part' || type === 'past' || type === 'based';
    return type === 'base' && offset !== this.#baseOffset;
  }

  #endBase(record: BasedRecord, { end }: RawLine): boolean {
    if (record.base !== this.#baseOffset || record.pieces !== this.#count) return false;
    this.#based = record;
    this.#number = record.n;
    this.#baseBytes = end - this.#baseOffset;
    const later = this.#later;
    this.#later = [];
    return later.every((change) => this.#change(change));
  }

  #checkpoint(record: CheckpointRecord): boolean {
    if (record.n !== this.#number + 1) return false;
    this.#number = record.n;
    this.#pieces.state = apply(this.#pieces.state, record.state);
    return true;
  }

  /** False when the delta does not fit: a line before it is missing. */
  #change(record: ChangeRecord): boolean {
    const { r: revision, k: key } = record;
    const before = this.#values.get(key);
    if (revision <= (this.#changes.at(-1)?.revision ?? 0)) return false;
    if (record.v === undefined && before === undefined) return false;
    const meta = metaOf(record);
    if (record.v === undefined && record.d === undefined) {
      this.#values.delete(key);
      this.#changes.push({ type: 'delete', revision, key, meta });
      return true;
    }
    const value = record.v === undefined ? apply(before as JsonValue, record.d as JsonValue) : record.v;
    this.#values.set(key, value);
    this.#changes.push({ type: 'put', revision, key, value, meta });
    return true;
  }
}

function place(root: Record<string, JsonValue>, path: readonly string[], value: JsonValue): void {
  let at = root;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(at, name) || at[name] === null) at[name] = {};
    at = at[name] as Record<string, JsonValue>;
  }
  at[path.at(-1) ?? ''] = value;
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
