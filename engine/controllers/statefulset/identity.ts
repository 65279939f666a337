/** Who a pod of a StatefulSet is: its ordinal, name, host name, labels and claims. Mirrors stateful_set_utils.go of pkg/controller/statefulset. */
import type { StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { PersistentVolumeClaim, Pod, PodSpec, PodTemplateSpec, Volume } from '../../api/core/v1/types.gen.ts';
import { statefulSets } from '../../client/resources.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import { podFromTemplate } from '../lib/pod-control.ts';
import { revisionLabel } from '../lib/revision-history.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';
const podName = /^(.*)-([0-9]+)$/s;
const ordinalMax = 2 ** 31 - 1;

/** The ordinal that a pod's name tells; undefined when it tells none. */
export function ordinalOf(pod: Pod): number | undefined {
  const digits = podName.exec(pod.metadata.name ?? '')?.[2];
  return digits === undefined || Number(digits) > ordinalMax ? undefined : Number(digits);
}

/** Whether the pod's name is one that the set gives. */
export function isMember(set: StatefulSet, pod: Pod): boolean {
  return podName.exec(pod.metadata.name ?? '')?.[1] === set.metadata.name;
}

export function startOf(set: StatefulSet): number {
  return set.spec?.ordinals?.start ?? 0;
}

export function replicasOf(set: StatefulSet): number {
  return set.spec?.replicas ?? 1;
}

/** The ordinal is one of those that the set wants. */
export function isInRange(set: StatefulSet, ordinal: number | undefined): ordinal is number {
  return ordinal !== undefined && ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set);
}

export function podRevision(pod: Pod): string {
  return pod.metadata.labels?.[revisionLabel] ?? '';
}

export function claimName(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** The claims of an ordinal, as they are made. */
export function claimsOf(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const wanted = set.spec?.selector?.matchLabels ?? {};
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    metadata: withMeta(template.metadata, {
      name: claimName(set, template, ordinal),
      namespace: set.metadata.namespace,
      labels: sortedMap({ ...template.metadata.labels, ...wanted }),
    }),
  }));
}

/** The pod of an ordinal at a revision, as it is made; not in canonical form. */
export function newPod(set: StatefulSet, template: PodTemplateSpec | undefined, revision: string, ordinal: number, labelsOrdinal: boolean): Pod {
  const pod = podFromTemplate(template, { object: set, type: statefulSets });
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { ...pod.metadata.labels, ...identityLabels(name, labelsOrdinal ? ordinal : undefined), [revisionLabel]: revision };
  const spec = { ...pod.spec, hostname: name, subdomain: set.spec?.serviceName ?? '', volumes: volumesOf(set, pod, ordinal) } as PodSpec;
  return { ...pod, metadata: withMeta(pod.metadata, { name, labels: sortedMap(labels) }), spec };
}

function identityLabels(name: string, ordinal: number | undefined): Readonly<Record<string, string>> {
  return { ...(ordinal === undefined ? {} : { [podIndexLabel]: String(ordinal) }), [podNameLabel]: name };
}

/** The pod with its identity put right. */
export function withIdentity(set: StatefulSet, pod: Pod, ordinal: number, labelsOrdinal: boolean): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const { labels } = pod.metadata;
  return {
    ...pod,
    metadata: withMeta(pod.metadata, { name, labels: sortedMap({ ...labels, ...identityLabels(name, labelsOrdinal ? ordinal : undefined) }) }),
  };
}

/** The label with the pod's name is there; upstream asks for no more. */
export function hasIdentity(set: StatefulSet, pod: Pod): boolean {
  const { name, labels } = pod.metadata;
  const ordinal = ordinalOf(pod);
  return ordinal !== undefined && name === `${set.metadata.name}-${ordinal}` && labels?.[podNameLabel] === name;
}

/** The pod mounts the claims of its ordinal. */
export function hasStorage(set: StatefulSet, pod: Pod, ordinal: number): boolean {
  const claims = new Map((pod.spec?.volumes ?? []).map((volume) => [volume.name, volume.persistentVolumeClaim?.claimName]));
  return (set.spec?.volumeClaimTemplates ?? []).every((template) => claims.get(template.metadata.name ?? '') === claimName(set, template, ordinal));
}

/** The pod with the claims of its ordinal, which stand before other volumes and take the place of those with their names; not in canonical form. */
export function withStorage(set: StatefulSet, pod: Pod, ordinal: number): Pod {
  return { ...pod, spec: { ...(pod.spec as PodSpec), volumes: volumesOf(set, pod, ordinal) } };
}

function volumesOf(set: StatefulSet, pod: Pod, ordinal: number): readonly Volume[] {
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const names = new Set(templates.map(({ metadata }) => metadata.name));
  const own = templates.map(
    (template): Volume => ({ name: template.metadata.name ?? '', persistentVolumeClaim: { claimName: claimName(set, template, ordinal) } }),
  );
  return [...own, ...(pod.spec?.volumes ?? []).filter(({ name }) => !names.has(name))];
}
