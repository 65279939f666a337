/**
 * What an object counts for in a resource quota, and which quotas look at it. Mirrors pkg/quota/v1/evaluator/core and apiserver
 * pkg/quota/v1/generic.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { secondsToMs } from '../../base/int64.ts';
import type { PersistentVolumeClaim, Pod, Service } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../api/resource/v1/types.gen.ts';
import { hasPending } from '../../apimachinery/initializers.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { addQuantity, formatQuantity, newMilliQuantity, newQuantity, parseQuantity, scaledValue } from '../../apimachinery/quantity.ts';
import { podLimits, podRequests } from '../resources.ts';
import { unitAmount } from '../quantity-amount.ts';
import { countsDevices, type DeviceFacts, extendedUsage } from './extended-devices.ts';

export type Amounts = { readonly [name: string]: string };
export interface GroupResourceName {
  readonly group: string;
  readonly resource: string;
}

const legacyNames: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);
const podNames: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);
const serviceNames: ReadonlySet<string> = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);
const claimNames: ReadonlySet<string> = new Set(['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage']);
const devicesMark = '.deviceclass.resource.k8s.io/devices';
const allDevices = 32;
const classMark = '.storageclass.storage.k8s.io/';
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** `count/pods`, `count/deployments.apps`. */
export function countName({ group, resource }: GroupResourceName): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Whether a name in a quota's limits counts objects of this resource. */
export function countsResource(type: GroupResourceName, name: string, facts?: DeviceFacts): boolean {
  if (type.group === '') {
    if (type.resource === 'pods')
      return podNames.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-') || isExtended(name);
    if (type.resource === 'services') return serviceNames.has(name);
    if (type.resource === 'persistentvolumeclaims')
      return claimNames.has(name) || [...claimNames].some((claim) => !claim.startsWith('count/') && name.endsWith(`${classMark}${claim}`));
    if (legacyNames.has(type.resource) && name === type.resource) return true;
  }
  if (name === countName(type)) return true;
  return isResourceClaim(type) && (name.endsWith(devicesMark) || (facts !== undefined && countsDevices(name, facts)));
}

export function isResourceClaim({ group, resource }: GroupResourceName): boolean {
  return group === 'resource.k8s.io' && resource === 'resourceclaims';
}

/** `requests.example.com/gpu`, but not the names that Kubernetes itself gives meaning to. */
function isExtended(name: string): boolean {
  return (
    name.startsWith('requests.') &&
    name.includes('/') &&
    (!name.includes('kubernetes.io/') || name.startsWith('requests.deviceclass.resource.kubernetes.io/'))
  );
}

/** `facts` where claims take extended resources. */
export function usageOf(type: GroupResourceName, object: KubeObject, nowMs: number, facts?: DeviceFacts): Amounts {
  if (type.group === '') {
    if (type.resource === 'pods') return podUsage(object as Pod, nowMs);
    if (type.resource === 'services') return serviceUsage(object as Service);
    if (type.resource === 'persistentvolumeclaims') return claimUsage(object as PersistentVolumeClaim);
    if (legacyNames.has(type.resource)) return { [countName(type)]: '1', [type.resource]: '1' };
  }
  return isResourceClaim(type) ? deviceUsage(object as ResourceClaim, nowMs, facts) : { [countName(type)]: '1' };
}

/** Finished pods, and those that outstayed their deletion, hold nothing but their own count. */
function podUsage(pod: Pod, nowMs: number): Amounts {
  if (!isChargedPod(pod, nowMs)) return { 'count/pods': '1' };
  const usage: { [name: string]: string } = { 'count/pods': '1', pods: '1' };
  for (const [name, amount] of Object.entries(podRequests(pod, { useStatus: true }))) {
    const text = textOf(name, amount, pod);
    if (name.includes('/')) usage[`requests.${name}`] = text;
    else {
      setOwn(usage, name, text);
      usage[`requests.${name}`] = text;
    }
  }
  for (const [name, amount] of Object.entries(podLimits(pod, { useStatus: true }))) {
    if (name === 'cpu' || name === 'memory' || name === 'ephemeral-storage') usage[`limits.${name}`] = textOf(name, amount, pod);
  }
  return usage;
}

/** Whether the pod holds what it asks for: it has not ended, nor outstayed its deletion. */
export function isChargedPod(pod: Pod, nowMs: number): boolean {
  const { phase } = pod.status ?? {};
  return phase !== 'Failed' && phase !== 'Succeeded' && !isPastDeletion(pod, nowMs);
}

function isPastDeletion({ metadata }: Pod, nowMs: number): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return nowMs > Date.parse(deletionTimestamp) + secondsToMs(deletionGracePeriodSeconds);
}

/** Sums keep the format of what was summed: a pod that asks in Mi is counted in Mi. */
function textOf(name: string, amount: number, pod: Pod): string {
  if (name === 'cpu') return formatQuantity(newMilliQuantity(amount));
  for (const { resources } of [...(pod.spec === undefined ? [] : [pod.spec]), ...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]) {
    const text = getOwn(resources?.requests as Amounts | undefined, name) ?? getOwn(resources?.limits as Amounts | undefined, name);
    if (text !== undefined) return formatQuantity(newQuantity(amount, parseQuantity(text).format));
  }
  return formatQuantity(newQuantity(amount));
}

function serviceUsage({ spec }: Service): Amounts {
  const ports = spec?.ports ?? [];
  const balanced = spec?.type === 'LoadBalancer';
  const chosen = balanced && spec.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => (nodePort ?? 0) !== 0) : ports;
  return {
    'count/services': '1',
    services: '1',
    'services.loadbalancers': balanced ? '1' : '0',
    'services.nodeports': balanced || spec?.type === 'NodePort' ? String(chosen.length) : '0',
  };
}

function claimUsage(claim: PersistentVolumeClaim): Amounts {
  const usage: { [name: string]: string } = { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1' };
  // What waits for initializers may still ask for something else.
  if (hasPending(claim)) return usage;
  const storageClass = claim.metadata.annotations?.[classAnnotation] ?? claim.spec?.storageClassName ?? '';
  if (storageClass !== '') usage[`${storageClass}${classMark}persistentvolumeclaims`] = '1';
  const asked = (claim.spec?.resources?.requests as Amounts | undefined)?.storage;
  if (asked === undefined) return usage;
  const allocated = (claim.status?.allocatedResources as Amounts | undefined)?.storage;
  const text = wholeBytes(allocated !== undefined && unitAmount(allocated) > unitAmount(asked) ? allocated : asked);
  usage['requests.storage'] = text;
  if (storageClass !== '') usage[`${storageClass}${classMark}requests.storage`] = text;
  return usage;
}

/** Of alternatives the most that could be taken of each class. */
function deviceUsage(claim: ResourceClaim, nowMs: number, facts: DeviceFacts | undefined): Amounts {
  const counts = new Map<string, number>();
  for (const { exactly, firstAvailable = [] } of claim.spec?.devices?.requests ?? []) {
    const most = new Map<string, number>();
    for (const { deviceClassName = '', allocationMode, count } of exactly === undefined ? firstAvailable : [exactly]) {
      const devices = allocationMode === 'All' ? allDevices : allocationMode === 'ExactCount' ? Number(count ?? 0) : 0;
      most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, devices));
    }
    for (const [name, devices] of most) counts.set(name, (counts.get(name) ?? 0) + devices);
  }
  const usage: { [name: string]: string } = { 'count/resourceclaims.resource.k8s.io': '1' };
  for (const [name, devices] of counts) usage[`${name}${devicesMark}`] = String(devices);
  if (facts !== undefined)
    Object.assign(
      usage,
      extendedUsage(claim, counts, facts, (pod) => podUsage(pod, nowMs)),
    );
  return usage;
}

function wholeBytes(text: string): string {
  const quantity = parseQuantity(text);
  return formatQuantity(newQuantity(scaledValue(quantity, 0), quantity.format));
}

/** Sum of two lists; names of either. */
export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum: { [name: string]: string } = { ...a };
  for (const name in b) {
    const had = getOwn(sum, name);
    const more = getOwn(b, name) ?? '0';
    setOwn(sum, name, had === undefined ? more : formatQuantity(addQuantity(parseQuantity(had), parseQuantity(more))));
  }
  return sum;
}

export function maskAmounts(amounts: Amounts, names: readonly string[]): Amounts {
  const kept: { [name: string]: string } = {};
  for (const name of names) if (getOwn(amounts, name) !== undefined) setOwn(kept, name, getOwn(amounts, name) ?? '0');
  return kept;
}
