/**
 * Who owns which field: metadata.managedFields after writes, and server-side apply. One manager serves a cluster; what it remembers
 * are facts about immutable objects. Mirrors k8s.io/apimachinery pkg/util/managedfields and the Updater of structured-merge-diff.
 */
import { deepEqual } from '../../base/equal.ts';
import { newBadRequest, newStatusError } from '../errors.ts';
import { type KubeObject, type ManagedFieldsEntry, type ObjectMeta, withoutEmptyGroup } from '../object.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { MessageSchema, SchemaRegistry } from '../schema.ts';
import { Comparer, type Difference, toFieldSet } from './compare.ts';
import { type Conflict, conflictError, withoutAllowed } from './conflicts.ts';
import { Untyped } from './element-texts.ts';
import { capUpdateManagers, EntryCodec, type ManagerEntry, managerId, withSet, withTime } from './entries.ts';
import { difference, emptySet, type FieldSet, intersection, isEmptySet, setOfFields, union } from './field-set.ts';
import { fieldsOfLastApplied, updateLastApplied } from './last-applied.ts';
import { merge, MergeError } from './merge.ts';
import { formatKind, misfitOfStored, textOf } from './misfits.ts';
import { SetGathering } from './set-gathering.ts';
import { SetPool } from './set-pool.ts';
import { deduced, type MapField, type MapNode, type TypeNode, TypeTable } from './types.ts';
import { faultsText, storedFaults, typeFaults } from './validate.ts';
import { fitting, Misfit, type OtherVersion, prune, told, VersionedChanges, type VersionLookup, type Views } from './versions.ts';

type FieldPaths = readonly (readonly string[])[];

interface Write {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** RFC 3339, second precision. */
  readonly now: string;
  /** Undefined for kinds whose types are not known. */
  readonly schema: MessageSchema | undefined;
  /** Paths whose ownership this endpoint does not record, e.g. [['status']]. */
  readonly resetFields?: FieldPaths | undefined;
  /** Other versions in which fields may be owned; absent where all are owned in one. */
  readonly versions?: VersionLookup | undefined;
}

export interface UpdateInput extends Write {
  /** Undefined when the object is being created. */
  readonly live: KubeObject | undefined;
  readonly next: KubeObject;
}

export interface ApplyInput extends Write {
  readonly live: KubeObject | undefined;
  /** The configuration as sent, not defaulted. */
  readonly patch: JsonObject;
  readonly force: boolean;
  /** The kind this endpoint serves; another in the patch is refused. */
  readonly kind?: string | undefined;
}

export interface ApplyResult {
  /** Without managed fields of its own making: `metadata.managedFields` is the list beside it. Same reference as live when nothing changed. */
  readonly object: KubeObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** Fields that the server owns and nobody else. */
const systemMeta: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]);
const notTyped: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const stripSet = union(setOfFields([['apiVersion'], ['kind'], ['metadata']]), setOfFields([...systemMeta].map((name) => ['metadata', name])));
const metaSchemaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** A write of a Scale may leave two entries of one manager, which the next write makes one. */
function namesOneTwice(entries: readonly ManagedFieldsEntry[]): boolean {
  if (entries.length < 2) return false;
  const seen = new Set(
    entries.map(({ manager, operation, apiVersion, subresource }) => JSON.stringify([manager, operation, apiVersion, subresource])),
  );
  return seen.size < entries.length;
}

function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0);
}

export class FieldManager {
  readonly #types: TypeTable;
  readonly #metaType: TypeNode;
  readonly #unknownRoot: MapNode;
  readonly #pool = new SetPool();
  readonly #comparer = new Comparer(new SetGathering(this.#pool));
  readonly #codec = new EntryCodec(this.#pool);
  readonly #stripSet = this.#pool.share(stripSet);
  readonly #resetSets = new WeakMap<FieldPaths, FieldSet>();

  constructor(registry: SchemaRegistry | undefined) {
    this.#types = new TypeTable(registry);
    this.#metaType = this.#types.of(registry?.get(metaSchemaName));
    const fields = (['apiVersion', 'kind', 'metadata'] as const).map((name): [string, MapField] => {
      const type: TypeNode = name === 'metadata' ? this.#metaType : { kind: 'scalar', type: 'string' };
      return [name, { name, element: `f:${name}`, type, zero: name === 'metadata' ? {} : undefined }];
    });
    this.#unknownRoot = { kind: 'map', fields: new Map(fields), element: deduced, always: [] };
  }

  /** The managed fields of an object after a create, an update or a patch that is no apply. */
  updateManagedFields(input: UpdateInput): readonly ManagedFieldsEntry[] {
    const source = this.#entriesInForce(input);
    if (source.length === 0 && input.live?.metadata.uid) return source;
    // A user's own kind may be sent with a status that fits nothing, which is then left out of the object, or be stored as its schema had it once.
    if ([input.next, input.live].some((object) => object !== undefined && this.#faultsOfStored(object, input).length > 0)) return [];
    let changes: Difference | undefined;
    try {
      changes = this.#changes(input.live, input.next, input);
      const isKept = source === input.live?.metadata.managedFields && !namesOneTwice(source) && !source.some((entry) => isForgotten(entry, input));
      if (changes === undefined && isKept) return source;
      const entries = this.#decode(source, input, input.live);
      if (changes !== undefined) this.#recordUpdate(entries, changes, input);
      capUpdateManagers(entries);
      return this.#codec.encode(entries);
    } catch (error) {
      // Who owns what cannot be told of what fits no type, in whatever version.
      if (error instanceof Untyped || error instanceof Misfit) return [];
      throw error;
    }
  }

  /** Server-side apply. Throws StatusError: a conflict unless forced, a bad request, or a configuration that does not fit its type. */
  applyPatch(input: ApplyInput): ApplyResult {
    const { patch, apiVersion, kind } = input;
    if (withoutEmptyGroup(textOf(patch['apiVersion'])) !== apiVersion || (kind !== undefined && patch['kind'] !== kind))
      throw newBadRequest(`invalid object type: ${formatKind(patch)}`);
    const entries = told('', () => this.#decode(input.live?.metadata.managedFields ?? [], input, input.live));
    const faults = input.live === undefined ? [] : this.#faultsOfStored(input.live, input);
    if (input.live !== undefined && faults.length > 0 && entries.size === 0) throw misfitOfStored(input.live, true, faults);
    this.#checkPatch(input);
    if (input.live !== undefined && faults.length > 0) throw misfitOfStored(input.live, false, faults);
    if (entries.size === 0 && input.live !== undefined) {
      const before = { ...input, manager: 'before-first-apply' };
      const changes = this.#firstChanges(input.live, before);
      if (changes !== undefined) this.#recordUpdate(entries, changes, { ...before, live: undefined, next: input.live });
    }
    const first = told('', () => this.#applyOnce(input, entries, input.force));
    const result = first.conflicts.length === 0 ? first : this.#retryForKubectl(input, entries, first.conflicts);
    const object = input.manager === 'kubectl' ? updateLastApplied(result.object, input.patch) : result.object;
    return { object, managedFields: this.#codec.encode(result.entries) };
  }

  /** Why entries cannot be read; undefined where they can. */
  ownersFault(entries: readonly ManagedFieldsEntry[]): string | undefined {
    return this.#codec.fault(entries);
  }

  /** How apply sees objects of a schema. */
  rootType(schema: MessageSchema | undefined): TypeNode {
    return schema === undefined ? this.#unknownRoot : this.#types.of(schema);
  }

  /** The entries that count: those the client sent, else those stored. Subresources never take them from the client. */
  #entriesInForce(input: UpdateInput): readonly ManagedFieldsEntry[] {
    const live = input.live?.metadata.managedFields ?? [];
    const sent = input.next.metadata.managedFields;
    if (input.subresource || sent === undefined || sent === null || sent === live) return live;
    if (isReset(sent)) return [];
    return this.#codec.decode(sent) === undefined ? live : sent;
  }

  #resetSet(paths: FieldPaths | undefined): FieldSet {
    if (paths === undefined || paths.length === 0) return emptySet;
    let set = this.#resetSets.get(paths);
    if (set === undefined) this.#resetSets.set(paths, (set = this.#pool.share(setOfFields(paths))));
    return set;
  }

  /** What differs, without the fields of the server and those this endpoint does not record. */
  #changes(live: KubeObject | undefined, next: KubeObject, input: Write): Difference | undefined {
    const type = this.rootType(input.schema);
    if (type.kind !== 'map') return undefined;
    const metaType = type.fields?.get('metadata')?.type ?? this.#metaType;
    const meta = metaChanges(this.#comparer, live?.metadata ?? {}, next.metadata, metaType);
    const both = this.#comparer.maps(live === undefined ? {} : asJson(live), asJson(next), type, notTyped, meta && ['f:metadata', meta]);
    const reset = this.#resetSet(input.resetFields);
    if (both === undefined || isEmptySet(reset)) return both;
    const filtered = mapDifference(both, (set) => this.#pool.wholeDifference(set, reset));
    return filtered.added === undefined && filtered.removed === undefined && filtered.modified === undefined ? undefined : filtered;
  }

  /** The same in the versions in which others own fields. */
  #versioned(changes: Difference | undefined, live: KubeObject | undefined, next: KubeObject, input: Write): VersionedChanges {
    return new VersionedChanges(input.apiVersion, changes, (apiVersion) => {
      const other = input.versions?.(apiVersion);
      if (other === undefined) return changes;
      const type = this.rootType(other.schema);
      const before = live && told('failed to convert old object: ', () => fitting(other, live, type));
      const after = told('failed to convert new object: ', () => fitting(other, next, type));
      if (after === undefined || (before === undefined) !== (live === undefined)) return changes;
      return this.#changes(before, after, { ...input, apiVersion, schema: other.schema });
    });
  }

  /** Without those of versions that are not known, and those who own nothing. Throws Misfit for what can be no version. */
  #decode(stored: readonly ManagedFieldsEntry[], input: Write, live: KubeObject | undefined): Map<string, ManagerEntry> {
    const entries = this.#codec.decode(stored) ?? new Map<string, ManagerEntry>();
    const known = new Map<string, boolean>([[input.apiVersion, true]]);
    for (const [id, { apiVersion, set }] of entries) {
      if (apiVersion.split('/').length > 2) throw new Misfit(`unexpected GroupVersion string: ${apiVersion}`);
      const other = input.versions?.(apiVersion);
      const isKnown = known.get(apiVersion) ?? (input.versions === undefined || other !== undefined);
      if (!known.has(apiVersion) && other !== undefined && live !== undefined) fitting(other, live, this.rootType(other.schema));
      known.set(apiVersion, isKnown);
      if (!isKnown || isEmptySet(set)) entries.delete(id);
    }
    return entries;
  }

  #views({ apiVersion, schema, versions }: Write): Views {
    const other = (name: string): ReturnType<Views['other']> => {
      const version = versions === undefined ? asItIs(schema) : versions(name);
      return version && { version, type: this.rootType(version.schema) };
    };
    return { apiVersion, type: this.rootType(schema), other };
  }

  /** All that is there, before anybody owned it. */
  #firstChanges(live: KubeObject, input: Write): Difference | undefined {
    try {
      return this.#changes(undefined, live, input);
    } catch (error) {
      if (!(error instanceof Untyped)) throw error;
      throw misfitOfStored(live, true, storedFaults(asJson(live), this.rootType(input.schema)));
    }
  }

  /** What does not fit of an object of a user's own kind: its schema may have been another one when it was stored. */
  #faultsOfStored(object: KubeObject, { schema }: Write): readonly string[] {
    return schema?.custom === undefined ? [] : storedFaults(asJson(object), this.rootType(schema));
  }

  /** Takes changed and removed fields from everybody, and gives the changed ones to this manager. */
  #recordUpdate(entries: Map<string, ManagerEntry>, changes: Difference, input: UpdateInput): void {
    const pool = this.#pool;
    const own = pool.union(changes.added ?? emptySet, changes.modified ?? emptySet);
    takeAway(pool, entries, this.#versioned(changes, input.live, input.next, input));
    const gained = pool.difference(own, this.#stripSet);
    if (isEmptySet(gained)) return;
    const head = {
      manager: input.manager === '' ? 'unknown' : input.manager,
      operation: 'Update',
      apiVersion: input.apiVersion,
      subresource: input.subresource ?? '',
    } as const;
    const id = managerId(head);
    const previous = entries.get(id);
    const set = previous === undefined ? gained : pool.union(gained, previous.set);
    entries.set(id, { ...head, time: input.now, set, stored: undefined });
  }

  #checkPatch({ patch, schema }: ApplyInput): void {
    const meta = isObject(patch['metadata']) ? patch['metadata'] : {};
    // What is no list of objects is a misfit of its type.
    const said = meta['managedFields'];
    if (isList(said) && said.every(isEntry)) throw newBadRequest('metadata.managedFields must be nil');
    const faults = typeFaults(patch, this.rootType(schema));
    if (faults.length === 0) return;
    const named = `${textOf(meta['namespace'])}/${textOf(meta['name'])}; ${formatKind(patch)}`;
    throw newStatusError(500, '', `failed to create typed patch object (${named}): ${faultsText(faults)}`);
  }

  /** Conflicts are returned, with nothing applied. */
  #applyOnce(input: ApplyInput, before: ReadonlyMap<string, ManagerEntry>, force: boolean): Applied {
    const type = this.rootType(input.schema);
    const head = { manager: input.manager, operation: 'Apply', apiVersion: input.apiVersion, subresource: input.subresource ?? '' } as const;
    const id = managerId(head);
    const entries = new Map(before);
    const last = entries.get(id);
    const live = input.live === undefined ? undefined : withoutManagedFields(input.live);
    const set = difference(toFieldSet(input.patch, type) ?? emptySet, this.#resetSet(input.resetFields), true);
    entries.set(id, { ...head, time: last?.time, set, stored: undefined });
    const merged = mergeObject(live, input.patch, type);
    const pruned =
      last === undefined || isEmptySet(last.set) ? merged : told('failed to prune fields: ', () => prune(merged, entries, last, this.#views(input)));
    // Who applied `metadata` as a whole and leaves it out has given up all of it.
    const next = pruned.metadata === undefined ? { ...pruned, metadata: {} } : pruned;
    const changes = this.#changes(live, next, input);
    const versioned = this.#versioned(changes, live, next, input);
    const others = [...entries].filter(([other]) => other !== id);
    const conflicts = others
      .map(([, owner]) => ({ owner, set: intersection(owner.set, versioned.touchedIn(owner.apiVersion)) }))
      .filter((conflict) => !isEmptySet(conflict.set));
    const same = live !== undefined && deepEqual(asJson(live), asJson(next));
    if (conflicts.length > 0 && !force) return { object: input.live ?? next, entries, conflicts };
    if (changes !== undefined) takeAway(this.#pool, entries, versioned, id);
    this.#settleOwn(entries, id, last, difference(set, stripSet), same ? last?.time : input.now);
    return { object: same && input.live !== undefined ? input.live : next, entries, conflicts: [] };
  }

  /** An entry whose set and time are as before stays the very same. */
  #settleOwn(entries: Map<string, ManagerEntry>, id: string, last: ManagerEntry | undefined, set: FieldSet, time: string | undefined): void {
    const own = entries.get(id);
    if (own === undefined || isEmptySet(set)) entries.delete(id);
    else
      entries.set(
        id,
        last !== undefined && deepEqual(last.set, set) && last.apiVersion === own.apiVersion
          ? withTime(last, time)
          : { ...own, set, time, stored: undefined },
      );
  }

  /** kubectl may take back what its client-side apply wrote and nobody changed since. */
  #retryForKubectl(input: ApplyInput, entries: ReadonlyMap<string, ManagerEntry>, conflicts: readonly Conflict[]): Applied {
    const type = this.rootType(input.schema);
    const allowed =
      input.manager === 'kubectl' && input.live !== undefined ? fieldsOfLastApplied(input.live, input.apiVersion, type, this.#comparer) : undefined;
    const left = allowed === undefined ? conflicts : withoutAllowed(conflicts, allowed);
    if (left.length > 0) throw conflictError(left);
    return this.#applyOnce(input, entries, true);
  }
}

function metaChanges(comparer: Comparer, live: ObjectMeta, next: ObjectMeta, type: TypeNode): Difference | undefined {
  if (live === next) return undefined;
  const node: MapNode = type.kind === 'map' ? type : { kind: 'map', fields: undefined, element: deduced, always: [] };
  return comparer.maps(live as unknown as JsonObject, next as unknown as JsonObject, node, systemMeta);
}

interface Applied {
  readonly object: KubeObject;
  readonly entries: Map<string, ManagerEntry>;
  readonly conflicts: readonly Conflict[];
}

export function createFieldManager(registry: SchemaRegistry | undefined): FieldManager {
  return new FieldManager(registry);
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function mergeObject(live: KubeObject | undefined, patch: JsonObject, type: TypeNode): KubeObject {
  try {
    return merge(live === undefined ? undefined : asJson(live), patch, type) as unknown as KubeObject;
  } catch (error) {
    if (error instanceof MergeError) throw newStatusError(500, '', `failed to merge config: ${error.message}`);
    throw error;
  }
}

/** Of a version that nobody knows (any more). */
function isForgotten({ apiVersion }: Pick<ManagedFieldsEntry, 'apiVersion'>, { apiVersion: own, versions }: Write): boolean {
  return apiVersion !== own && apiVersion !== undefined && versions !== undefined && versions(apiVersion) === undefined;
}

/** A version that differs in nothing. */
function asItIs(schema: MessageSchema | undefined): OtherVersion | undefined {
  return schema && { schema, to: (object) => object, from: (object) => object };
}

function takeAway(pool: SetPool, entries: Map<string, ManagerEntry>, versioned: VersionedChanges, except?: string): void {
  for (const [id, entry] of entries) {
    if (id === except) continue;
    const changes = versioned.in(entry.apiVersion);
    const touched = pool.union(changes?.added ?? emptySet, changes?.modified ?? emptySet);
    const rest = pool.difference(entry.set, touched);
    const set = changes?.removed === undefined ? rest : pool.difference(rest, changes.removed);
    if (isEmptySet(set)) entries.delete(id);
    else entries.set(id, withSet(entry, set));
  }
}

function mapDifference(changes: Difference, change: (set: FieldSet) => FieldSet): Difference {
  const each = (set: FieldSet | undefined): FieldSet | undefined => {
    const out = set === undefined ? undefined : change(set);
    return out === undefined || isEmptySet(out) ? undefined : out;
  };
  return { added: each(changes.added), removed: each(changes.removed), modified: each(changes.modified) };
}

const texts = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'subresource'];

/** Whether it can be read as who manages what. */
function isEntry(value: JsonValue): boolean {
  return isObject(value) && texts.every((name) => typeof (getOwn(value, name) ?? '') === 'string');
}
