/** Resource quotas. Mirrors ValidateResourceQuota of pkg/apis/core/validation. */
import type { ResourceQuota, ResourceQuotaSpec } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, required } from '../../../apimachinery/field-errors.ts';
import { immutableText } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { specPath, statusPath } from '../../shared/strategy.ts';
import { type Faults, isQuotaHugePages, validateQuantityValue, validateResourceName } from './resource-validation.ts';

type ResourceList = { readonly [name: string]: string };

const podCounts: ReadonlySet<string> = new Set(['pods']);
const podResources: ReadonlySet<string> = new Set([
  ...podCounts,
  ...['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'],
]);
const claimResources: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);
const quotaResources: ReadonlySet<string> = new Set([
  ...podResources,
  ...claimResources,
  ...[
    'ephemeral-storage',
    'requests.ephemeral-storage',
    'limits.ephemeral-storage',
    'resourcequotas',
    'services',
    'replicationcontrollers',
    'secrets',
  ],
  ...['configmaps', 'services.nodeports', 'services.loadbalancers'],
]);
/** What each scope can be applied to. */
const scopes: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['BestEffort', podCounts],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['VolumeAttributesClass', claimResources],
]);
const withoutValues: ReadonlySet<string> = new Set(['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity']);
const withoutValuesText =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, " +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

export function validateQuota({ spec = {} }: ResourceQuota): FieldErrorList {
  const out: Faults = [];
  validateAmounts(spec.hard, specPath.child('hard'), out);
  validateScopes(spec, out);
  validateSelector(spec, out);
  return out;
}

export function validateQuotaUpdate(next: ResourceQuota, old: ResourceQuota): FieldErrorList {
  const given = next.spec?.scopes;
  const sorted = (list: readonly string[] | undefined): readonly string[] => [...new Set(list)].sort();
  const isSame = semanticEqual(sorted(given), sorted(old.spec?.scopes));
  return [...validateQuota(next), ...(isSame ? [] : [invalid(specPath.child('scopes'), given ?? null, immutableText)])];
}

export function validateQuotaStatus({ status = {} }: ResourceQuota): FieldErrorList {
  const out: Faults = [];
  validateAmounts(status.hard, statusPath.child('hard'), out);
  validateAmounts(status.used, statusPath.child('used'), out);
  return out;
}

function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name);
}

function validateAmounts(amounts: ResourceList | undefined, path: FieldPath, out: Faults): void {
  for (const name in amounts) {
    const at = path.key(name);
    validateResourceName(name, at, out);
    if (!name.includes('/') && !isQuotaResource(name)) out.push(invalid(at, name, 'must be a standard resource for quota'));
    validateQuantityValue(name, amounts[name] ?? '0', at, out);
  }
}

/** How many of the limits a scope does not fit. */
function misfits(scope: string, hard: ResourceList | undefined): number {
  const fitting = scopes.get(scope);
  return Object.keys(hard ?? {}).filter((name) => isQuotaResource(name) && fitting?.has(name) === false).length;
}

/** Each pair that excludes each other is told of, with the scopes of the quota itself wherever they were found. */
function refuseConflicts(scopesThere: ReadonlySet<string>, { scopes: given }: ResourceQuotaSpec, path: FieldPath, out: Faults): void {
  for (const [one, other] of opposites)
    if (scopesThere.has(one) && scopesThere.has(other)) out.push(invalid(path, given ?? null, 'conflicting scopes'));
}

function validateScopes(spec: ResourceQuotaSpec, out: Faults): void {
  const { hard, scopes: given = [] } = spec;
  if (given.length === 0) return;
  const path = specPath.child('scopes');
  for (const scope of given) {
    if (!scopes.has(scope)) out.push(invalid(path, given, 'unsupported scope'));
    for (let count = misfits(scope, hard); count > 0; count--) out.push(invalid(path, given, 'unsupported scope applied to resource'));
  }
  refuseConflicts(new Set(given), spec, path, out);
}

function validateSelector(spec: ResourceQuotaSpec, out: Faults): void {
  const { hard, scopeSelector } = spec;
  if (!scopeSelector) return;
  const path = specPath.child('scopeSelector').child('matchExpressions');
  const expressions = scopeSelector.matchExpressions ?? [];
  // Upstream shows its own value, whose members have no JSON names.
  const shown = {
    MatchExpressions: expressions.map(({ scopeName, operator, values }) => ({ ScopeName: scopeName, Operator: operator, Values: values ?? null })),
  };
  for (const { scopeName, operator, values = [] } of expressions) {
    if (!scopes.has(scopeName)) out.push(invalid(path.child('scopeName'), scopeName, 'unsupported scope'));
    for (let count = misfits(scopeName, hard); count > 0; count--) out.push(invalid(path, shown, 'unsupported scope applied to resource'));
    if (withoutValues.has(scopeName) && operator !== 'Exists') out.push(invalid(path.child('operator'), operator, withoutValuesText));
    validateOperator(operator, values, path, out);
  }
  refuseConflicts(new Set(expressions.map(({ scopeName }) => scopeName)), spec, path, out);
}

function validateOperator(operator: string, values: readonly string[], path: FieldPath, out: Faults): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      out.push(required(path.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      out.push(invalid(path.child('values'), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
  } else out.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
}
