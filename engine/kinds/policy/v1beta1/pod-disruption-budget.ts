/** Budgets before they were stable: an empty selector chose no pods then, and all pods now. Mirrors pkg/apis/policy/v1beta1/conversion.go. */
import type { LabelSelector } from '../../../api/meta/v1/types.gen.ts';
import type { PodDisruptionBudget as Stored } from '../../../api/policy/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../../../api/policy/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit } from '../../shared/defaulting.ts';
import { olderForm } from '../../shared/older.ts';
import { podDisruptionBudgetKind as stored } from '../v1/pod-disruption-budget.ts';

const markKey = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

export const podDisruptionBudgetKind = defineKind<PodDisruptionBudget>({
  ...olderForm(stored, {
    group: 'policy',
    version: 'v1beta1',
    schema: 'io.k8s.api.policy.v1beta1.PodDisruptionBudget',
    deprecated: 21,
    removed: 25,
    toStored: (object) =>
      edit(object, 'spec', (spec) => edit(spec, 'selector', (selector) => exchange(selector, 'Exists', 'DoesNotExist'))) as unknown as Stored,
    fromStored: (object) =>
      edit(object, 'spec', (spec) =>
        edit(spec, 'selector', (selector) => exchange(selector, 'DoesNotExist', 'Exists')),
      ) as unknown as PodDisruptionBudget,
  }),
  // The mark stands where an empty list was sent, too, and that was another spec.
  sparedByDefaults: [['spec', 'selector', 'matchExpressions']],
});

/** An empty selector gets the mark with one operator; the mark with the other was an empty selector. */
function exchange(selector: LabelSelector, given: string, taken: string): LabelSelector {
  const expressions = selector.matchExpressions ?? [];
  if (Object.keys(selector.matchLabels ?? {}).length > 0 || expressions.length > 1) return selector;
  const [only] = expressions;
  if (only === undefined) return { matchExpressions: [{ key: markKey, operator: given }] };
  return only.key === markKey && only.operator === taken ? {} : selector;
}
