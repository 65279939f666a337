/** Revisions as apps/v1beta2 had them; stored as apps/v1, which has the same fields. */
import type { ControllerRevision } from '../../../api/apps/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { controllerRevisionKind as stored } from '../v1/controller-revision.ts';

export const controllerRevisionKind = defineKind<ControllerRevision>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta2',
    schema: 'io.k8s.api.apps.v1beta2.ControllerRevision',
    deprecated: 9,
    removed: 16,
  }),
);
