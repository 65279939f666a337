/**
 * Nodes that are not ready, and the pods on them that were not ready before: nobody writes of these that they are no longer on their way, as the node
 * controller does of those that were ready. Read from rows, so that nothing of it is saved.
 */
import { isPassingTrouble, nodeNotReady } from '../component-helpers/pod.ts';
import { resourceType, type Row } from './row.ts';
import type { State } from './states.ts';

export class Unheard {
  readonly #ready = new Set<string>();
  /** Of pods that run or begin and are not ready, by node: few but while many start. */
  readonly #waiting = new Map<string, Set<Row>>();

  /** The object of the row is in this state from now on; gives what history says of it. */
  enter(row: Row, state: State): State {
    this.place(row, state);
    return isOnItsWay(row, state) && !this.#ready.has(row.node) ? { ...state, reason: nodeNotReady } : state;
  }

  /** Of a row that was saved in this state, or has ended. */
  place(row: Row, state: State | undefined): void {
    switch (resourceType(row)) {
      case 'nodes':
        if (row.deletedMs === 0 && state?.state === 'Ready') this.#ready.add(row.name);
        else this.#ready.delete(row.name);
        return;
      case 'pods':
        if (row.node === '') return;
        if (row.deletedMs === 0 && state !== undefined && (isOnItsWay(row, state) || state.reason === nodeNotReady)) this.#add(row);
        else this.#remove(row);
    }
  }

  /** Of a node whether it is ready, of anything else false. */
  isReady(row: Row): boolean {
    return row.resource === 'nodes' && row.group === '' && this.#ready.has(row.name);
  }

  waiting(node: string): readonly Row[] {
    return [...(this.#waiting.get(node) ?? [])];
  }

  clear(): void {
    this.#ready.clear();
    this.#waiting.clear();
  }

  #add(row: Row): void {
    const rows = this.#waiting.get(row.node);
    if (rows === undefined) this.#waiting.set(row.node, new Set([row]));
    else rows.add(row);
  }

  #remove(row: Row): void {
    const rows = this.#waiting.get(row.node);
    if (rows?.delete(row) === true && rows.size === 0) this.#waiting.delete(row.node);
  }
}

function isOnItsWay({ node }: Row, { state, ready, reason }: State): boolean {
  if (node === '' || ready === true) return false;
  return state === 'Pending' ? isPassingTrouble(reason) : state === 'Running' && (isPassingTrouble(reason) || reason === 'NotReady');
}
