/**
 * Which objects a resource quota covers, and how much of it they use. Mirrors apiserver pkg/quota/v1/generic and the scopes of
 * pkg/quota/v1/evaluator/core.
 */
import type { PersistentVolumeClaim, Pod, PodAffinityTerm, ResourceQuota } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { podQosClass } from '../pod-qos.ts';
import type { DeviceFacts } from './extended-devices.ts';
import { addAmounts, type Amounts, countsResource, type GroupResourceName, maskAmounts, usageOf } from './usage.ts';

export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** What a quota limits: its scopes as requirements, all of which an object must meet. */
export function scopesOf({ spec }: ResourceQuota): readonly ScopeRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...((spec?.scopeSelector?.matchExpressions ?? []) as readonly ScopeRequirement[])];
}

/** Whether the object falls in the quota's scopes. Objects without scopes fall in none. */
export function isInScopes(quota: ResourceQuota, type: GroupResourceName, object: KubeObject): boolean {
  return scopesOf(quota).every((scope) => isInScope(scope, type, object));
}

/** Those of the requirements that the object meets. */
export function matchingScopes(scopes: readonly ScopeRequirement[], type: GroupResourceName, object: KubeObject): readonly ScopeRequirement[] {
  return scopes.filter((scope) => isInScope(scope, type, object));
}

function isInScope(scope: ScopeRequirement, type: GroupResourceName, object: KubeObject): boolean {
  if (type.group !== '') return false;
  if (type.resource === 'pods') return isPodInScope(scope, object as Pod);
  return type.resource === 'persistentvolumeclaims' && isClaimInScope(scope, object as PersistentVolumeClaim);
}

function isPodInScope(scope: ScopeRequirement, pod: Pod): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminatingPod(pod);
    case 'NotTerminating':
      return !isTerminatingPod(pod);
    case 'BestEffort':
      return podQosClass(pod) === 'BestEffort';
    case 'NotBestEffort':
      return podQosClass(pod) !== 'BestEffort';
    case 'PriorityClass':
      return matchesName(scope, pod.spec?.priorityClassName ? [pod.spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return reachesNamespaces(pod);
    default:
      return false;
  }
}

/** A pod with a deadline, not one that is being deleted. */
export function isTerminatingPod(pod: Pod): boolean {
  return (pod.spec?.activeDeadlineSeconds ?? -1) >= 0;
}

function isClaimInScope(scope: ScopeRequirement, claim: PersistentVolumeClaim): boolean {
  return scope.scopeName === 'VolumeAttributesClass' && matchesName(scope, [...claimClassNames(claim)]);
}

/** The volume attributes classes that a claim asks for, has or is on its way to. */
function claimClassNames({ spec, status }: PersistentVolumeClaim): ReadonlySet<string> {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return new Set(names.filter((name): name is string => name !== undefined && name !== ''));
}

/** Whether a claim counts for something else than before without that its spec says so. */
export function changesClaimUsage(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const allocated = ({ status }: PersistentVolumeClaim): string | undefined => (status?.allocatedResources as Amounts | undefined)?.['storage'];
  const [names, had] = [claimClassNames(claim), claimClassNames(old)];
  return allocated(claim) !== allocated(old) || names.size !== had.size || [...names].some((name) => !had.has(name));
}

function matchesName({ operator, values = [] }: ScopeRequirement, names: readonly string[]): boolean {
  const listed = names.some((name) => values.includes(name));
  switch (operator) {
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    case 'In':
      return listed;
    case 'NotIn':
      return !listed;
    default:
      return false;
  }
}

function reachesNamespaces({ spec }: Pod): boolean {
  const reaches = (term: PodAffinityTerm): boolean => (term.namespaces?.length ?? 0) > 0 || term.namespaceSelector !== undefined;
  return [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].some(
    (affinity) =>
      affinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(reaches) === true ||
      affinity?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) => reaches(podAffinityTerm)) === true,
  );
}

/** The names in these limits that count objects of a resource. */
export function namesCounting(type: GroupResourceName, hard: Amounts, facts?: DeviceFacts): readonly string[] {
  return Object.keys(hard).filter((name) => countsResource(type, name, facts));
}

/** What the objects of one resource use of a quota; zero where nothing is used. */
export function usedOf(quota: ResourceQuota, type: GroupResourceName, objects: readonly KubeObject[], nowMs: number, facts?: DeviceFacts): Amounts {
  const names = namesCounting(type, (quota.spec?.hard ?? {}) as Amounts, facts);
  let used: Amounts = Object.fromEntries(names.map((name) => [name, '0']));
  for (const object of objects) if (isInScopes(quota, type, object)) used = addAmounts(used, maskAmounts(usageOf(type, object, nowMs, facts), names));
  return used;
}
