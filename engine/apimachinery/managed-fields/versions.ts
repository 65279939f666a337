/**
 * Fields that are owned in another version than the one of the write: what changed is compared again as that version has it. Mirrors what the
 * Updater of structured-merge-diff asks its Converter, and versionconverter.go of k8s.io/apimachinery pkg/util/managedfields/internal.
 */
import type { JsonObject } from '../../base/json.ts';
import { newStatusError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import type { MessageSchema } from '../schema.ts';
import { type Difference, toFieldSet } from './compare.ts';
import type { ManagerEntry } from './entries.ts';
import { difference, emptySet, type FieldSet, intersection, isEmptySet, union, unionOf } from './field-set.ts';
import { ensureNamedFields, removeItems } from './merge.ts';
import type { TypeNode } from './types.ts';
import { faultsText, typeFaults } from './validate.ts';

/** Another version of what is written. */
export interface OtherVersion {
  readonly schema: MessageSchema;
  /** The object as it has it; undefined when it fits no type, which is told later. */
  to(object: KubeObject): KubeObject | undefined;
  /** Back in the version of the write. */
  from(object: KubeObject): KubeObject;
}

/** Undefined for a version of which nothing is known (any more): nobody owns anything in it. Throws Misfit where that is a fault. */
export type VersionLookup = (apiVersion: string) => OtherVersion | undefined;

/** The object of a version does not fit that version's type. */
export class Misfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Misfit';
  }
}

/** The object in the other version; undefined when it cannot be made. Throws Misfit. */
export function fitting(version: OtherVersion, object: KubeObject, type: TypeNode): KubeObject | undefined {
  const there = version.to(object);
  const faults = there === undefined ? [] : typeFaults(there as unknown as JsonObject, type);
  if (faults.length > 0) throw new Misfit(faultsText(faults));
  return there;
}

/** What of `work` does not fit is said with these words before it; without any it is an answer. */
export function told<T>(words: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw words === '' ? newStatusError(500, '', error.message) : new Misfit(`${words}${error.message}`);
  }
}

/** What one write changes, by version. */
export class VersionedChanges {
  readonly #known = new Map<string, Difference | undefined>();
  readonly #compare: (apiVersion: string) => Difference | undefined;

  constructor(apiVersion: string, changes: Difference | undefined, compare: (apiVersion: string) => Difference | undefined) {
    this.#known.set(apiVersion, changes);
    this.#compare = compare;
  }

  in(apiVersion: string): Difference | undefined {
    if (!this.#known.has(apiVersion)) this.#known.set(apiVersion, this.#compare(apiVersion));
    return this.#known.get(apiVersion);
  }

  /** What is there now and was not, or otherwise. */
  touchedIn(apiVersion: string): FieldSet {
    const changes = this.in(apiVersion);
    return union(changes?.added ?? emptySet, changes?.modified ?? emptySet);
  }
}

/** An object and how apply sees it. */
interface Seen {
  readonly object: JsonObject;
  readonly type: TypeNode;
}

/** How objects of the write's version look elsewhere. */
export interface Views {
  readonly apiVersion: string;
  readonly type: TypeNode;
  other(apiVersion: string): { readonly version: OtherVersion; readonly type: TypeNode } | undefined;
}

/** Drops what the applier owned and no longer names, unless somebody else owns it too, in whatever version. `last`: what the applier owned. */
export function prune(merged: KubeObject, entries: ReadonlyMap<string, ManagerEntry>, last: ManagerEntry, views: Views): KubeObject {
  const home = told('failed to convert merged object to last applied version: ', () => seenIn(views, merged, last.apiVersion));
  if (home === undefined) return merged;
  const named = (set: FieldSet): FieldSet => ensureNamedFields(set, home.type);
  const lastNamed = named(last.set);
  let pruned = without(home, lastNamed);
  for (const [apiVersion, managed] of managedByVersion(entries, last.apiVersion))
    pruned = addedBack(home, pruned, { apiVersion, managed }, last, views);
  const gone = intersection(difference(fieldsOf(home), fieldsOf({ ...home, object: pruned })), lastNamed);
  if (isEmptySet(gone)) return merged;
  const left = without(home, gone) as unknown as KubeObject;
  return last.apiVersion === views.apiVersion ? left : (views.other(last.apiVersion)?.version.from(left) ?? merged);
}

/** With what somebody owns in that version. */
function addedBack(
  home: Seen,
  pruned: JsonObject,
  { apiVersion, managed }: { readonly apiVersion: string; readonly managed: FieldSet },
  last: ManagerEntry,
  views: Views,
): JsonObject {
  const at = `object at version ${apiVersion}: `;
  const there = told(`failed add back owned items: failed to convert merged ${at}`, () => moved(views, home.object, last.apiVersion, apiVersion));
  const rest = told(`failed add back owned items: failed to convert pruned ${at}`, () => moved(views, pruned, last.apiVersion, apiVersion));
  if (there === undefined || rest === undefined) return pruned;
  const kept = union(fieldsOf(rest), ensureNamedFields(managed, there.type));
  return moved(views, without(there, difference(fieldsOf(there), kept)), apiVersion, last.apiVersion)?.object ?? pruned;
}

/** What is owned, by version, that of `first` before the others. */
function managedByVersion(entries: ReadonlyMap<string, ManagerEntry>, first: string): readonly (readonly [string, FieldSet])[] {
  const byVersion = Map.groupBy(entries.values(), (entry) => entry.apiVersion);
  const order = [...byVersion.keys()].sort((a, b) => Number(b === first) - Number(a === first) || (a < b ? -1 : 1));
  return order.map((version) => [version, unionOf((byVersion.get(version) ?? []).map(({ set }) => set))]);
}

function moved(views: Views, object: JsonObject, from: string, to: string): Seen | undefined {
  if (from === to) return seenAs(views, object, to);
  const here = from === views.apiVersion ? object : views.other(from)?.version.from(object as unknown as KubeObject);
  return here === undefined ? undefined : seenIn(views, here as unknown as KubeObject, to);
}

function seenAs(views: Views, object: JsonObject, apiVersion: string): Seen | undefined {
  const type = apiVersion === views.apiVersion ? views.type : views.other(apiVersion)?.type;
  return type === undefined ? undefined : { object, type };
}

function seenIn(views: Views, object: KubeObject, apiVersion: string): Seen | undefined {
  if (apiVersion === views.apiVersion) return { object: object as unknown as JsonObject, type: views.type };
  const other = views.other(apiVersion);
  const converted = other && fitting(other.version, object, other.type);
  return other === undefined || converted === undefined ? undefined : { object: converted as unknown as JsonObject, type: other.type };
}

function without({ object, type }: Seen, set: FieldSet): JsonObject {
  return (removeItems(object, set, type) ?? {}) as JsonObject;
}

function fieldsOf({ object, type }: Seen): FieldSet {
  return ensureNamedFields(toFieldSet(object, type) ?? emptySet, type);
}
