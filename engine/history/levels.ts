/** How many are wished for and how many are ready, of what keeps pods: as its own status says it. */
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../api/apps/v1/types.gen.ts';
import type { Job } from '../api/batch/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Level } from './area.ts';
import { jobResult } from './states.ts';

type Replicated = Deployment | ReplicaSet | StatefulSet;

const levels: ReadonlyMap<string, (object: KubeObject) => Level | undefined> = new Map([
  ['deployments.apps', (object) => replicasOf(object as Replicated)],
  ['replicasets.apps', (object) => replicasOf(object as Replicated)],
  ['statefulsets.apps', (object) => replicasOf(object as Replicated)],
  ['replicationcontrollers', (object) => replicasOf(object as unknown as Replicated)],
  ['daemonsets.apps', (object) => daemonsOf(object as DaemonSet)],
  ['jobs.batch', (object) => workersOf(object as Job)],
]);

/** `type` is the resource with its group; undefined where nothing is wished for. */
export function levelOf(type: string, object: KubeObject): Level | undefined {
  return levels.get(type)?.(object);
}

function replicasOf({ spec, status }: Replicated): Level {
  return {
    wished: spec?.replicas ?? 1,
    // A StatefulSet of old releases knows no more than that they are ready.
    ready: status?.availableReplicas ?? status?.readyReplicas ?? 0,
    there: status?.replicas ?? 0,
  };
}

function daemonsOf({ status }: DaemonSet): Level {
  return {
    wished: status?.desiredNumberScheduled ?? 0,
    ready: status?.numberAvailable ?? 0,
    there: status?.currentNumberScheduled ?? 0,
  };
}

/** One pod after the other is told by the job's state alone. */
function workersOf(job: Job): Level | undefined {
  const { spec, status } = job;
  const parallelism = spec?.parallelism ?? 1;
  if (parallelism < 2) return undefined;
  const isOver = jobResult(job) !== undefined || spec?.suspend === true;
  const left = spec?.completions === undefined ? parallelism : Math.max(0, spec.completions - (status?.succeeded ?? 0));
  return { wished: isOver ? 0 : Math.min(parallelism, left), ready: status?.ready ?? 0, there: status?.active ?? 0 };
}
