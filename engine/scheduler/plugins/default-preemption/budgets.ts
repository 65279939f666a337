/** What disruption budgets still allow while victims are counted, one after the other. */
import type { PodDisruptionBudget } from '../../../api/policy/v1/types.gen.ts';
import type { LabelSelector } from '../../../apimachinery/labels.ts';
import { compileLabelSelector } from '../../framework/matching.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** Whether the next one breaks a budget; each is counted when it is asked about. */
export function budgetsLeft(budgets: readonly PodDisruptionBudget[]): (pod: PodInfo) => boolean {
  const left = budgets.map((budget) => ({
    budget,
    selector: compileLabelSelector(budget.spec?.selector as LabelSelector | undefined),
    allowed: budget.status?.disruptionsAllowed ?? 0,
  }));
  return (pod) => {
    let violates = false;
    for (const entry of left) {
      if (entry.budget.metadata.namespace !== pod.namespace || Object.keys(pod.labels).length === 0) continue;
      if (entry.selector.isEmpty() || !entry.selector.matches(pod.labels)) continue;
      if (entry.budget.status?.disruptedPods?.[pod.pod.metadata.name ?? ''] !== undefined) continue;
      if (--entry.allowed < 0) violates = true;
    }
    return violates;
  };
}
