/**
 * From a node that was chosen to a pod that is bound there (assume, Reserve, Permit and the binding cycle of schedule_one.go), which
 * goes on while the next cycles run.
 */
import { StatusError } from '../apimachinery/status.ts';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { pods as podsType } from '../client/resources.ts';
import type { Answer } from '../contracts/questions.ts';
import type { Changes } from './changes.ts';
import type { ClaimCache } from './claims.ts';
import type { Extender } from './extenders/extender.ts';
import { boundBy } from './extenders/steps.ts';
import { newPodInfo, type PodInfo } from './framework/pod-info.ts';
import { PluginError, type Status } from './framework/status.ts';
import type { Outcomes } from './outcomes.ts';
import { type SchedulerParts, schedulerName } from './parts.ts';
import { bindPollMs } from './physics.ts';
import type { ProfileEntry } from './profile.ts';
import type { QueuedPod } from './queue.ts';
import type { PluginWait, WaitingBind, WaitingBinds } from './waiting-binds.ts';

/** A pod that waits for its binding is looked at again. */
export const bindTimer = 'bind';
/** What the first step of those who ask goes on with: they have asked nothing yet. */
export const noAnswer: Answer = { outcome: 'timedOut' };

export interface BindingPlaces {
  readonly changes: Changes;
  readonly outcomes: Outcomes;
  readonly claims: ClaimCache;
  readonly extenders: readonly Extender[];
  /** `node` where the pod was reserved. */
  crashed(queued: QueuedPod, error: unknown, node: Node): void;
}

export class Bindings {
  readonly #parts: SchedulerParts;
  readonly #places: BindingPlaces;
  readonly #outcomes: Outcomes;
  readonly #waiting: WaitingBinds;

  constructor(parts: SchedulerParts, places: BindingPlaces, waiting: WaitingBinds) {
    this.#parts = parts;
    this.#places = places;
    this.#outcomes = places.outcomes;
    this.#waiting = waiting;
  }

  /** Who waits for a binding holds its place. */
  resumeWaits(): void {
    for (const [uid, { node }] of this.#waiting.entries()) {
      const queued = this.#parts.queue.get(uid);
      if (queued !== undefined && this.#parts.cache.nodeOf(uid) === undefined) this.#parts.cache.assume(queued.info, node);
    }
  }

  assumeAndBind(queued: QueuedPod, node: string): void {
    const { info, profile } = queued;
    this.#parts.cache.assume(info, node);
    this.#parts.nominator.delete(info.uid);
    const target = this.#parts.cache.get(node)?.node as Node;
    for (const ask of [
      ...profile.at.reserve.map((entry) => () => this.#reserved(entry, info, target)),
      ...profile.at.permit.map(
        ({ plugin }) =>
          () =>
            plugin.permit?.(info, target),
      ),
    ]) {
      const status = ask();
      if (status instanceof PluginError) {
        this.unreserve(queued, target);
        this.#outcomes.turnedBack(queued, 'error', node, 'Reserve', status.message);
        this.#outcomes.failed(queued, { message: status.message, rejectors: [], nominatedNodeName: '' }, 'SchedulerError');
        return;
      }
      if (status === undefined) continue;
      this.unreserve(queued, target);
      const message = `0/1 nodes are available: 1 ${status.reasons.join(', ')}.`;
      this.#outcomes.turnedBack(queued, 'unschedulable', node, `plugin ${JSON.stringify(status.plugin)}`, message);
      this.#outcomes.failed(queued, {
        message,
        rejectors: [status.plugin],
        nominatedNodeName: '',
      });
      return;
    }
    this.#parts.environment.loop.track(this.#bind(queued, target), schedulerName, `binding of ${info.namespace}/${info.pod.metadata.name ?? ''}`);
  }

  #reserved({ plugin, name }: ProfileEntry, info: PodInfo, node: Node): Status | PluginError | undefined {
    try {
      return plugin.reserve?.(info, node);
    } catch (error) {
      if (error instanceof PluginError) return new PluginError(`running Reserve plugin "${name}": ${error.message}`);
      throw error;
    }
  }

  unreserve({ info, profile }: QueuedPod, node: Node): void {
    for (const { plugin } of profile.at.reserve.toReversed()) plugin.unreserve?.(info, node);
    this.#parts.cache.forget(info.uid);
  }

  /** The binding cycle. Plugins prepare side by side; what they wait for ends it, and `checkWait` goes on behind that. */
  async #bind(queued: QueuedPod, node: Node, isReady = false): Promise<void> {
    const { info, profile } = queued;
    const name = node.metadata.name ?? '';
    let at = '';
    try {
      if (!isReady) {
        await this.#outcomes.announce(queued, name);
        const waits: PluginWait[] = [];
        for (const entry of profile.at.preBind) {
          at = `PreBind plugin "${entry.name}"`;
          const waitsFor = await entry.plugin.preBind?.(info.pod, name);
          if (waitsFor === undefined) continue;
          waits.push({ plugin: entry.name, waitsFor, untilMs: this.#parts.environment.loop.nowMs() + (entry.plugin.bindTimeoutMs ?? 0) });
        }
        if (waits.length > 0) return this.#wait(info, { node: name, waits });
      }
      at = '';
      const binders = this.#places.extenders.filter((extender) => extender.options.bindVerb !== '' && extender.isInterested(info.pod));
      if (binders.length === 0 || !(await this.#boundOutside(binders, info.pod, name))) {
        const [binder] = profile.at.bind;
        at = `Bind plugin ${JSON.stringify(binder?.name ?? '')}`;
        await binder?.plugin.bind?.(info.pod, name);
      }
    } catch (error) {
      if (error instanceof StatusError || error instanceof PluginError)
        this.#parts.after(() => this.#bindFailed(queued, node, this.#bindingFault(at, error.message)));
      else this.#parts.after(() => this.#places.crashed(queued, error, node));
      return;
    }
    this.#parts.environment
      .recorderOf(profile.schedulerName)
      .event(
        info.pod,
        'Normal',
        'Scheduled',
        `Successfully assigned ${info.namespace}/${info.pod.metadata.name ?? ''} to ${name}`,
        queued.causes,
        this.#outcomes.acting('Binding'),
      );
    for (const { plugin } of profile.at.postBind) plugin.postBind?.(info.pod, name);
  }

  #bindingFault(at: string, message: string): string {
    if (this.#parts.options.policy !== undefined) return `Binding rejected: ${message}`;
    return at === '' ? message : `running ${at}: ${message}`;
  }

  async #boundOutside(binders: readonly Extender[], pod: Pod, node: string): Promise<boolean> {
    const asking = boundBy(binders, pod, node);
    for (let step = asking.next(noAnswer); ; ) {
      if (step.done === true) return step.value;
      const question = step.value;
      step = asking.next(await new Promise<Answer>((resolve) => this.#parts.environment.ask?.(question, resolve)));
    }
  }

  #bindFailed(queued: QueuedPod, node: Node | undefined, message: string): void {
    if (node === undefined) this.#parts.cache.forget(queued.info.uid);
    else this.unreserve(queued, node);
    this.#places.changes.placeFreed(queued.info.pod, queued.causes);
    this.#outcomes.turnedBack(queued, 'error', node?.metadata.name ?? '', 'Bind', message);
    const reason = this.#parts.options.policy === undefined ? 'SchedulerError' : 'BindingRejected';
    this.#outcomes.failed(queued, { message, rejectors: [], nominatedNodeName: '' }, reason);
  }

  #wait({ uid, namespace, pod }: PodInfo, wait: Pick<WaitingBind, 'node' | 'waits'>): void {
    this.#waiting.add(uid, { namespace, name: pod.metadata.name ?? '', ...wait });
    this.#parts.environment.loop.setTimer(schedulerName, this.#parts.environment.loop.nowMs() + bindPollMs, bindTimer, uid);
  }

  /** A pod that went, or was let go because it ends, is not bound any more. */
  checkWait(uid: string): void {
    const wait = this.#waiting.get(uid);
    if (wait === undefined) return;
    const queued = this.#parts.queue.get(uid);
    if (queued === undefined || !this.#parts.cache.isAssumed(uid)) {
      this.#waiting.delete(uid);
      this.#places.claims.podGone(uid);
      return;
    }
    const { loop } = this.#parts.environment;
    // As after a restore: what is bound is the pod as it is now.
    const latest = this.#parts.listers.pods.get(wait.namespace, wait.name);
    if (latest?.metadata.uid === uid) queued.info = newPodInfo(latest);
    const node = this.#parts.cache.get(wait.node)?.node;
    const fault = this.#bindFault(queued, wait, node);
    if (fault === 'waiting') {
      loop.setTimer(schedulerName, loop.nowMs() + bindPollMs, bindTimer, uid);
      return;
    }
    this.#waiting.delete(uid);
    if (fault === undefined && node !== undefined)
      loop.track(this.#bind(queued, node, true), schedulerName, `binding of ${wait.namespace}/${wait.name}`);
    else this.#bindFailed(queued, node, fault ?? '');
  }

  /** What ends the wait with a failure; undefined when all that it waits for has come about. */
  #bindFault({ info, profile }: QueuedPod, { node: nodeName, waits }: WaitingBind, node: Node | undefined): string | undefined {
    let isWaiting = false;
    for (const { plugin: name, waitsFor, untilMs } of waits) {
      const head = `running PreBind plugin "${name}"`;
      if (node === undefined) return `${head}: binding volumes: failed to get node "${nodeName}": node "${nodeName}" not found`;
      const plugin = profile.entries.find((entry) => entry.name === name)?.plugin;
      const bindable = plugin?.isBindable?.(info.pod, node, waitsFor) ?? { state: 'ready' };
      if (bindable.state === 'failed') return `${head}: ${bindable.error}`;
      if (bindable.state === 'waiting' && this.#parts.environment.loop.nowMs() >= untilMs)
        return `${head}: ${plugin?.bindTimeoutText ?? 'context deadline exceeded'}`;
      isWaiting ||= bindable.state === 'waiting';
    }
    return isWaiting ? 'waiting' : undefined;
  }

  async postBinding(pod: Pod, node: string): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    const metadata = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(uid === undefined ? {} : { uid }),
    };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: node } } as KubeObject;
    const causes = this.#parts.queue.get(uid ?? '')?.causes ?? [];
    await this.#parts.environment.client.because(causes).post(podsType, namespace, name ?? '', 'binding', binding);
  }
}
