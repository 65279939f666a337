/** StatefulSets bring up one member after the other, DaemonSets have one pod on a node, and the status of both says what there is. */
import type { DaemonSet, StatefulSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf, type Thing, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { compare } from './status.ts';

/** How long what a controller saw may be older than what is. */
const lagMs = 10_000;
/** Longer than watch latency, a reconcile and the write of a status, even behind a rate limiter. */
const calmMs = 8_000;
/** Longest wait of a controller between two tries. */
const backoffMaxMs = 1_000_000;

const isReady = ({ status }: Pod): boolean => status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
const isOver = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const isLeaving = ({ metadata }: Thing): boolean => metadata.deletionTimestamp !== undefined;

/** Before a member is made, all below it have been seen ready; a set that manages them in parallel does not wait. */
export function membersComeInOrder(): Checker {
  /** By key: when a pod was ready last. */
  const readyMs = new Map<string, number>();
  return {
    name: 'members come in order',
    onChange({ key, current, previous }, world) {
      if (prefixOf(key) !== 'pods') return [];
      const pod = current?.value as Pod | undefined;
      const before = previous?.value as Pod | undefined;
      if ([pod, before].some((one) => one !== undefined && isReady(one))) readyMs.set(key, world.nowMs);
      return pod === undefined || before !== undefined
        ? []
        : tooEarly(pod, world, (name) => readyMs.get(`/registry/pods/${pod.metadata.namespace}/${name}`) ?? 0);
    },
  };
}

function tooEarly(pod: Pod, world: World, readyMs: (name: string) => number): readonly string[] {
  const owner = pod.metadata.ownerReferences?.find(({ kind, controller }) => kind === 'StatefulSet' && controller === true);
  const set = owner === undefined ? undefined : world.get<StatefulSet>('statefulsets', pod.metadata.namespace, owner.name);
  if (owner === undefined || set === undefined || set.metadata.uid !== owner.uid || set.spec?.podManagementPolicy === 'Parallel') return [];
  // What was asked for meanwhile may have been something else.
  if (world.ageMs('statefulsets', set) < lagMs && (set.status?.observedGeneration ?? 0) < (set.metadata.generation ?? 0)) return [];
  const ordinal = ordinalOf(pod);
  for (let i = 0; i < ordinal; i++) {
    const name = `${owner.name}-${i}`;
    const one = world.get<Pod>('pods', pod.metadata.namespace, name);
    const isThere = one !== undefined && isReady(one) && !isLeaving(one);
    if (!isThere && world.nowMs - readyMs(name) > lagMs) return [`${nameOf(pod)} was made while ${name} is not ready`];
  }
  return [];
}

function ordinalOf({ metadata: { name = '' } }: Pod): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

/** Two only while one of them is replaced by a surge. */
export function onePodOnANode(): Checker {
  return {
    name: 'one pod of a DaemonSet on a node',
    onChange({ key, current, previous }, world) {
      const pod = current?.value as Pod | undefined;
      if (prefixOf(key) !== 'pods' || pod === undefined || previous !== undefined) return [];
      const owner = pod.metadata.ownerReferences?.find(({ kind, controller }) => kind === 'DaemonSet' && controller === true);
      if (owner === undefined) return [];
      const set = world.get<DaemonSet>('daemonsets', pod.metadata.namespace, owner.name);
      const surge = set?.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0;
      const node = nodeOf(pod);
      const there = world.podsOf<Pod>(owner.uid).filter((one) => !isOver(one) && !isLeaving(one) && nodeOf(one) === node);
      return there.length > (surge === 0 || surge === '0%' ? 1 : 2) ? [`DaemonSet ${owner.name} has ${there.length} pods on ${node}`] : [];
    },
  };
}

/** Where it runs, or is made to run. */
function nodeOf({ spec }: Pod): string {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return spec?.nodeName || (terms.flatMap(({ matchFields = [] }) => (matchFields ?? []).flatMap(({ values }) => values ?? []))[0] ?? '');
}

export function setsSayWhatIs(): Checker {
  const look = (world: World): readonly string[] => [
    ...world.all<StatefulSet>('statefulsets').flatMap((set) => wrongStatefulSet(set, world)),
    ...world.all<DaemonSet>('daemonsets').flatMap((set) => wrongDaemonSet(set, world)),
  ];
  return { name: 'sets say what is', inspect: look, atRest: look };
}

function isCalm(set: StatefulSet | DaemonSet, prefix: string, world: World): boolean {
  const { namespace, deletionTimestamp } = set.metadata;
  if (deletionTimestamp !== undefined || world.get('namespaces', undefined, namespace ?? '')?.metadata.deletionTimestamp !== undefined) return false;
  return (
    world.ageMs(prefix, set) >= calmMs &&
    ['pods', 'controllerrevisions', 'persistentvolumeclaims'].every((one) => world.calmMs(one, namespace) >= calmMs)
  );
}

function wrongStatefulSet(set: StatefulSet, world: World): readonly string[] {
  if (!isCalm(set, 'statefulsets', world)) return [];
  const own = world.podsOf<Pod>(set.metadata.uid);
  // One that is on its way out, or that waits to be replaced, counts with what it was.
  if (own.some((pod) => isLeaving(pod) || isOver(pod))) return [];
  const wants = set.spec?.replicas ?? 1;
  const isWaiting = set.spec?.podManagementPolicy !== 'Parallel' && own.some((pod) => !isReady(pod));
  const wrong = compare(
    set,
    { observedGeneration: set.metadata.generation, replicas: own.length, readyReplicas: own.filter(isReady).length },
    set.status,
  );
  // Quotas may refuse members, claims that go may hold them up.
  const isHeldUp = isWaiting || quotaMayHold(set, world) || claimsAreLeaving(set, world);
  const isMore = own.length > wants && !waitsToShrink(set, own, world);
  if (isMore || (own.length < wants && !isHeldUp)) wrong.push(`${nameOf(set)} has ${own.length} of ${wants} pods`);
  return wrong;
}

/**
 * What goes must wait (upstream's processReplica and processCondemned) while a wanted member is Pending whose claim leaves: the claim goes
 * after the pod and the pod cannot start. Where members go in order, all that stay must be there and ready before the highest is taken
 * away, and one that is not ready goes only where all below it are: two that never get ready hold each other up for good.
 */
function waitsToShrink(set: StatefulSet, own: readonly Pod[], world: World): boolean {
  const { spec } = set;
  const [start, wants] = [spec?.ordinals?.start ?? 0, spec?.replicas ?? 1];
  const staying = own.filter((pod) => ordinalOf(pod) >= start && ordinalOf(pod) < start + wants);
  if (staying.some((pod) => pod.status?.phase === 'Pending' && claimsOf(pod, world).some(isLeaving))) return true;
  if (spec?.podManagementPolicy === 'Parallel') return false;
  const [highest, ...lower] = own.toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  if (!staying.every(isReady) || (staying.length < wants && (quotaMayHold(set, world) || claimsAreLeaving(set, world)))) return true;
  return highest !== undefined && !isReady(highest) && !lower.every(isReady);
}

function claimsOf({ metadata: { namespace }, spec }: Pod, world: World): readonly Thing[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    const claim = persistentVolumeClaim && world.get('persistentvolumeclaims', namespace, persistentVolumeClaim.claimName);
    return claim === undefined ? [] : [claim];
  });
}

/** Who was refused waits twice as long each time, longer than the quota may be there. */
function quotaMayHold({ metadata: { namespace } }: StatefulSet | DaemonSet, world: World): boolean {
  return world.all('resourcequotas', namespace).length > 0 || world.calmMs('resourcequotas', namespace) < backoffMaxMs;
}

function claimsAreLeaving({ metadata: { namespace } }: StatefulSet, world: World): boolean {
  return world.all('persistentvolumeclaims', namespace).some(({ metadata }) => metadata.deletionTimestamp !== undefined);
}

function wrongDaemonSet(set: DaemonSet, world: World): readonly string[] {
  if (!isCalm(set, 'daemonsets', world) || world.calmMs('minions') < calmMs) return [];
  const there = new Set(world.all('minions').map(({ metadata }) => metadata.name));
  const own = world.podsOf<Pod>(set.metadata.uid);
  // Pods stay a while after their Node, and no DaemonSet hears that one has gone.
  if (own.some((pod) => isOver(pod) || isLeaving(pod) || !there.has(nodeOf(pod)))) return [];
  const nodes = new Set(own.map(nodeOf));
  const { desiredNumberScheduled = 0, currentNumberScheduled = 0, numberMisscheduled = 0 } = set.status ?? {};
  const wrong = compare(set, { observedGeneration: set.metadata.generation }, set.status);
  if (currentNumberScheduled + numberMisscheduled !== nodes.size)
    wrong.push(`${nameOf(set)} says ${currentNumberScheduled} and ${numberMisscheduled} too many where pods are on ${nodes.size} nodes`);
  if (currentNumberScheduled < desiredNumberScheduled && !quotaMayHold(set, world))
    wrong.push(`${nameOf(set)} has ${currentNumberScheduled} of ${desiredNumberScheduled} pods`);
  return wrong;
}
