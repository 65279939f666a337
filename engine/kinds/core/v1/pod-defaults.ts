/** Defaults of pods and pod templates. Mirrors SetDefaults_Pod and SetDefaults_PodSpec of pkg/apis/core/v1. */
import { getOwn } from '../../../base/dictionary.ts';
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import { formatQuantity, newMilliQuantity, newQuantity } from '../../../apimachinery/quantity.ts';
import { sortedMap } from '../../../component-helpers/meta.ts';
import { isPodLevelResource, podLimits, podRequests, type ResourceAmounts } from '../../../component-helpers/resources.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit, editEach, ensure, fill, fillZero } from '../../shared/defaulting.ts';
import { defaultContainer, defaultResources, roundResourceList } from './container-defaults.ts';
import { defaultVolume } from './volume-defaults.ts';

const zeroDefaults = Object.freeze({ dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', schedulerName: 'default-scheduler' });
const absentDefaults = Object.freeze({ terminationGracePeriodSeconds: 30, securityContext: Object.freeze({}) });

const statusLists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const;

/** Defaults of a spec wherever it stands. */
function defaultPodSpec(spec: PodSpec): PodSpec {
  let next: PodSpec = fill(fillZero(spec, zeroDefaults), absentDefaults);
  next = editEach(next, 'containers', defaultContainer<Container>);
  if (next.initContainers !== undefined) next = editEach(next, 'initContainers', defaultContainer<Container>);
  if (next.ephemeralContainers !== undefined) next = editEach(next, 'ephemeralContainers', defaultContainer);
  if (next.volumes !== undefined) next = editEach(next, 'volumes', defaultVolume);
  if (next.overhead !== undefined) next = edit(next, 'overhead', roundResourceList);
  if (next.resources !== undefined) next = edit(next, 'resources', defaultResources);
  return syncServiceAccount(next);
}

/** The old name of serviceAccountName always says the same. */
export function syncServiceAccount(spec: PodSpec): PodSpec {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name || (spec.serviceAccountName === name && spec.serviceAccount === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

/** It has a spec even where none was sent. */
export function defaultPodTemplate(template: PodTemplateSpec): PodTemplateSpec {
  return ensure(template, 'spec', defaultPodSpec);
}

export function defaultPod(pod: Pod): Pod {
  return ensure(edit(pod, 'status', defaultStatus), 'spec', (spec) => {
    let next = defaultPodSpec(spec);
    next = editEach(next, 'containers', requestLimits);
    if (next.initContainers !== undefined) next = editEach(next, 'initContainers', requestLimits);
    if (next.enableServiceLinks === undefined || next.enableServiceLinks === null) next = { ...next, enableServiceLinks: true };
    if (next.resources) next = defaultPodLevel({ ...pod, spec: next }, next);
    return next.hostNetwork === true ? hostNetworkPorts(next) : next;
  });
}

/** A period below zero is one second, of pods only: templates keep what they say. */
export function boundGrace(pod: Pod, { ratcheted }: Pick<StrategyContext, 'ratcheted'>): Pod {
  const grace = pod.spec?.terminationGracePeriodSeconds ?? 0;
  return grace < 0 && ratcheted('BoundedGraces') ? { ...pod, spec: { ...(pod.spec as PodSpec), terminationGracePeriodSeconds: 1 } } : pod;
}

function defaultStatus(given: PodStatus): PodStatus {
  let next = withAddresses(given);
  for (const list of statusLists) if (next[list] !== undefined) next = editEach(next, list, roundContainer);
  if (next.allocatedResources !== undefined) next = edit(next, 'allocatedResources', roundResourceList);
  return next.resources === undefined ? next : edit(next, 'resources', defaultResources);
}

function roundContainer(status: ContainerStatus): ContainerStatus {
  const next = status.allocatedResources === undefined ? status : edit(status, 'allocatedResources', roundResourceList);
  return next.resources === undefined ? next : edit(next, 'resources', defaultResources);
}

/** Older kubelets know one address only; it counts where the two differ. Mirrors the conversions of v1.PodStatus from and to core.PodStatus. */
function withAddresses(status: PodStatus): PodStatus {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip ?? '';
  if (first === (podIP ?? '')) return status;
  return podIP ? { ...status, podIPs: [{ ip: podIP }] } : { ...status, podIP: first };
}

/** What is limited and not requested is requested up to the limit. */
function requestLimits(container: Container): Container {
  const limits = container.resources?.limits;
  if (!limits) return container;
  const requests = container.resources?.requests;
  let missing = false;
  for (const name in limits) if (getOwn(requests, name) === undefined) missing = true;
  if (!missing) return container;
  return { ...container, resources: { ...container.resources, requests: sortedMap({ ...limits, ...requests }) } };
}

function hostNetworkPorts(spec: PodSpec): PodSpec {
  const fillPorts = (container: Container): Container =>
    editEach(container, 'ports', (port) => (port.hostPort ? port : { ...port, hostPort: port.containerPort }));
  const next = editEach(spec, 'containers', fillPorts);
  return next.initContainers === undefined ? next : editEach(next, 'initContainers', fillPorts);
}

/** Pod-level requests follow what containers ask, then the pod's own limits. */
function defaultPodLevel(pod: Pod, spec: PodSpec): PodSpec {
  const { limits: givenLimits, requests: given } = spec.resources ?? {};
  const limits = { ...givenLimits };
  if (hasEntries(givenLimits) || hasEntries(given)) {
    const sums = podLimits(pod, { skipPodLevel: true, excludeOverhead: true });
    for (const name in sums) {
      if (name.startsWith('hugepages-') && getOwn(given, name) === undefined && getOwn(limits, name) === undefined)
        limits[name] = amountText(name, sums);
    }
  }
  if (!hasEntries(limits)) return spec;
  const requests = { ...given };
  const sums = podRequests(pod, { skipPodLevel: true, excludeOverhead: true });
  for (const name of ['cpu', 'memory']) if (sums[name] !== undefined && requests[name] === undefined) requests[name] = amountText(name, sums);
  for (const name in limits) if (getOwn(requests, name) === undefined && isPodLevelResource(name)) requests[name] = limits[name] ?? '0';
  if (sameKeys(limits, givenLimits) && sameKeys(requests, given)) return spec;
  return { ...spec, resources: { ...spec.resources, limits: sortedMap(limits), ...(hasEntries(requests) && { requests: sortedMap(requests) }) } };
}

function amountText(name: string, amounts: ResourceAmounts): string {
  const amount = amounts[name] ?? 0;
  return formatQuantity(name === 'cpu' ? newMilliQuantity(amount) : newQuantity(amount, 'BinarySI'));
}

function hasEntries(list: object | undefined): boolean {
  return list !== undefined && Object.keys(list).length > 0;
}

function sameKeys(a: object, b: object | undefined): boolean {
  return Object.keys(a).length === Object.keys(b ?? {}).length;
}
