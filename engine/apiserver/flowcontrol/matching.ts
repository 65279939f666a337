/** Whether a flow schema's rules meet a request. Mirrors apiserver pkg/util/flowcontrol/rule.go. */
import type { FlowSchema, NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule, Subject } from '../../api/flowcontrol/v1/types.gen.ts';
import type { Identity } from '../../contracts/request.ts';
import type { RequestInfo, ResourceInfo } from '../request-info.ts';

export function schemaMatches({ spec }: FlowSchema, identity: Identity, info: RequestInfo, path: string): boolean {
  return (spec?.rules ?? []).some((rule) => ruleMatches(rule, identity, info, path));
}

/** By precedence, then by name. */
export function bySchemaOrder(a: FlowSchema, b: FlowSchema): number {
  const difference = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  if (difference !== 0) return difference;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

function ruleMatches(rule: PolicyRulesWithSubjects, identity: Identity, info: RequestInfo, path: string): boolean {
  if (!isSubject(rule, identity)) return false;
  const { resourceRules, nonResourceRules } = rule;
  if (info.isResource) return (resourceRules ?? []).some((one) => resourceRuleMatches(one, info));
  return (nonResourceRules ?? []).some((one) => pathRuleMatches(one, info.verb, path));
}

/** Whether a rule is for such a caller, whatever is asked. */
export function isSubject({ subjects }: PolicyRulesWithSubjects, identity: Identity): boolean {
  return (subjects ?? []).some((subject) => subjectMatches(subject, identity));
}

/** Whether a schema is for all that the caller can ask. */
export function isForEverything({ spec }: FlowSchema, identity: Identity): boolean {
  const rules = (spec?.rules ?? []).filter((rule) => isSubject(rule, identity));
  const isOfResources = (rule: ResourcePolicyRule): boolean =>
    rule.clusterScope === true && [rule.verbs, rule.apiGroups, rule.resources, rule.namespaces].every((list) => list?.includes('*') === true);
  const isOfPaths = ({ verbs, nonResourceURLs }: NonResourcePolicyRule): boolean =>
    verbs?.includes('*') === true && nonResourceURLs?.includes('*') === true;
  return (
    rules.some(({ resourceRules }) => resourceRules?.some(isOfResources)) && rules.some(({ nonResourceRules }) => nonResourceRules?.some(isOfPaths))
  );
}

function subjectMatches({ kind, user, group, serviceAccount }: Subject, { name, groups }: Identity): boolean {
  switch (kind) {
    case 'User':
      return user !== undefined && (user.name === '*' || user.name === name);
    case 'Group':
      return group !== undefined && (group.name === '*' || groups.includes(group.name ?? ''));
    default: {
      if (serviceAccount === undefined) return false;
      const prefix = `system:serviceaccount:${serviceAccount.namespace}:`;
      return serviceAccount.name === '*' ? name.startsWith(prefix) : name === `${prefix}${serviceAccount.name}`;
    }
  }
}

function resourceRuleMatches(rule: ResourcePolicyRule, { verb, group, resource, subresource, namespace }: ResourceInfo): boolean {
  if (!includesOrAll(rule.verbs, verb) || !includesOrAll(rule.apiGroups, group)) return false;
  if (!includesOrAll(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`)) return false;
  return namespace === '' ? rule.clusterScope === true : includesOrAll(rule.namespaces, namespace);
}

function pathRuleMatches({ verbs, nonResourceURLs }: NonResourcePolicyRule, verb: string, path: string): boolean {
  if (!includesOrAll(verbs, verb)) return false;
  return (nonResourceURLs ?? []).some((url) => url === '*' || url === path || (url.endsWith('/*') && path.startsWith(url.slice(0, -1))));
}

function includesOrAll(list: readonly string[] | null | undefined, value: string): boolean {
  return list !== null && list !== undefined && (list.includes('*') || list.includes(value));
}
