/**
 * What becomes of a pod that did not come to a node (handleSchedulingFailure): where it waits, what its status and Events say, and
 * the victims that go for it.
 */
import type { Cause } from '../base/causes.ts';
import type { JsonObject } from '../base/json.ts';
import type { PodGroup } from '../api/scheduling/v1alpha2/types.gen.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { EventOptions } from '../client/event-recorder.ts';
import { pods as podsType } from '../client/resources.ts';
import type { Turned } from './turned.ts';
import type { CycleResult } from './cycle.ts';
import { podKey } from './decision.ts';
import { Evictions } from './eviction.ts';
import { groupNameOf } from './framework/groups.ts';
import { extenderRejector } from './extenders/extender.ts';
import type { Victims } from './framework/plugin.ts';
import { isAssigned, type SchedulerParts, schedulerName } from './parts.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { QueuedPod } from './queue.ts';
import type { Verdicts } from './verdicts.ts';
import { statusPatch, type ConditionText } from './status-patch.ts';

/** Longer notes are cut, as the events API asks. */
const noteMax = 1024;

export class Outcomes {
  readonly #parts: SchedulerParts;
  readonly evictions: Evictions;

  /** `preempts` lets a pod give its place back that waits for plugins; false for one that does not. */
  constructor(parts: SchedulerParts, preempts: (uid: string) => boolean) {
    this.#parts = parts;
    const marks = parts.options.policy === undefined;
    this.evictions = new Evictions({ ...parts.environment, marks, preempts }, (namespace, name) => parts.listers.pods.get(namespace, name));
  }

  /** Records that a pod did not come to the node that was chosen for it. */
  turnedBack({ info, profile, attempts }: QueuedPod, node: string, turned: Pick<Turned, 'code' | 'at' | 'message' | 'verdicts'>): void {
    const { schedulerName } = profile;
    const { code: result, at, message, verdicts } = turned;
    const head = { pod: podKey(info), uid: info.uid, schedulerName, virtualMs: this.#parts.environment.loop.nowMs(), attempt: attempts };
    const placed = verdicts.list;
    this.#parts.environment.onDecision({ ...head, result, node, message, at, evaluatedNodes: 0, feasibleNodes: 0, filtered: {}, placed });
  }

  /** Records what plugins said on the way of a pod that is bound now. */
  bound({ info, attempts }: QueuedPod, { list }: Verdicts): void {
    this.#parts.environment.onBound?.(podKey(info), attempts, list);
  }

  /** Tells others where a pod is about to go, where it takes a while. */
  async announce({ info, profile, causes }: QueuedPod, node: string, waits: boolean): Promise<void> {
    if (!this.#parts.options.announcesNodes) return;
    if (!waits && !profile.at.preBind.some(({ plugin }) => plugin.preBindPreFlight?.(info.pod, node) === true)) return;
    const patch = statusPatch(info.pod, this.#parts.environment.loop.nowMs(), undefined, node);
    if (patch !== undefined) await this.#sendPatch(info.pod, patch, causes);
  }

  failed(queued: QueuedPod, result: Pick<CycleResult, 'message' | 'rejectors' | 'nominatedNodeName' | 'victims'>, reason = 'Unschedulable'): void {
    const { info, causes } = queued;
    const { namespace, name } = info.pod.metadata;
    const latest = this.#parts.listers.pods.get(namespace, name ?? '');
    const message = result.message ?? '';
    let pod = info.pod;
    if (latest !== undefined && !isAssigned(latest)) {
      if (latest.metadata.uid !== info.uid) return;
      pod = latest;
      if (result.victims !== undefined) this.#preempt(queued, result.victims);
      // Policies do not know what may help whom.
      this.#parts.queue.putBack(
        queued,
        latest,
        this.#parts.options.policy === undefined || result.rejectors.length === 0 ? result.rejectors : [extenderRejector],
        this.#parts.groups !== undefined && groupNameOf(latest) !== undefined,
      );
      this.#parts.nominator.set(queued.info, result.nominatedNodeName);
    } else this.#parts.queue.delete(info.uid);
    this.note(
      pod,
      queued.profile.schedulerName,
      'FailedScheduling',
      message.length <= noteMax ? message : `${message.slice(0, noteMax - 4)} ...`,
      causes,
    );
    this.#patch(pod, { type: 'PodScheduled', status: 'False', reason, message }, result.nominatedNodeName, causes);
  }

  note(pod: Pod, schedulerName: string, reason: string, message: string, causes: readonly Cause[]): void {
    this.#parts.environment.recorderOf(schedulerName).event(pod, 'Warning', reason, message, causes, this.acting('Scheduling'));
  }

  /** Events say what was done; those of releases that go by policies do not. */
  acting(action: string): EventOptions {
    return this.#parts.options.policy === undefined ? { action } : {};
  }

  #patch(pod: Pod, condition: ConditionText | undefined, nominated: string | undefined, causes: readonly Cause[]): void {
    const patch = statusPatch(pod, this.#parts.environment.loop.nowMs(), condition, nominated);
    if (patch !== undefined)
      this.#parts.environment.loop.track(this.#sendPatch(pod, patch, causes), schedulerName, `status of ${pod.metadata.name ?? ''}`);
  }

  /** Upstream logs a refusal and goes on: the next attempt writes the status again. */
  async #sendPatch(pod: Pod, patch: JsonObject, causes: readonly Cause[]): Promise<void> {
    try {
      await this.#parts.environment.client
        .because(causes)
        .patch(podsType, pod.metadata.namespace, pod.metadata.name ?? '', 'strategic', patch, { subresource: 'status' });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  /** Victims go for a group as a whole; its pods wait until the last of them is going. */
  makeRoom(group: PodGroup, members: readonly QueuedPod[], victims: readonly PodInfo[]): void {
    const [first] = members;
    if (first === undefined || !victims.some(({ terminating }) => !terminating)) return;
    const { namespace = '', name = '', uid = '' } = group.metadata;
    const { causes, profile } = first;
    const by = { kind: 'PodGroup', apiVersion: 'scheduling.k8s.io/v1alpha2', metadata: group.metadata };
    const preemptor = { name: `${namespace}/${name}`, uid, schedulerName: profile.schedulerName, causes, by, type: 'podgroup' };
    const evict = async (): Promise<void> => {
      const done = await this.evictions.run(preemptor, { node: 'cluster', pods: victims });
      if (!done) this.#parts.after(() => members.forEach(({ info }) => this.#parts.queue.activate(info.uid)));
    };
    this.#parts.environment.loop.track(evict(), schedulerName, `preemption by pod group ${name}`);
  }

  /** Pods of lower priority that were promised the node are told to look elsewhere. */
  #preempt(queued: QueuedPod, victims: Victims): void {
    const { info, causes } = queued;
    if (!victims.pods.some(({ terminating }) => !terminating)) return;
    for (const other of this.#parts.nominator.on(victims.node)?.pods.values() ?? [])
      if (other.priority < info.priority) this.#patch(other.pod, undefined, '', causes);
    this.#parts.environment.loop.track(this.#evict(queued, victims), schedulerName, `preemption by ${info.pod.metadata.name ?? ''}`);
  }

  async #evict(queued: QueuedPod, victims: Victims): Promise<void> {
    const { info, causes, profile } = queued;
    const done = await this.evictions.run({ uid: info.uid, name: podKey(info), schedulerName: profile.schedulerName, causes, type: 'pod' }, victims);
    if (!done) this.#parts.after(() => this.#parts.queue.activate(info.uid));
  }
}
