/** What a session's lines say of objects: each change as it happens, and the pieces of a base (SESSION-FILE.md, `change`, `base`). */
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { diff } from '../persistence/delta.ts';
import { encodeLongLine, type LogRecord } from '../persistence/log-line.ts';
import { type ChangeRecord, type EntryRecord, type Mark, type PartRecord, type PastRecord, stateMapDepth } from '../persistence/session-records.ts';
import { partsOf } from '../persistence/session-state.ts';
import type { Change, StoredValue } from '../store/store.ts';

const catchUpPerPoint = 2_000;

/** A base says what history knows: where that is behind, since the session was opened, it looks at some more whenever a base is thought of. */
export function knowsHistory({ history }: Cluster): boolean {
  history.catchUp(catchUpPerPoint);
  return !history.isBehind;
}

/** Items of a long list that are made text of at a time: some 60 KB where they are workers of pods. */
const itemsPerStep = 50;

/** Most of what was there at the floor is still there, and is only looked at. */
const looksPerStep = 500;

/** A line of a base, or nothing yet: a long one is made bit by bit. */
export type BasePiece = LogRecord | Buffer | undefined;

/** A base that is being written. */
export interface Base {
  readonly mark: Mark;
  readonly address: number;
  readonly floor: number;
  readonly state: JsonValue;
  readonly pieces: Iterator<BasePiece>;
  count: number;
}

/** The pieces of a base at this quiet instant. Everything is taken now; it is encoded later, bit by bit. */
export function piecesOf(cluster: Cluster, revision: number, state: JsonValue): Iterator<BasePiece> {
  const { store } = cluster;
  const floor = store.compactedRevision();
  const live = store.range({}).items;
  const old = floor === 0 ? [] : store.range({ revision: floor, history: true }).items;
  const past = store.changesBetween(floor, revision);
  const derived = cluster.saveDerivedPieces();
  return (function* (): Generator<BasePiece> {
    const revisions = new Map<string, number>();
    for (const entry of live) {
      revisions.set(entry.key, entry.modRevision);
      yield entryRecord('entry', entry);
    }
    for (const [index, entry] of old.entries()) {
      if (revisions.get(entry.key) !== entry.modRevision) yield entryRecord('old', entry);
      else if (index % looksPerStep === 0) yield undefined;
    }
    for (const change of past) yield pastRecord(change, revisions.get(change.key) === change.revision);
    for (const { p, v } of partsOf({ state }, stateMapDepth + 1)) yield* partLines(p, v);
    for (const { path, value } of derived) yield* partLines(['derived', ...path], value);
  })();
}

function* partLines(p: readonly string[], v: JsonValue): Generator<BasePiece> {
  const record: Omit<PartRecord, 'v'> = { t: 'part', p };
  if (Array.isArray(v) && v.length > itemsPerStep) yield* encodeLongLine(record, 'v', v as readonly JsonValue[], itemsPerStep);
  else yield { ...record, v } as LogRecord;
}

/** A revision as a line. */
export function changeRecord(change: Change<KubeObject>): ChangeRecord {
  const weight = change.current === undefined ? {} : { w: change.current.weight };
  return { t: 'change', ...revisionOf(change), ...weight, ...valueOf(change) };
}

function pastRecord(change: Change<KubeObject>, isLive: boolean): PastRecord {
  return { t: 'past', ...revisionOf(change), ...(isLive ? { now: 1 } : valueOf(change)) };
}

function revisionOf({ revision, key, meta }: Change<KubeObject>): Omit<ChangeRecord, 't' | 'w' | 'v' | 'd'> {
  return { r: revision, k: key, ms: meta.virtualMs, by: meta.identity, why: meta.causes };
}

function valueOf({ current, previous }: Change<KubeObject>): Pick<ChangeRecord, 'v' | 'd'> {
  if (current === undefined) return {};
  if (previous === undefined) return { v: current.value as unknown as JsonObject };
  const delta = diff(previous.value as unknown as JsonObject, current.value as unknown as JsonObject);
  return { d: delta === undefined ? [1, {}] : delta };
}

function entryRecord(t: 'entry' | 'old', { key, value, createRevision, modRevision, version, weight }: StoredValue<KubeObject>): EntryRecord {
  return { t, k: key, c: createRevision, m: modRevision, n: version, w: weight, v: value as unknown as JsonObject };
}
