/** What was thought in one scheduling attempt, as plain data. History keeps the last ones per pod. */
import { assert } from '../base/assert.ts';
import { getOwn, setOwn } from '../base/dictionary.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { Victims } from './framework/plugin.ts';
import type { Status } from './framework/status.ts';
import type { Profile } from './profile.ts';
import { bestRows, type Tally } from './totals.ts';
import type { PlacedVerdict } from './verdicts.ts';

/** Nodes turned away for one reason: how many, and the first of them by name. */
export interface FilteredNodes {
  readonly count: number;
  readonly nodes: readonly string[];
}

/** Weighted scores of the best nodes; `values[node][plugin]` in the order of the two lists. */
export interface ScoreTable {
  readonly plugins: readonly string[];
  /** What the score of each plugin was multiplied by. */
  readonly weights: readonly number[];
  readonly nodes: readonly string[];
  readonly values: readonly (readonly number[])[];
  /** What the plugins said of the same nodes themselves, before that was normalised and weighted. */
  readonly raw: readonly (readonly number[])[];
}

export interface DecisionRecord {
  /** namespace/name. */
  readonly pod: string;
  readonly uid: string;
  readonly schedulerName: string;
  readonly virtualMs: number;
  readonly attempt: number;
  readonly result: 'scheduled' | 'unschedulable' | 'error';
  readonly node?: string;
  readonly message?: string;
  /** Where a pod that had a node already was turned back: `Reserve`, `Permit`, or what did not bind. */
  readonly at?: string;
  readonly evaluatedNodes: number;
  readonly feasibleNodes: number;
  /** Plugins whose filters had nothing to say of the pod. */
  readonly skipped?: readonly string[];
  readonly filtered: { readonly [plugin: string]: { readonly [reason: string]: FilteredNodes } };
  readonly scores?: ScoreTable;
  /** What was said at Reserve, Permit, PreBind and Bind, in this order; of a pod that is bound, or was turned back there. */
  readonly placed?: readonly PlacedVerdict[];
  readonly preemption?: {
    readonly node: string;
    readonly victims: readonly string[];
    readonly pdbViolations: number;
    /** Nodes that room could have been made on; the first ten of them, with how many pods would have had to go. */
    readonly candidateCount: number;
    readonly candidates: readonly { readonly node: string; readonly victims: number; readonly pdbViolations: number }[];
  };
}

/** A node, by its slot where the cache knows it. */
export interface Named {
  readonly name: string;
  readonly slot?: number;
}

interface FilteredEntry {
  count: number;
  readonly nodes: string[];
}

const filteredNamesMax = 10;
const candidatesMax = 10;
const scoredNodesMax = 50;

export function summarizeFiltered(rejected: readonly Named[], verdicts: readonly Status[]): DecisionRecord['filtered'] {
  assert(rejected.length === verdicts.length, 'every node that was turned away has a verdict');
  const filtered: Record<string, Record<string, FilteredEntry>> = {};
  const groups = new Map<Status, readonly FilteredEntry[]>();
  for (let i = 0; i < rejected.length; i++) {
    const verdict = verdicts[i] as Status;
    let entries = groups.get(verdict);
    if (entries === undefined) groups.set(verdict, (entries = entriesOf(filtered, verdict)));
    for (const entry of entries) {
      entry.count++;
      if (entry.nodes.length < filteredNamesMax) entry.nodes.push((rejected[i] as Named).name);
    }
  }
  return filtered;
}

function entriesOf(filtered: Record<string, Record<string, FilteredEntry>>, { plugin, reasons }: Status): readonly FilteredEntry[] {
  const own = getOwn(filtered, plugin) ?? {};
  setOwn(filtered, plugin, own);
  return reasons.map((reason) => {
    const entry = getOwn(own, reason) ?? { count: 0, nodes: [] };
    setOwn(own, reason, entry);
    return entry;
  });
}

/** The best nodes by total, in the order in which they were tried among equals. */
export function scoreTable(
  profile: Profile,
  active: readonly number[],
  buffers: readonly Float64Array[],
  totals: Float64Array,
  tally: Tally,
  nodes: readonly NodeInfo[],
  rawOf: (index: number, row: number) => number,
): ScoreTable {
  const rows = bestRows(totals, tally, scoredNodesMax);
  assert(rows.length > 0 && rows.length <= scoredNodesMax, 'a table shows the best nodes');
  return {
    plugins: active.map((index) => profile.entries[index]?.name as string),
    weights: active.map((index) => profile.entries[index]?.weight as number),
    nodes: rows.map((row) => (nodes[row] as NodeInfo).name),
    values: scoreRows(active, rows, (index, row) => (buffers[index] as Float64Array)[row] as number),
    raw: scoreRows(active, rows, rawOf),
  };
}

/** Nodes alike have scores alike: neighbours share one row. */
function scoreRows(
  active: readonly number[],
  rows: readonly number[],
  scoreOf: (index: number, row: number) => number,
): readonly (readonly number[])[] {
  const table: (readonly number[])[] = [];
  let last: readonly number[] | undefined;
  for (const row of rows) {
    if (last === undefined || !isRow(last, active, row, scoreOf)) last = active.map((index) => scoreOf(index, row));
    table.push(last);
  }
  return table;
}

function isRow(scores: readonly number[], active: readonly number[], row: number, scoreOf: (index: number, row: number) => number): boolean {
  for (let k = 0; k < active.length; k++) if (scoreOf(active[k] as number, row) !== scores[k]) return false;
  return true;
}

/** The table as node → plugin → weighted score. */
export function scoresByNode(table: ScoreTable): { readonly [node: string]: { readonly [plugin: string]: number } } {
  return Object.fromEntries(
    table.nodes.map((node, i) => [node, Object.fromEntries(table.plugins.map((plugin, k) => [plugin, table.values[i]?.[k] ?? 0]))]),
  );
}

/** The table with further columns: scores by place in `nodes`. */
export function withColumns(
  { plugins, weights, nodes: shown, values, raw }: ScoreTable,
  nodes: readonly NodeInfo[],
  columns: readonly { readonly name: string; readonly weight: number; readonly scores: readonly number[] }[],
): ScoreTable {
  const places = new Map(nodes.map(({ name }, i) => [name, i]));
  const more = shown.map((name) => columns.map(({ scores }) => scores[places.get(name) ?? 0] ?? 0));
  return {
    plugins: [...plugins, ...columns.map(({ name }) => name)],
    weights: [...weights, ...columns.map(({ weight }) => weight)],
    nodes: shown,
    values: values.map((row, i) => [...row, ...(more[i] ?? [])]),
    raw: raw.map((row, i) => [...row, ...(more[i] ?? []).map((score, k) => score / (columns[k]?.weight || 1))]),
  };
}

export function preemptionOf({ node, pods, pdbViolations }: Victims, candidates: readonly Victims[]): NonNullable<DecisionRecord['preemption']> {
  const shown = candidates.slice(0, candidatesMax).map((one) => ({ node: one.node, victims: one.pods.length, pdbViolations: one.pdbViolations }));
  return { node, victims: pods.map(podKey), pdbViolations, candidateCount: candidates.length, candidates: shown };
}

export function podKey({ namespace, pod }: PodInfo): string {
  return `${namespace}/${pod.metadata.name ?? ''}`;
}
