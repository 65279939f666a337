/**
 * Nobody gives away more than she holds: a role may grant, and a binding may lead to, only what its writer may do herself, unless the
 * verbs `escalate` (on roles) or `bind` (on the role that is bound) say otherwise. Mirrors pkg/registry/rbac/escalation_check.go and the
 * policy-based storages beside it.
 */
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { ClusterRole, PolicyRule, Role, RoleBinding, RoleRef } from '../../../api/rbac/v1/types.gen.ts';
import { newForbidden, newNotFound, newStatusError } from '../../../apimachinery/errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { JsonValue } from '../../../base/json.ts';
import { type AccessOracle, allOf, superuserGroup } from '../../../contracts/access.ts';
import type { StrategyContext, WritePlace } from '../../../contracts/kind.ts';
import type { Identity } from '../../../contracts/request.ts';
import { describeRules, goStrings, uncovered } from './rule-coverage.ts';

const group = 'rbac.authorization.k8s.io';
/** Who gathers rules by label must hold everything, because she cannot know what they will be. */
const fullAuthority: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type Guard<T extends KubeObject> = (next: T, old: T | undefined, place: WritePlace, context: StrategyContext) => void;

export const guardRole: Guard<Role> = (next, old, place, { access, identity }) => {
  if (access === undefined || mayEscalate(access, identity, 'roles', place) || onlyCollectorFields(next, old)) return;
  confirmHeld(access, identity, { resource: 'roles', name: next.metadata.name ?? '', namespace: place.namespace }, next.rules ?? []);
};

export const guardClusterRole: Guard<ClusterRole> = (next, old, place, { access, identity }) => {
  if (access === undefined || mayEscalate(access, identity, 'clusterroles', place) || onlyCollectorFields(next, old)) return;
  const target = { resource: 'clusterroles', name: next.metadata.name ?? '', namespace: '' };
  confirmHeld(access, identity, target, next.rules ?? []);
  if (!gathers(next) && !(old !== undefined && gathers(old))) return;
  if (uncovered(access.rulesOf(identity, ''), fullAuthority).length > 0)
    throw newForbidden({ group, resource: target.resource }, target.name, 'must have cluster-admin privileges to use the aggregationRule');
};

export const guardRoleBinding: Guard<RoleBinding> = (next, old, place, context) => guardBinding('rolebindings', next, old, place.namespace, context);
export const guardClusterRoleBinding: Guard<Binding> = (next, old, _place, context) => guardBinding('clusterrolebindings', next, old, '', context);

/** Role bindings and cluster role bindings have the same members. */
type Binding = KubeObject & Pick<RoleBinding, 'roleRef'>;

function guardBinding(resource: string, next: Binding, old: Binding | undefined, namespace: string, context: StrategyContext): void {
  const { access, identity } = context;
  if (access === undefined || identity.groups.includes(superuserGroup) || onlyCollectorFields(next, old)) return;
  const { roleRef } = next;
  if (mayBind(access, identity, roleRef, namespace)) return;
  const target = { resource, name: next.metadata.name ?? '', namespace };
  confirmHeld(access, identity, target, rulesBehind(roleRef, target, context));
}

interface Target {
  readonly resource: string;
  readonly name: string;
  readonly namespace: string;
}

function confirmHeld(access: AccessOracle, identity: Identity, { resource, name, namespace }: Target, rules: readonly PolicyRule[]): void {
  const missing = uncovered(access.rulesOf(identity, namespace), rules);
  if (missing.length === 0) return;
  const who = `user ${goQuote(identity.name)} (groups=${goStrings(identity.groups)})`;
  const what = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing).join('\n')}`;
  // Told as of what is written, whichever kind of role is missing.
  const unresolved = (access.rolesMissing?.(identity, namespace) ?? []).map((role) => `${resource}.${group} ${goQuote(role.name)} not found`);
  const why = unresolved.length === 0 ? what : `${what}; resolution errors: [${allOf(unresolved)}]`;
  throw newForbidden({ group, resource }, name, why);
}

function mayEscalate(access: AccessOracle, identity: Identity, resource: string, { namespace, name }: WritePlace): boolean {
  return identity.groups.includes(superuserGroup) || mayDo(access, identity, 'escalate', group, resource, namespace, name);
}

function mayBind(access: AccessOracle, identity: Identity, roleRef: RoleRef, namespace: string): boolean {
  const resource = { ClusterRole: 'clusterroles', Role: 'roles' }[roleRef.kind];
  return resource !== undefined && mayDo(access, identity, 'bind', roleRef.apiGroup, resource, namespace, roleRef.name);
}

function mayDo(access: AccessOracle, identity: Identity, verb: string, apiGroup: string, resource: string, namespace: string, name: string): boolean {
  const attributes = { verb, isResource: true, path: '', group: apiGroup, version: '*', resource, subresource: '', namespace, name };
  return access.authorize(identity, attributes).allowed;
}

function rulesBehind({ kind, name }: RoleRef, { namespace, resource: bindings }: Target, context: StrategyContext): readonly PolicyRule[] {
  if (kind !== 'Role' && kind !== 'ClusterRole') throw newStatusError(500, '', `unsupported role reference kind: ${goQuote(kind)}`);
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  const role = name === '' ? undefined : (context.lookup(group, resource, kind === 'Role' ? namespace : undefined, name) as Role | undefined);
  if (role === undefined) throw newNotFound({ group, resource: context.ratcheted('RolesByRequest') ? bindings : resource }, name);
  return role.rules ?? [];
}

function gathers(role: ClusterRole): boolean {
  return (role.aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

/** The garbage collector must be able to finish what it may not write. */
function onlyCollectorFields(next: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && semanticEqual(withoutCollectorFields(next), withoutCollectorFields(old));
}

function withoutCollectorFields(object: KubeObject): JsonValue {
  const { ownerReferences: _owners, finalizers: _finalizers, selfLink: _link, managedFields: _managed, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonValue;
}
