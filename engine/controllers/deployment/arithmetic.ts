/** How many pods where: surge, unavailability, proportions, completeness. Mirrors pkg/controller/deployment/util/deployment_util.go. */
import type { ControllerTraits } from '../../contracts/release.ts';
import { semanticEqual } from '../../apimachinery/semantic-equal.ts';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import type { PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import { scaledValue } from '../lib/int-or-string.ts';
import { parseTime } from '../lib/time.ts';

export const hashLabel = 'pod-template-hash';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
const forever = 0x7fff_ffff;

export function desiredOf(deployment: Deployment): number {
  return deployment.spec?.replicas ?? 1;
}

export function sizeOf(replicaSet: ReplicaSet): number {
  return replicaSet.spec?.replicas ?? 1;
}

export function isRollingUpdate(deployment: Deployment): boolean {
  return deployment.spec?.strategy?.type !== 'Recreate';
}

export function maxSurgeOf(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxSurge, desiredOf(deployment), 'up') : 0;
}

export function maxUnavailableOf(deployment: Deployment): number {
  const desired = desiredOf(deployment);
  if (!isRollingUpdate(deployment) || desired === 0) return 0;
  const unavailable = scaledValue(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable, desired, 'down');
  // Nothing could move if both rounded to nothing.
  return Math.min(unavailable === 0 && maxSurgeOf(deployment) === 0 ? 1 : unavailable, desired);
}

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== forever;
}

/** Old ReplicaSets to keep; undefined for all. */
export function historyLimitOf({ spec }: Deployment): number | undefined {
  return spec?.revisionHistoryLimit === forever ? undefined : spec?.revisionHistoryLimit;
}

export function isActive(replicaSet: ReplicaSet): boolean {
  return sizeOf(replicaSet) > 0;
}

export function totalSize(replicaSets: readonly ReplicaSet[]): number {
  return sum(replicaSets, sizeOf);
}

export function sum(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number | undefined): number {
  let total = 0;
  for (const replicaSet of replicaSets) total += count(replicaSet) ?? 0;
  return total;
}

/** Size that the new ReplicaSet may have now. */
export function newReplicaSetSize(deployment: Deployment, all: readonly ReplicaSet[], size: number): number {
  const desired = desiredOf(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const room = desired + maxSurgeOf(deployment) - totalSize(all);
  return room <= 0 ? size : size + Math.min(room, desired - size);
}

export function isSaturated(deployment: Deployment, newOne: ReplicaSet | undefined): boolean {
  if (newOne === undefined) return false;
  const desired = desiredOf(deployment);
  const noted = Number.parseInt(newOne.metadata.annotations?.[desiredAnnotation] ?? '', 10);
  return sizeOf(newOne) === desired && noted === desired && (newOne.status?.availableReplicas ?? 0) === desired;
}

/** Part of the change of the total that falls to this ReplicaSet. */
export function proportionOf(replicaSet: ReplicaSet, deployment: Deployment, toAdd: number, added: number): number {
  if (sizeOf(replicaSet) === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(replicaSet, deployment);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function fractionOf(replicaSet: ReplicaSet, deployment: Deployment): number {
  const size = sizeOf(replicaSet);
  const desired = desiredOf(deployment);
  if (desired === 0) return -size;
  const before = countAnnotation(replicaSet, maxAnnotation) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (desired + maxSurgeOf(deployment))) / before) - size;
}

/** A count in an annotation; undefined when there is none or it is no count. */
export function countAnnotation(replicaSet: ReplicaSet, annotation: string): number | undefined {
  const text = replicaSet.metadata.annotations?.[annotation];
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return count <= forever ? count : undefined;
}

export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const desired = desiredOf(deployment);
  return (
    (status?.updatedReplicas ?? 0) === desired &&
    (status?.replicas ?? 0) === desired &&
    (status?.availableReplicas ?? 0) === desired &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

export function byCreation(a: ReplicaSet, b: ReplicaSet): number {
  const difference = (parseTime(a.metadata.creationTimestamp) ?? 0) - (parseTime(b.metadata.creationTimestamp) ?? 0);
  return difference || (String(a.metadata.name) < String(b.metadata.name) ? -1 : 1);
}

/** The oldest ReplicaSet whose template is the deployment's; `sorted` by creation. */
export function findNew(deployment: Deployment, sorted: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sorted.find((replicaSet) => equalTemplates(replicaSet.spec?.template, deployment.spec?.template));
}

/** Whether two templates are the same but for the hash that a ReplicaSet's has. */
export function equalTemplates(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  const { metadata, ...rest } = a ?? {};
  const { metadata: otherMetadata, ...others } = b ?? {};
  return sameMetadata(metadata, otherMetadata) && semanticEqual(rest, others);
}

type TemplateMetadata = { readonly labels?: Readonly<Record<string, string>> } | undefined;

function sameMetadata(a: TemplateMetadata, b: TemplateMetadata): boolean {
  return semanticEqual({ ...a, labels: withoutHash(a?.labels) }, { ...b, labels: withoutHash(b?.labels) });
}

function withoutHash(labels: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const { [hashLabel]: _, ...rest } = labels;
  return rest;
}

/** The Event that tells of a change of size. */
export function scalingEvent(
  { tellsOldSizes }: Pick<ControllerTraits, 'tellsOldSizes'>,
  replicaSet: string | undefined,
  from: number,
  to: number,
): readonly ['Normal', 'ScalingReplicaSet', string] {
  const direction = from < to ? 'up' : 'down';
  return ['Normal', 'ScalingReplicaSet', `Scaled ${direction} replica set ${replicaSet} ${tellsOldSizes ? `from ${from} ` : ''}to ${to}`];
}
