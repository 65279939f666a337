/** What is wrong, as the engine groups it. */
import { useMemo } from 'react';
import type { Problem } from '../../engine/api/sim/v1alpha1/problem.ts';
import { useComputed } from './computed.ts';

interface ProblemList {
  readonly items: readonly Problem[];
}
export interface Problems {
  /** Undefined until they were read. Those that most suffers from come first. */
  readonly problems: readonly Problem[] | undefined;
  readonly atMs: number;
  readonly error: string;
}

export function useProblems(): Problems {
  const { value, atMs, error } = useComputed<ProblemList>('problems', '/apis/sim.wavetank.dev/v1alpha1/problems');
  return useMemo(() => ({ problems: value?.items, atMs, error }), [value, atMs, error]);
}
