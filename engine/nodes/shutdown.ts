/**
 * A machine that is shut down in order: its kubelet ends its pods group by group, the lowest priority first, before the power goes.
 * Mirrors pkg/kubelet/nodeshutdown.
 */
import { systemCritical } from '../component-helpers/priority.ts';
import { timerCause, mergeCauses } from '../base/causes.ts';
import { componentName, type NodesContext, type ShutdownOptions } from './context.ts';
import { isTerminal, type PodWorker } from './kubelet/worker.ts';
import { isHeard, type Machine, type ShutdownGroup } from './machine.ts';

/** While a group of pods ends its kubelet looks every second. */
export const shutdownTimer = 'shutdown';
const pollMs = 1_000;
const message = 'Pod was terminated in response to imminent node shutdown.';
const causes = [timerCause(componentName, 'shutdown')];

export interface ShutdownHooks {
  workersOn(machine: Machine): readonly PodWorker[];
  end(worker: PodWorker, machine: Machine, message: string, graceSeconds: number): void;
  /** Whether the node is ready has changed. */
  readinessChanged(machine: Machine): void;
  /** All that was to end has ended, or its time is over. */
  switchOff(machine: Machine): void;
}

export class Shutdowns {
  readonly #context: NodesContext;
  readonly #hooks: ShutdownHooks;
  readonly #groups: readonly ShutdownGroup[];

  constructor(context: NodesContext, hooks: ShutdownHooks) {
    this.#context = context;
    this.#hooks = hooks;
    this.#groups = groupsOf(context.options?.shutdown);
  }

  /** Without grace periods, or without a kubelet that runs, the power goes at once. */
  begin(machine: Machine): void {
    if (machine.shutdown !== null) return;
    machine.shutdown = { at: -1, untilMs: 0, isOff: false, timer: 0 };
    if (this.#groups.length === 0 || machine.kubeletSinceMs === null || !machine.power) {
      this.#finish(machine);
      return;
    }
    this.#tell(machine, 'Shutdown manager detected shutdown event');
    this.#hooks.readinessChanged(machine);
    this.#next(machine);
  }

  /** It was called off, or the machine is switched on again. */
  cancel(machine: Machine): void {
    if (machine.shutdown === null) return;
    this.#context.loop.cancelTimer(machine.shutdown.timer);
    const isCalledOff = machine.power && !machine.shutdown.isOff;
    machine.shutdown = null;
    if (isCalledOff) this.#tell(machine, 'Shutdown manager detected shutdown cancellation');
    if (machine.power) this.#hooks.readinessChanged(machine);
  }

  #tell(machine: Machine, text: string): void {
    const node = this.#context.nodeInformer.get(undefined, machine.name);
    if (node === undefined || !isHeard(machine)) return;
    this.#context.recorderFor(machine.name).event(node, 'Normal', 'NodeShutdown', text, mergeCauses(machine.faultCauses, causes));
  }

  /** Looks whether the group that ends has ended. */
  step(machine: Machine): void {
    const { shutdown } = machine;
    if (shutdown === null || shutdown.isOff) return;
    const isOver = this.#context.loop.nowMs() >= shutdown.untilMs;
    const isGone = this.#membersOf(machine, shutdown.at).every((worker) => isTerminal(worker) && worker.flushMs === null);
    if (isOver || isGone || machine.kubeletSinceMs === null) this.#next(machine);
    else this.#poll(machine);
  }

  #next(machine: Machine): void {
    const { loop } = this.#context;
    const at = (machine.shutdown?.at ?? -1) + 1;
    const group = this.#groups[at];
    if (group === undefined || machine.shutdown === null) {
      this.#finish(machine);
      return;
    }
    machine.shutdown = { ...machine.shutdown, at, untilMs: loop.nowMs() + group.graceMs };
    const members = this.#membersOf(machine, at).filter((worker) => !isTerminal(worker));
    if (members.length === 0) {
      this.#next(machine);
      return;
    }
    for (const worker of members) {
      if (worker.verdict !== null) continue;
      const own = Number(worker.pod.spec?.terminationGracePeriodSeconds ?? 30);
      this.#hooks.end(worker, machine, message, Math.min(own, Math.floor(group.graceMs / 1000)));
    }
    this.#poll(machine);
  }

  #poll(machine: Machine): void {
    const { loop } = this.#context;
    if (machine.shutdown === null) return;
    machine.shutdown = { ...machine.shutdown, timer: loop.setTimer(componentName, loop.nowMs() + pollMs, shutdownTimer, machine.name) };
  }

  #finish(machine: Machine): void {
    if (machine.shutdown !== null) machine.shutdown = { ...machine.shutdown, isOff: true };
    this.#hooks.switchOff(machine);
  }

  /** A pod belongs to the highest group that is not above it; to the lowest where all are. */
  #membersOf(machine: Machine, at: number): readonly PodWorker[] {
    return this.#hooks.workersOn(machine).filter(({ pod }) => {
      const priority = pod.spec?.priority ?? 0;
      const own = this.#groups.findLastIndex((group) => group.priority <= priority);
      return Math.max(0, own) === at;
    });
  }
}

function groupsOf(options: ShutdownOptions | undefined): readonly ShutdownGroup[] {
  if (options === undefined) return [];
  if (options.byPriority.length > 0) return [...options.byPriority].sort((a, b) => a.priority - b.priority);
  const { graceMs, criticalGraceMs } = options;
  if (graceMs <= 0) return [];
  return [
    { priority: 0, graceMs: graceMs - criticalGraceMs },
    { priority: systemCritical, graceMs: criticalGraceMs },
  ];
}
