/**
 * How many pods each controller has, as sums that every change of a pod keeps: a sync of an owner costs what differs and not what it
 * has. Pods of one controller are grouped by their labels, which is what selectors ask for; those of one template share a group.
 */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import type { Tally } from '../../client/informer.ts';
import { controllerOf, orphansOf } from './controller-ref.ts';
import { isPodActive, isPodReady, isPodTerminating } from './pod.ts';

export interface PodGroup {
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Neither ended nor being deleted. */
  active: number;
  /** Of the active ones. */
  ready: number;
  terminating: number;
  /** With those that have ended. */
  all: number;
}

interface Group extends PodGroup {
  /** Active ones by node, `''` for those without one; from when somebody asked. */
  nodes: Map<string, number> | undefined;
}

type Groups = Map<string, Group>;
const none: Groups = new Map();

export class PodTally implements Tally<Pod> {
  /** By namespace, then by value of `controllerIndex`, then by labels. */
  readonly #namespaces = new Map<string, Map<string, Groups>>();

  add(pod: Pod): void {
    this.#count(pod, 1);
  }

  remove(pod: Pod): void {
    this.#count(pod, -1);
  }

  clear(): void {
    this.#namespaces.clear();
  }

  /** Of one controller, or of the pods that nobody controls. */
  groups(namespace: string | undefined, controller: string): ReadonlyMap<string, Readonly<PodGroup>> {
    return this.#namespaces.get(namespace ?? '')?.get(controller) ?? none;
  }

  /** How many active pods each node has, for each group of a namespace that is wanted; `podsOf` has the pods of a controller. */
  nodesOf(
    namespace: string | undefined,
    wanted: (group: Readonly<PodGroup>) => boolean,
    podsOf: (controller: string) => readonly Pod[],
  ): readonly ReadonlyMap<string, number>[] {
    const found: ReadonlyMap<string, number>[] = [];
    for (const [controller, groups] of this.#namespaces.get(namespace ?? '') ?? []) {
      for (const [key, group] of groups) if (wanted(group)) found.push((group.nodes ??= countNodes(podsOf(controller), key)));
    }
    return found;
  }

  #count(pod: Pod, by: 1 | -1): void {
    const { namespace = '' } = pod.metadata;
    const controllers = ensure(this.#namespaces, namespace, () => new Map<string, Groups>());
    const controller = controllerOf(pod)?.uid ?? orphansOf(namespace);
    const groups = ensure(controllers, controller, (): Groups => new Map());
    const key = keyOfLabels(pod.metadata.labels);
    const group = ensure(groups, key, (): Group => ({ labels: pod.metadata.labels, active: 0, ready: 0, terminating: 0, all: 0, nodes: undefined }));
    group.all += by;
    if (isPodActive(pod)) {
      group.active += by;
      if (group.nodes !== undefined) countNode(group.nodes, pod, by);
      if (isPodReady(pod)) group.ready += by;
    } else if (isPodTerminating(pod)) group.terminating += by;
    assert(
      group.all >= group.active + group.terminating && group.active >= group.ready && group.ready >= 0,
      'only pods that were counted are taken off',
    );
    if (group.all > 0) return;
    groups.delete(key);
    if (groups.size === 0) controllers.delete(controller);
    if (controllers.size === 0) this.#namespaces.delete(namespace);
  }
}

function countNodes(pods: readonly Pod[], key: string): Map<string, number> {
  const nodes = new Map<string, number>();
  for (const pod of pods) if (isPodActive(pod) && keyOfLabels(pod.metadata.labels) === key) countNode(nodes, pod, 1);
  return nodes;
}

function countNode(nodes: Map<string, number>, { spec }: Pod, by: 1 | -1): void {
  const node = spec?.nodeName ?? '';
  const count = (nodes.get(node) ?? 0) + by;
  assert(count >= 0, 'only pods that were counted are taken off their node');
  if (count > 0) nodes.set(node, count);
  else nodes.delete(node);
}

function ensure<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Neither keys nor values of labels can hold the marks between them. */
function keyOfLabels(labels: Readonly<Record<string, string>> | undefined): string {
  let key = '';
  for (const name in labels) key += `${name}=${labels[name]},`;
  return key;
}
