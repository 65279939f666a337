/** Validation rules in CEL. Mirrors pkg/registry/admissionregistration/validatingadmissionpolicy. */
import type { ValidatingAdmissionPolicy } from '../../../api/admissionregistration/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { mayReadParamKind } from './param-access.ts';
import { freeOfStaticNames } from './static-names.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { validatingPolicyColumns } from './policy-columns.ts';
import { defaultMatchResources } from './defaults.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { validateAdmissionPolicy, validatePolicyStatus } from './policy-validation.ts';

export const validatingAdmissionPolicyKind = defineKind<ValidatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  metaChecks: { create: 'm', update: 'm', status: '', keptByStatus: true },
  plural: 'validatingadmissionpolicies',
  singular: 'validatingadmissionpolicy',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy',
  storagePrefix: 'validatingadmissionpolicies',
  ...mayReadParamKind({ ...freeOfStaticNames(validateAdmissionPolicy), validateUpdate: validateAdmissionPolicy }),
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validatePolicyStatus, resetFields: [['metadata'], ['spec']] },
  allowUnconditionalUpdate: false,
  defaults: (object) => edit(object, 'spec', (spec) => edit(fill(spec, { failurePolicy: 'Fail' }), 'matchConstraints', defaultMatchResources)),
  columns: validatingPolicyColumns,
  row(object, context) {
    const param = object.spec?.paramKind;
    const paramKind = param ? `${param.apiVersion ?? ''}/${param.kind ?? ''}` : '<unset>';
    return [nameOf(object), object.spec?.validations?.length ?? 0, paramKind, ageOf(object, context)];
  },
});
