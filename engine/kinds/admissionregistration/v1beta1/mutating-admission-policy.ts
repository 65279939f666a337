/** Changes of requests in CEL. */
import type { MutatingAdmissionPolicy } from '../../../api/admissionregistration/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { mutatingPolicyColumns } from '../v1/policy-columns.ts';
import { defaultMatchResources } from '../v1/defaults.ts';

export const mutatingAdmissionPolicyKind = defineKind<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  storedVersion: 'v1beta1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicy',
  storagePrefix: 'mutatingadmissionpolicies',
  storage: storedAs('admissionregistration.k8s.io', 'v1beta1', 'v1'),
  allowUnconditionalUpdate: false,
  defaults: (object) => edit(object, 'spec', (spec) => edit(fill(spec, { failurePolicy: 'Fail' }), 'matchConstraints', defaultMatchResources)),
  columns: mutatingPolicyColumns,
  row(object, context) {
    const param = object.spec?.paramKind;
    const paramKind = param ? `${param.apiVersion ?? ''}/${param.kind ?? ''}` : '<unset>';
    return [nameOf(object), object.spec?.mutations?.length ?? 0, paramKind, ageOf(object, context)];
  },
});
