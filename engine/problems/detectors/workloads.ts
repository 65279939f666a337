/** Workloads short of pods. What is wrong with their pods is told by these; here is what keeps pods from being made at all. */
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../api/apps/v1/types.gen.ts';
import type { ReplicationController } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { findCondition } from '../../component-helpers/pod.ts';
import { getControllerOf } from '../../component-helpers/owners.ts';
import { type Detector, defineDetector, type Finding, type World } from '../finding.ts';
import { rootOfRefusal } from './refusals.ts';

/** Shorter shortages are the ordinary course of a rollout. */
const patienceMs = 15_000;

interface Wish {
  readonly wished: number;
  readonly available: number;
}

interface Conditions {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }[];
  };
}

function workload<T extends KubeObject>(resource: string, wishOf: (object: T) => Wish): Detector {
  return defineDetector<T>({
    resource,
    // A set that something else controls is that one's affair.
    isSuspect: (object) => getControllerOf(object) === undefined && isShort(wishOf(object)),
    find: (object, world, sinceMs) => (world.nowMs - sinceMs < patienceMs ? undefined : shortage(object, wishOf(object), world)),
  });
}

function isShort({ wished, available }: Wish): boolean {
  return available < wished;
}

function shortage(object: KubeObject, { wished, available }: Wish, world: World): Finding | undefined {
  const { conditions } = (object as Conditions).status ?? {};
  const failure = findCondition(conditions, 'ReplicaFailure');
  const progress = findCondition(conditions, 'Progressing');
  const said = failure?.status === 'True' ? failure.message : world.warning(object.metadata.uid ?? '')?.message;
  const short = `${available} of ${wished} ${wished === 1 ? 'pod' : 'pods'} available`;
  const refused = failure?.status === 'True' || said?.includes('is forbidden') === true || said?.includes('failed calling webhook') === true;
  if (refused) {
    const reason = failure?.reason ?? 'FailedCreate';
    return {
      reason,
      summary: `${short}: ${said ?? ''}`,
      ...rootOfRefusal(object, said ?? ''),
      next: { text: 'it is tried again, less and less often' },
    };
  }
  if (progress?.reason === 'ProgressDeadlineExceeded')
    return {
      reason: progress.reason,
      summary: `${short}: ${progress.message ?? 'its rollout does not get on'}`,
      sum: `${short}, its rollout has timed out`,
    };
  return { reason: 'ShortOfPods', summary: short, sum: short };
}

export const workloadDetectors: readonly Detector[] = [
  workload<Deployment>('deployments.apps', ({ spec, status }) => ({ wished: spec?.replicas ?? 1, available: status?.availableReplicas ?? 0 })),
  workload<ReplicaSet>('replicasets.apps', ({ spec, status }) => ({ wished: spec?.replicas ?? 1, available: status?.availableReplicas ?? 0 })),
  workload<StatefulSet>('statefulsets.apps', ({ spec, status }) => ({ wished: spec?.replicas ?? 1, available: status?.availableReplicas ?? 0 })),
  workload<DaemonSet>('daemonsets.apps', ({ status }) => ({ wished: status?.desiredNumberScheduled ?? 0, available: status?.numberAvailable ?? 0 })),
  workload<ReplicationController>('replicationcontrollers', ({ spec, status }) => ({
    wished: spec?.replicas ?? 1,
    available: status?.availableReplicas ?? 0,
  })),
];

const resources: ReadonlySet<string> = new Set(workloadDetectors.map(({ resource }) => resource));

/** `resource` with its group. */
export function isWorkload(resource: string): boolean {
  return resources.has(resource);
}
