/** Watching what is computed: the state now, then one event for every object that its source says has changed. */
import type { Ask } from '../../contracts/questions.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import type { WatchEventType } from '../../contracts/request.ts';
import type { ServedListener, WatchOperation } from '../../contracts/rest-storage.ts';
import { checkWatchOptions } from '../../registry/list-options.ts';
import { makeSelection, type Selection } from '../../registry/selection.ts';

/** Computed objects have no revision of their own. */
const revision = 0;

export function watchComputed(resource: ComputedResource): WatchOperation {
  const check: WatchOperation['check'] = (request, ask) => {
    // What is computed tells its state at the beginning whatever upstream's gate says.
    checkWatchOptions(request.list ?? {}, true);
    makeSelection(resource, request.list ?? {});
    if (resource.asks === true) resource.list(request.query ?? {}, request.namespace, ask);
  };
  return {
    changesState: false,
    check,
    run: (request, listener, ask) => {
      check(request, ask);
      const options = request.list ?? {};
      const view = new ComputedView(resource, makeSelection(resource, options), listener);
      view.begin(request.query ?? {}, request.namespace, ask);
      if (options.sendInitialEvents === true && options.allowWatchBookmarks === true) view.mark();
      const cancel = resource.subscribe?.((namespace, name) => view.onChange(namespace, name)) ?? (() => undefined);
      return { cancel };
    },
  };
}

/** Once a stream is open nobody waits for answers. */
const nobody: Ask = () => ({ outcome: 'timedOut' });

class ComputedView {
  readonly #resource: ComputedResource;
  readonly #selection: Selection;
  readonly #listener: ServedListener;
  /** What the client was shown, so that it is told what it knows of. */
  readonly #shown = new Map<string, KubeObject>();
  #namespace: string | undefined;

  constructor(resource: ComputedResource, selection: Selection, listener: ServedListener) {
    this.#resource = resource;
    this.#selection = selection;
    this.#listener = listener;
  }

  begin(query: { readonly [parameter: string]: string }, namespace: string | undefined, ask: Ask): void {
    this.#namespace = namespace;
    for (const object of this.#resource.list(query, namespace, ask)) this.#show(object);
  }

  mark(): void {
    const { kind } = this.#resource;
    const metadata = { resourceVersion: String(revision), annotations: { 'k8s.io/initial-events-end': 'true' } };
    const apiVersion = `${kind.group}/${kind.version}`;
    this.#listener({ type: 'BOOKMARK', object: { kind: kind.kind, apiVersion, metadata }, revision });
  }

  onChange(namespace: string | undefined, name: string): void {
    if (this.#namespace !== undefined && namespace !== this.#namespace) return;
    const object = this.#resource.get(name, {}, namespace, nobody);
    if (object !== undefined) this.#show(object);
    else this.#hide(keyOf(namespace, name));
  }

  #show(object: KubeObject): void {
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    if (!this.#selection.matches(object)) return this.#hide(key);
    const type = this.#shown.has(key) ? 'MODIFIED' : 'ADDED';
    this.#shown.set(key, object);
    this.#send(type, object);
  }

  #hide(key: string): void {
    const last = this.#shown.get(key);
    if (last === undefined) return;
    this.#shown.delete(key);
    this.#send('DELETED', last);
  }

  #send(type: WatchEventType, object: KubeObject): void {
    this.#listener({ type, object, revision });
  }
}

function keyOf(namespace: string | undefined, name: string | undefined): string {
  return `${namespace ?? ''}/${name ?? ''}`;
}
