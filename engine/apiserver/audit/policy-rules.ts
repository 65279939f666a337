/** Which rule of a policy a request meets. Mirrors apiserver pkg/audit/policy/checker.go. */
import type { Identity } from '../../contracts/request.ts';
import type { RequestInfo, ResourceInfo } from '../request-info.ts';
import type { AuditLevel, AuditPolicy, AuditRule, AuditStage, GroupResources } from './policy.ts';

/** What the policy looks at. */
export interface AuditSubject {
  /** Nobody where authentication failed. */
  readonly identity: Identity | undefined;
  readonly path: string;
  readonly info: RequestInfo;
}

export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

export const unlogged: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

export function decide(policy: AuditPolicy, subject: AuditSubject): AuditDecision {
  const rule = policy.rules.find((candidate) => matches(candidate, subject));
  if (rule === undefined) return unlogged;
  return {
    level: rule.level,
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: AuditRule, { identity, path, info }: AuditSubject): boolean {
  const { users, userGroups, verbs, resources, namespaces, nonResourceURLs } = rule;
  if (isGiven(users) && (identity === undefined || !users.includes(identity.name))) return false;
  if (isGiven(userGroups) && !identity?.groups.some((group) => userGroups.includes(group))) return false;
  if (isGiven(verbs) && !verbs.includes(info.verb)) return false;
  if (isGiven(namespaces) || isGiven(resources)) return info.isResource && matchesResource(rule, info);
  if (isGiven(nonResourceURLs)) return !info.isResource && nonResourceURLs.some((url) => matchesPath(url, path));
  return true;
}

function isGiven<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function matchesResource({ namespaces, resources }: AuditRule, info: ResourceInfo): boolean {
  if (isGiven(namespaces) && !namespaces.includes(info.namespace)) return false;
  return !isGiven(resources) || resources.some((one) => matchesGroup(one, info));
}

function matchesGroup({ group = '', resources, resourceNames }: GroupResources, info: ResourceInfo): boolean {
  if (group !== info.group) return false;
  if (!isGiven(resources)) return true;
  if (isGiven(resourceNames) && !resourceNames.includes(info.name)) return false;
  return resources.some((resource) => matchesName(resource, info));
}

/** `pods`, `pods/log`, `*`, `pods/*` (the pods themselves and what is below them), `*` before a subresource. */
function matchesName(wanted: string, { resource, subresource }: ResourceInfo): boolean {
  if (wanted === '*' || wanted === (subresource === '' ? resource : `${resource}/${subresource}`)) return true;
  if (wanted.startsWith('*/')) return subresource !== '' && wanted.slice(2) === subresource;
  return wanted.endsWith('/*') && wanted.slice(0, -2) === resource;
}

function matchesPath(wanted: string, path: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}
