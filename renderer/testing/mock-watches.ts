/** Watches of what the pretend cluster computes: looked at again now and then, as the engine does. */
import type { MockObject } from './mock-cluster.ts';

type Listener = (type: string, object: MockObject) => void;

interface Watch {
  readonly read: () => readonly MockObject[];
  readonly listener: Listener;
  shown: Map<string, MockObject>;
}

const paceMs = 250;

export class ComputedWatches {
  readonly #watches = new Set<Watch>();
  #lookedAtMs = 0;

  /** What is there now has been told. Returns what ends it. */
  add(read: () => readonly MockObject[], listener: Listener): () => void {
    const watch: Watch = { read, listener, shown: byName(read()) };
    this.#watches.add(watch);
    return () => this.#watches.delete(watch);
  }

  look(): void {
    if (performance.now() - this.#lookedAtMs < paceMs) return;
    this.#lookedAtMs = performance.now();
    for (const watch of this.#watches) lookAt(watch);
  }
}

function lookAt(watch: Watch): void {
  const now = byName(watch.read());
  for (const [name, object] of now) {
    const before = watch.shown.get(name);
    if (before === undefined) watch.listener('ADDED', object);
    else if (JSON.stringify(before) !== JSON.stringify(object)) watch.listener('MODIFIED', object);
  }
  for (const [name, object] of watch.shown) if (!now.has(name)) watch.listener('DELETED', object);
  watch.shown = now;
}

function byName(objects: readonly MockObject[]): Map<string, MockObject> {
  return new Map(objects.map((object) => [`${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]));
}
