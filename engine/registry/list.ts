/**
 * Reading collections: consistent snapshots, selectors, chunks. Mirrors apiserver pkg/storage/etcd3/store.go (GetList) and the
 * rules for resourceVersion of apimachinery pkg/apis/meta/internalversion/validation.
 */
import { assert } from '../base/assert.ts';
import { newBadRequest, newResourceExpired, newStatusError, newTooLargeResourceVersion } from '../apimachinery/errors.ts';
import type { KubeObject, ListMeta } from '../apimachinery/object.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { ListOptions } from '../contracts/request.ts';
import { StatusError } from '../apimachinery/status.ts';
import { CompactedError, FutureRevisionError, type RangeResult, type StoredValue } from '../store/store.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { Core } from './core.ts';
import { hidesUninitialized, initializedOnly } from './initialization.ts';
import { isReadAsStored, listPrefix, objectKey, type Resource } from './resource.ts';
import { parseShard, type Shard, shardGate } from './shards.ts';
import { makeSelection, type Selection } from './selection.ts';

export interface ListResult {
  readonly stored: readonly StoredValue<KubeObject>[];
  /** In the version of the resource. */
  readonly items: readonly KubeObject[];
  readonly revision: number;
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
  /** The part that was asked for, where it is one. */
  readonly shard?: string;
}

export function listObjects(core: Core, resource: Resource, namespace: string, given: ListOptions): ListResult {
  const options = core.featureEnabled('APIListChunking') ? given : inOne(given);
  const shard = shardOf(core, options);
  const selection = selectionOf(core, resource, options, shard);
  const place = startOf(core, listPrefix(resource, namespace), options, resource);
  const single = singleKey(resource, namespace, selection);
  const select = selector(core, resource, selection);
  // Who takes whatever the cache has gets all of it, and the rest of it where the cache remembers what it was.
  const isFromCache = !options.continue || core.featureEnabled('ListFromCacheSnapshot');
  const limit = resource.kind.isCached !== false && options.resourceVersion === '0' && isFromCache ? 0 : (options.limit ?? 0);
  const found =
    single === undefined ? page(core, place, selection, select, limit) : one(core, single, place, { select, isNow: !options.resourceVersionMatch });
  const items = found.stored.map(valueOf);
  return {
    ...found,
    ...(shard === undefined ? undefined : { shard: shard.text }),
    items: isReadAsStored(resource) ? items : core.allFromStorage(items, resource),
  };
}

/** What a client asks for and may see. Throws StatusError. */
export function selectionOf(core: Core, resource: Pick<Resource, 'kind'>, options: ListOptions, shard = shardOf(core, options)): Selection {
  const selection = makeSelection(resource, options, shard, (key) => core.view.get(`/registry/${key}`)?.value);
  return hidesUninitialized(core, options) ? initializedOnly(selection) : selection;
}

/** The part of a collection that is asked for; undefined for all of it. Throws StatusError. */
export function shardOf(core: Core, { shardSelector }: Pick<ListOptions, 'shardSelector'>): Shard | undefined {
  return shardSelector === undefined || !core.featureEnabled(shardGate) ? undefined : parseShard(shardSelector);
}

/** Who asks for a part gets all. */
function inOne({ limit: _limit, continue: _token, ...options }: ListOptions): ListOptions {
  return options;
}

/** What a list says of itself. */
export function listMeta(result: Omit<ListResult, 'items'>): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continueToken === '' ? undefined : { continue: result.continueToken }),
    ...(result.remainingItemCount === undefined ? undefined : { remainingItemCount: result.remainingItemCount }),
    ...(result.shard === undefined ? undefined : { shardInfo: { selector: result.shard } }),
  };
}

function valueOf(stored: StoredValue<KubeObject>): KubeObject {
  return stored.value;
}

/** Of several values which are selected. */
type Select = (values: readonly StoredValue<KubeObject>[]) => (index: number) => boolean;

/** What a webhook converts is selected by what it made of it: all that may match is asked for together. */
function selector(core: Core, resource: Resource, selection: Selection): Select {
  if (selection.everything || resource.kind.conversion === undefined)
    return (values) => (index) => selection.matchesStored((values[index] as StoredValue<KubeObject>).value);
  return (values) => {
    const shown = core.allFromStorage(values.map(valueOf), resource);
    return (index) => selection.matches(shown[index] as KubeObject);
  };
}

interface Place {
  readonly prefix: string;
  readonly start: string | undefined;
  /** 0: now. */
  readonly revision: number;
}

type Page = Omit<ListResult, 'items'>;

function startOf(core: Core, prefix: string, options: ListOptions, resource: Resource): Place {
  const version = options.resourceVersion ?? '';
  if (options.continue) {
    const { startKey, revision } = decodeContinue(options.continue, prefix);
    if (version !== '' && version !== '0') throw newBadRequest('specifying resource version is not allowed when using continue');
    if (revision > Number.MAX_SAFE_INTEGER) throw newTooLargeResourceVersion(revision, core.view.currentRevision(), 1);
    return { prefix, start: startKey, revision: revision < 0 ? 0 : Number(revision) };
  }
  const asked = parseRevision(version);
  const current = core.view.currentRevision();
  if (asked > current) throw newTooLargeResourceVersion(BigInt(version), current, patienceOf(resource));
  const isAsStored = resource.kind.isCached === false && !core.ratcheted('FreshReads');
  const exact = isAsStored || options.resourceVersionMatch === 'Exact' || (!options.resourceVersionMatch && (options.limit ?? 0) > 0);
  return { prefix, start: undefined, revision: exact ? asked : 0 };
}

/** 0 for none. Throws BadRequest. */
function parseRevision(version: string): number {
  const fault = revisionFault(version);
  if (fault !== undefined) throw newBadRequest(`invalid resource version: ${fault}`);
  return Number(version);
}

/** 0 for none. Throws a Status without a reason, as upstream does for what no list asks. */
export function parseAnyRevision(version: string): number {
  const fault = revisionFault(version);
  if (fault !== undefined) throw newStatusError(500, '', fault);
  return Number(version);
}

function revisionFault(version: string): string | undefined {
  const fault = uintFault(version);
  return fault === undefined ? undefined : `resourceVersion: Invalid value: ${goQuote(version)}: ${fault}`;
}

const uintMax = 18446744073709551615n;

/** What Go's strconv says of a text that is no unsigned integer of 64 bits; nothing of an empty one. */
export function uintFault(text: string): string | undefined {
  const isNumber = [...text].every((character) => character >= '0' && character <= '9');
  if (isNumber && (text.length < 20 || BigInt(text.slice(0, 400)) <= uintMax)) return undefined;
  return `strconv.ParseUint: parsing ${goQuote(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`;
}

/** Seconds after which to ask again: a cache may catch up, what is read as it is stored will not. */
function patienceOf({ kind }: Resource): number {
  return kind.isCached === false ? 0 : 1;
}

/** A read that is to be at least as fresh as a version that does not exist yet. */
export function checkNotTooLarge(core: Core, version: string, resource: Resource): void {
  const isStored = resource.kind.isCached === false;
  if (isStored && !core.ratcheted('FreshReads')) return;
  const asked = isStored ? parseRevision(version) : parseAnyRevision(version);
  const current = core.view.currentRevision();
  if (asked > current) throw newTooLargeResourceVersion(BigInt(version), current, patienceOf(resource));
}

function singleKey(resource: Resource, namespace: string, selection: Selection): string | undefined {
  if (selection.name === undefined) return undefined;
  const inside = namespace === '' ? selection.namespace : namespace;
  if (resource.kind.namespaced && !inside) return undefined;
  return objectKey(resource, inside, selection.name);
}

/** Single objects are as they are now, whatever revision a limited list is of (apiserver pkg/storage, ValidateListOptions), unless it must be that one. */
function one(core: Core, key: string, place: Place, { select, isNow }: { readonly select: Select; readonly isNow: boolean }): Page {
  const then = guarded(place, () => (place.revision === 0 ? core.view.get(key) : core.view.get(key, place.revision)));
  const stored = isNow ? core.view.get(key) : then;
  const hit = stored !== undefined && select([stored])(0);
  const revision = place.revision === 0 || isNow ? core.view.currentRevision() : place.revision;
  return { stored: hit ? [stored] : [], revision, continueToken: '', remainingItemCount: undefined };
}

function page(core: Core, place: Place, selection: Selection, select: Select, limit: number): Page {
  const range = guarded(place, () =>
    core.view.range({ prefix: place.prefix, start: place.start, revision: place.revision, limit: selection.everything ? limit : 0 }),
  );
  assert(!selection.everything || limit <= 0 || range.items.length <= limit, 'a page is no longer than was asked for');
  if (selection.everything) return finish(range.items, range.more, range.count - range.items.length, range, place);
  const isSelected = select(range.items);
  const stored: StoredValue<KubeObject>[] = [];
  let last: StoredValue<KubeObject> | undefined;
  let seen = 0;
  for (const item of range.items) {
    if (limit > 0 && stored.length === limit) break;
    last = item;
    if (isSelected(seen++)) stored.push(item);
  }
  return finish(stored, seen < range.items.length, undefined, range, place, last);
}

function finish(
  stored: readonly StoredValue<KubeObject>[],
  more: boolean,
  remaining: number | undefined,
  range: RangeResult<KubeObject>,
  place: Place,
  last = stored.at(-1),
): Page {
  assert(remaining === undefined || remaining >= 0, 'no fewer than none remain');
  const continueToken = more && last !== undefined ? encodeContinue(last.key, place.prefix, range.revision) : '';
  return { stored, revision: range.revision, continueToken, remainingItemCount: more ? remaining : undefined };
}

const listTooOld = 'The resourceVersion for the provided list is too old.';
const continueTooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function guarded<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FutureRevisionError) throw newTooLargeResourceVersion(place.revision, error.currentRevision, 1);
    if (!(error instanceof CompactedError)) throw error;
    if (place.start === undefined) throw newResourceExpired(listTooOld);
    const again = encodeContinue(place.start.endsWith('\0') ? place.start.slice(0, -1) : place.start, place.prefix, -1);
    const { status } = newResourceExpired(continueTooOld);
    throw new StatusError({ ...status, metadata: { ...status.metadata, continue: again } });
  }
}
