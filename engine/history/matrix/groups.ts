/** Nodes of an attempt that the scheduler found alike, put together: a row of the matrix for each kind of node, however many there are. */
import type { MatrixGroup } from '../../api/sim/v1alpha1/scheduling-matrix.ts';
import { compareNames } from '../../component-helpers/name-order.ts';
import type { CycleNodes } from '../node-verdicts.ts';

/** An attempt as decisions keep it (scheduler/decision.ts). */
export interface Attempt {
  readonly virtualMs: number;
  readonly attempt: number;
  readonly result: string;
  readonly node?: string;
  readonly message?: string;
  readonly at?: string;
  readonly evaluatedNodes: number;
  readonly feasibleNodes: number;
  readonly skipped?: readonly string[];
  readonly filtered?: { readonly [plugin: string]: { readonly [reason: string]: { readonly count: number; readonly nodes: readonly string[] } } };
  readonly scores?: {
    readonly plugins: readonly string[];
    readonly weights?: readonly number[];
    readonly nodes: readonly string[];
    readonly values: readonly (readonly number[])[];
    readonly raw?: readonly (readonly number[])[];
  };
  readonly preemption?: {
    readonly node: string;
    readonly victims: readonly string[];
    readonly pdbViolations: number;
    readonly candidateCount: number;
    readonly candidates: readonly { readonly node: string; readonly victims: number; readonly pdbViolations: number }[];
  };
}

const namesMax = 50;

export function groupsOf(attempt: Attempt, nodes: CycleNodes | undefined): readonly MatrixGroup[] {
  const groups = [...scored(attempt, nodes), ...unscored(attempt, nodes), ...turnedAway(attempt, nodes)];
  return groups.map((group) => ({ ...group, nodes: group.nodes.toSorted(compareNames) }));
}

/** The chosen one, and those with equal rows, the best first. */
function scored({ node, scores }: Attempt, nodes: CycleNodes | undefined): readonly MatrixGroup[] {
  if (scores === undefined) return node === undefined ? [] : [{ verdict: 'Chosen', count: 1, nodes: [node] }];
  const groups = new Map<string, { group: MatrixGroup; names: string[] }>();
  scores.nodes.forEach((name, row) => {
    const [values = [], raw = []] = [scores.values[row], scores.raw?.[row]];
    const key = `${name === node} ${values.join()} ${raw.join()}`;
    const known = groups.get(key);
    if (known !== undefined) known.names.push(name);
    else groups.set(key, { names: [name], group: { ...rowOf(values, raw), verdict: name === node ? 'Chosen' : 'Feasible', count: 0, nodes: [] } });
  });
  const found = [...groups.values()].map(({ group, names }) => ({ ...group, count: names.length, nodes: names }));
  // One that was chosen by others than its total.
  const isThere = node === undefined || found.some(({ verdict }) => verdict === 'Chosen');
  const chosen: readonly MatrixGroup[] = isThere || nodes === undefined ? [] : [{ verdict: 'Chosen', count: 1, nodes: [node] }];
  return [...chosen, ...found.sort((a, b) => Number(b.verdict === 'Chosen') - Number(a.verdict === 'Chosen') || (b.total ?? 0) - (a.total ?? 0))];
}

function rowOf(values: readonly number[], raw: readonly number[]): { values: readonly number[]; raw: readonly number[]; total: number } {
  return { values, raw, total: values.reduce((sum, value) => sum + value, 0) };
}

/** Those that would do and are not among the best, whose scores are kept. */
function unscored({ feasibleNodes, scores, node }: Attempt, nodes: CycleNodes | undefined): readonly MatrixGroup[] {
  const shown = new Set(scores?.nodes ?? (node === undefined ? [] : [node]));
  const count = feasibleNodes - shown.size;
  if (count <= 0) return [];
  const names = nodes?.feasible.filter(({ name }) => !shown.has(name)).slice(0, namesMax) ?? [];
  return [{ verdict: 'Feasible', count, nodes: names.map(({ name }) => name) }];
}

function turnedAway({ filtered = {} }: Attempt, nodes: CycleNodes | undefined): readonly MatrixGroup[] {
  const groups = nodes !== undefined && nodes.rejected.length > 0 ? byVerdict(nodes) : byReason(filtered);
  return groups.toSorted((a, b) => b.count - a.count);
}

function byVerdict({ rejected, verdicts }: CycleNodes): readonly MatrixGroup[] {
  const groups = new Map<string, { readonly plugin: string; readonly reasons: readonly string[]; count: number; readonly names: string[] }>();
  const keys = new Map<object, string>();
  for (let place = 0; place < rejected.length; place++) {
    const verdict = verdicts[place] as CycleNodes['verdicts'][number];
    let key = keys.get(verdict);
    if (key === undefined) keys.set(verdict, (key = JSON.stringify([verdict.plugin, verdict.reasons])));
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { plugin: verdict.plugin, reasons: verdict.reasons, count: 0, names: [] }));
    group.count++;
    if (group.names.length < namesMax) group.names.push((rejected[place] as { readonly name: string }).name);
  }
  return [...groups.values()].map(({ plugin, reasons, count, names }) => ({ verdict: 'Filtered', count, nodes: names, plugin, reasons }));
}

function byReason(filtered: NonNullable<Attempt['filtered']>): readonly MatrixGroup[] {
  return Object.entries(filtered).flatMap(([plugin, reasons]) =>
    Object.entries(reasons).map(([reason, { count, nodes }]) => ({ verdict: 'Filtered' as const, count, nodes, plugin, reasons: [reason] })),
  );
}
