/** Why a pod is not on a node, in a sentence, from the record of an attempt. */
import type { MatrixGroup, MatrixStatus } from '../../api/sim/v1alpha1/scheduling-matrix.ts';
import type { CycleNodes } from '../node-verdicts.ts';
import type { Attempt } from './groups.ts';

export interface AskedNode {
  readonly name: string;
  /** When it came; undefined for one that is not there now. */
  readonly createdMs: number | undefined;
}

type Told = Pick<NonNullable<MatrixStatus['asked']>, 'verdict' | 'text'>;

export function whyNot(node: AskedNode, attempt: Attempt, groups: readonly MatrixGroup[], nodes: CycleNodes | undefined): Told {
  const told = tell(node, attempt, groups, nodes);
  const candidate = attempt.preemption?.candidates.find((one) => one.node === node.name);
  if (candidate === undefined) return told;
  const pods = candidate.victims === 1 ? '1 pod' : `${candidate.victims} pods`;
  const then = attempt.preemption?.node === node.name ? 'room is made there' : `room could be made there too`;
  return { ...told, text: `${told.text} By preemption ${then}: ${pods} would have to go.` };
}

function tell({ name, createdMs }: AskedNode, attempt: Attempt, groups: readonly MatrixGroup[], nodes: CycleNodes | undefined): Told {
  const named = groups.find((group) => group.nodes.includes(name));
  if (named !== undefined) return ofGroup(name, named, attempt, groups);
  const place = nodes?.rejected.findIndex((one) => one.name === name) ?? -1;
  if (place >= 0) {
    const { plugin = '', reasons = [] } = nodes?.verdicts[place] ?? {};
    return { verdict: 'Filtered', text: filteredText(name, plugin, reasons) };
  }
  if (nodes?.feasible.some((one) => one.name === name) === true) return beyondTable(name, attempt);
  if (createdMs === undefined) return { verdict: 'Missing', text: `There is no node ${name}.` };
  if (createdMs > attempt.virtualMs) return { verdict: 'Later', text: `${name} came after this attempt.` };
  return guessed(name, attempt, groups, nodes !== undefined && nodes.rejected.length + nodes.feasible.length > 0);
}

function ofGroup(name: string, group: MatrixGroup, attempt: Attempt, groups: readonly MatrixGroup[]): Told {
  if (group.verdict === 'Filtered') return { verdict: 'Filtered', text: filteredText(name, group.plugin ?? '', group.reasons ?? []) };
  if (group.verdict === 'Chosen') return { verdict: 'Chosen', text: chosenText(name, group, attempt, groups) };
  const best = groups.find(({ verdict }) => verdict === 'Chosen');
  if (group.total === undefined || best?.total === undefined) return beyondTable(name, attempt);
  if (group.total === best.total)
    return {
      verdict: 'Feasible',
      text: `${name} would do as well as ${attempt.node ?? ''}: both have ${show(best.total)}, and one of equals is drawn.`,
    };
  return {
    verdict: 'Feasible',
    text: `${name} would do, but scored ${show(group.total)} where ${attempt.node ?? ''} scored ${show(best.total)}${mostly(group, best, attempt)}.`,
  };
}

function chosenText(name: string, group: MatrixGroup, { result, at, feasibleNodes, message }: Attempt, groups: readonly MatrixGroup[]): string {
  if (result !== 'scheduled') return `${name} was chosen, and the pod was turned back${at === undefined ? '' : ` at ${at}`}: ${message ?? ''}`;
  if (feasibleNodes === 1) return `${name} was chosen: no other node would do.`;
  const equals = groups.filter(({ verdict, total }) => verdict === 'Feasible' && total === group.total).reduce((sum, { count }) => sum + count, 0);
  if (group.total === undefined) return `${name} was chosen among ${feasibleNodes} that would do.`;
  const which = equals === 0 ? 'the highest' : `drawn among ${equals + 1} with the highest`;
  return `${name} was chosen: its total of ${show(group.total)} is ${which} of ${feasibleNodes} that would do.`;
}

/** The plugin that made most of the difference. */
function mostly({ values = [] }: MatrixGroup, best: MatrixGroup, { scores }: Attempt): string {
  const gaps = (best.values ?? []).map((value, column) => value - (values[column] ?? 0));
  const column = gaps.indexOf(Math.max(...gaps));
  if (column < 0 || scores === undefined) return '';
  return `, mostly for ${scores.plugins[column] ?? ''} (${show(values[column] ?? 0)} and ${show(best.values?.[column] ?? 0)})`;
}

function beyondTable(name: string, { scores, node }: Attempt): Told {
  const best = scores === undefined ? '' : ` The ${scores.nodes.length} best are kept with their scores, and it is none of them.`;
  return { verdict: 'Feasible', text: `${name} would do, but ${node ?? 'another'} was chosen.${best}` };
}

function filteredText(name: string, plugin: string, reasons: readonly string[]): string {
  return `${plugin} turned ${name} away: ${reasons.join('; ')}.`;
}

/** Nobody names it: it is of what has more nodes than names, or was not looked at. */
function guessed(name: string, attempt: Attempt, groups: readonly MatrixGroup[], isWhole: boolean): Told {
  const open = isWhole ? [] : groups.filter(({ count, nodes }) => count > nodes.length);
  const [only] = open;
  if (only === undefined)
    return {
      verdict: 'NotLookedAt',
      text: `${name} was not looked at: of ${attempt.evaluatedNodes} before it enough would do, or it was not meant.`,
    };
  if (open.length === 1) return only.verdict === 'Filtered' ? ofGroup(name, only, attempt, groups) : beyondTable(name, attempt);
  const each = open.map(({ plugin, reasons = [] }) => (plugin === undefined ? 'would do, with a lower score' : `${plugin}: ${reasons.join('; ')}`));
  return { verdict: 'Unknown', text: `The record of this attempt does not name ${name} any more; it is of one of these: ${each.join(', or ')}.` };
}

function show(value: number): string {
  return String(Math.round(value));
}
