/** Where changes of requests apply. */
import type { MutatingAdmissionPolicyBinding } from '../../../api/admissionregistration/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { edit } from '../../shared/defaulting.ts';
import { defaultMatchResources } from '../v1/defaults.ts';

export const mutatingAdmissionPolicyBindingKind = defineKind<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  storedVersion: 'v1beta1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBinding',
  storagePrefix: 'mutatingadmissionpolicybindings',
  storage: storedAs('admissionregistration.k8s.io', 'v1beta1', 'v1'),
  allowUnconditionalUpdate: false,
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'matchResources', defaultMatchResources)),
  columns: policyBindingColumns,
  row(object, context) {
    const ref = object.spec?.paramRef;
    const param = !ref ? '<unset>' : ref.name ? `${ref.namespace || '*'}/${ref.name}` : ref.selector ? formatLabelSelector(ref.selector) : '<unset>';
    return [nameOf(object), object.spec?.policyName ?? '', param, ageOf(object, context)];
  },
});
