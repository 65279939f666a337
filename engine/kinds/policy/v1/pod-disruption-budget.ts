/** Pod disruption budgets. Mirrors pkg/registry/policy/poddisruptionbudget/strategy.go. */
import type { PodDisruptionBudget } from '../../../api/policy/v1/types.gen.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { deepEqual } from '../../../base/equal.ts';
import { evenEmpty, type FieldErrorList, forbidden } from '../../../apimachinery/field-errors.ts';
import { specPath } from '../../shared/strategy.ts';
import { ageOf, columns, described, integerColumn, nameOf, text } from '../../shared/table.ts';
import { validateBudget, validateBudgetStatus } from '../../shared/small-validation.ts';

export const podDisruptionBudgetKind = defineKind<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  metaChecks: { create: '', update: '', status: '' },
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  shortNames: ['pdb'],
  namespaced: true,
  schema: 'io.k8s.api.policy.v1.PodDisruptionBudget',
  storagePrefix: 'poddisruptionbudgets',
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateBudgetStatus },
  allowUnconditionalUpdate: false,
  validate: validateBudget,
  validateUpdate: validateBudgetUpdate,
  columns: columns(
    'Name',
    described('Min Available', 'The minimum number of pods that must be available.'),
    described('Max Unavailable', 'The maximum number of pods that may be unavailable.'),
    integerColumn('Allowed Disruptions', 'Calculated number of pods that may be disrupted at this time.'),
    'Age',
  ),
  row: (object, context) => [
    nameOf(object),
    text(object.spec?.minAvailable, 'N/A'),
    text(object.spec?.maxUnavailable, 'N/A'),
    object.status?.disruptionsAllowed ?? 0,
    ageOf(object, context),
  ],
});

/** Specs were fixed before 1.15, and an empty list is another one than none. */
function validateBudgetUpdate(next: PodDisruptionBudget, old: PodDisruptionBudget, context: StrategyContext): FieldErrorList {
  const isFixed = !context.ratcheted('MutableDisruptionBudgets') && !deepEqual(next.spec, old.spec);
  return [...validateBudget(next), ...(isFixed ? [evenEmpty(forbidden(specPath, 'updates to poddisruptionbudget spec are forbidden.'))] : [])];
}
