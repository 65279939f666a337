/** A pod with what scheduling asks of it again and again, worked out once (scheduler/framework PodInfo). */
import { getOwn } from '../../base/dictionary.ts';
import type { Pod, PodAffinityTerm } from '../../api/core/v1/types.gen.ts';
import type { LabelSelector, LabelSet, Selector } from '../../apimachinery/labels.ts';
import { newRequirement, Selector as SelectorClass } from '../../apimachinery/labels.ts';
import { compileLabelSelector } from './matching.ts';
import { podRequests, type Resources } from './resources.ts';

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

export interface AffinityTerm {
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: Selector | undefined;
  readonly weight: number;
}

export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: LabelSet;
  readonly priority: number;
  readonly terminating: boolean;
  readonly requests: Resources;
  readonly nonZeroRequests: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly AffinityTerm[];
  readonly preferredAntiAffinity: readonly AffinityTerm[];
  readonly hasAffinity: boolean;
  /** Keys of the claims that its volumes name; those of ephemeral volumes are not among them. */
  readonly claims: readonly string[];
}

const none: readonly never[] = [];

export function newPodInfo(pod: Pod): PodInfo {
  const { metadata, spec } = pod;
  const labels = metadata.labels ?? {};
  const namespace = metadata.namespace ?? '';
  const affinity = spec?.affinity?.podAffinity;
  const anti = spec?.affinity?.podAntiAffinity;
  const compile = (term: PodAffinityTerm, weight: number): AffinityTerm => compileAffinityTerm(term, namespace, labels, weight);
  const required = (terms: readonly PodAffinityTerm[] | undefined): readonly AffinityTerm[] =>
    terms === undefined ? none : terms.map((term) => compile(term, 0));
  return {
    pod,
    uid: metadata.uid ?? '',
    namespace,
    labels,
    priority: spec?.priority ?? 0,
    terminating: metadata.deletionTimestamp !== undefined,
    requests: podRequests(pod),
    nonZeroRequests: podRequests(pod, true),
    hostPorts: hostPortsOf(pod),
    requiredAffinity: required(affinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(anti?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: affinity?.preferredDuringSchedulingIgnoredDuringExecution?.map((t) => compile(t.podAffinityTerm, t.weight)) ?? none,
    preferredAntiAffinity: anti?.preferredDuringSchedulingIgnoredDuringExecution?.map((t) => compile(t.podAffinityTerm, t.weight)) ?? none,
    hasAffinity: affinity !== undefined || anti !== undefined,
    claims: claimsOf(pod),
  };
}

function compileAffinityTerm(term: PodAffinityTerm, namespace: string, labels: LabelSet, weight: number): AffinityTerm {
  const ownNamespace = (term.namespaces?.length ?? 0) === 0 && term.namespaceSelector === undefined;
  return {
    topologyKey: term.topologyKey,
    selector: withLabelKeys(term, labels),
    namespaces: new Set(ownNamespace ? [namespace] : (term.namespaces ?? [])),
    namespaceSelector: term.namespaceSelector === undefined ? undefined : compileLabelSelector(term.namespaceSelector as LabelSelector),
    weight,
  };
}

/** `matchLabelKeys` and `mismatchLabelKeys` are written into the selector by the API server as well; saying them twice is harmless. */
function withLabelKeys(term: PodAffinityTerm, labels: LabelSet): Selector {
  const selector = compileLabelSelector(term.labelSelector as LabelSelector | undefined);
  const extra = [
    ...(term.matchLabelKeys ?? []).map((key) => [key, 'in'] as const),
    ...(term.mismatchLabelKeys ?? []).map((key) => [key, 'notin'] as const),
  ]
    .filter(([key]) => getOwn(labels, key) !== undefined)
    .map(([key, operator]) => newRequirement(key, operator, [labels[key] as string]));
  return extra.length === 0 || term.labelSelector === undefined ? selector : new SelectorClass([...selector.requirements, ...extra]);
}

export function termMatches(term: AffinityTerm, pod: PodInfo, namespaceLabels: LabelSet): boolean {
  if (!term.namespaces.has(pod.namespace) && !(term.namespaceSelector?.matches(namespaceLabels) ?? false)) return false;
  return term.selector.matches(pod.labels);
}

function hostPortsOf(pod: Pod): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const initContainers = (pod.spec?.initContainers ?? none).filter((container) => container.restartPolicy === 'Always');
  for (const container of [...(pod.spec?.containers ?? none), ...initContainers]) {
    for (const { hostPort = 0, hostIP, protocol } of container.ports ?? none) {
      if (hostPort > 0) (ports ??= []).push({ port: hostPort, ip: hostIP || '0.0.0.0', protocol: protocol || 'TCP' });
    }
  }
  return ports ?? none;
}

function claimsOf({ metadata, spec }: Pod): readonly string[] {
  let claims: string[] | undefined;
  for (const { persistentVolumeClaim } of spec?.volumes ?? none)
    if (persistentVolumeClaim !== undefined) (claims ??= []).push(`${metadata.namespace ?? ''}/${persistentVolumeClaim.claimName}`);
  return claims ?? none;
}

/** When the pod started, or now for one that has not. Text, compared as such. */
export function startTimeOf(info: PodInfo): string {
  return info.pod.status?.startTime ?? '9999';
}

/** Higher priority first, then the one that runs longer; the UID makes the order total. */
export function moreImportant(a: PodInfo, b: PodInfo): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  const [startA, startB] = [startTimeOf(a), startTimeOf(b)];
  if (startA !== startB) return startA < startB ? -1 : 1;
  return a.uid < b.uid ? -1 : 1;
}
