/** Where validation rules apply. */
import type { ValidatingAdmissionPolicyBinding } from '../../../api/admissionregistration/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { mayReadParamRef } from './param-access.ts';
import { freeOfStaticNames } from './static-names.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { policyBindingColumns } from './policy-columns.ts';
import { defaultMatchResources } from './defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { validateAdmissionBinding } from './policy-validation.ts';

export const validatingAdmissionPolicyBindingKind = defineKind<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metaChecks: { create: 'm', update: 'm' },
  plural: 'validatingadmissionpolicybindings',
  singular: 'validatingadmissionpolicybinding',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  storagePrefix: 'validatingadmissionpolicybindings',
  ...mayReadParamRef({ ...freeOfStaticNames(validateAdmissionBinding), validateUpdate: validateAdmissionBinding }, 'validatingadmissionpolicies'),
  allowUnconditionalUpdate: false,
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'matchResources', defaultMatchResources)),
  columns: policyBindingColumns,
  row(object, context) {
    const ref = object.spec?.paramRef;
    const param = !ref ? '<unset>' : ref.name ? `${ref.namespace || '*'}/${ref.name}` : ref.selector ? formatLabelSelector(ref.selector) : '<unset>';
    return [nameOf(object), object.spec?.policyName ?? '', param, ageOf(object, context)];
  },
});
