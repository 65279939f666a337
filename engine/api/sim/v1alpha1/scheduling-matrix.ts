/** `schedulingmatrices/<pod>`: what the scheduler found of every node in one attempt to place a pod, nodes alike together, as a computed API object. */
import type { KubeObject } from '../../../apimachinery/object.ts';

/**
 * Chosen; Feasible: passed all filters; Filtered: a plugin turned it away; NotLookedAt: enough others were found before its turn; Later: it came
 * after the attempt; Unknown: which of several it was is not kept by name; Missing: nobody knows it.
 */
export type NodeVerdict = 'Chosen' | 'Feasible' | 'Filtered' | 'NotLookedAt' | 'Later' | 'Unknown' | 'Missing';

export interface MatrixGroup {
  readonly verdict: NodeVerdict;
  readonly count: number;
  /** The first of them, by name or by score; fewer than `count` where there are many, or where the record does not name them. */
  readonly nodes: readonly string[];
  /** Of Filtered: who turned them away, and why. */
  readonly plugin?: string;
  readonly reasons?: readonly string[];
  /** Of those with scores: normalised and weighted, as the plugins gave them, and the sum of the former; in the order of `plugins`. */
  readonly values?: readonly number[];
  readonly raw?: readonly number[];
  readonly total?: number;
}

export interface MatrixStatus {
  /** Of the attempt, from 1, and which attempts are on record. */
  readonly attempt: number;
  readonly attempts: readonly number[];
  /** RFC 3339, virtual. */
  readonly time: string;
  readonly result: string;
  readonly node?: string;
  readonly message?: string;
  /** Where a pod that had a node was turned back. */
  readonly at?: string;
  readonly evaluatedNodes: number;
  readonly feasibleNodes: number;
  /** Plugins whose filters had nothing to say of the pod. */
  readonly skipped: readonly string[];
  /** That gave scores, and what each score was multiplied by. */
  readonly plugins: readonly string[];
  readonly weights: readonly number[];
  /** The chosen one first, then by total, then those that were turned away, most first. */
  readonly groups: readonly MatrixGroup[];
  readonly preemption?: {
    readonly node: string;
    readonly victims: readonly string[];
    readonly pdbViolations: number;
    readonly candidateCount: number;
    readonly candidates: readonly { readonly node: string; readonly victims: number; readonly pdbViolations: number }[];
  };
  /** With `?node=NAME`: why the pod is not there, or that it is, in a sentence. */
  readonly asked?: { readonly node: string; readonly verdict: NodeVerdict; readonly text: string };
}

export interface SchedulingMatrix extends KubeObject {
  readonly kind: 'SchedulingMatrix';
  readonly status: MatrixStatus;
}
