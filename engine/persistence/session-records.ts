/** The records of a session file (SESSION-FILE.md lists them). Names are short where there are many of a kind. */
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { ChangeMeta } from '../store/store.ts';
import type { Delta } from './delta.ts';
import type { LogRecord } from './log-line.ts';

export const sessionFormat = 5;

export interface SessionHead extends LogRecord {
  readonly t: 'session';
  readonly format: number;
  /** Version of the engine that wrote it; running it again asks for the same. */
  readonly engine: string;
  /** Fingerprint of that engine's code; a `build` line says when another one went on. */
  readonly build: string;
  /** Version of the time-zone data. */
  readonly timeZones: string;
  readonly name: string;
  readonly seed: number;
  readonly startMs: number;
  readonly config: JsonObject;
  /** The file begins with a base: what was before it was cut off. */
  readonly trimmed?: Trimmed;
}

/** Where a trimmed file begins. */
export interface Trimmed extends Place {
  /** Address of the line after the head. Lines name others by address: the offset that they had while nothing was cut off. */
  readonly address: number;
}

/** The place of something in history: tasks run before it, and the virtual time. */
export interface Place {
  readonly tasksRun: number;
  readonly nowMs: number;
}

/** What a history is at a place: enough to know whether another one is the same. */
export interface Mark extends Place {
  readonly revision: number;
  readonly inputs: number;
  readonly digest: string;
}

export interface InputRecord extends LogRecord, Place {
  readonly t: 'input';
  readonly input: number;
  readonly what: JsonValue;
}

export interface MarkRecord extends LogRecord, Mark {
  readonly t: 'mark' | 'end';
}

/** A revision: `v` is a whole value, `d` a delta to the key's previous version; neither is a delete. Values stand last (F1). */
export interface ChangeRecord extends LogRecord {
  readonly t: 'change';
  readonly r: number;
  readonly k: string;
  readonly ms: number;
  readonly by: string;
  readonly why: readonly string[];
  /** What the store counts for the value. */
  readonly w?: number;
  readonly v?: JsonValue;
  readonly d?: Delta;
}

/** A revision before a base: its value as in a change, or `now` where it is that of the entry. */
export interface PastRecord extends Omit<ChangeRecord, 't'> {
  readonly t: 'past';
  readonly now?: 1;
}

/** A restore point: what components remember, as a delta to the restore point before. */
export interface CheckpointRecord extends LogRecord, Mark {
  readonly t: 'checkpoint';
  /** Address of the restore point that it is a delta to: a `checkpoint`, or the `base` line of a base that stands on none. */
  readonly from: number;
  /** Address of the last base that was whole, and of that base's end. */
  readonly base: number;
  readonly based: number;
  readonly floor: number;
  readonly state: Delta;
}

export interface BaseRecord extends LogRecord, Mark {
  readonly t: 'base';
  /** Address of the `checkpoint` at the same place, whose state this is too; absent where there is none. */
  readonly same?: number;
  /** The visible floor. */
  readonly floor: number;
}

/** An object as it is at the place of a base (`entry`), or was at its floor and is no more (`old`). */
export interface EntryRecord extends LogRecord {
  readonly t: 'entry' | 'old';
  readonly k: string;
  readonly c: number;
  readonly m: number;
  readonly n: number;
  /** What the store counts for it. */
  readonly w?: number;
  readonly v: JsonValue;
}

/** A piece of what components remember, and where in the whole it stands. */
export interface PartRecord extends LogRecord {
  readonly t: 'part';
  readonly p: readonly string[];
  readonly v: JsonValue;
}

/** The end of a base, and a restore point at the place where it began. */
export interface BasedRecord extends LogRecord, Mark {
  readonly t: 'based';
  /** Address of its beginning. */
  readonly base: number;
  /** Address of the end of the base before; absent in the first. */
  readonly previous?: number;
  /** Of the build that wrote it. */
  readonly build: string;
  readonly floor: number;
  readonly pieces: number;
}

/** Another build of the engine goes on. */
export interface BuildRecord extends LogRecord {
  readonly t: 'build';
  readonly build: string;
}

export type SessionRecord =
  | BuildRecord
  | InputRecord
  | MarkRecord
  | ChangeRecord
  | CheckpointRecord
  | BaseRecord
  | EntryRecord
  | PastRecord
  | PartRecord
  | BasedRecord;

export type RestorePoint = CheckpointRecord | BasedRecord;

/** Pieces of a base, and what a change made of its object: read where a state is made of them, and nowhere else. */
export type ReplayRecord = Exclude<SessionRecord, EntryRecord | PastRecord | PartRecord | ChangeRecord> | Omit<ChangeRecord, 'v' | 'd'> | PieceRecord;

export interface PieceRecord extends LogRecord {
  readonly t: 'entry' | 'old' | 'past' | 'part';
}

export function metaOf({ ms, by, why }: Pick<ChangeRecord, 'ms' | 'by' | 'why'>): ChangeMeta {
  return { virtualMs: ms, identity: by, causes: why };
}

/** The outer levels of what components remember are maps: their order says nothing. */
export const stateMapDepth = 4;
