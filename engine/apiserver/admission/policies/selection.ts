/** Which requests policies and bindings are about. Mirrors apiserver pkg/admission/plugin/policy/matching. */
import type { MatchResources, NamedRuleWithOperations } from '../../../api/admissionregistration/v1/types.gen.ts';
import type { Namespace } from '../../../api/core/v1/types.gen.ts';
import { newNotFound } from '../../../apimachinery/errors.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';
import { matchedResource, selects } from '../hooks/matching.ts';

/** In which form; undefined where they are about something else. Throws StatusError where that cannot be told. */
export function matches(match: MatchResources, attributes: AdmissionAttributes): AdmittedResource | undefined {
  const { isSelected, fault } = selects(match, attributes);
  if (!isSelected) return undefined;
  const { excludeResourceRules, resourceRules, matchPolicy } = match;
  const isNamed = ({ resourceNames }: NamedRuleWithOperations): boolean =>
    (resourceNames ?? []).length === 0 || (resourceNames ?? []).includes(attributes.name);
  if (matchedResource(excludeResourceRules ?? [], matchPolicy, attributes, isNamed) !== undefined) return undefined;
  const rules = resourceRules ?? [];
  const found = rules.length === 0 ? attributes.forms.requested : matchedResource(rules, matchPolicy, attributes, isNamed);
  if (found !== undefined && fault !== undefined) throw fault;
  return found;
}

/** A Namespace has none but itself, which is the object. Throws NotFound. */
export function namespaceOf({ namespace, group, resource, lookup }: AdmissionAttributes): Namespace | undefined {
  if (namespace === '' || (group === '' && resource === 'namespaces')) return undefined;
  const found = lookup('', 'namespaces', undefined, namespace);
  if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  return found as Namespace;
}
