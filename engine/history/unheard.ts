/**
 * Nodes that are not ready, and the pods on them that were not ready before: nobody writes of these that they are no longer on their way, as the node
 * controller does of those that were ready. Read from rows, so that nothing of it is saved.
 */
import { isPassingTrouble, nodeNotReady } from '../component-helpers/pod.ts';
import { resourceType, type Row } from './row.ts';
import type { State } from './states.ts';

export class Unheard {
  readonly #ready = new Set<string>();
  /** Uids of pods that run or begin and are not ready, by node: few but while many start. */
  readonly #waiting = new Map<string, Set<string>>();

  /** What history says of a row whose object is in this state. */
  seen(row: Row, state: State): State {
    return isOnItsWay(row, state) && !this.#ready.has(row.node) ? { ...state, reason: nodeNotReady } : state;
  }

  /** The row stands in this state from now on. */
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

  waiting(node: string): readonly string[] {
    return [...(this.#waiting.get(node) ?? [])];
  }

  clear(): void {
    this.#ready.clear();
    this.#waiting.clear();
  }

  #add({ node, uid }: Row): void {
    const uids = this.#waiting.get(node);
    if (uids === undefined) this.#waiting.set(node, new Set([uid]));
    else uids.add(uid);
  }

  #remove({ node, uid }: Row): void {
    const uids = this.#waiting.get(node);
    if (uids?.delete(uid) === true && uids.size === 0) this.#waiting.delete(node);
  }
}

function isOnItsWay({ node }: Row, { state, ready, reason }: State): boolean {
  if (node === '' || ready === true) return false;
  return state === 'Pending' ? isPassingTrouble(reason) : state === 'Running' && (isPassingTrouble(reason) || reason === 'NotReady');
}
