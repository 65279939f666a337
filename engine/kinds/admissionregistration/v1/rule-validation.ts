/** What webhooks and policies are asked about. Mirrors pkg/apis/admissionregistration/validation. */
import { type Declarations, compileExpression, environmentOf } from '../../../cel/admission.ts';
import { bool } from '../../../cel/types.ts';
import type { MatchCondition, MatchResources, NamedRuleWithOperations, RuleWithOperations } from '../../../api/admissionregistration/v1/types.gen.ts';
import { duplicate, type FieldPath, invalid, notSupported, required, tooMany } from '../../../apimachinery/field-errors.ts';
import { isPathSegmentName, isQualifiedName, validateLabelSelector } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { expressionFault } from './expression-validation.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const conditionsMax = 64;
const scopes = ['*', 'Cluster', 'Namespaced'];
export const matchPolicies = ['Equivalent', 'Exact'];

export function validateRule(rule: RuleWithOperations, path: FieldPath, out: Faults): void {
  wildcardList(rule.operations, 'operations', path.child('operations'), out);
  for (const [index, operation] of (rule.operations ?? []).entries())
    if (!operations.includes(operation)) out.push(notSupported(path.child('operations').index(index), operation, operations));
  wildcardList(rule.apiGroups, 'API groups', path.child('apiGroups'), out);
  wildcardList(rule.apiVersions, 'API versions', path.child('apiVersions'), out);
  for (const [index, version] of (rule.apiVersions ?? []).entries()) if (version === '') out.push(required(path.child('apiVersions').index(index)));
  if (!rule.resources?.length) out.push(required(path.child('resources')));
  else validateResources(rule.resources, path.child('resources'), out);
  if (rule.scope !== undefined && !scopes.includes(rule.scope)) out.push(notSupported(path.child('scope'), rule.scope, scopes));
}

/** The star stands for all others. */
function wildcardList(list: readonly string[] | undefined, what: string, path: FieldPath, out: Faults): void {
  if (!list?.length) out.push(required(path));
  else if (list.length > 1 && list.includes('*')) out.push(invalid(path, list, `if '*' is present, must not specify other ${what}`));
}

function validateResources(list: readonly string[], path: FieldPath, out: Faults): void {
  const allOf = new Set<string>();
  const ofAll = new Set<string>();
  for (const [index, text] of list.entries()) {
    if (text === '') out.push(required(path.index(index)));
    const slash = text.indexOf('/');
    if (text === '' || slash < 0) continue;
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    if (allOf.has(resource)) out.push(invalid(path.index(index), text, `if '${resource}/*' is present, must not specify ${text}`));
    if (ofAll.has(subresource)) out.push(invalid(path.index(index), text, `if '*/${subresource}' is present, must not specify ${text}`));
    if (subresource === '*') allOf.add(resource);
    if (resource === '*') ofAll.add(subresource);
  }
  if (list.length > 1 && list.includes('*/*')) out.push(invalid(path, list, "if '*/*' is present, must not specify other resources"));
  const isPlain = (text: string): boolean => text !== '*' && text !== '' && !text.includes('/');
  if (list.includes('*') && list.some(isPlain))
    out.push(invalid(path, list, "if '*' is present, must not specify other resources without subresources"));
}

function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    const at = path.child('resourceNames').index(index);
    for (const fault of isPathSegmentName(name)) out.push(invalid(at, name, fault));
    if (names.has(name)) out.push(duplicate(at, name));
    names.add(name);
  }
  validateRule(rule as RuleWithOperations, path, out);
}

export function validateMatchResources(match: MatchResources, path: FieldPath, out: Faults): void {
  const { matchPolicy, namespaceSelector, objectSelector } = match;
  if (matchPolicy === undefined) out.push(required(path.child('matchPolicy')));
  else if (!matchPolicies.includes(matchPolicy)) out.push(notSupported(path.child('matchPolicy'), matchPolicy, matchPolicies));
  for (const [name, selector] of Object.entries({ namespaceSelector, objectSelector })) {
    if (selector === undefined) out.push(required(path.child(name)));
    else out.push(...validateLabelSelector(selector, path.child(name)));
  }
  for (const list of ['resourceRules', 'excludeResourceRules'] as const)
    for (const [index, rule] of (match[list] ?? []).entries()) validateNamedRule(rule, path.child(list).index(index), out);
}

/** Expressions are not compiled here. */
/** `declared`: what the expressions see; they are not compiled without it. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  path: FieldPath,
  out: Faults,
  declared?: Declarations,
): void {
  const names = new Set<string>();
  if (conditions !== undefined && conditions.length > conditionsMax) out.push(tooMany(path, conditions.length, conditionsMax));
  const environment = declared === undefined ? undefined : environmentOf(declared);
  for (const [index, { name = '', expression = '' }] of (conditions ?? []).entries()) {
    const at = path.index(index);
    if (expression.trim() === '') out.push(required(at.child('expression')));
    else if (environment !== undefined) {
      const program = compileExpression(expression.trim(), environment, [bool]);
      if ('fault' in program) out.push(expressionFault(program, at.child('expression'), expression.trim()));
    }
    if (name === '') {
      out.push(required(at.child('name')));
      continue;
    }
    for (const fault of isQualifiedName(name)) out.push(invalid(at.child('name'), name, fault));
    if (names.has(name)) out.push(duplicate(at.child('name'), name));
    names.add(name);
  }
}
