/**
 * What can happen in the cluster that may make a pod schedulable (kube-scheduler/framework ClusterEvent): a resource and a set of
 * action bits. Plugins register the events they wait for; the queue matches.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';

export type EventResource =
  | 'Pod'
  | 'Node'
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | 'PodGroup'
  | '*';

export const Action = {
  add: 1,
  delete: 2,
  updateNodeAllocatable: 4,
  updateNodeLabel: 8,
  updateNodeTaint: 16,
  updateNodeCondition: 32,
  updateNodeAnnotation: 64,
  updatePodLabel: 128,
  updatePodScaleDown: 256,
  updatePodToleration: 512,
  updatePodSchedulingGatesEliminated: 1024,
  updateOther: 2048,
  updatePodGeneratedResourceClaim: 4096,
  updateNodeDeclaredFeature: 8192,
  all: 16_383,
} as const;

export interface ClusterEvent {
  readonly resource: EventResource;
  readonly action: number;
}

/** One thing that happened, with what it happened to. */
export interface ClusterChange extends ClusterEvent {
  readonly old?: KubeObject;
  readonly new?: KubeObject;
}

/** What a plugin waits for. The hint says whether this very change may help this very pod; without one, it may. */
export interface EventHint extends ClusterEvent {
  readonly worth?: (pod: Pod, change: ClusterChange) => boolean;
}

export function matches(registered: ClusterEvent, change: ClusterEvent): boolean {
  return (registered.resource === '*' || registered.resource === change.resource) && (registered.action & change.action) !== 0;
}

function same(a: unknown, b: unknown): boolean {
  return deepEqual(a ?? null, b ?? null);
}

/** The events that an update of a node amounts to; none when nothing that scheduling looks at changed. */
export function nodeChanges(old: Node, next: Node): number {
  let actions = 0;
  if (!same(old.status?.allocatable, next.status?.allocatable)) actions |= Action.updateNodeAllocatable;
  if (!same(old.metadata.labels, next.metadata.labels)) actions |= Action.updateNodeLabel;
  if (!same(old.spec?.taints, next.spec?.taints) || old.spec?.unschedulable !== next.spec?.unschedulable) actions |= Action.updateNodeTaint;
  if (!same(conditionsOf(old), conditionsOf(next))) actions |= Action.updateNodeCondition;
  if (!same(old.metadata.annotations, next.metadata.annotations)) actions |= Action.updateNodeAnnotation;
  if (!same(old.status?.declaredFeatures, next.status?.declaredFeatures)) actions |= Action.updateNodeDeclaredFeature;
  return actions;
}

function conditionsOf(node: Node): readonly (readonly [string, string])[] {
  return (node.status?.conditions ?? []).map((condition) => [condition.type, condition.status] as const);
}

/** The events that an update of a pod amounts to. `scaledDown` compares requests, which the caller knows how to sum. */
export function podChanges(old: Pod, next: Pod, scaledDown: boolean): number {
  let actions = 0;
  if (!same(old.metadata.labels, next.metadata.labels)) actions |= Action.updatePodLabel;
  if (scaledDown) actions |= Action.updatePodScaleDown;
  if ((old.spec?.schedulingGates?.length ?? 0) > 0 && (next.spec?.schedulingGates?.length ?? 0) === 0)
    actions |= Action.updatePodSchedulingGatesEliminated;
  if (!same(old.spec?.tolerations, next.spec?.tolerations)) actions |= Action.updatePodToleration;
  if (!same(old.status?.resourceClaimStatuses, next.status?.resourceClaimStatuses)) actions |= Action.updatePodGeneratedResourceClaim;
  return actions === 0 ? Action.updateOther : actions;
}

export { same as sameJson };
