/** Words of the scheduler's matrix. */
import type { NodeVerdict } from '../../engine/api/sim/v1alpha1/scheduling-matrix.ts';
import { plural } from '../lib/format.ts';

const verdicts: { readonly [V in NodeVerdict]: string } = {
  Chosen: 'chosen',
  Feasible: 'would do',
  Filtered: 'turned away',
  NotLookedAt: 'not looked at',
  Later: 'came later',
  Unknown: 'not on record',
  Missing: 'no such node',
};

export const matrix = {
  verdicts,
  cannotRead: 'The decision cannot be read',
  noneTitle: 'No decision on record',
  noneText: 'The scheduler has not looked at this pod, it was bound by someone else, or its decision is older than what is kept.',
  label: 'Nodes by plugins',
  attempts: 'Attempts',
  lastAttempt: 'Show the last attempt',
  attempt: (count: number) => `Attempt ${count}`,
  at: (attempt: number, time: string, result: string, node: string) => `Attempt ${attempt} at ${time}: ${result}${node === '' ? '' : ` on ${node}`}`,
  lookedAt: (evaluated: number, feasible: number) => `${plural(evaluated, 'node')} looked at, ${feasible} would do.`,
  recorded: 'As the scheduler recorded it at that instant; the cluster may have changed since.',
  ask: 'Why not on this node?',
  asking: 'Ask',
  pick: (node: string) => `Why is the pod ${node === '' ? 'there' : `on ${node}`} or not?`,
  nodes: 'Nodes',
  verdict: 'Verdict',
  total: 'Total',
  others: (count: number) => `and ${count} more`,
  unnamed: (count: number) => plural(count, 'node'),
  cell: (raw: number | undefined, normalised: number, weight: number) =>
    `${raw === undefined ? '' : `raw ${raw}, `}normalised ${normalised}, weight ${weight}`,
  shortFor: (short: string, plugin: string) => `${short} ${plugin}`,
  reasons: (reasons: string) => `: ${reasons}`,
  raw: (raw: number) => ` (${Math.round(raw)})`,
  weight: (weight: number) => `×${weight}`,
  skipped: (plugins: readonly string[]) => `Had nothing to say of this pod: ${plugins.join(', ')}.`,
  preemption: 'Preemption',
  preempts: (node: string, victims: readonly string[], more: number) =>
    `Room is made on ${node}: ${victims.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${victims.length + more === 1 ? 'has' : 'have'} to go.`,
  candidates: (count: number) => `${plural(count, 'node')} could have been cleared:`,
  candidate: (victims: number, broken: number) =>
    `${plural(victims, 'pod')} would go${broken === 0 ? '' : `, ${plural(broken, 'budget')} would be broken`}`,
} as const;
