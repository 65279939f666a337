/** The order in which nodes are tried: one of each zone in turn (backend/cache node_tree.go). */
import { assert } from '../base/assert.ts';
import { nodeZoneKey } from '../component-helpers/node.ts';
import type { Node } from '../api/core/v1/types.gen.ts';

export type SavedTree = readonly (readonly [zone: string, names: readonly string[]])[];

export class NodeTree {
  /** In the order in which they came. */
  readonly #zones = new Map<string, Set<string>>();

  add(node: Node): void {
    const zone = nodeZoneKey(node);
    const name = node.metadata.name ?? '';
    const names = this.#zones.get(zone);
    if (names === undefined) this.#zones.set(zone, new Set([name]));
    else names.add(name);
  }

  remove(node: Node): void {
    const zone = nodeZoneKey(node);
    const names = this.#zones.get(zone);
    if (names === undefined) return;
    names.delete(node.metadata.name ?? '');
    if (names.size === 0) this.#zones.delete(zone);
  }

  /** True when the node changed its zone. */
  update(old: Node, node: Node): boolean {
    if (nodeZoneKey(old) === nodeZoneKey(node)) return false;
    this.remove(old);
    this.add(node);
    return true;
  }

  list(): readonly string[] {
    const zones = [...this.#zones.values()].map((names) => [...names]);
    const longest = zones.reduce((max, names) => Math.max(max, names.length), 0);
    const list: string[] = [];
    for (let i = 0; i < longest; i++) for (const names of zones) if (i < names.length) list.push(names[i] as string);
    assert(list.length === zones.reduce((sum, names) => sum + names.length, 0), 'every node has its turn');
    return list;
  }

  save(): SavedTree {
    return [...this.#zones].map(([zone, names]) => [zone, [...names]]);
  }

  restore(saved: SavedTree): void {
    this.#zones.clear();
    for (const [zone, names] of saved) this.#zones.set(zone, new Set(names));
  }
}
