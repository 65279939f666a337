/**
 * Containers that a pod's status tells of and its machine does not have: the machine is another one of that name, or the pod ended
 * before they began. Mirrors convertToAPIContainerStatuses of pkg/kubelet/kubelet_pods.go (what a kubelet makes of a status it did not
 * write) and TerminatePod of pkg/kubelet/status/status_manager.go (what a pod that is over says of them).
 */
import type { ContainerStateTerminated, ContainerStatus, Pod } from '../../api/core/v1/types.gen.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { assert } from '../../base/assert.ts';
import type { ContainerRun, Ended, PodWorker } from './worker.ts';

const unknownReason = 'ContainerStatusUnknown';
const lostExitCode = 137;
const usedToRun = 'The container could not be located when the pod was deleted.  The container used to be Running';
const neverFound = 'The container could not be located when the pod was terminated';

/** Of what nobody saw, nobody knows when it was. */
const noTimes = { startedMs: 0, finishedMs: 0, id: '' };
const lostRunning: Ended = Object.freeze({ exitCode: lostExitCode, reason: unknownReason, message: usedToRun, ...noTimes });
/** How a container stands in the status of a pod that is over, when nothing is known of its end. */
export const lost: Ended = Object.freeze({ exitCode: lostExitCode, reason: unknownReason, message: neverFound, ...noTimes });

/** A kubelet that has none of the pod's containers goes on from what its status says of them. */
export function takeOverStatus(worker: PodWorker): void {
  const { status, metadata } = worker.pod;
  assert(worker.ip === '', 'what a kubelet runs it knows better than a status');
  for (const run of worker.containers) {
    assert(run.state === 'waiting' && run.id === '', 'nothing of it has run here');
    const told = statusesOf(status, run)?.find(({ name }) => name === run.name);
    if (told === undefined) continue;
    run.restarts = Number(told.restartCount ?? 0);
    run.previous = toEnded(told.lastState?.terminated);
    if (told.state?.terminated !== undefined) {
      run.state = 'terminated';
      run.ended = toEnded(told.state.terminated);
      run.id = run.ended?.id ?? '';
      run.startedMs = run.ended?.startedMs ?? 0;
    } else if (told.state?.running !== undefined && run.previous === null) {
      run.previous = lostRunning;
      if (metadata.deletionTimestamp === undefined) run.restarts++;
    }
  }
}

/** Whether a pod that is over says of this container that it ended, though nobody saw that. */
export function isLost(worker: PodWorker, run: ContainerRun): boolean {
  if (worker.stage !== 'finished' || run.ended !== null || run.role === 'ephemeral') return false;
  if (run.role === 'main') return hasInitialized(worker.pod);
  const inits = worker.containers.filter(({ role }) => role === 'init' || role === 'sidecar');
  const lastBegun = inits.findLastIndex(({ state, previous, ended }) => state !== 'waiting' || previous !== null || ended !== null);
  return run.index <= Math.max(0, lastBegun);
}

/** As far as its status says: a main container has been more than waiting, or the last init container is done. */
function hasInitialized({ spec, status }: Pod): boolean {
  const { initContainers = [] } = spec ?? {};
  if (initContainers.length === 0) return true;
  if (status?.containerStatuses?.some(({ state, lastState }) => state?.waiting === undefined || lastState?.terminated !== undefined) === true)
    return true;
  const last = status?.initContainerStatuses?.at(-1);
  if (last === undefined) return false;
  if (initContainers.at(-1)?.restartPolicy === 'Always') return last.state?.running !== undefined && last.started === true;
  return last.state?.terminated?.exitCode === 0 || last.lastState?.terminated?.exitCode === 0;
}

function statusesOf(status: Pod['status'], { role }: ContainerRun): readonly ContainerStatus[] | undefined {
  if (role === 'ephemeral') return status?.ephemeralContainerStatuses;
  return role === 'main' ? status?.containerStatuses : status?.initContainerStatuses;
}

function toEnded(told: ContainerStateTerminated | undefined): Ended | null {
  if (told === undefined) return null;
  const { containerID = '' } = told;
  return {
    exitCode: told.exitCode ?? 0,
    reason: told.reason ?? '',
    message: told.message ?? '',
    startedMs: toMs(told.startedAt),
    finishedMs: toMs(told.finishedAt),
    id: containerID.replace(/^[^:]*:\/\//u, ''),
  };
}

function toMs(time: string | null | undefined): number {
  return parseTime(time ?? '') ?? 0;
}
