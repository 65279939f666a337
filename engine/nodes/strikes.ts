/**
 * What faults do to machines: brings a machine to the state that its fault points say, whatever it was before. Faults stack at the
 * points, so here a machine only has or has not power, a running kubelet, a link in each direction.
 */
import { type Cause, mergeCauses } from '../base/causes.ts';
import {
  clockOffsetMs,
  diskFull,
  diskSlowness,
  kubeletStopped,
  linkFromNodeCut,
  linkToNodeCut,
  memoryShort,
  nodeDark,
  nodeShutdown,
  pidsShort,
} from '../base/fault-points.ts';
import { componentName, type NodesContext } from './context.ts';
import type { Heartbeats } from './heartbeats.ts';
import { crash } from './kubelet/crash.ts';
import type { Machine } from './machine.ts';
import { bootId } from './nodepool.ts';
import { bootMaxMs, bootMinMs, connectionDeadMs } from './physics.ts';
import type { PodWorkers } from './pod-workers.ts';
import { Shutdowns } from './shutdown.ts';

/** A link that is cut one way only is silent both ways when the connection over it is given up. */
export const silentTimer = 'silent';

const machinePoints = [
  nodeDark,
  nodeShutdown,
  kubeletStopped,
  linkFromNodeCut,
  linkToNodeCut,
  diskFull,
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
        workers.end(worker, machine, { reason: 'Terminated', message, isDisruption: true }, graceSeconds),
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
    machine.diskSlowness = points.value(diskSlowness, name);
    machine.memoryShort = points.value(memoryShort, name);
    machine.pidsShort = points.value(pidsShort, name);
    machine.clockOffsetMs = points.value(clockOffsetMs, name);
    // What its pods go through from here on is the faults' doing too.
    for (const worker of this.#workers.on(machine)) worker.causes = mergeCauses(causes, worker.causes);
    this.#setLink(machine);
    if (points.value(nodeShutdown, name)) this.shutdowns.begin(machine);
    else this.shutdowns.cancel(machine);
    this.#setPower(machine, !points.value(nodeDark, name) && machine.shutdown?.isOff !== true);
    this.#setStopped(machine, points.value(kubeletStopped, name));
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
    if (stopped) {
      this.#heartbeats.stop(machine);
      for (const worker of this.#workers.on(machine)) this.#workers.stopTimer(worker);
    } else if (machine.power) this.#heartbeats.boot(machine, 0);
  }

  #setLink(machine: Machine): void {
    const { points, loop } = this.#context;
    const fromCut = points.value(linkFromNodeCut, machine.name);
    const toCut = points.value(linkToNodeCut, machine.name);
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
