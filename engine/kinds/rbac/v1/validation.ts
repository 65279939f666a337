/** Roles and bindings. Mirrors pkg/apis/rbac/validation. */
import type { ClusterRole, PolicyRule, Role, RoleBinding, Subject } from '../../../api/rbac/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  invalid,
  metaPlace,
  notSupported,
  notSupportedOf,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import { isDNS1123Subdomain, isPathSegmentName, validateImmutableField, validateLabelSelector } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

const group = 'rbac.authorization.k8s.io';
const rulesPath = root('rules');
const refPath = root('roleRef');

function validateRule(rule: PolicyRule, namespaced: boolean, path: FieldPath, out: Faults): void {
  if (!rule.verbs?.length) out.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  const urls = rule.nonResourceURLs ?? [];
  const resources = rule.resources ?? [];
  if (urls.length > 0) {
    if (namespaced) out.push(invalid(path.child('nonResourceURLs'), urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (resources.length + (rule.apiGroups?.length ?? 0) + (rule.resourceNames?.length ?? 0) > 0) {
      out.push(invalid(path.child('nonResourceURLs'), urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return;
  }
  if (!rule.apiGroups?.length) out.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  if (resources.length === 0) out.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
}

export function validateRole(object: Role): FieldErrorList {
  const out: Faults = [];
  for (const [index, rule] of (object.rules ?? []).entries()) validateRule(rule, true, rulesPath.index(index), out);
  return out;
}

export function validateClusterRole(object: ClusterRole): FieldErrorList {
  const out: Faults = [];
  for (const [index, rule] of (object.rules ?? []).entries()) validateRule(rule, false, rulesPath.index(index), out);
  const selectors = object.aggregationRule?.clusterRoleSelectors;
  if (object.aggregationRule && !selectors?.length)
    out.push(required(root('aggregationRule', 'clusterRoleSelectors'), 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  for (const [index, selector] of (selectors ?? []).entries()) {
    const at = root('aggregationRule', 'clusterRoleSelectors').index(index);
    const faults = validateLabelSelector(selector, at);
    out.push(...faults, ...(faults.length === 0 ? [] : [invalid(at, null, 'invalid label selector.')]));
  }
  return out;
}

function validateSubject(subject: Subject, namespaced: boolean, path: FieldPath, out: Faults): void {
  if (!subject.name) out.push(required(path.child('name')));
  switch (subject.kind) {
    case 'ServiceAccount':
      if (subject.name) for (const fault of isDNS1123Subdomain(subject.name)) out.push(invalid(path.child('name'), subject.name, fault));
      if (subject.apiGroup) out.push(notSupported(path.child('apiGroup'), subject.apiGroup, ['']));
      if (!namespaced && !subject.namespace) out.push(required(path.child('namespace')));
      return;
    case 'User':
    case 'Group':
      if (subject.apiGroup !== group) out.push(notSupported(path.child('apiGroup'), subject.apiGroup ?? '', [group]));
      return;
    default:
      out.push(notSupportedOf(path.child('kind'), subject.kind, ['ServiceAccount', 'User', 'Group']));
  }
}

type Binding = Pick<RoleBinding, 'roleRef' | 'subjects'>;

function validateBinding(object: Binding, kinds: readonly string[], namespaced: boolean): FieldErrorList {
  const out: Faults = [];
  const { apiGroup = '', kind = '', name = '' } = object.roleRef ?? {};
  if (apiGroup !== group) out.push(notSupported(refPath.child('apiGroup'), apiGroup, [group]));
  if (!kinds.includes(kind)) out.push(notSupportedOf(refPath.child('kind'), kind, kinds));
  if (name === '') out.push(required(refPath.child('name')));
  else for (const fault of isPathSegmentName(name)) out.push(invalid(refPath.child('name'), name, fault));
  for (const [index, subject] of (object.subjects ?? []).entries()) validateSubject(subject, namespaced, root('subjects').index(index), out);
  return out;
}

export function validateRoleBinding(object: Binding): FieldErrorList {
  return validateBinding(object, ['Role', 'ClusterRole'], true);
}

export function validateClusterRoleBinding(object: Binding): FieldErrorList {
  return validateBinding(object, ['ClusterRole'], false);
}

/** Who binds another role must make another binding. */
function sameRef(next: Binding, old: Binding): FieldErrorList {
  return validateImmutableField(next.roleRef, old.roleRef, refPath).length > 0
    ? [invalid(refPath, internalRef(next.roleRef), 'cannot change roleRef')]
    : [];
}

/** As upstream's own value prints, whose members have no JSON names. */
function internalRef({ apiGroup = '', kind = '', name = '' }: Partial<Binding['roleRef']> = {}): object {
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

export function validateRoleBindingUpdate(next: Binding, old: Binding): FieldErrorList {
  return [...validateRoleBinding(next), metaPlace, ...sameRef(next, old)];
}

export function validateClusterRoleBindingUpdate(next: Binding, old: Binding): FieldErrorList {
  return [...validateClusterRoleBinding(next), metaPlace, ...sameRef(next, old)];
}
