/** The node that the form proposes: one on which something can still break. */
import type { Fault, FaultTarget } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { NodeRow } from '../../../engine/component-helpers/page-rows.ts';
import { phaseOf } from './phase.ts';

/** What is dark, and what something is broken on or about to be, comes last: to break it again would show nothing. */
export function proposedNode(
  nodes: readonly Pick<NodeRow, 'name' | 'zone' | 'ready'>[],
  faults: readonly Fault[],
  queued: readonly FaultTarget[],
): string {
  const struck = [...queued, ...faults.filter((fault) => !over.has(phaseOf(fault))).flatMap(targetsOf)];
  const isStruck = (node: Pick<NodeRow, 'name' | 'zone'>): boolean => struck.some((target) => target.node === node.name || target.zone === node.zone);
  const proposed = nodes.find((node) => node.ready === 'True' && !isStruck(node)) ?? nodes.find((node) => !isStruck(node)) ?? nodes[0];
  return proposed?.name ?? '';
}

const over: ReadonlySet<string> = new Set(['Healed', 'Failed']);

function targetsOf({ spec, status }: Fault): readonly FaultTarget[] {
  return [spec.target ?? {}, ...(status?.affected ?? []).map((node) => ({ node }))];
}
