/** Stateful sets as apps/v1beta2 had them; stored as apps/v1, which has the same fields. */
import type { StatefulSet } from '../../../api/apps/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { withoutClaimKinds } from '../../../apimachinery/claim-templates.ts';
import { olderForm } from '../../shared/older.ts';
import { defaultUnavailable } from '../v1/stateful-set-gates.ts';
import { statefulSetKind as stored } from '../v1/stateful-set.ts';

export const statefulSetKind = defineKind<StatefulSet>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta2',
    schema: 'io.k8s.api.apps.v1beta2.StatefulSet',
    deprecated: 9,
    removed: 16,
    ownScale: true,
    defaultsHere: defaultUnavailable,
    fromStored: (object) => withoutClaimKinds(object) as StatefulSet,
  }),
);
