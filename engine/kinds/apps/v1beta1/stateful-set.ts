/** Stateful sets as apps/v1beta1 had them: replaced on deletion only, selector from the template. Mirrors pkg/apis/apps/v1beta1. */
import type { StatefulSet as Stored } from '../../../api/apps/v1/types.gen.ts';
import type { StatefulSet } from '../../../api/apps/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit, ensure, fillZero } from '../../shared/defaulting.ts';
import { defaultFromTemplate } from '../../shared/older-workloads.ts';
import { withoutClaimKinds } from '../../../apimachinery/claim-templates.ts';
import { olderForm } from '../../shared/older.ts';
import { defaultUnavailable } from '../v1/stateful-set-gates.ts';
import { statefulSetKind as stored } from '../v1/stateful-set.ts';

export const statefulSetKind = defineKind<StatefulSet>(
  olderForm(stored, {
    group: 'apps',
    version: 'v1beta1',
    schema: 'io.k8s.api.apps.v1beta1.StatefulSet',
    deprecated: 8,
    removed: 16,
    ownScale: true,
    defaultsHere: (object, here) => defaultUnavailable(object as Stored, here) as StatefulSet,
    // A pointer there, which is never nil.
    fromStored: (object) => edit(withoutClaimKinds(object), 'status', (status) => fillZero(status, { observedGeneration: 0 })) as StatefulSet,
    defaults: (object) =>
      edit(defaultFromTemplate(object), 'spec', (spec) => ensure(spec, 'updateStrategy', (strategy) => fillZero(strategy, { type: 'OnDelete' }))),
  }),
);
