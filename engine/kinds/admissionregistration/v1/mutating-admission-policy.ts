/** Changes of requests in CEL. */
import type { MutatingAdmissionPolicy } from '../../../api/admissionregistration/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { mayReadParamKind } from './param-access.ts';
import { freeOfStaticNames } from './static-names.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { mutatingPolicyColumns } from './policy-columns.ts';
import { validateMutatingPolicy } from './mutating-policy-validation.ts';
import { defaultMatchResources } from './defaults.ts';
import { edit, fill } from '../../shared/defaulting.ts';

export const mutatingAdmissionPolicyKind = defineKind<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  storedVersion: 'v1beta1',
  kind: 'MutatingAdmissionPolicy',
  metaChecks: { create: 'm', update: 'm' },
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy',
  storagePrefix: 'mutatingadmissionpolicies',
  ...mayReadParamKind({ ...freeOfStaticNames(validateMutatingPolicy), validateUpdate: validateMutatingPolicy }),
  allowUnconditionalUpdate: false,
  defaults: (object) => edit(object, 'spec', (spec) => edit(fill(spec, { failurePolicy: 'Fail' }), 'matchConstraints', defaultMatchResources)),
  columns: mutatingPolicyColumns,
  row(object, context) {
    const param = object.spec?.paramKind;
    const paramKind = param ? `${param.apiVersion ?? ''}/${param.kind ?? ''}` : '<unset>';
    return [nameOf(object), object.spec?.mutations?.length ?? 0, paramKind, ageOf(object, context)];
  },
});
