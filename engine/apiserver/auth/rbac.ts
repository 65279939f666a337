/**
 * Role-based authorization over the stored roles and bindings. The rules that apply to an identity are collected once and kept until
 * a role or binding changes. Mirrors kubernetes plugin/pkg/auth/authorizer/rbac and pkg/registry/rbac/validation/rule.go.
 */
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '../../api/rbac/v1/types.gen.ts';
import { allOf, type MissingRole, missingText, superuserGroup } from '../../contracts/access.ts';
import type { Identity } from '../../contracts/request.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorizer.ts';

/** The stored objects, and a number that grows with each change of one of them. */
export interface RbacSource {
  generation(): number;
  clusterRoles(): readonly ClusterRole[];
  clusterRoleBindings(): readonly ClusterRoleBinding[];
  roles(): readonly Role[];
  roleBindings(): readonly RoleBinding[];
}

/** One binding's rules for an identity. `namespace` is empty for cluster-wide bindings. */
interface Grant {
  readonly namespace: string;
  readonly rules: readonly PolicyRule[];
  readonly origin: string;
  /** The role that is bound, where it is not there. */
  readonly missing?: MissingRole;
}

type Bound = Pick<RoleBinding, 'subjects' | 'roleRef'>;

export class RbacAuthorizer implements Authorizer {
  readonly #source: RbacSource;
  /** By identity object: components keep theirs, callers from outside get one per connection or request. */
  #grants = new WeakMap<Identity, readonly Grant[]>();
  #generation = -1;
  #bySubject = new Map<string, Grant[]>();

  constructor(source: RbacSource) {
    this.#source = source;
  }

  authorize(identity: Identity, attributes: AuthorizationAttributes): Decision {
    if (identity.groups.includes(superuserGroup)) return { allowed: true, reason: '' };
    for (const grant of this.grantsOf(identity)) {
      if (grant.namespace !== '' && (!attributes.isResource || grant.namespace !== attributes.namespace)) continue;
      for (const rule of grant.rules) if (ruleAllows(rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${grant.origin}` };
    }
    const missing = this.rolesMissing(identity, attributes.namespace);
    return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${allOf(missing.map(missingText))}` };
  }

  /** What is bound, cluster-wide first, and is not there. */
  rolesMissing(identity: Identity, namespace: string): readonly MissingRole[] {
    const grants = this.grantsOf(identity);
    const within = (place: string): readonly MissingRole[] =>
      grants.flatMap((grant) => (grant.missing === undefined || grant.namespace !== place ? [] : [grant.missing]));
    return namespace === '' ? within('') : [...within(''), ...within(namespace)];
  }

  /** Rules for SelfSubjectRulesReview: those bound cluster-wide and in the namespace. */
  rulesOf(identity: Identity, namespace: string): readonly PolicyRule[] {
    return this.grantsOf(identity)
      .filter((grant) => grant.namespace === '' || grant.namespace === namespace)
      .flatMap((grant) => grant.rules);
  }

  private grantsOf(identity: Identity): readonly Grant[] {
    this.#refresh();
    let grants = this.#grants.get(identity);
    if (grants === undefined) {
      const subjects = [`User:${identity.name}`, ...identity.groups.map((group) => `Group:${group}`)];
      const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(identity.name);
      if (account !== null) subjects.push(`ServiceAccount:${account[1]}:${account[2]}`);
      grants = subjects.flatMap((subject) => this.#bySubject.get(subject) ?? []);
      this.#grants.set(identity, grants);
    }
    return grants;
  }

  #refresh(): void {
    const generation = this.#source.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#grants = new WeakMap();
    this.#bySubject = new Map();
    const clusterRoles = new Map(this.#source.clusterRoles().map((role) => [role.metadata.name, role.rules ?? []]));
    const roles = new Map(this.#source.roles().map((role) => [`${role.metadata.namespace}/${role.metadata.name}`, role.rules ?? []]));
    for (const binding of this.#source.clusterRoleBindings()) {
      const { name } = binding.roleRef;
      this.#bind(binding, '', clusterRoles.get(name), `ClusterRoleBinding "${binding.metadata.name}" of ClusterRole "${name}" to `);
    }
    for (const binding of this.#source.roleBindings()) {
      const { kind, name } = binding.roleRef;
      const namespace = binding.metadata.namespace ?? '';
      const rules = kind === 'ClusterRole' ? clusterRoles.get(name) : roles.get(`${namespace}/${name}`);
      this.#bind(binding, namespace, rules, `RoleBinding "${binding.metadata.name}/${namespace}" of ${kind} "${name}" to `);
    }
  }

  #bind({ subjects, roleRef }: Bound, namespace: string, found: readonly PolicyRule[] | undefined, origin: string): void {
    const { kind, name } = roleRef;
    const rules = found ?? [];
    const missing = found === undefined ? { missing: { kind: kind === 'Role' ? kind : 'ClusterRole', name } as const } : undefined;
    for (const subject of subjects ?? []) {
      const key =
        subject.kind === 'ServiceAccount' ? `ServiceAccount:${subject.namespace || namespace}:${subject.name}` : `${subject.kind}:${subject.name}`;
      const grants = this.#bySubject.get(key) ?? [];
      grants.push({ namespace, rules, origin: origin + describeSubject(subject, namespace), ...missing });
      this.#bySubject.set(key, grants);
    }
  }
}

export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  if (!includesOrAll(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResource) return (rule.nonResourceURLs ?? []).some((url) => pathMatches(url, attributes.path));
  if (!includesOrAll(rule.apiGroups, attributes.group)) return false;
  if (!resourceMatches(rule.resources, attributes.resource, attributes.subresource)) return false;
  return rule.resourceNames === undefined || rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name);
}

function includesOrAll(list: readonly string[] | undefined | null, value: string): boolean {
  return list !== undefined && list !== null && (list.includes(value) || list.includes('*'));
}

function resourceMatches(list: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (list === undefined) return false;
  if (list.includes('*')) return true;
  if (subresource === '') return list.includes(resource);
  return list.includes(`${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

function pathMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}

function describeSubject(subject: Subject, bindingNamespace: string): string {
  return subject.kind === 'ServiceAccount'
    ? `ServiceAccount "${subject.name}/${subject.namespace || bindingNamespace}"`
    : `${subject.kind} "${subject.name}"`;
}
