/**
 * From a node that was chosen to a pod that is bound there (assume, Reserve, Permit and the binding cycle of schedule_one.go), which
 * goes on while the next cycles run.
 */
import { StatusError } from '../apimachinery/status.ts';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatDuration } from '../apimachinery/time.ts';
import { pods as podsType } from '../client/resources.ts';
import type { Answer } from '../contracts/questions.ts';
import type { Changes } from './changes.ts';
import type { ClaimCache } from './claims.ts';
import type { Extender } from './extenders/extender.ts';
import { boundBy } from './extenders/steps.ts';
import type { PermitWait } from './framework/plugin.ts';
import { newPodInfo, type PodInfo } from './framework/pod-info.ts';
import { PluginError } from './framework/status.ts';
import type { Outcomes } from './outcomes.ts';
import { type SchedulerParts, schedulerName } from './parts.ts';
import { bindPollMs } from './physics.ts';
import type { QueuedPod } from './queue.ts';
import { type Held, type Permitted, type Turned, turnedAway, turnedBy } from './turned.ts';
import { Verdicts } from './verdicts.ts';
import type { PluginWait, WaitingBind, WaitingBinds } from './waiting-binds.ts';

/** A pod that waits for its binding is looked at again. */
export const bindTimer = 'bind';
/** Plugins have had their time to permit a pod to be bound. */
export const permitTimer = 'permit';
/** Longer than any plugin may let a pod wait (upstream's maxTimeout). */
const permitTimeoutMaxMs = 15 * 60_000;
/** What the first step of those who ask goes on with: they have asked nothing yet. */
export const noAnswer: Answer = { outcome: 'timedOut' };

/** Where the binding cycle begins or goes on. */
type BindingStep = 'announce' | 'prepare' | 'bind';

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
  /** Uids of pods that wait for plugins while others are told where they are about to go. Empty whenever the loop is quiet, so not saved. */
  readonly #announcing = new Set<string>();
  readonly #noVerdicts = new Verdicts();

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
    const { info } = queued;
    const held = this.reserve(queued, node);
    const permitted = 'message' in held ? held : this.permit(queued, held);
    if ('message' in permitted) {
      this.#outcomes.turnedBack(queued, node, permitted);
      this.#outcomes.failed(queued, permitted, permitted.code === 'error' ? 'SchedulerError' : 'Unschedulable');
      return;
    }
    const { permits, verdicts } = permitted;
    if (permits.length > 0) this.#awaitPermits(info, node, permitted);
    this.#go(queued, { node: (held as Held).node, verdicts }, 'announce');
  }

  /** Takes the place for a pod; the node, or why not. */
  reserve(queued: QueuedPod, nodeName: string): Held | Turned {
    const { info, profile } = queued;
    this.#parts.cache.assume(info, nodeName);
    this.#parts.nominator.delete(info.uid);
    const node = this.#parts.cache.get(nodeName)?.node as Node;
    let verdicts = this.#noVerdicts;
    for (const { plugin, name } of profile.at.reserve) {
      const turned = turnedBy('Reserve', name, verdicts, () => plugin.reserve?.(info, node));
      if (turned !== undefined) {
        this.unreserve(queued, node);
        return turned;
      }
      verdicts = verdicts.with('Reserve', name, 'Success');
    }
    return { node, verdicts };
  }

  /** Asks whether a pod that has its place may be bound: plugins that it has to wait for, or why not; then it has no place any more. */
  permit(queued: QueuedPod, { node, verdicts: before }: Held): Permitted | Turned {
    const permits: PermitWait[] = [];
    let verdicts = before;
    for (const { plugin, name } of queued.profile.at.permit) {
      const said: { wait?: PermitWait } = {};
      const turned = turnedBy('Permit', name, verdicts, () => {
        const status = plugin.permit?.(queued.info, node);
        if (status?.code !== 'Wait') return status;
        said.wait = status;
        return undefined;
      });
      if (turned !== undefined) {
        this.unreserve(queued, node);
        return turned;
      }
      verdicts = verdicts.with('Permit', name, said.wait === undefined ? 'Success' : 'Wait');
      if (said.wait !== undefined) permits.push(said.wait);
    }
    return { permits, verdicts };
  }

  #awaitPermits({ uid, namespace, pod }: PodInfo, node: string, { permits: plugins, verdicts }: Permitted): void {
    const { loop } = this.#parts.environment;
    const permits = plugins.map(({ plugin, timeoutMs }) => ({
      plugin,
      timeoutMs: Math.min(timeoutMs, permitTimeoutMaxMs),
      untilMs: loop.nowMs() + Math.min(timeoutMs, permitTimeoutMaxMs),
    }));
    this.#waiting.add(uid, { namespace, name: pod.metadata.name ?? '', node, waits: [], permits, verdicts: verdicts.list });
    this.#announcing.add(uid);
    for (const { untilMs } of permits) loop.setTimer(schedulerName, untilMs, permitTimer, uid);
  }

  /** A plugin lets a pod go on that waits for it. */
  allow(uid: string, plugin: string): void {
    const wait = this.#waiting.get(uid);
    if (wait?.permits === undefined) return;
    const permits = wait.permits.filter((one) => one.plugin !== plugin);
    this.#waiting.set(uid, { ...wait, permits });
    if (permits.length > 0 || this.#announcing.has(uid)) return;
    this.#waiting.delete(uid);
    const queued = this.#parts.queue.get(uid);
    const node = this.#parts.cache.get(wait.node)?.node;
    if (queued === undefined || !this.#parts.cache.isAssumed(uid)) return;
    const verdicts = this.#verdictsOf(wait);
    if (node === undefined) this.#bindFailed(queued, { node, verdicts }, `node ${JSON.stringify(wait.node)} not found`);
    else this.#go(queued, { node, verdicts }, 'prepare');
  }

  #verdictsOf({ verdicts = [] }: WaitingBind): Verdicts {
    return this.#noVerdicts.followed(verdicts);
  }

  /** Plugins have had their time. */
  checkPermits(uid: string): void {
    const wait = this.#waiting.get(uid);
    const late = wait?.permits?.find(({ untilMs }) => untilMs <= this.#parts.environment.loop.nowMs());
    if (late !== undefined)
      this.#reject(uid, late.plugin, `rejected due to timeout after waiting ${formatDuration(late.timeoutMs)} at plugin ${late.plugin}`);
  }

  /** A pod that waits for plugins goes, and is not bound any more; false for one that does not wait for them. */
  rejectGone(uid: string): boolean {
    return this.#reject(uid, '', 'removed');
  }

  /** A pod that waits for plugins gives its place to a more important one; false for one that does not wait for them. */
  preempt(uid: string): boolean {
    const ended = this.#endWait(uid);
    if (ended !== undefined) this.#parts.after(() => this.#bindFailed(ended.queued, ended, 'waiting on permit for pod: preempted', 'Permit'));
    return ended !== undefined;
  }

  #reject(uid: string, plugin: string, reason: string): boolean {
    const ended = this.#endWait(uid);
    if (ended === undefined) return false;
    const { queued, node, verdicts } = ended;
    const turned = turnedAway({ code: 'Unschedulable', plugin, reasons: [reason] }, verdicts);
    if (node !== undefined) this.unreserve(queued, node);
    this.#outcomes.turnedBack(queued, node?.metadata.name ?? '', turned);
    this.#outcomes.failed(queued, turned);
    this.#places.changes.placeFreed(queued.info.pod, queued.causes);
    return true;
  }

  #endWait(uid: string): { readonly queued: QueuedPod; readonly node: Node | undefined; readonly verdicts: Verdicts } | undefined {
    const wait = this.#waiting.get(uid);
    const queued = this.#parts.queue.get(uid);
    if (wait?.permits === undefined || wait.permits.length === 0 || queued === undefined) return undefined;
    this.#waiting.delete(uid);
    return { queued, node: this.#parts.cache.get(wait.node)?.node, verdicts: this.#verdictsOf(wait) };
  }

  unreserve({ info, profile }: QueuedPod, node: Node): void {
    for (const { plugin } of profile.at.reserve.toReversed()) plugin.unreserve?.(info, node);
    this.#parts.cache.forget(info.uid);
  }

  #go(queued: QueuedPod, held: Held, from: BindingStep): void {
    const { info } = queued;
    const what = `binding of ${info.namespace}/${info.pod.metadata.name ?? ''}`;
    this.#parts.environment.loop.track(this.#bind(queued, held, from), schedulerName, what);
  }

  /**
   * The binding cycle. What plugins have to permit first ends it, and `allow` goes on behind that. They prepare side by side; what they
   * wait for then ends it too, and `checkWait` goes on.
   */
  async #bind(queued: QueuedPod, { node, verdicts: before }: Held, from: BindingStep): Promise<void> {
    const { info, profile } = queued;
    let verdicts = before;
    const name = node.metadata.name ?? '';
    let step: readonly ['PreBind' | 'Bind', string] | undefined;
    try {
      if (from === 'announce') {
        const awaitsPermits = this.#announcing.has(info.uid);
        await this.#outcomes.announce(queued, name, awaitsPermits);
        if (awaitsPermits && !this.#isPermitted(info.uid)) return;
      }
      if (from !== 'bind') {
        const waits: PluginWait[] = [];
        for (const entry of profile.at.preBind) {
          step = ['PreBind', entry.name];
          const isSkipped = entry.plugin.preBindPreFlight?.(info.pod, name) === false;
          const waitsFor = await entry.plugin.preBind?.(info.pod, name);
          verdicts = verdicts.with('PreBind', entry.name, waitsFor !== undefined ? 'Wait' : isSkipped ? 'Skip' : 'Success');
          if (waitsFor === undefined) continue;
          waits.push({ plugin: entry.name, waitsFor, untilMs: this.#parts.environment.loop.nowMs() + (entry.plugin.bindTimeoutMs ?? 0) });
        }
        if (waits.length > 0) return this.#wait(info, { node: name, waits, permits: undefined, verdicts: verdicts.list });
      }
      step = undefined;
      const binders = this.#places.extenders.filter((extender) => extender.options.bindVerb !== '' && extender.isInterested(info.pod));
      const outside = binders.length === 0 ? undefined : await this.#boundOutside(binders, info.pod, name);
      const [binder] = profile.at.bind;
      if (outside === undefined) {
        step = ['Bind', binder?.name ?? ''];
        await binder?.plugin.bind?.(info.pod, name);
      }
      verdicts = verdicts.with('Bind', outside ?? binder?.name ?? '', 'Success');
    } catch (error) {
      if (error instanceof StatusError || error instanceof PluginError) {
        if (step !== undefined) verdicts = verdicts.with(...step, 'Error');
        this.#parts.after(() => this.#bindFailed(queued, { node, verdicts }, this.#bindingFault(step, error)));
      } else this.#parts.after(() => this.#places.crashed(queued, error, node));
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
    this.#outcomes.bound(queued, verdicts);
  }

  /** Whether a pod that had to wait when it was announced has been allowed to go on meanwhile. */
  #isPermitted(uid: string): boolean {
    this.#announcing.delete(uid);
    if (this.#waiting.get(uid)?.permits?.length !== 0) return false;
    this.#waiting.delete(uid);
    return true;
  }

  #bindingFault(step: readonly [point: string, plugin: string] | undefined, error: StatusError | PluginError): string {
    const { message } = error;
    if (this.#parts.options.policy !== undefined) return `Binding rejected: ${message}`;
    if (step === undefined || (error instanceof PluginError && error.isWhole)) return message;
    return `running ${step[0]} plugin ${JSON.stringify(step[1])}: ${message}`;
  }

  /** The name of the extender that bound it. */
  async #boundOutside(binders: readonly Extender[], pod: Pod, node: string): Promise<string | undefined> {
    const asking = boundBy(binders, pod, node);
    for (let step = asking.next(noAnswer); ; ) {
      if (step.done === true) return step.value;
      const question = step.value;
      step = asking.next(await new Promise<Answer>((resolve) => this.#parts.environment.ask?.(question, resolve)));
    }
  }

  #bindFailed(
    queued: QueuedPod,
    { node, verdicts }: { readonly node: Node | undefined; readonly verdicts: Verdicts },
    message: string,
    at = 'Bind',
  ): void {
    if (node === undefined) this.#parts.cache.forget(queued.info.uid);
    else this.unreserve(queued, node);
    this.#places.changes.placeFreed(queued.info.pod, queued.causes);
    this.#outcomes.turnedBack(queued, node?.metadata.name ?? '', { code: 'error', message, at, verdicts });
    const reason = this.#parts.options.policy === undefined ? 'SchedulerError' : 'BindingRejected';
    this.#outcomes.failed(queued, { message, rejectors: [], nominatedNodeName: '' }, reason);
  }

  #wait({ uid, namespace, pod }: PodInfo, wait: Omit<WaitingBind, 'namespace' | 'name'>): void {
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
    const verdicts = this.#verdictsOf(wait);
    if (fault === undefined && node !== undefined) this.#go(queued, { node, verdicts }, 'bind');
    else this.#bindFailed(queued, { node, verdicts }, fault ?? '');
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
