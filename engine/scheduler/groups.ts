/** Pods by the group that they say they belong to, and the groups themselves (backend/cache/podgroupstate.go). */
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { Cause } from '../base/causes.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { podGroups } from '../client/resources.ts';
import { Action, type ClusterChange } from './framework/cluster-events.ts';
import { groupNameOf, type PodGroups } from './framework/groups.ts';
import type { SchedulerOptions } from './options.ts';

export interface GroupCacheOptions {
  readonly options: Pick<SchedulerOptions, 'placesGroups' | 'preemptsForGroups'>;
  readonly informers: InformerFactory;
  /** On a node or assumed there. */
  isPlaced(uid: string): boolean;
  activate(uid: string): void;
  /** Lets a pod go on that waits for a plugin. */
  allow(uid: string, plugin: string): void;
  /** Something happened that may help pods that wait. */
  onChange(change: ClusterChange, causes: readonly Cause[]): void;
}

/** What the scheduler knows of groups where pods are scheduled one by one: nothing. */
export const noGroups: PodGroups = {
  arePlaced: false,
  preempt: false,
  group: () => undefined,
  count: () => 0,
  scheduledCount: () => 0,
  activate: () => {},
  allow: () => {},
};

export class GroupCache implements PodGroups {
  readonly #options: GroupCacheOptions;
  readonly #groups: Informer<PodGroup>;
  /** Uids by namespace/name of the group. */
  readonly #members = new Map<string, Set<string>>();

  constructor(options: GroupCacheOptions) {
    this.#options = options;
    this.#groups = options.informers.informer(podGroups);
    this.#groups.addHandler((event) => {
      const { type, object, causes } = event;
      if (type === 'add') options.onChange({ resource: 'PodGroup', action: Action.add, new: object }, causes);
      else if (type === 'delete') options.onChange({ resource: 'PodGroup', action: Action.delete, old: object }, causes);
      else options.onChange({ resource: 'PodGroup', action: Action.updateOther, old: event.old, new: object }, causes);
    });
  }

  get arePlaced(): boolean {
    return this.#options.options.placesGroups;
  }

  get preempt(): boolean {
    return this.#options.options.preemptsForGroups;
  }

  add(pod: Pod): void {
    const group = groupNameOf(pod);
    if (group === undefined) return;
    const key = keyOf(pod.metadata.namespace ?? '', group);
    const members = this.#members.get(key);
    if (members === undefined) this.#members.set(key, new Set([pod.metadata.uid ?? '']));
    else members.add(pod.metadata.uid ?? '');
  }

  delete(pod: Pod): void {
    const group = groupNameOf(pod);
    if (group === undefined) return;
    const key = keyOf(pod.metadata.namespace ?? '', group);
    const members = this.#members.get(key);
    members?.delete(pod.metadata.uid ?? '');
    if (members?.size === 0) this.#members.delete(key);
  }

  clear(): void {
    this.#members.clear();
  }

  group(namespace: string, name: string): PodGroup | undefined {
    return this.#groups.get(namespace, name);
  }

  count(namespace: string, name: string): number {
    return this.#members.get(keyOf(namespace, name))?.size ?? 0;
  }

  scheduledCount(namespace: string, name: string): number {
    let count = 0;
    for (const uid of this.#members.get(keyOf(namespace, name)) ?? []) if (this.#options.isPlaced(uid)) count++;
    return count;
  }

  /** Uids of its pods that are on a node, or are assumed there. */
  scheduled(namespace: string, name: string): readonly string[] {
    return [...(this.#members.get(keyOf(namespace, name)) ?? [])].filter((uid) => this.#options.isPlaced(uid));
  }

  /** Uids of its pods that have no node. */
  unscheduled(namespace: string, name: string): readonly string[] {
    return [...(this.#members.get(keyOf(namespace, name)) ?? [])].filter((uid) => !this.#options.isPlaced(uid));
  }

  activate(namespace: string, name: string): void {
    for (const uid of this.unscheduled(namespace, name)) this.#options.activate(uid);
  }

  allow(namespace: string, name: string, plugin: string): void {
    for (const uid of [...(this.#members.get(keyOf(namespace, name)) ?? [])]) this.#options.allow(uid, plugin);
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
