/** Where the instants of a run can be looked at: on the timeline of the cluster that it ran in, for as long as that is there. */
import type { ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { formatAddress, parseAddress } from '../../state/address.ts';

/** Before an instant, and at least of a step. */
const leadMs = 60_000;
const leastMs = 20_000;
/** The API tells instants of runs to the second: what happened within it is seen too. */
const afterMs = 1_000;

/** Undefined where its cluster is gone. */
export function placeOf({ spec, status }: ScenarioRun): ((fromMs: number, toMs: number) => string) | undefined {
  if (spec.cluster !== 'Present' && status?.branch === undefined) return undefined;
  const base = status?.branch ?? '';
  return (fromMs, toMs) => {
    const to = toMs + afterMs;
    const from = toMs - fromMs < leastMs ? to - leadMs : fromMs;
    return `${base}/${formatAddress({ ...parseAddress('#/timeline'), range: [from, to] })}`;
  };
}
