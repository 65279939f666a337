/** Why a pod fits nowhere, in upstream's words (scheduler/framework FitError). */
import type { NodeStatuses } from './plugin.ts';

export interface FitErrorParts extends Pick<NodeStatuses, 'explicit' | 'absent'> {
  readonly preFilterText?: string;
  readonly postFilterText?: string;
}

export function fitErrorText(nodes: number, { explicit, absent, preFilterText, postFilterText }: FitErrorParts): string {
  let text = `0/${nodes} nodes are available:`;
  if (preFilterText) text += ` ${preFilterText}.`;
  else {
    const counts = new Map<string, number>();
    const count = (reasons: readonly string[], by: number): void => {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + by);
    };
    for (const status of explicit.values()) count(status.reasons, 1);
    if (explicit.size < nodes) count(absent?.reasons ?? [], nodes - explicit.size);
    const texts = [...counts].map(([reason, by]) => `${by} ${reason}`).sort();
    if (texts.length > 0) text += ` ${texts.join(', ')}.`;
  }
  return postFilterText ? `${text} ${postFilterText}` : text;
}
