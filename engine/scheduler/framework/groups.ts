/** Pods that are scheduled together, as plugins see them (kube-scheduler/framework PodGroupManager). */
import type { PodGroup } from '../../api/scheduling/v1alpha2/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';

export interface PodGroups {
  group(namespace: string, name: string): PodGroup | undefined;
  /** A group may ask for a place of one kind for all its pods. */
  readonly arePlaced: boolean;
  /** A group makes room as a whole. */
  readonly preempt: boolean;
  /** How many pods belong to a group, those that have ended left out. */
  count(namespace: string, name: string): number;
  /** How many of them are on a node, or are assumed there. */
  scheduledCount(namespace: string, name: string): number;
  /** Lets pods of a group that are not on a node yet into the queue. */
  activate(namespace: string, name: string): void;
  /** Lets pods of a group go on that wait for this plugin. */
  allow(namespace: string, name: string, plugin: string): void;
}

/** The group that a pod says it belongs to. */
export function groupNameOf({ spec }: Pod): string | undefined {
  return spec?.schedulingGroup?.podGroupName;
}
