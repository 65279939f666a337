/**
 * Following a collection from a revision, gapless, through selectors. Mirrors apiserver pkg/storage/cacher (cacher.go,
 * cache_watcher.go, watch_cache.go).
 */
import { assert } from '../base/assert.ts';
import { newGone, newInternalError, newResourceExpired, newTooLargeResourceVersion } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { WatchEvent, WatchEventType, WatchHandle, WatchOptions } from '../contracts/request.ts';
import type { Status, StatusError } from '../apimachinery/status.ts';
import { CompactedError, type Change, type StoredValue } from '../store/store.ts';
import type { Core } from './core.ts';
import { beginsWithAll } from './list-options.ts';
import { parseAnyRevision, selectionOf } from './list.ts';
import { orderedMeta, withMeta } from './meta.ts';
import { listPrefix, objectKey, type Resource } from './resource.ts';
import { makeSelection, type Selection } from './selection.ts';

/** A watch event that knows where its wire forms are kept. */
export interface ResourceEvent extends WatchEvent<KubeObject | Status> {
  readonly revision: number;
  /** Where to keep encodings of `object`, and under which further key; absent for bookmarks and errors. */
  readonly stored?: StoredValue<KubeObject>;
  readonly variant?: string;
  /** What was there before a change that is told as it is stored. */
  readonly before?: StoredValue<KubeObject> | undefined;
}

export type EventListener = (event: ResourceEvent) => void;

/** Throws what is wrong with the selectors or the version of a watch. */
export function checkWatchable(core: Core, resource: Resource, options: WatchOptions): void {
  selectionOf(core, resource, options);
  parseAnyRevision(options.resourceVersion ?? '');
}

/** Events have the version of the resource, as far as nobody has to be asked for it. */
export function watchObjects(core: Core, resource: Resource, namespace: string, options: WatchOptions, listener: EventListener): WatchHandle {
  const selection = selectionOf(core, resource, options);
  return watchThrough({ selection, show: (object) => core.fromStorage(object, resource) }, core, resource, namespace, options, listener);
}

/** For whoever converts first and selects then: all changes to objects that may be selected, with the objects as they are stored. */
export function watchChanges(core: Core, resource: Resource, namespace: string, options: WatchOptions, listener: EventListener): WatchHandle {
  const { name, namespace: inside } = makeSelection(resource, options);
  const selection: Selection = { everything: true, name, namespace: inside, matches: () => true, matchesStored: () => true };
  return watchThrough({ selection, show: (stored) => stored }, core, resource, namespace, options, listener);
}

/** Which stored objects events are of, and what they have of them. */
interface Lens {
  readonly selection: Selection;
  readonly show: (stored: KubeObject) => KubeObject;
}

function watchThrough(lens: Lens, core: Core, resource: Resource, namespace: string, options: WatchOptions, listener: EventListener): WatchHandle {
  const asked = parseAnyRevision(options.resourceVersion ?? '');
  const current = core.store.currentRevision();
  const isWhole = options.beginsWhole === true;
  const initial = isWhole || (options.sendInitialEvents ?? asked === 0);
  const view = new WatchView(core, resource, lens, isWhole || options.allowWatchBookmarks === true, asked, listener);
  if (!initial && asked !== 0 && asked < core.store.compactedRevision()) return view.expire(asked);
  if (options.sendInitialEvents === true && asked > current)
    return view.refuse(newTooLargeResourceVersion(BigInt(options.resourceVersion ?? ''), current, 1));
  if (initial) view.sendState(namespace, isWhole || options.sendInitialEvents === true || beginsWithAll(options, core.featureEnabled('WatchList')));
  return view.follow(namespace, initial || asked === 0 ? current : Math.min(asked, current));
}

const watchTooOld = 'The resourceVersion for the provided watch is too old.';

class WatchView {
  readonly #core: Core;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #bookmarks: boolean;
  /** Changes up to here are not wanted, although they may still lie ahead. */
  readonly #askedRevision: number;
  readonly #listener: EventListener;
  readonly #show: Lens['show'];
  /** The last change that was looked at: neither events nor bookmarks go back behind it. */
  #sentRevision = 0;
  #broken = false;
  #cancel: (() => void) | undefined;

  constructor(core: Core, resource: Resource, { selection, show }: Lens, bookmarks: boolean, askedRevision: number, listener: EventListener) {
    this.#core = core;
    this.#resource = resource;
    this.#selection = selection;
    this.#bookmarks = bookmarks;
    this.#askedRevision = askedRevision;
    this.#listener = listener;
    this.#show = show;
  }

  expire(asked: number): WatchHandle {
    // Storage does not say how old is too old.
    if (this.#resource.kind.isCached === false) return this.refuse(newResourceExpired(watchTooOld));
    const text = `too old resource version: ${asked} (${this.#core.store.compactedRevision()})`;
    return this.refuse(this.#core.ratcheted('ExpiredCaches') ? newResourceExpired(text) : newGone(text));
  }

  /** The watch has begun by then: it is told as an event, the only one. */
  refuse({ status }: StatusError): WatchHandle {
    this.#listener({ type: 'ERROR', object: status, revision: this.#core.store.currentRevision() });
    return { cancel: () => {} };
  }

  /** What is there now, as ADDED events, and the bookmark behind them. */
  sendState(namespace: string, endMark: boolean): void {
    const range = this.#core.store.range({ prefix: listPrefix(this.#resource, namespace) });
    for (const stored of range.items) {
      if (this.#selection.matchesStored(stored.value)) this.#send('ADDED', stored, stored.modRevision);
    }
    if (endMark && this.#bookmarks) this.#bookmark(range.revision, { 'k8s.io/initial-events-end': 'true' });
  }

  follow(namespace: string, afterRevision: number): WatchHandle {
    const { name } = this.#selection;
    const inside = namespace === '' ? this.#selection.namespace : namespace;
    const exact = name !== undefined && (inside || !this.#resource.kind.namespaced);
    try {
      const watcher = this.#core.store.watch({
        ...(exact ? { key: objectKey(this.#resource, inside, name) } : { prefix: listPrefix(this.#resource, namespace) }),
        afterRevision,
        onChanges: (changes) => {
          for (const change of changes) this.#follow(change);
        },
        ...(this.#bookmarks ? { onProgress: (revision: number) => this.#progress(revision) } : undefined),
      });
      if (this.#broken) watcher.cancel();
      else this.#cancel = () => watcher.cancel();
      return watcher;
    } catch (error) {
      if (error instanceof CompactedError) return this.expire(afterRevision);
      throw error;
    }
  }

  #follow(change: Change<KubeObject>): void {
    if (this.#broken) return;
    try {
      this.#onChange(change);
    } catch (error) {
      this.#breakOff(error);
    }
  }

  #progress(revision: number): void {
    if (this.#broken) return;
    try {
      this.#bookmark(revision, undefined);
    } catch (error) {
      this.#breakOff(error);
    }
  }

  /** A watch that cannot tell a change ends, as a stream that broke; the write that it was to tell of is not its affair. */
  #breakOff(error: unknown): void {
    this.#broken = true;
    this.#cancel?.();
    const { status } = newInternalError(error instanceof Error ? error : String(error));
    this.#listener({ type: 'ERROR', object: status, revision: this.#core.store.currentRevision() });
  }

  #onChange(change: Change<KubeObject>): void {
    if (change.revision <= this.#askedRevision) return;
    assert(change.revision > this.#sentRevision, 'events rise');
    this.#sentRevision = change.revision;
    const { current, previous, revision } = change;
    if (this.#selection.everything) {
      if (current === undefined) this.#sendGone(previous, revision);
      else this.#send(previous === undefined ? 'ADDED' : 'MODIFIED', current, revision, previous);
      return;
    }
    const was = previous !== undefined && this.#selection.matchesStored(previous.value);
    const is = current !== undefined && this.#selection.matchesStored(current.value);
    if (is && current !== undefined) this.#send(was ? 'MODIFIED' : 'ADDED', current, revision);
    else if (was) this.#sendGone(previous, revision);
  }

  #send(type: WatchEventType, stored: StoredValue<KubeObject>, revision: number, before?: StoredValue<KubeObject>): void {
    this.#listener({ type, object: this.#show(stored.value), revision, stored, variant: '', before });
  }

  /** The state before, under the revision at which it went. */
  #sendGone(previous: StoredValue<KubeObject> | undefined, revision: number): void {
    if (previous !== undefined) this.#listener(goneEvent(previous, this.#show(lastSeen(previous.value, revision)), revision));
  }

  #bookmark(revision: number, annotations: { readonly [key: string]: string } | undefined): void {
    assert(revision >= this.#sentRevision, 'a bookmark is not behind what was sent');
    const { kind, unsaid, unsaidAnnotations } = this.#resource.kind;
    const noted =
      annotations === undefined && unsaidAnnotations === undefined ? undefined : { annotations: { ...unsaidAnnotations, ...annotations } };
    const metadata = { resourceVersion: String(revision), ...noted };
    const object = { kind, apiVersion: this.#resource.apiVersion, metadata, ...unsaid };
    this.#listener({ type: 'BOOKMARK', object: this.#core.canonical(object, this.#resource), revision });
  }
}

/** `object` as it leaves a selection. */
export function lastSeen(object: KubeObject, revision: number): KubeObject {
  return withMeta(object, orderedMeta({ ...object.metadata, resourceVersion: String(revision) }));
}

/** `shown`: what was last seen of `stored`, in the version of the watch. */
export function goneEvent(stored: StoredValue<KubeObject>, shown: KubeObject, revision: number): ResourceEvent {
  return { type: 'DELETED', object: shown, revision, stored, variant: `@${revision}` };
}
