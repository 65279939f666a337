/**
 * Who owns the replicas of an object, seen from its Scale: the entries of the object as those of a Scale, and back. Mirrors ScaleHandler of
 * k8s.io/apimachinery pkg/util/managedfields.
 */
import type { ManagedFieldsEntry } from '../object.ts';
import { compareEntries, managerId } from './entries.ts';
import { difference, type FieldSet, intersection, isEmptySet, setOfFields } from './field-set.ts';
import { SetReader } from './read-set.ts';

/** Where the replicas are, and in which version the object that is scaled is written. */
export interface ScaledBy {
  readonly path: readonly string[];
  readonly apiVersion: string;
}

const ofScale = setOfFields([['spec', 'replicas']]);

/** The entries that own the replicas, each owning those of the Scale. */
export function toScaleEntries(entries: readonly ManagedFieldsEntry[], { path }: ScaledBy, scaleVersion: string): ManagedFieldsEntry[] {
  const replicas = setOfFields([path]);
  return lastOfEach(entries)
    .filter((entry) => owns(entry, replicas))
    .map((entry) => ({ ...entry, apiVersion: scaleVersion, fieldsV1: ofScale }));
}

/**
 * The entries of the object once its Scale has those of `scale`. An updater's entry tells its version, which is the Scale's there: upstream does not
 * know it again, and so its replicas are in an entry of their own from then on. Times are those of the object's entries; a new one has none.
 */
export function toScaledEntries(entries: readonly ManagedFieldsEntry[], scale: readonly ManagedFieldsEntry[], by: ScaledBy): ManagedFieldsEntry[] {
  const replicas = setOfFields([by.path]);
  const left = new Map(scale.filter((entry) => owns(entry, ofScale)).map((entry) => [idOf(entry), entry]));
  const kept = lastOfEach(entries).flatMap((entry): ManagedFieldsEntry[] => {
    if (!owns(entry, replicas) || left.delete(idOf(entry))) return [entry];
    const fieldsV1 = difference(setOf(entry), replicas);
    return isEmptySet(fieldsV1) ? [] : [{ ...entry, fieldsV1 }];
  });
  const times = new Map(entries.map((entry) => [idOf(entry), entry.time]));
  const gained = [...left].map(([id, { time: _scales, ...entry }]): ManagedFieldsEntry => {
    const time = times.get(id);
    return { ...entry, ...(time === undefined ? undefined : { time }), apiVersion: by.apiVersion, fieldsV1: replicas };
  });
  return [...kept, ...gained].sort(compareEntries);
}

/** Of entries that are alike but for their fields upstream knows the last: it keeps them in a map. */
function lastOfEach(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const last = new Map(entries.map((entry) => [idOf(entry), entry]));
  return last.size === entries.length ? entries : entries.filter((entry) => last.get(idOf(entry)) === entry);
}

function setOf(entry: ManagedFieldsEntry): FieldSet {
  return new SetReader().read(entry.fieldsV1)?.set ?? {};
}

function owns(entry: ManagedFieldsEntry, replicas: FieldSet): boolean {
  return !isEmptySet(intersection(setOf(entry), replicas));
}

function idOf({ manager = '', operation, apiVersion = '', subresource = '' }: ManagedFieldsEntry): string {
  return managerId({ manager, operation: operation === 'Apply' ? 'Apply' : 'Update', apiVersion, subresource });
}
