/**
 * Watching what is computed. A source that tells what changed is asked for that object; one that tells nothing (`follow`) is looked at again
 * now and then, and what it says is compared with what the client was shown. A client that does not read is not looked at for: it is shown
 * what is so when it reads again.
 */
import type { Ask } from '../../contracts/questions.ts';
import { newInternalError } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatMicroTime } from '../../apimachinery/time.ts';
import { deepEqual } from '../../base/equal.ts';
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import type { ApiRequest, WatchEventType, WatchOptions } from '../../contracts/request.ts';
import type { IsBehind, ServedListener, WatchOperation } from '../../contracts/rest-storage.ts';
import { beginsWithAll, checkWatchOptions } from '../../registry/list-options.ts';
import { makeSelection, type Selection } from '../../registry/selection.ts';
import { atVersion, type ComputedVersions } from './computed-versions.ts';

export function watchComputed(resource: ComputedResource, versions: ComputedVersions): WatchOperation {
  const check: WatchOperation['check'] = (request, ask) => {
    // What is computed tells its state at the beginning whatever upstream's gate says.
    checkWatchOptions(request.list ?? {}, true);
    makeSelection(resource, request.list ?? {});
    if (resource.asks === true || resource.follow !== undefined) resource.list(request.query ?? {}, request.namespace, ask);
  };
  return {
    changesState: false,
    check,
    run: (request, listener, ask, _later, isBehind) => {
      // What was wrong with the list has been said before the stream began: it is made once more, of this instant.
      checkWatchOptions(request.list ?? {}, true);
      const view = new ComputedView({ resource, versions, request, listener, isBehind: isBehind ?? (() => false) });
      return { cancel: view.start(ask) };
    },
  };
}

/** On marks: the virtual instant that everything told so far is of. */
export const asOfAnnotation = 'sim.wavetank.dev/as-of';
const beginning = { 'k8s.io/initial-events-end': 'true' };

/** Once a stream is open nobody waits for answers. */
const nobody: Ask = () => ({ outcome: 'timedOut' });

interface ViewOptions {
  readonly resource: ComputedResource;
  readonly versions: ComputedVersions;
  readonly request: ApiRequest;
  readonly listener: ServedListener;
  readonly isBehind: IsBehind;
}

class ComputedView {
  readonly #resource: ComputedResource;
  readonly #versions: ComputedVersions;
  readonly #request: ApiRequest;
  readonly #selection: Selection;
  readonly #listener: ServedListener;
  readonly #isBehind: IsBehind;
  /** What the client was shown, so that it is told what it knows of. */
  readonly #shown = new Map<string, KubeObject>();
  /** The version of what it was told last. */
  #version = 0;
  #isOver = false;

  constructor({ resource, versions, request, listener, isBehind }: ViewOptions) {
    this.#resource = resource;
    this.#versions = versions;
    this.#request = request;
    this.#selection = makeSelection(resource, request.list ?? {});
    this.#listener = listener;
    this.#isBehind = isBehind;
  }

  /** Returns what ends it. */
  start(ask: Ask): () => void {
    try {
      this.#begin(this.#request.list ?? {}, ask);
    } catch (error) {
      this.#fail(error);
      return () => undefined;
    }
    const { subscribe, follow } = this.#resource;
    const ends = [
      subscribe?.call(this.#resource, (namespace, name) => this.#onChange(namespace, name)),
      follow?.call(this.#resource, () => this.#lookAgain()),
    ];
    return () => {
      for (const end of ends) end?.();
      // Who was cut off may go on from where it was.
      if (!this.#isOver && this.#version !== 0) this.#versions.keep(this.#version, [...this.#shown.values()]);
      this.#isOver = true;
    };
  }

  #begin(options: WatchOptions, ask: Ask): void {
    const { resourceVersion = '', sendInitialEvents, allowWatchBookmarks, beginsWhole = false } = options;
    const isFromNow = resourceVersion === '' || resourceVersion === '0' || sendInitialEvents === true;
    if (!isFromNow) for (const object of this.#versions.find(resourceVersion)) if (this.#isAskedFor(object)) this.#shown.set(keyOf(object), object);
    const objects = this.#list(ask);
    this.#version = isFromNow ? this.#versions.next() : Number(resourceVersion);
    if (sendInitialEvents === false && isFromNow) for (const object of objects) this.#shown.set(keyOf(object), object);
    else this.#compare(objects);
    const marks = (sendInitialEvents === true || beginsWithAll(options, true)) && allowWatchBookmarks === true;
    if (beginsWhole || marks) this.#mark(beginning);
  }

  #list(ask: Ask): readonly KubeObject[] {
    const { query = {}, namespace } = this.#request;
    return this.#resource.list(query, namespace, ask).filter((object) => this.#selection.matches(object));
  }

  #isAskedFor(object: KubeObject): boolean {
    const { namespace } = this.#request;
    return (namespace === undefined || namespace === object.metadata.namespace) && this.#selection.matches(object);
  }

  #mark(given: Readonly<Record<string, string>>): void {
    const { kind, nowMs } = this.#resource;
    const annotations = { ...given, ...(nowMs && { [asOfAnnotation]: formatMicroTime(nowMs()) }) };
    const metadata = { resourceVersion: String(this.#version), annotations };
    const apiVersion = `${kind.group}/${kind.version}`;
    this.#listener({ type: 'BOOKMARK', object: { kind: kind.kind, apiVersion, metadata }, revision: this.#version });
  }

  /** The page is told of each look: what did not change is known of a later instant then. */
  #lookAgain(): boolean {
    if (this.#isOver || this.#isBehind()) return false;
    try {
      this.#compare(this.#list(nobody));
      if (this.#request.list?.beginsWhole === true) this.#mark({});
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #compare(objects: readonly KubeObject[]): void {
    const now = new Set<string>();
    for (const object of objects) {
      now.add(keyOf(object));
      this.#show(object);
    }
    for (const key of [...this.#shown.keys()]) if (!now.has(key)) this.#hide(key);
  }

  #onChange(namespace: string | undefined, name: string): void {
    const { namespace: wanted } = this.#request;
    if (wanted !== undefined && namespace !== wanted) return;
    const object = this.#resource.get(name, {}, namespace, nobody);
    if (object !== undefined && this.#selection.matches(object)) this.#show(object);
    else this.#hide(`${namespace ?? ''}/${name}`);
  }

  #show(object: KubeObject): void {
    const key = keyOf(object);
    const last = this.#shown.get(key);
    if (last !== undefined && deepEqual(last, object)) return;
    this.#shown.set(key, object);
    this.#send(last === undefined ? 'ADDED' : 'MODIFIED', object);
  }

  #hide(key: string): void {
    const last = this.#shown.get(key);
    if (last === undefined) return;
    this.#shown.delete(key);
    this.#send('DELETED', last);
  }

  #send(type: WatchEventType, object: KubeObject): void {
    this.#version = this.#versions.next();
    this.#listener({ type, object: atVersion(object, this.#version), revision: this.#version });
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    const { status } = error instanceof StatusError ? error : newInternalError(String(error));
    this.#listener({ type: 'ERROR', object: status, revision: this.#version });
  }
}

function keyOf({ metadata: { namespace = '', name = '' } }: KubeObject): string {
  return `${namespace}/${name}`;
}
