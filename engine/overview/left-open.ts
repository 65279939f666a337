/**
 * Counts pods by state, as their nodes let them be: nobody knows how those of a silent node are. How many there are of each state is kept for each node, so a
 * pod that changes costs the same however many there are, and so does a node that turns.
 */
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import { membersOf, number, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { type NodeReadiness, nodeReadiness } from '../component-helpers/node.ts';
import { podState, stateOn } from '../component-helpers/pod-looks.ts';

/** States of bound pods, as they are themselves, with how many are so. */
type Counts = ReadonlyMap<string, number>;

export class LeftOpen {
  readonly #count: (state: string, by: number, ms: number) => void;
  /** By node. */
  #bound = new Map<string, Map<string, number>>();
  /** Of nodes that are there. */
  #readiness = new Map<string, NodeReadiness>();

  constructor(count: (state: string, by: number, ms: number) => void) {
    this.#count = count;
  }

  onPod(previous: Pod | undefined, current: Pod | undefined, ms: number): void {
    const [before, after] = [previous && podState(previous), current && podState(current)];
    const [left, entered] = [previous?.spec?.nodeName ?? '', current?.spec?.nodeName ?? ''];
    if (before === after && left === entered) return;
    const [shownBefore, shownAfter] = [before && this.#shown(before, left), after && this.#shown(after, entered)];
    if (before !== undefined) this.#move(left, before, -1);
    if (after !== undefined) this.#move(entered, after, 1);
    if (shownBefore === shownAfter) return;
    if (shownBefore !== undefined) this.#count(shownBefore, -1, ms);
    if (shownAfter !== undefined) this.#count(shownAfter, 1, ms);
  }

  onNode(name: string, node: Node | undefined, ms: number): void {
    const [before, after] = [this.#readiness.get(name) ?? 'Gone', nodeReadiness(node)];
    if (before === after) return;
    if (after === 'Gone') this.#readiness.delete(name);
    else this.#readiness.set(name, after);
    for (const [state, count] of this.#bound.get(name) ?? noCounts) {
      const [shownBefore, shownAfter] = [stateOn(state, before), stateOn(state, after)];
      if (shownBefore === shownAfter) continue;
      this.#count(shownBefore, -count, ms);
      this.#count(shownAfter, count, ms);
    }
  }

  keepIn(slots: Slots): void {
    slots.field(
      'boundPods',
      membersOf(membersOf(number)),
      () => this.#bound,
      (bound) => {
        this.#bound = new Map([...bound].map(([node, counts]) => [node, new Map(counts)]));
      },
    );
    slots.field(
      'nodeReadiness',
      membersOf(text),
      () => this.#readiness,
      (readiness) => {
        this.#readiness = new Map(readiness as ReadonlyMap<string, NodeReadiness>);
      },
    );
  }

  #shown(state: string, node: string): string {
    return node === '' ? state : stateOn(state, this.#readiness.get(node) ?? 'Gone');
  }

  #move(node: string, state: string, by: number): void {
    if (node === '') return;
    let counts = this.#bound.get(node);
    if (counts === undefined) this.#bound.set(node, (counts = new Map()));
    const count = (counts.get(state) ?? 0) + by;
    if (count > 0) counts.set(state, count);
    else counts.delete(state);
    if (counts.size === 0) this.#bound.delete(node);
  }
}

const noCounts: Counts = new Map();
