/** Why a pod fits nowhere, in upstream's words (scheduler/framework FitError). */
import type { Status } from './status.ts';

export interface FitErrorParts {
  /** How many nodes each status was said of; the others carry `absent`. */
  readonly counts: ReadonlyMap<Status, number>;
  readonly absent: Status | undefined;
  readonly preFilterText?: string;
  readonly postFilterText?: string;
}

export function countEach(statuses: readonly Status[]): ReadonlyMap<Status, number> {
  const counts = new Map<Status, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

export function fitErrorText(nodes: number, { counts, absent, preFilterText, postFilterText }: FitErrorParts): string {
  let text = `0/${nodes} nodes are available:`;
  if (preFilterText) text += ` ${preFilterText}.`;
  else {
    const byReason = new Map<string, number>();
    const count = (reasons: readonly string[], by: number): void => {
      for (const reason of reasons) byReason.set(reason, (byReason.get(reason) ?? 0) + by);
    };
    let left = nodes;
    for (const [{ reasons }, by] of counts) {
      count(reasons, by);
      left -= by;
    }
    if (left > 0) count(absent?.reasons ?? [], left);
    const texts = [...byReason].map(([reason, by]) => `${by} ${reason}`).sort();
    if (texts.length > 0) text += ` ${texts.join(', ')}.`;
  }
  return postFilterText ? `${text} ${postFilterText}` : text;
}
