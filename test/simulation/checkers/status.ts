/** Where nothing has changed for a while, status says what is there: sets, deployments, jobs, budgets' and quotas' owners. */
import type { Deployment, ReplicaSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { controllerUid, nameOf, type Thing, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { FailingRequests } from './failing-requests.ts';

/** Longer than watch latency, a reconcile and the write of a status, even behind a rate limiter. */
const calmMs = 6_000;

const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
const isReady = ({ status }: Pod): boolean => status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;

export function statusIsTrue(): Checker {
  const failing = new FailingRequests();
  const look = (world: World): readonly string[] =>
    failing.mayWait(world.nowMs)
      ? []
      : [
          ...world.all<ReplicaSet>('replicasets').flatMap((set) => wrongSet(set, world)),
          ...world.all<Deployment>('deployments').flatMap((deployment) => wrongDeployment(deployment, world)),
        ];
  return { name: 'status is true', onChange: (change, world) => (failing.note(change, world.nowMs), []), inspect: look, atRest: look };
}

function wrongSet(set: ReplicaSet, world: World): readonly string[] {
  const { namespace, deletionTimestamp, generation, uid } = set.metadata;
  const own = world.podsOf<Pod>(uid);
  const calm = world.ageMs('replicasets', set) >= calmMs && own.every((pod) => world.ageMs('pods', pod) >= calmMs);
  // A pod that has gone leaves no trace of its own.
  if (!calm || world.calmMs('pods', namespace) < calmMs || deletionTimestamp !== undefined) return [];
  if (isGoing(namespace, world)) return [];
  const active = own.filter(isActive);
  const wants = set.spec?.replicas ?? 1;
  const failing = set.status?.conditions?.some(({ type, status }) => type === 'ReplicaFailure' && status === 'True') === true;
  const wrong = compare(set, { observedGeneration: generation, replicas: active.length, readyReplicas: active.filter(isReady).length }, set.status);
  if (active.length !== wants && !(failing && active.length < wants)) wrong.push(`${nameOf(set)} has ${active.length} of ${wants} pods`);
  return wrong;
}

function wrongDeployment(deployment: Deployment, world: World): readonly string[] {
  const { namespace, deletionTimestamp, generation, uid } = deployment.metadata;
  const calm = ['pods', 'replicasets', 'deployments'].every((prefix) => world.calmMs(prefix, namespace) >= calmMs);
  if (!calm || deletionTimestamp !== undefined || isGoing(namespace, world)) return [];
  const sets = world.all<ReplicaSet>('replicasets', namespace).filter((set) => controllerUid(set) === uid);
  const sum = (count: (set: ReplicaSet) => number | undefined): number => sets.reduce((total, set) => total + (count(set) ?? 0), 0);
  return compare(
    deployment,
    {
      observedGeneration: generation,
      replicas: sum(({ status }) => status?.replicas),
      readyReplicas: sum(({ status }) => status?.readyReplicas),
      availableReplicas: sum(({ status }) => status?.availableReplicas),
    },
    deployment.status,
  );
}

/** Nothing can be created where everything is to go, and nobody calls that a failure or notes it; while a pod is there sets and deployments stay. */
function isGoing(namespace: string | undefined, world: World): boolean {
  return world.get('namespaces', undefined, namespace ?? '')?.metadata.deletionTimestamp !== undefined;
}

/** Fields of a status that are not what they should be; absent counts as 0. */
export function compare(thing: Thing, wanted: Readonly<Record<string, number | undefined>>, status: object | undefined): string[] {
  const has = (status ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(wanted)
    .filter(([field, value]) => (has[field] ?? 0) !== (value ?? 0))
    .map(([field, value]) => `${nameOf(thing)} says ${field} ${String(has[field] ?? 0)} where ${value ?? 0} is true`);
}
