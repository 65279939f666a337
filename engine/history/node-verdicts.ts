/**
 * What became of every node in the last attempt to place a pod. Decisions keep the first names of each reason and the best scores; this keeps
 * all, as the scheduler had it, of as many of the newest pods as there is room for. Of this process alone: what is not known here any more is told
 * as far as decisions tell it.
 */

/** As the scheduler's cycle leaves it; `verdicts` of the rejected, in their order. Nobody changes it afterwards. */
export interface CycleNodes {
  readonly feasible: readonly { readonly name: string }[];
  readonly rejected: readonly { readonly name: string }[];
  readonly verdicts: readonly { readonly plugin: string; readonly reasons: readonly string[] }[];
}

interface Kept {
  readonly virtualMs: number;
  readonly attempt: number;
  readonly nodes: CycleNodes;
}

/** Of all pods together. */
const nodesMax = 500_000;
const podsMax = 2_000;

export class NodeVerdicts {
  /** The newest last. */
  readonly #kept = new Map<string, Kept>();
  #count = 0;

  keep(pod: string, virtualMs: number, attempt: number, nodes: CycleNodes): void {
    this.#drop(pod);
    this.#kept.set(pod, { virtualMs, attempt, nodes });
    this.#count += sizeOf(nodes);
    for (const oldest of this.#kept.keys()) {
      if (oldest === pod || (this.#count <= nodesMax && this.#kept.size <= podsMax)) return;
      this.#drop(oldest);
    }
  }

  /** Of this very attempt: one of a history that was left by going back is another. */
  find(pod: string, virtualMs: number, attempt: number): CycleNodes | undefined {
    const kept = this.#kept.get(pod);
    return kept?.virtualMs === virtualMs && kept.attempt === attempt ? kept.nodes : undefined;
  }

  #drop(pod: string): void {
    const kept = this.#kept.get(pod);
    if (kept === undefined) return;
    this.#count -= sizeOf(kept.nodes);
    this.#kept.delete(pod);
  }
}

function sizeOf({ feasible, rejected }: CycleNodes): number {
  return feasible.length + rejected.length;
}
