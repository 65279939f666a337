/** How many pods and ReplicaSets there may be at any instant: never one too many, whatever caches lag behind. */
import type { Deployment, ReplicaSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { Job } from '../../../engine/api/batch/v1/types.gen.ts';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { controllerUid, prefixOf, type World } from '../world.ts';
import type { Checker } from './checker.ts';

/** How long a controller may still act on an older wish. */
const lagMs = 10_000;

/** What an owner has asked for lately: the most of it is what it may have got. */
class Wishes {
  readonly #byUid = new Map<string, { readonly atMs: number; readonly count: number }[]>();

  note(uid: string | undefined, count: number, atMs: number): void {
    const known = this.#byUid.get(uid ?? '') ?? [];
    this.#byUid.set(uid ?? '', known);
    if (known.at(-1)?.count !== count) known.push({ atMs, count });
  }

  most(uid: string | undefined, nowMs: number): number {
    const known = this.#byUid.get(uid ?? '') ?? [];
    const past = known.findLastIndex(({ atMs }) => atMs <= nowMs - lagMs);
    return Math.max(0, ...known.slice(Math.max(0, past)).map(({ count }) => count));
  }

  steady(uid: string | undefined, nowMs: number): boolean {
    return (this.#byUid.get(uid ?? '')?.at(-1)?.atMs ?? nowMs) <= nowMs - lagMs;
  }
}

const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

export function neverTooMany(): Checker {
  const wishes = new Wishes();
  return {
    name: 'never too many',
    onChange({ key, current, previous }, world) {
      if (current === undefined) return [];
      const prefix = prefixOf(key);
      if (prefix === 'replicasets') {
        const set = current.value as ReplicaSet;
        wishes.note(set.metadata.uid, set.spec?.replicas ?? 1, world.nowMs);
        return surged(set, previous?.value as ReplicaSet | undefined, world, wishes);
      }
      if (prefix === 'deployments') wishes.note(current.value.metadata.uid, (current.value as Deployment).spec?.replicas ?? 1, world.nowMs);
      if (prefix === 'jobs') wishes.note(current.value.metadata.uid, wantedOf(current.value as Job), world.nowMs);
      return prefix === 'pods' && previous === undefined ? crowded(current.value as Pod, world, wishes) : [];
    },
  };
}

function wantedOf({ spec }: Job): number {
  return spec?.suspend === true ? 0 : Math.min(spec?.parallelism ?? 1, spec?.completions ?? Number.POSITIVE_INFINITY);
}

function crowded(pod: Pod, world: World, wishes: Wishes): readonly string[] {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || (owner.kind !== 'ReplicaSet' && owner.kind !== 'Job')) return [];
  const active = world.podsOf<Pod>(owner.uid).filter(isActive).length;
  const most = wishes.most(owner.uid, world.nowMs);
  return active > most ? [`${owner.kind} ${owner.name} has ${active} active pods and wants ${most}`] : [];
}

/** While a deployment's wish stands, growing a set never takes all its sets beyond what it and its surge allow. */
function surged(set: ReplicaSet, before: ReplicaSet | undefined, world: World, wishes: Wishes): readonly string[] {
  const uid = controllerUid(set);
  if ((set.spec?.replicas ?? 1) <= (before?.spec?.replicas ?? 0) || !wishes.steady(uid, world.nowMs)) return [];
  const deployment = world.all<Deployment>('deployments', set.metadata.namespace).find(({ metadata }) => metadata.uid === uid);
  const surge = deployment?.spec?.strategy?.rollingUpdate?.maxSurge;
  if (deployment === undefined || surge === undefined) return [];
  const wanted = deployment.spec?.replicas ?? 1;
  const extra = typeof surge === 'number' ? surge : Math.ceil((Number.parseInt(surge, 10) * wanted) / 100);
  const sets = world.all<ReplicaSet>('replicasets', set.metadata.namespace).filter((other) => controllerUid(other) === uid);
  const sum = sets.reduce((total, other) => total + (other.spec?.replicas ?? 1), 0);
  return sum > wanted + extra ? [`Deployment ${deployment.metadata.name} asks its sets for ${sum} of ${wanted} pods`] : [];
}
