/**
 * The entries of metadata.managedFields: who a manager is, their order, and the cap on managers that update. Mirrors
 * k8s.io/apimachinery pkg/util/managedfields/internal managedfields.go and capmanagers.go.
 */
import { assert } from '../../base/assert.ts';
import { flat } from '../../base/text.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { goQuote } from '../quote.ts';
import { emptySet, type FieldSet, unionOf } from './field-set.ts';
import { type ForeignSet, SetReader } from './read-set.ts';
import type { SetPool } from './set-pool.ts';

export interface ManagerEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry as it is stored, while nothing of it changed. */
  readonly stored: ManagedFieldsEntry | undefined;
}

/** Update managers differ by version too; an applier is one in every version. */
export function managerId(entry: Pick<ManagerEntry, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return `${entry.operation}\0${entry.operation === 'Apply' ? '' : entry.apiVersion}\0${entry.subresource}\0${entry.manager}`;
}

const entriesMax = 4096;

/**
 * Reads each set once: one that it wrote stands for itself, what others wrote it knows again by reference. Entries that are equal, as those of
 * objects written by one manager in one second, are one object.
 */
export class EntryCodec {
  /** Each in a list of its own, which is what an object has that one manager wrote. */
  readonly #written = new Map<string, readonly [ManagedFieldsEntry]>();
  readonly #foreign = new WeakMap<object, ForeignSet>();
  readonly #reader = new SetReader();
  readonly #pool: SetPool;

  constructor(pool: SetPool) {
    this.#pool = pool;
  }

  /** Undefined when an entry is malformed. */
  decode(stored: readonly ManagedFieldsEntry[]): Map<string, ManagerEntry> | undefined {
    const out = new Map<string, ManagerEntry>();
    for (const entry of stored) {
      const decoded = this.#read(entry);
      if (decoded === undefined) return undefined;
      out.set(managerId(decoded), decoded);
    }
    return out;
  }

  /** What is wrong with the first entry that is malformed. Mirrors DecodeManagedFields of apimachinery pkg/util/managedfields/internal. */
  fault(stored: readonly ManagedFieldsEntry[]): string | undefined {
    for (const [index, { operation, apiVersion, fieldsType, fieldsV1 }] of stored.entries()) {
      if (operation !== 'Apply' && operation !== 'Update') return 'operation must be `Apply` or `Update`';
      if (!apiVersion) return 'apiVersion must not be empty';
      if (!fieldsType) return `missing fieldsType in managed fields entry ${index}`;
      if (fieldsType !== 'FieldsV1') return `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`;
      if (fieldsV1 !== undefined && this.#readSet(fieldsV1) === undefined) return `error decoding versioned set of managed fields entry ${index}`;
    }
    return undefined;
  }

  encode(entries: ReadonlyMap<string, ManagerEntry>): readonly ManagedFieldsEntry[] {
    if (entries.size === 1) for (const entry of entries.values()) if (entry.stored === undefined) return this.#write(entry);
    return [...entries.values()].sort(compareEntries).map((entry) => entry.stored ?? this.#write(entry)[0]);
  }

  #write(entry: ManagerEntry): readonly [ManagedFieldsEntry] {
    const set = this.#pool.share(entry.set);
    const key = flat([managerId(entry), '\0', entry.apiVersion, '\0', entry.time ?? '', '\0', String(this.#pool.numberOf(set))]);
    let written = this.#written.get(key);
    if (written === undefined) {
      if (this.#written.size >= entriesMax) this.#written.clear();
      this.#written.set(key, (written = [writeEntry(entry, set)]));
    }
    assert(written[0].fieldsV1 === set, 'the entries of one number have one set');
    return written;
  }

  #read(entry: ManagedFieldsEntry): ManagerEntry | undefined {
    const { operation, apiVersion } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || entry.fieldsType !== 'FieldsV1') return undefined;
    const read = this.#readSet(entry.fieldsV1);
    if (read === undefined) return undefined;
    const stored = read.isAsWritten ? entry : undefined;
    return { manager: entry.manager ?? '', operation, apiVersion, subresource: entry.subresource ?? '', time: entry.time, set: read.set, stored };
  }

  #readSet(fields: ManagedFieldsEntry['fieldsV1']): ForeignSet | undefined {
    if (typeof fields !== 'object' || fields === null) return this.#reader.read(fields);
    if (this.#pool.has(fields)) return { set: fields as FieldSet, isAsWritten: true };
    const known = this.#foreign.get(fields);
    if (known !== undefined) return known;
    const read = this.#reader.read(fields);
    if (read === undefined) return undefined;
    const foreign = { ...read, set: this.#pool.share(read.set) };
    this.#foreign.set(fields, foreign);
    return foreign;
  }
}

function writeEntry(entry: ManagerEntry, set: FieldSet): ManagedFieldsEntry {
  const { manager, operation, apiVersion, time, subresource } = entry;
  const body =
    time === undefined
      ? { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1: set }
      : { manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1: set };
  return subresource === '' ? body : { ...body, subresource };
}

/** With another set, and so no longer the stored entry. */
export function withSet(entry: ManagerEntry, set: FieldSet): ManagerEntry {
  return set === entry.set ? entry : { ...entry, set, stored: undefined };
}

export function withTime(entry: ManagerEntry, time: string | undefined): ManagerEntry {
  return time === entry.time ? entry : { ...entry, time, stored: undefined };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Times are RFC 3339 with second precision: their order is that of the text. */
export function compareEntries(a: Head, b: Head): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

type Head = Pick<ManagedFieldsEntry, 'operation' | 'time' | 'manager' | 'apiVersion' | 'subresource'> | ManagerEntry;

const maxUpdateManagers = 10;

/** Folds the oldest managers that update into one, `ancient-changes`, when there are more than ten. */
export function capUpdateManagers(entries: Map<string, ManagerEntry>): void {
  if (entries.size <= maxUpdateManagers) return;
  const updaters = [...entries].filter(([, entry]) => entry.operation === 'Update');
  if (updaters.length <= maxUpdateManagers) return;
  updaters.sort(([a, left], [b, right]) => compareText(left.time ?? '', right.time ?? '') || compareText(a, b));
  const firstOf = new Map<string, string>();
  const folded = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const [id, entry] of updaters) {
    if (count <= maxUpdateManagers) break;
    const first = firstOf.get(entry.apiVersion);
    if (first === undefined) {
      firstOf.set(entry.apiVersion, id);
      continue;
    }
    const head = { manager: 'ancient-changes', operation: 'Update', apiVersion: entry.apiVersion, subresource: '' } as const;
    const bucketId = managerId(head);
    const sets = folded.get(bucketId) ?? [(entries.get(bucketId) ?? entries.get(first))?.set ?? emptySet];
    sets.push(entry.set);
    folded.set(bucketId, sets);
    if (!entries.has(bucketId)) entries.delete(first);
    entries.delete(id);
    entries.set(bucketId, { ...head, time: entry.time, set: emptySet, stored: undefined });
    count--;
  }
  for (const [bucketId, sets] of folded) {
    const bucket = entries.get(bucketId);
    if (bucket !== undefined) entries.set(bucketId, { ...bucket, set: unionOf(sets) });
  }
}
