/**
 * When a group does not fit: which pods and groups of lower priority would have to go for it, wherever they are
 * (framework/preemption/podgrouppreemption.go). Only decides, and leaves the cache as it was.
 */
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { SchedulerCache } from './cache.ts';
import type { Asking } from './extenders/extender.ts';
import { groupNameOf, type PodGroups } from './framework/groups.ts';
import { type PodInfo, startTimeOf } from './framework/pod-info.ts';
import type { Listers } from './listers.ts';
import { budgetsLeft } from './plugins/default-preemption/budgets.ts';

/** A pod, or the pods of a group that goes as a whole. */
interface Unit {
  readonly pods: PodInfo[];
  readonly priority: number;
  /** Of the pod that was found first. */
  readonly start: string;
}

export interface GroupPreemptor {
  readonly group: PodGroup;
  readonly pods: readonly PodInfo[];
  /** Tries to place all of the pods: what is wrong, or undefined when they fit. */
  tryAll(): Asking<TrialFault | undefined>;
}

export interface TrialFault {
  readonly code: 'unfit' | 'error';
  readonly message: string;
}

/** `reason`: why nobody goes. */
export type GroupVictims = { readonly victims: readonly PodInfo[] } | { readonly reason: string } | { readonly error: string };

export interface PreemptionWorld {
  readonly cache: SchedulerCache;
  readonly groups: PodGroups;
  readonly listers: Pick<Listers, 'budgets'>;
}

function priorityOfGroup({ spec }: PodGroup): number {
  return spec.priority ?? 0;
}

export function* victimsForGroup(world: PreemptionWorld, { group, pods, tryAll }: GroupPreemptor): Asking<GroupVictims> {
  if (pods.some(({ pod }) => pod.spec?.preemptionPolicy === 'Never')) return { reason: 'not eligible due to preemptionPolicy=Never.' };
  const lower = unitsOf(world).filter(({ priority }) => priority < priorityOfGroup(group));
  if (lower.length === 0) return { reason: 'No preemption victims found for incoming preemptor' };
  const lifted = new Map<Unit, readonly (() => void)[]>();
  const lift = (unit: Unit): void =>
    void lifted.set(
      unit,
      unit.pods.map(({ uid }) => world.cache.lift(uid)),
    );
  const putBack = (unit: Unit): void => {
    for (const restore of lifted.get(unit) ?? []) restore();
    lifted.delete(unit);
  };
  try {
    lower.forEach(lift);
    const fault = yield* tryAll();
    if (fault !== undefined) return fault.code === 'error' ? { error: fault.message } : { reason: fault.message };
    const victims: Unit[] = [];
    for (const unit of violatingFirst(world, lower.toSorted(moreImportant))) {
      putBack(unit);
      if ((yield* tryAll()) === undefined) continue;
      lift(unit);
      victims.push(unit);
    }
    return { victims: victims.toSorted(moreImportant).flatMap((unit) => unit.pods) };
  } finally {
    for (const unit of [...lifted.keys()]) putBack(unit);
  }
}

function unitsOf({ cache, groups }: PreemptionWorld): readonly Unit[] {
  const units: Unit[] = [];
  const byGroup = new Map<string, Unit>();
  for (const node of cache.nodes) {
    for (const info of node.pods.values()) {
      const of = groupNameOf(info.pod);
      const group = of === undefined ? undefined : groups.group(info.namespace, of);
      const whole = group?.spec.disruptionMode === 'PodGroup' ? group : undefined;
      const known = whole === undefined ? undefined : byGroup.get(whole.metadata.uid ?? '');
      if (known !== undefined) {
        known.pods.push(info);
        continue;
      }
      const unit = { pods: [info], priority: whole === undefined ? info.priority : priorityOfGroup(whole), start: startTimeOf(info) };
      units.push(unit);
      if (whole !== undefined) byGroup.set(whole.metadata.uid ?? '', unit);
    }
  }
  return units;
}

function isOfGroup({ pods }: Unit): boolean {
  return pods[0] !== undefined && groupNameOf(pods[0].pod) !== undefined;
}

/** Less than 0: the first is more important, and stays longer. */
function moreImportant(a: Unit, b: Unit): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (isOfGroup(a) !== isOfGroup(b)) return isOfGroup(a) ? -1 : 1;
  if (isOfGroup(a) && a.pods.length !== b.pods.length) return b.pods.length - a.pods.length;
  return a.start < b.start ? -1 : a.start > b.start ? 1 : 0;
}

/** Those whose going breaks a budget are tried first, so that they stay if any can. */
function violatingFirst({ listers }: PreemptionWorld, units: readonly Unit[]): readonly Unit[] {
  const violates = budgetsLeft(listers.budgets());
  const violating = units.filter(({ pods }) => pods.some(violates));
  return [...violating, ...units.filter((unit) => !violating.includes(unit))];
}
