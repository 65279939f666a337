/**
 * One cycle for all pods of a group that wait (schedule_one_podgroup.go): each is tried in turn as if those before it were placed, and
 * only when plugins permit it are they bound. Then the status of the group says what came of it. A group that wants one place for all
 * of them is tried in one after the other (gate TopologyAwareWorkloadScheduling), and one that fits nowhere may make room as a whole
 * (gate WorkloadAwarePreemption).
 */
import type { Node } from '../api/core/v1/types.gen.ts';
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import { podGroups } from '../client/resources.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Bindings } from './binding.ts';
import type { Cycle, CycleResult } from './cycle.ts';
import type { Asking, Extender } from './extenders/extender.ts';
import { groupNameOf } from './framework/groups.ts';
import type { PermitWait } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { type GroupVictims, type TrialFault, victimsForGroup } from './group-preemption.ts';
import type { ClaimCache } from './claims.ts';
import type { GroupCache } from './groups.ts';
import type { Outcomes } from './outcomes.ts';
import { type Assigned, type Placement, placementsOf, scoresOf } from './placements.ts';
import { type SchedulerParts, schedulerName } from './parts.ts';
import type { PodClass } from './pod-class.ts';
import type { Profile } from './profile.ts';
import type { QueuedPod } from './queue.ts';
import type { Turned } from './turned.ts';
import { type GroupCondition, groupStatusPatch } from './status-patch.ts';

const unschedulableText = 'pod group is unschedulable';
const preemptionText = `${unschedulableText}, pod group is waiting for preemption to complete`;
const someWaitText = 'one or more plugins asked to wait and no plugin rejected pod';

export interface GroupCyclePlaces {
  readonly cycle: Cycle;
  readonly bindings: Bindings;
  readonly outcomes: Outcomes;
  readonly claims: ClaimCache;
  readonly extenders: readonly Extender[];
  classOf(info: PodInfo, profile: Profile): PodClass;
  /** A pod that goes, or has its place already, is not tried. */
  skips(queued: QueuedPod): boolean;
}

/** What the cycle of one pod came to. */
interface Tried {
  readonly queued: QueuedPod;
  readonly result: CycleResult;
  /** Where it is taken to be while the others are tried: it fits there, or will when its victims are gone. */
  readonly node?: Node;
  readonly needsPreemption: boolean;
  readonly turned?: Turned;
  readonly permits?: readonly PermitWait[];
}

/** `waits`: it fits once victims are gone. */
type Verdict = { readonly code: 'fits' } | Unfit | { readonly code: 'error'; readonly message: string };

interface Unfit {
  readonly code: 'unfit';
  readonly waits: boolean;
  readonly message: string;
}

/** What came of trying all pods of a group. */
interface Attempt {
  readonly tried: readonly Tried[];
  readonly verdict: Verdict;
}

const unfit: Unfit = { code: 'unfit', waits: false, message: unschedulableText };

export class GroupCycles {
  readonly #parts: SchedulerParts;
  readonly #places: GroupCyclePlaces;

  constructor(parts: SchedulerParts, places: GroupCyclePlaces) {
    this.#parts = parts;
    this.#places = places;
  }

  /** With the pod that was popped, all others of its group that wait. */
  members(first: QueuedPod, groups: GroupCache): readonly QueuedPod[] {
    const { pod, namespace } = first.info;
    const others = groups.unscheduled(namespace, groupNameOf(pod) ?? '').flatMap((uid) => this.#parts.queue.take(uid) ?? []);
    return [first, ...others].sort((a, b) => b.info.priority - a.info.priority || a.initialMs - b.initialMs);
  }

  *run(all: readonly QueuedPod[], groups: GroupCache): Asking<void> {
    const fault = oneScheduler(all);
    if (fault !== undefined) {
      for (const queued of all) this.#places.outcomes.failed(queued, failure(fault), 'SchedulerError');
      return;
    }
    const members = all.filter((queued) => !this.#places.skips(queued));
    if (members.length === 0) return;
    const { claims } = this.#places;
    claims.beginGroup();
    try {
      const attempt = yield* this.#attempt(members, groups);
      const { verdict } = attempt;
      for (const queued of members)
        this.#submit(
          queued,
          attempt.tried.find((one) => one.queued === queued),
          verdict,
        );
      this.#tell(groups, members[0] as QueuedPod, verdict);
    } finally {
      claims.endGroup();
    }
  }

  *#attempt(members: readonly QueuedPod[], groups: GroupCache): Asking<Attempt> {
    const attempt = yield* this.#place(members, groups);
    const { verdict } = attempt;
    if (verdict.code !== 'unfit' || !this.#parts.options.preemptsForGroups) return attempt;
    const found = yield* this.#victims(members, groups);
    if ('error' in found) return { ...attempt, verdict: { code: 'error', message: found.error } };
    if ('reason' in found) return { ...attempt, verdict: { ...verdict, message: `${verdict.message}, ${found.reason}` } };
    const first = members[0] as QueuedPod;
    this.#places.outcomes.makeRoom(groups.group(first.info.namespace, groupNameOf(first.info.pod) ?? '') as PodGroup, members, found.victims);
    return { ...attempt, verdict: { ...verdict, waits: true } };
  }

  *#victims(members: readonly QueuedPod[], groups: GroupCache): Asking<GroupVictims> {
    const { info, profile } = members[0] as QueuedPod;
    if (!profile.at.postFilter.some(({ name }) => name === 'DefaultPreemption'))
      return { reason: 'default preemption plugin is not registered, workload aware preemption is disabled' };
    const name = groupNameOf(info.pod) ?? '';
    const group = groups.group(info.namespace, name);
    if (group === undefined) return { error: `failed to get pod group object: podgroup.scheduling.k8s.io ${JSON.stringify(name)} not found` };
    if ((group.spec.schedulingConstraints?.topology ?? []).length > 0)
      return { reason: 'workload aware preemption is not supported for pod groups with scheduling constraints' };
    const tryAll = (): Asking<TrialFault | undefined> => this.#trial(members, groups);
    const { cache, listers } = this.#parts;
    return yield* victimsForGroup({ cache, groups, listers }, { group, pods: members.map((queued) => queued.info), tryAll });
  }

  /** Whether all would fit, without thinking of more room. */
  *#trial(members: readonly QueuedPod[], groups: GroupCache): Asking<TrialFault | undefined> {
    const { cycle } = this.#places;
    cycle.skipsPostFilter = true;
    try {
      const { verdict } = yield* this.#place(members, groups);
      return verdict.code === 'fits' ? undefined : verdict;
    } finally {
      cycle.skipsPostFilter = false;
    }
  }

  /** In the best of the places that the group may go to. */
  *#place(members: readonly QueuedPod[], groups: GroupCache): Asking<Attempt> {
    if (!this.#parts.options.placesGroups) return yield* this.#tryAll(members);
    const { info, profile } = members[0] as QueuedPod;
    const name = groupNameOf(info.pod) ?? '';
    const { cache, environment } = this.#parts;
    const scheduled = groups.scheduled(info.namespace, name);
    const placements = placementsOf(groups.group(info.namespace, name), name, cache, scheduled);
    if ('error' in placements) return { tried: [], verdict: { code: 'error', message: placements.error } };
    if ('rejected' in placements) return { tried: [], verdict: { ...unfit, message: placements.rejected } };
    let first: Attempt | undefined;
    const good: { readonly assigned: Assigned; readonly attempt: Attempt }[] = [];
    for (const placement of placements) {
      const attempt = yield* this.#tryIn(placement, members);
      const { verdict } = attempt;
      if (verdict.code === 'error') return attempt;
      first ??= attempt;
      if (verdict.code === 'fits' || verdict.waits) good.push({ assigned: { placement, pods: placedPods(attempt) }, attempt });
    }
    if (good.length === 0) {
      const message = `0/${placements.length} placements are available, first placement status: ${unschedulableText}`;
      return { tried: first?.tried ?? [], verdict: { ...unfit, message } };
    }
    if (good.length === 1) return (good[0] as (typeof good)[number]).attempt;
    const scores = scoresOf(
      good.map(({ assigned }) => assigned),
      profile,
      scheduled.length,
    );
    const best = good.filter((_, i) => scores[i] === Math.max(...scores));
    return (best[best.length === 1 ? 0 : environment.random.integer(best.length)] as (typeof good)[number]).attempt;
  }

  *#tryIn({ nodes }: Placement, members: readonly QueuedPod[]): Asking<Attempt> {
    const { cycle } = this.#places;
    cycle.placement = nodes === this.#parts.cache.nodes ? undefined : nodes;
    try {
      return yield* this.#tryAll(members);
    } finally {
      cycle.placement = undefined;
    }
  }

  /** Leaves everything as it was. */
  *#tryAll(members: readonly QueuedPod[]): Asking<Attempt> {
    const tried: Tried[] = [];
    try {
      return { tried, verdict: yield* this.#tryEach(members, tried) };
    } finally {
      for (const { queued, node } of tried.toReversed()) if (node !== undefined) this.#revert(queued, node);
    }
  }

  *#tryEach(members: readonly QueuedPod[], tried: Tried[]): Asking<Verdict> {
    let verdict: Verdict = unfit;
    let needsPreemption = false;
    for (const queued of members) {
      const one = yield* this.#try(queued);
      tried.push(one);
      if (one.node === undefined) {
        const fault = faultOf(one);
        if (fault !== undefined) return { code: 'error', message: `failed to schedule other pod from a pod group: ${fault}` };
        continue;
      }
      needsPreemption ||= one.needsPreemption;
      if (one.permits?.length === 0) verdict = needsPreemption ? { ...unfit, waits: true, message: preemptionText } : { code: 'fits' };
    }
    return verdict;
  }

  *#try(queued: QueuedPod): Asking<Tried> {
    const { cycle, extenders, bindings } = this.#places;
    const { info, profile } = queued;
    const podClass = this.#places.classOf(info, profile);
    const asked = extenders.filter((extender) => extender.isInterested(info.pod));
    const result = asked.length === 0 ? cycle.run(info, podClass) : yield* cycle.runAsking(info, podClass, asked);
    const needsPreemption = result.node === undefined && Boolean(result.nominatedNodeName);
    const nodeName = result.node ?? result.nominatedNodeName ?? '';
    if (nodeName === '') return { queued, result, needsPreemption: false };
    const held = bindings.reserve(queued, nodeName);
    if ('message' in held) return { queued, result, needsPreemption: false, turned: held };
    const permitted = bindings.permit(queued, held);
    if ('message' in permitted) return { queued, result, needsPreemption: false, turned: permitted };
    return { queued, result, needsPreemption, node: held.node, permits: permitted.permits };
  }

  #revert(queued: QueuedPod, node: Node): void {
    this.#places.bindings.unreserve(queued, node);
    // It was promised a place, and lost the promise when it was taken to be there.
    const { nominatedNodeName } = queued.info.pod.status ?? {};
    if (nominatedNodeName) this.#parts.nominator.set(queued.info, nominatedNodeName);
  }

  #submit(queued: QueuedPod, one: Tried | undefined, verdict: Verdict): void {
    const { outcomes, bindings } = this.#places;
    const fault = one === undefined ? undefined : faultOf(one);
    if (verdict.code === 'error') {
      this.#record(queued, one, 'error', fault ?? verdict.message);
      outcomes.failed(queued, { ...failure(fault ?? verdict.message), ...victimsOf(one) }, 'SchedulerError');
      return;
    }
    if (one === undefined) {
      const message = verdict.code === 'unfit' ? verdict.message : '';
      this.#record(queued, one, 'unschedulable', message);
      outcomes.failed(queued, failure(message));
      return;
    }
    const { result, permits = [], node, turned } = one;
    if (result.node !== undefined && node !== undefined && verdict.code === 'fits') {
      this.#record(queued, one, 'scheduled');
      bindings.assumeAndBind(queued, result.node);
    } else if (node !== undefined && !(verdict.code === 'unfit' && verdict.waits)) {
      const message = [unschedulableText, ...permits.slice(-1).flatMap(({ reasons }) => [...reasons, someWaitText])].join(', ');
      this.#record(queued, one, 'unschedulable', message);
      outcomes.failed(queued, { ...failure(message), ...victimsOf(one) });
    } else if (result.node !== undefined && node !== undefined) {
      const message = verdict.code === 'unfit' ? verdict.message : preemptionText;
      this.#record(queued, one, 'unschedulable', message);
      outcomes.failed(queued, { ...failure(message), nominatedNodeName: result.node });
    } else if (turned !== undefined) {
      this.#record(queued, one, turned.code, turned.message);
      outcomes.failed(queued, turned);
    } else {
      this.#record(queued, one, 'unschedulable');
      outcomes.failed(queued, result);
    }
  }

  #record(queued: QueuedPod, one: Tried | undefined, result: 'scheduled' | 'unschedulable' | 'error', message?: string): void {
    const { environment } = this.#parts;
    const { info, profile, attempts } = queued;
    const head = { pod: `${info.namespace}/${info.pod.metadata.name ?? ''}`, uid: info.uid, schedulerName: profile.schedulerName };
    const thought = one?.result.decision ?? { ...head, evaluatedNodes: 0, feasibleNodes: 0, filtered: {} };
    const told = message === undefined ? {} : { message, at: 'pod group' };
    environment.onDecision({ ...thought, result, ...told, virtualMs: environment.loop.nowMs(), attempt: attempts });
  }

  #tell(groups: GroupCache, first: QueuedPod, verdict: Verdict): void {
    const { environment } = this.#parts;
    const { namespace, pod } = first.info;
    const group = groups.group(namespace, groupNameOf(pod) ?? '');
    if (group === undefined) return;
    const patch = groupStatusPatch(group, environment.loop.nowMs(), conditionOf(verdict));
    if (patch === undefined) return;
    const sent = environment.client
      .because(first.causes)
      .patch(podGroups, namespace, group.metadata.name ?? '', 'strategic', patch, { subresource: 'status' })
      .catch((error: unknown) => {
        // As upstream: it is logged there, and the next cycle tells again.
        if (!(error instanceof StatusError)) throw error;
      });
    environment.loop.track(
      sent.then(() => undefined),
      schedulerName,
      `status of pod group ${group.metadata.name ?? ''}`,
    );
  }
}

function conditionOf(verdict: Verdict): GroupCondition {
  if (verdict.code === 'fits') return { status: 'True', reason: 'Scheduled', message: '' };
  if (verdict.code === 'error') return { status: 'False', reason: 'SchedulerError', message: verdict.message };
  return { status: 'False', reason: 'Unschedulable', message: verdict.message };
}

function placedPods({ tried }: Attempt): readonly PodInfo[] {
  return tried.filter(({ node }) => node !== undefined).map(({ queued }) => queued.info);
}

/** All pods of a group go by one profile. */
function oneScheduler([first, ...others]: readonly QueuedPod[]): string | undefined {
  const name = first?.profile.schedulerName;
  const other = others.find(({ profile }) => profile.schedulerName !== name)?.profile.schedulerName;
  if (other === undefined) return undefined;
  return `all pods in a single pod group should have the same .spec.schedulerName set, got: ${JSON.stringify(name)} and ${JSON.stringify(other)}`;
}

/** What is wrong, and not only unfit, about a pod or a plugin. */
function faultOf({ result, turned }: Tried): string | undefined {
  if (result.decision.result === 'error') return result.message ?? '';
  return turned?.code === 'error' ? turned.message : undefined;
}

function failure(message: string): Pick<CycleResult, 'message' | 'rejectors'> & { readonly nominatedNodeName: string } {
  return { message, rejectors: [], nominatedNodeName: '' };
}

/** Those who make room go, whatever becomes of the group. */
function victimsOf(one: Tried | undefined): Pick<CycleResult, 'victims'> {
  return one?.result.victims === undefined ? {} : { victims: one.result.victims };
}
