/** What is wrong, as the engine groups it. */
import { useMemo } from 'react';
import type { Problem } from '../../engine/api/sim/v1alpha1/problem.ts';
import { useComputed } from './computed.ts';

/** Of more the page shows those that most suffer from. */
const problemsMost = 500;

export interface Problems {
  /** Undefined until they were read. Those that most suffer from come first. */
  readonly problems: readonly Problem[] | undefined;
  /** There are more than these. */
  readonly isCut: boolean;
  readonly atMs: number;
  readonly error: string;
}

export function useProblems(): Problems {
  const { items, atMs, error } = useComputed<Problem>('problems', `/apis/sim.wavetank.dev/v1alpha1/problems?most=${problemsMost + 1}`);
  return useMemo(() => {
    const sorted = items?.toSorted(order);
    return { problems: sorted?.slice(0, problemsMost), isCut: (sorted?.length ?? 0) > problemsMost, atMs, error };
  }, [items, atMs, error]);
}

/** As the engine lists them. */
function order({ status: a }: Problem, { status: b }: Problem): number {
  return (b.affected?.count ?? 0) - (a.affected?.count ?? 0) || compare(a.since, b.since) || compare(a.subject.row, b.subject.row);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
