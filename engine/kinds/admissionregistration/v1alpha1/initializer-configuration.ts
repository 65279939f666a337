/** Who completes objects before others see them, as releases before 1.14 had it. Mirrors pkg/apis/admissionregistration/validation. */
import type { Initializer, InitializerConfiguration } from '../../../api/admissionregistration/v1alpha1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { validateFullyQualifiedName } from '../../../apimachinery/fully-qualified-name.ts';
import { defineKind } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

export const initializerConfigurationKind = defineKind<InitializerConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1alpha1',
  kind: 'InitializerConfiguration',
  plural: 'initializerconfigurations',
  singular: 'initializerconfiguration',
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1alpha1.InitializerConfiguration',
  storagePrefix: 'initializerconfigurations',
  hasGeneration: true,
  desiredCountsEmpties: true,
  allowUnconditionalUpdate: false,
  validate,
  validateUpdate: (next) => [...validate(next), ...validate(next)],
});

function validate({ initializers = [] }: InitializerConfiguration): FieldErrorList {
  const out: Faults = [];
  for (const [index, initializer] of initializers.entries()) validateInitializer(initializer, root('initializers').index(index), out);
  return out;
}

function validateInitializer({ name, rules = [] }: Initializer, path: FieldPath, out: Faults): void {
  out.push(...validateFullyQualifiedName(name, path.child('name')));
  for (const [index, rule] of rules.entries()) validateRule(rule, path.child('rules').index(index), out);
}

function validateRule({ apiGroups, apiVersions, resources }: NonNullable<Initializer['rules']>[number], path: FieldPath, out: Faults): void {
  const starred = (list: readonly string[] | undefined, name: string, what: string): void => {
    if (!list?.length) out.push(required(path.child(name)));
    else if (list.length > 1 && list.includes('*')) out.push(invalid(path.child(name), list, `if '*' is present, must not specify other ${what}`));
  };
  starred(apiGroups, 'apiGroups', 'API groups');
  starred(apiVersions, 'apiVersions', 'API versions');
  for (const [index, version] of (apiVersions ?? []).entries()) if (version === '') out.push(required(path.child('apiVersions').index(index)));
  for (const [index, resource] of (resources ?? []).entries()) {
    if (resource === '') out.push(required(path.child('resources').index(index)));
    if (resource.includes('/')) out.push(invalid(path.child('resources').index(index), resource, 'must not specify subresources'));
  }
  starred(resources, 'resources', 'resources');
}
