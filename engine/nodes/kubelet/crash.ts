/** A machine loses power: containers are gone without a word. After the boot the runtime finds them ended with 255. */
import { releasePodAddress, type Machine } from '../machine.ts';
import { isTerminal, type PodWorker } from './worker.ts';

/** What the runtime reports of containers that were running when the lights went out. */
const lostExitCode = 255;
const lostReason = 'Unknown';

export function crash(worker: PodWorker, machine: Machine, nowMs: number): void {
  if (isTerminal(worker)) return;
  for (const run of worker.containers) {
    if (run.state !== 'running') continue;
    run.state = 'terminated';
    run.ended = { exitCode: lostExitCode, reason: lostReason, message: '', startedMs: run.startedMs, finishedMs: nowMs, id: run.id };
    run.program = null;
    run.oomMs = null;
    run.probes = null;
    run.killMs = null;
    run.preStopMs = null;
    run.started = false;
    run.ready = false;
    run.retryMs = 0;
    run.untold = null;
    run.backoffMs = 0;
  }
  releasePodAddress(machine, worker.ip);
  worker.ip = '';
  worker.busy = null;
  worker.teardownMs = null;
  worker.stage = 'volumes';
  worker.stageMs = 0;
  worker.victims = [];
  worker.lookMs = null;
  worker.restartAllMs = null;
  worker.mountBackoffMs = 0;
  worker.setUpSinceMs = null;
  worker.setUpRetryMs = 0;
  worker.attachSinceMs = null;
  worker.hasDevices = false;
  worker.mountedMs = null;
  worker.flushMs = nowMs;
}
