/** Priority classes as they were first; stored as v1, which has the same fields. */
import type { PriorityClass } from '../../../api/scheduling/v1alpha1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { priorityClassKind as stored } from '../v1/priority-class.ts';

export const priorityClassKind = defineKind<PriorityClass>(
  olderForm(stored, {
    group: 'scheduling.k8s.io',
    version: 'v1alpha1',
    schema: 'io.k8s.api.scheduling.v1alpha1.PriorityClass',
    deprecated: 14,
    removed: 23,
  }),
);
