/**
 * The contract of a checker: it hears every change of the store, is asked between instants and once more when the cluster has come to
 * rest; what it returns is wrong with the cluster.
 */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import type { Change } from '../../../engine/store/store.ts';
import { World } from '../world.ts';

export interface Checker {
  readonly name: string;
  /** Called for each change in order of revisions; the world has taken it in. */
  onChange?(change: Change<KubeObject>, world: World): readonly string[];
  /** Called between instants. */
  inspect?(world: World, cluster: Cluster): readonly string[];
  /** Called when nobody has asked for anything for a long time. */
  atRest?(world: World): readonly string[];
}

/** One of many is enough to know; the rest only hides it. */
const violationsMax = 20;

/** Watches a cluster with all checkers; `violations` grows. */
export class Checkers {
  readonly violations: string[] = [];
  readonly world: World;
  readonly #cluster: Cluster;
  readonly #checkers: readonly Checker[];

  constructor(cluster: Cluster, checkers: readonly Checker[]) {
    this.#cluster = cluster;
    this.#checkers = checkers;
    this.world = new World(cluster.loop);
    cluster.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.#onChange(change)) });
  }

  inspect(): void {
    for (const checker of this.#checkers) this.note(checker.name, checker.inspect?.(this.world, this.#cluster) ?? []);
  }

  atRest(): void {
    this.inspect();
    for (const checker of this.#checkers) this.note(checker.name, checker.atRest?.(this.world) ?? []);
  }

  note(name: string, found: readonly string[]): void {
    const { loop, store } = this.#cluster;
    for (const text of found) {
      if (this.violations.length >= violationsMax) return;
      this.violations.push(`${name}: task ${loop.tasksRun}, ${new Date(loop.nowMs()).toISOString()}, revision ${store.currentRevision()}: ${text}`);
    }
  }

  #onChange(change: Change<KubeObject>): void {
    this.world.apply(change);
    for (const checker of this.#checkers) this.note(checker.name, checker.onChange?.(change, this.world) ?? []);
  }
}
