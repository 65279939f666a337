/**
 * One cycle for all pods of a group that wait (schedule_one_podgroup.go): each is tried in turn as if those before it were placed, and
 * only when plugins permit it are they bound. Then the status of the group says what came of it.
 */
import type { Node } from '../api/core/v1/types.gen.ts';
import { podGroups } from '../client/resources.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Bindings } from './binding.ts';
import type { Cycle, CycleResult } from './cycle.ts';
import type { Asking, Extender } from './extenders/extender.ts';
import { groupNameOf } from './framework/groups.ts';
import type { PermitWait } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { GroupCache } from './groups.ts';
import type { Outcomes } from './outcomes.ts';
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
type Verdict = { readonly code: 'fits' } | { readonly code: 'unfit'; readonly waits: boolean } | { readonly code: 'error'; readonly message: string };

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
    const tried: Tried[] = [];
    let verdict: Verdict;
    try {
      verdict = yield* this.#tryAll(members, tried);
    } finally {
      for (const { queued, node } of tried.toReversed()) if (node !== undefined) this.#revert(queued, node);
    }
    for (const queued of members)
      this.#submit(
        queued,
        tried.find((one) => one.queued === queued),
        verdict,
      );
    this.#tell(groups, members[0] as QueuedPod, verdict);
  }

  *#tryAll(members: readonly QueuedPod[], tried: Tried[]): Asking<Verdict> {
    let verdict: Verdict = { code: 'unfit', waits: false };
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
      if (one.permits?.length === 0) verdict = needsPreemption ? { code: 'unfit', waits: true } : { code: 'fits' };
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
    const { result, permits = [], node, turned } = one as Tried;
    if (result.node !== undefined && node !== undefined && verdict.code === 'fits') {
      this.#record(queued, one, 'scheduled');
      bindings.assumeAndBind(queued, result.node);
    } else if (node !== undefined && !(verdict.code === 'unfit' && verdict.waits)) {
      const message = [unschedulableText, ...permits.slice(-1).flatMap(({ reasons }) => [...reasons, someWaitText])].join(', ');
      this.#record(queued, one, 'unschedulable', message);
      outcomes.failed(queued, { ...failure(message), ...victimsOf(one) });
    } else if (result.node !== undefined && node !== undefined) {
      this.#record(queued, one, 'unschedulable', preemptionText);
      outcomes.failed(queued, { ...failure(preemptionText), nominatedNodeName: result.node });
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
  return { status: 'False', reason: 'Unschedulable', message: verdict.waits ? preemptionText : unschedulableText };
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
