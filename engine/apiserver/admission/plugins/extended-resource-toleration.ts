/** Pods that ask for extended resources tolerate the taints that keep others off nodes that have them. Mirrors plugin/pkg/admission/extendedresourcetoleration. */
import type { Pod, Toleration } from '../../../api/core/v1/types.gen.ts';
import { isExtendedResource } from '../../../component-helpers/resource-names.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

export const extendedResourceToleration = defineAdmissionPlugin({
  name: 'ExtendedResourceToleration',
  verbs: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  admit(object) {
    const { spec } = object as Pod;
    const names = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(({ resources }) => Object.keys(resources?.requests ?? {}));
    const wanted = [...new Set(names.filter(isExtendedResource))].sort();
    if (spec === undefined || wanted.length === 0) return object;
    const tolerations = wanted.reduce(withToleration, spec.tolerations ?? []);
    return { ...object, spec: { ...spec, tolerations } };
  },
});

function withToleration(tolerations: readonly Toleration[], key: string): readonly Toleration[] {
  const made: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
  const matches = (given: Toleration): boolean =>
    given.key === key && given.effect === 'NoSchedule' && given.operator === 'Exists' && (given.value ?? '') === '';
  return tolerations.some(matches) ? tolerations.map((given) => (matches(given) ? made : given)) : [...tolerations, made];
}
