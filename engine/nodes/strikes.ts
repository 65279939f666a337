/**
 * What faults do to machines: brings a machine to the state that its fault points say, whatever it was before. Faults stack at the
 * points, so here a machine only has or has not power, a running kubelet, a link in each direction.
 */
import { type Cause, mergeCauses } from '../base/causes.ts';
import {
  clockOffsetMs,
  diskFull,
  diskSlowness,
  type FaultPoint,
  kubeletCrashed,
  kubeletStopped,
  linkFromNodeCut,
  linkToNodeCut,
  memoryShort,
  nodeDark,
  nodeHung,
  nodeReset,
  nodeShutdown,
  pidsShort,
  runtimeDown,
  systemDisk,
} from '../base/fault-points.ts';
import { componentName, type NodesContext } from './context.ts';
import type { Heartbeats } from './heartbeats.ts';
import { crash } from './kubelet/crash.ts';
import { setClock } from './machine-clock.ts';
import { hearsApi, type Machine } from './machine.ts';
import { bootId } from './nodepool.ts';
import { bootMaxMs, bootMinMs, connectionDeadMs, kubeletRestartMs } from './physics.ts';
import type { PodWorkers } from './pod-workers.ts';
import { Shutdowns } from './shutdown.ts';

/** A link that is cut one way only is silent both ways when the connection over it is given up. */
export const silentTimer = 'silent';

const machinePoints = [
  nodeDark,
  nodeShutdown,
  nodeReset,
  nodeHung,
  runtimeDown,
  kubeletStopped,
  kubeletCrashed,
  linkFromNodeCut,
  linkToNodeCut,
  diskFull,
  systemDisk,
  diskSlowness,
  memoryShort,
  pidsShort,
  clockOffsetMs,
];

export class Strikes {
  readonly #context: NodesContext;
  readonly #heartbeats: Heartbeats;
  readonly #workers: PodWorkers;
  readonly shutdowns: Shutdowns;

  constructor(context: NodesContext, heartbeats: Heartbeats, workers: PodWorkers) {
    this.#context = context;
    this.#heartbeats = heartbeats;
    this.#workers = workers;
    this.shutdowns = new Shutdowns(context, {
      workersOn: (machine) => workers.on(machine),
      end: (worker, machine, message, graceSeconds) =>
        workers.end(worker, machine, { reason: 'Terminated', message, disruption: message }, graceSeconds),
      readinessChanged: (machine) => heartbeats.tellConditions(machine),
      switchOff: (machine) => this.#setPower(machine, false),
    });
    context.points.onChange(machinePoints, (node, causes) => {
      const machine = context.machines.get(node);
      if (machine !== undefined) this.#bring(machine, causes);
    });
  }

  /** The connection over a half cut link is given up. */
  silent(machine: Machine): void {
    if (!this.#isHalfCut(machine)) return;
    machine.connected = false;
    machine.hears = false;
  }

  switchOff(machine: Machine, forGood: boolean): void {
    machine.power = false;
    this.#heartbeats.stop(machine);
    for (const worker of this.#workers.on(machine)) {
      this.#workers.stopTimer(worker);
      if (forGood) this.#context.workers.delete(worker.uid);
      else crash(worker, machine, this.#context.loop.nowMs());
    }
    machine.pullsBusyUntilMs = 0;
  }

  #bring(machine: Machine, causes: readonly Cause[]): void {
    const { points } = this.#context;
    const { name } = machine;
    machine.faultCauses = mergeCauses(causes, machine.faultCauses);
    machine.diskFull = points.value(diskFull, name);
    machine.systemDisk = points.value(systemDisk, name) ?? null;
    machine.diskSlowness = points.value(diskSlowness, name);
    machine.memoryShort = points.value(memoryShort, name);
    machine.pidsShort = points.value(pidsShort, name);
    setClock(machine, points.value(clockOffsetMs, name), this.#context.loop.nowMs());
    machine.hung = points.value(nodeHung, name);
    // What its pods go through from here on is the faults' doing too.
    for (const worker of this.#workers.on(machine)) worker.causes = mergeCauses(causes, worker.causes);
    this.#setLink(machine);
    if (points.value(nodeShutdown, name)) this.shutdowns.begin(machine);
    else this.shutdowns.cancel(machine);
    this.#setPower(machine, !points.value(nodeDark, name) && machine.shutdown?.isOff !== true);
    this.#setStopped(machine, points.value(kubeletStopped, name));
    this.#setRuntime(machine, points.value(runtimeDown, name));
    this.#strikeOnce(machine, nodeReset, () => this.#reset(machine));
    this.#strikeOnce(machine, kubeletCrashed, () => this.#restartKubelet(machine, kubeletRestartMs));
  }

  /** A second fault of the kind does nothing while the first lasts. */
  #strikeOnce(machine: Machine, point: FaultPoint<boolean>, strike: () => void): void {
    const isStruck = this.#context.points.value(point, machine.name);
    const wasStruck = machine.struck.includes(point.name);
    if (isStruck === wasStruck) return;
    machine.struck = isStruck ? [...machine.struck, point.name] : machine.struck.filter((name) => name !== point.name);
    if (isStruck) strike();
  }

  #reset(machine: Machine): void {
    if (!machine.power) return;
    this.#setPower(machine, false);
    this.#setPower(machine, true);
  }

  #restartKubelet(machine: Machine, afterMs: number): void {
    if (!machine.power || machine.stopped) return;
    this.#stopKubelet(machine);
    this.#heartbeats.boot(machine, afterMs);
  }

  #stopKubelet(machine: Machine): void {
    this.#heartbeats.stop(machine);
    for (const worker of this.#workers.on(machine)) this.#workers.stopTimer(worker);
  }

  /** What its kubelet missed meanwhile it learns when the runtime answers again. */
  #setRuntime(machine: Machine, isDown: boolean): void {
    const { loop } = this.#context;
    if ((machine.runtimeDownMs !== null) === isDown) return;
    machine.runtimeDownMs = isDown ? loop.nowMs() : null;
    if (isDown || machine.kubeletSinceMs === null) return;
    if (!machine.runtimeUp) this.#heartbeats.runtimeUp(machine);
    if (hearsApi(machine)) this.#workers.relist(machine);
    else for (const worker of this.#workers.on(machine)) this.#workers.sync(worker);
  }

  #setPower(machine: Machine, on: boolean): void {
    if (machine.power === on) return;
    if (!on) {
      this.switchOff(machine, false);
      return;
    }
    const stream = this.#context.stream(machine);
    machine.power = true;
    machine.bootedMs = this.#context.loop.nowMs();
    machine.endedCpuNanos = 0;
    machine.rebooted = true;
    machine.registered = false;
    machine.bootId = bootId(stream.hex(32));
    if (!machine.stopped) this.#heartbeats.boot(machine, stream.between(bootMinMs, bootMaxMs));
  }

  /** Without its kubelet nobody looks after the machine's containers; they run on. */
  #setStopped(machine: Machine, stopped: boolean): void {
    if (machine.stopped === stopped) return;
    machine.stopped = stopped;
    if (stopped) this.#stopKubelet(machine);
    else if (machine.power) this.#heartbeats.boot(machine, 0);
  }

  #setLink(machine: Machine): void {
    const { points, loop } = this.#context;
    const fromCut = machine.hung || points.value(linkFromNodeCut, machine.name);
    const toCut = machine.hung || points.value(linkToNodeCut, machine.name);
    const isBack = !fromCut && !toCut && !(machine.connected && machine.hears);
    if (fromCut !== toCut) {
      // A link that was cut both ways does not get better by one.
      if (machine.connected && machine.hears) loop.setTimer(componentName, loop.nowMs() + connectionDeadMs, silentTimer, machine.name);
      machine.connected &&= !fromCut;
      machine.hears &&= !toCut;
      return;
    }
    machine.connected = !fromCut;
    machine.hears = !toCut;
    if (!isBack || machine.kubeletSinceMs === null) return;
    this.#workers.relist(machine);
    this.#heartbeats.speak(machine);
  }

  #isHalfCut({ name }: Machine): boolean {
    const { points } = this.#context;
    return points.value(linkFromNodeCut, name) !== points.value(linkToNodeCut, name);
  }
}
