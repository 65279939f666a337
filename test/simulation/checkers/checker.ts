/** The contract of a checker: it hears every change of the store and is asked now and then; what it returns is wrong with the cluster. */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import type { Change } from '../../../engine/store/store.ts';

export interface Checker {
  readonly name: string;
  /** Called for each change in order of revisions. */
  onChange?(change: Change<KubeObject>): readonly string[];
  /** Called between instants. */
  inspect?(cluster: Cluster): readonly string[];
}

/** Watches a cluster with all checkers; `violations` grows. */
export class Checkers {
  readonly violations: string[] = [];
  readonly #cluster: Cluster;
  readonly #checkers: readonly Checker[];

  constructor(cluster: Cluster, checkers: readonly Checker[]) {
    this.#cluster = cluster;
    this.#checkers = checkers;
    cluster.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.#onChange(change)) });
  }

  inspect(): void {
    for (const checker of this.#checkers) this.#note(checker, checker.inspect?.(this.#cluster) ?? []);
  }

  #onChange(change: Change<KubeObject>): void {
    for (const checker of this.#checkers) this.#note(checker, checker.onChange?.(change) ?? []);
  }

  #note({ name }: Checker, found: readonly string[]): void {
    const { loop, store } = this.#cluster;
    for (const text of found)
      this.violations.push(`${name}: task ${loop.tasksRun}, ${new Date(loop.nowMs()).toISOString()}, revision ${store.currentRevision()}: ${text}`);
  }
}
