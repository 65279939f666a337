/** Budgets that never allow an eviction. */
import type { PodDisruptionBudget } from '../../api/policy/v1/types.gen.ts';
import { findCondition } from '../../component-helpers/pod.ts';
import { defineDetector } from '../finding.ts';

export const budgetDetector = defineDetector<PodDisruptionBudget>({
  resource: 'poddisruptionbudgets.policy',
  isSuspect: ({ status }) => (status?.expectedPods ?? 0) > 0 && status?.disruptionsAllowed === 0,
  find: ({ spec, status }) => {
    const { expectedPods = 0, desiredHealthy = 0 } = status ?? {};
    const failed = findCondition(status?.conditions, 'DisruptionAllowed');
    if (failed?.reason === 'SyncFailed') return { reason: 'SyncFailed', summary: failed.message ?? 'nobody can say how many pods it covers' };
    // A budget that is spent for now is what it is there for.
    if (desiredHealthy < expectedPods) return undefined;
    const wish = spec?.maxUnavailable === undefined ? `minAvailable ${spec?.minAvailable ?? 1}` : `maxUnavailable ${spec.maxUnavailable}`;
    return { reason: 'NeverAllows', summary: `with ${wish} of ${expectedPods} pods it never allows an eviction: no node of theirs can be drained` };
  },
});
