/** Where a fault stands in its life. */
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';

export type FaultPhase = 'Pending' | 'Planned' | 'Active' | 'Healing' | 'Healed' | 'Failed';

export function phaseOf({ metadata, spec, status }: Fault): FaultPhase {
  const phase = status?.phase ?? 'Pending';
  // Taken away, and there until time has run for what it did to end.
  if (metadata.deletionTimestamp !== undefined) return 'Healing';
  return phase === 'Pending' && spec.startAt !== undefined ? 'Planned' : phase;
}

const order: readonly FaultPhase[] = ['Active', 'Healing', 'Pending', 'Planned', 'Failed', 'Healed'];

/** What is broken stands first, then what will be, soonest first. */
export function orderOf(a: Fault, b: Fault): number {
  return order.indexOf(phaseOf(a)) - order.indexOf(phaseOf(b)) || timeOf(a) - timeOf(b);
}

function timeOf({ metadata, spec, status }: Fault): number {
  return Date.parse(status?.injectedAt ?? spec.startAt ?? metadata.creationTimestamp ?? '') || 0;
}
