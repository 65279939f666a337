/** Where changes of requests apply. */
import type { MutatingAdmissionPolicyBinding } from '../../../api/admissionregistration/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { mayReadParamRef } from './param-access.ts';
import { freeOfStaticNames } from './static-names.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { policyBindingColumns } from './policy-columns.ts';
import { validateMutatingBinding } from './mutating-policy-validation.ts';
import { defaultMatchResources } from './defaults.ts';
import { edit } from '../../shared/defaulting.ts';

export const mutatingAdmissionPolicyBindingKind = defineKind<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  storedVersion: 'v1beta1',
  kind: 'MutatingAdmissionPolicyBinding',
  metaChecks: { create: 'm', update: 'm' },
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding',
  storagePrefix: 'mutatingadmissionpolicybindings',
  ...mayReadParamRef({ ...freeOfStaticNames(validateMutatingBinding), validateUpdate: validateMutatingBinding }, 'mutatingadmissionpolicies'),
  allowUnconditionalUpdate: false,
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'matchResources', defaultMatchResources)),
  columns: policyBindingColumns,
  row(object, context) {
    const ref = object.spec?.paramRef;
    const param = !ref ? '<unset>' : ref.name ? `${ref.namespace || '*'}/${ref.name}` : ref.selector ? formatLabelSelector(ref.selector) : '<unset>';
    return [nameOf(object), object.spec?.policyName ?? '', param, ageOf(object, context)];
  },
});
