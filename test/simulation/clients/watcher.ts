/**
 * Clients outside that watch: from now, from a list, from initial events, with label and field selectors and bookmarks; they go away and
 * come back at the last revision they have seen. What they have gathered must equal what is stored, event by event.
 */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { WatchedEvent } from '../../support/cluster.ts';
import { core, type Swarm } from '../draw.ts';
import type { Thing, World } from '../world.ts';
import type { Bystander } from './client.ts';

interface Subject {
  readonly path: string;
  readonly prefix: string;
  readonly query: string;
  readonly wants: (thing: Thing) => boolean;
}

const subjects: readonly Subject[] = [
  { path: `${core}/pods`, prefix: 'pods', query: '', wants: () => true },
  { path: `${core}/pods`, prefix: 'pods', query: 'labelSelector=app%3Dweb-0', wants: ({ metadata }) => metadata.labels?.['app'] === 'web-0' },
  { path: `${core}/pods`, prefix: 'pods', query: 'fieldSelector=status.phase%3DRunning', wants: (pod) => phaseOf(pod) === 'Running' },
  { path: `${core}/namespaces/default/configmaps`, prefix: 'configmaps', query: '', wants: ({ metadata }) => metadata.namespace === 'default' },
  { path: '/apis/apps/v1/replicasets', prefix: 'replicasets', query: '', wants: () => true },
  { path: '/apis/batch/v1/jobs', prefix: 'jobs', query: '', wants: () => true },
];

export function watchers(): readonly Bystander[] {
  return subjects.map((subject) => new WatchClient(subject));
}

type Way = 'list' | 'initial events';

class WatchClient implements Bystander {
  readonly name = 'watches are gapless';
  readonly #subject: Subject;
  readonly #known = new Map<string, KubeObject>();
  #revision = 0;
  #bookmark = 0;
  #stop: (() => void) | undefined;
  #awaitsEnd = false;
  #expired = false;
  #faults: string[] = [];

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  step(swarm: Swarm): void {
    if (this.#stop === undefined) this.#begin(swarm);
    this.#compare(swarm.world);
    for (const fault of this.#faults) swarm.complain(this.name, `${this.#subject.path}?${this.#subject.query}: ${fault}`);
    this.#faults = [];
    if (swarm.below(3) === 0) swarm.made.cluster.store.notifyProgress();
    if (swarm.below(5) === 0) this.#leave();
  }

  #begin(swarm: Swarm): void {
    const way: Way = swarm.below(3) === 0 ? 'initial events' : 'list';
    if (this.#expired || this.#revision === 0 || swarm.below(4) === 0) {
      this.#known.clear();
      this.#revision = 0;
      this.#bookmark = 0;
      if (way === 'list') this.#list(swarm);
    }
    this.#expired = false;
    this.#awaitsEnd = this.#revision === 0;
    const from = this.#awaitsEnd ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan' : `resourceVersion=${this.#revision}`;
    const query = [this.#subject.query, 'watch=true', 'allowWatchBookmarks=true', from].filter(Boolean).join('&');
    this.#stop = swarm.made.watch(`${this.#subject.path}?${query}`, (event) => this.#take(event));
  }

  #list(swarm: Swarm): void {
    const { items, metadata } = swarm.made.call<{ items: KubeObject[]; metadata: { resourceVersion: string } }>(
      'GET',
      `${this.#subject.path}?${this.#subject.query}`,
    );
    for (const item of items) this.#known.set(keyOf(item), item);
    this.#revision = Number(metadata.resourceVersion);
  }

  #leave(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #take({ type, object }: WatchedEvent): void {
    if (type === 'ERROR') {
      // Too old: listed anew next time.
      this.#expired = true;
      return;
    }
    const revision = Number(object.metadata.resourceVersion);
    if (type === 'BOOKMARK') this.#takeBookmark(object, revision);
    else this.#takeChange(type, object, revision);
  }

  #takeBookmark({ metadata }: KubeObject, revision: number): void {
    if (revision < this.#revision) this.#faults.push(`a bookmark of ${revision} after ${this.#revision}`);
    if (this.#awaitsEnd && metadata.annotations?.['k8s.io/initial-events-end'] === undefined)
      this.#faults.push('a bookmark before the initial events end');
    this.#awaitsEnd = false;
    this.#revision = revision;
    this.#bookmark = revision;
  }

  #takeChange(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject, revision: number): void {
    const key = keyOf(object);
    const known = this.#known.get(key);
    // Initial events come in the order of keys.
    if (!this.#awaitsEnd && revision <= this.#revision) this.#faults.push(`${type} ${key} at ${revision} after ${this.#revision}`);
    if (revision <= this.#bookmark) this.#faults.push(`${type} ${key} at ${revision} after a bookmark of ${this.#bookmark}`);
    if ((type === 'ADDED') !== (known === undefined)) this.#faults.push(`${type} ${key}, which is ${known === undefined ? 'not ' : ''}known`);
    if (type === 'DELETED') {
      this.#known.delete(key);
      if (known !== undefined && textOf(known) !== textOf(object)) this.#faults.push(`DELETED ${key} not as it was last`);
    } else {
      if (!this.#subject.wants(object)) this.#faults.push(`${type} ${key} is not what was asked for`);
      this.#known.set(key, object);
    }
    if (!this.#awaitsEnd) this.#revision = revision;
  }

  #compare(world: World): void {
    if (this.#awaitsEnd) this.#faults.push('the initial events do not end');
    if (this.#expired) return this.#leave();
    const stored = world.all(this.#subject.prefix).filter((thing) => this.#subject.wants(thing));
    for (const thing of stored) {
      const seen = this.#known.get(keyOf(thing));
      if (seen?.metadata.resourceVersion !== thing.metadata.resourceVersion)
        this.#faults.push(`${keyOf(thing)} is at ${thing.metadata.resourceVersion}, seen at ${seen?.metadata.resourceVersion ?? 'no time'}`);
    }
    if (stored.length < this.#known.size) this.#faults.push(`${this.#known.size} are known, ${stored.length} are there`);
  }
}

function keyOf({ metadata }: Thing): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** All but the revision, which a deletion sets to its own, and the type, which items of a list do without. */
function textOf({ kind: _kind, apiVersion: _apiVersion, metadata, ...rest }: KubeObject): string {
  return JSON.stringify({ metadata: { ...metadata, resourceVersion: '' }, ...rest });
}

function phaseOf(thing: Thing): string | undefined {
  return (thing as Thing & { readonly status?: { readonly phase?: string } }).status?.phase;
}
