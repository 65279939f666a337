/** Pod disruption budgets. Mirrors pkg/registry/policy/poddisruptionbudget/strategy.go. */
import type { PodDisruptionBudget } from '../../../api/policy/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, integerColumn, nameOf, text } from '../../shared/table.ts';
import { validateBudget } from '../../shared/small-validation.ts';

export const podDisruptionBudgetKind = defineKind<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  shortNames: ['pdb'],
  namespaced: true,
  schema: 'io.k8s.api.policy.v1.PodDisruptionBudget',
  storagePrefix: 'poddisruptionbudgets',
  statusSubresource: true,
  allowUnconditionalUpdate: false,
  validate: validateBudget,
  validateUpdate: validateBudget,
  columns: columns('Name', 'Min Available', 'Max Unavailable', integerColumn('Allowed Disruptions'), 'Age'),
  row: (object, context) => [
    nameOf(object),
    text(object.spec?.minAvailable, 'N/A'),
    text(object.spec?.maxUnavailable, 'N/A'),
    object.status?.disruptionsAllowed ?? 0,
    ageOf(object, context),
  ],
});
