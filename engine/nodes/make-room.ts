/**
 * Room for a pod that the system needs: its victims end one after the other, and it is taken when the last one has stopped or its
 * kubelet has waited long enough. Mirrors evictPodsToFreeRequests of pkg/kubelet/preemption and killPodNow of pod_workers.go.
 */
import type { KubeletEnvironment } from './kubelet/environment.ts';
import { graceSecondsOf, notKilledInTime, patienceMs, preemptingDisruption, preemptingMessage, preemptingReason } from './kubelet/preemption.ts';
import { isTerminal, type PodWorker } from './kubelet/worker.ts';

export interface RoomHooks {
  find(uid: string): PodWorker | undefined;
  /** Ends a pod for good. */
  end(worker: PodWorker, verdict: NonNullable<PodWorker['verdict']>, graceSeconds: number): void;
  env(): KubeletEnvironment;
}

/** Goes on with a worker that stands before its admission. What else it needs is done by whoever syncs it. */
export function makeRoom(worker: PodWorker, { find, end, env }: RoomHooks): void {
  while (worker.stage === 'admission') {
    const [uid] = worker.victims;
    const { nowMs } = env();
    if (uid === undefined) {
      worker.stage = 'volumes';
      worker.stageMs = nowMs;
      worker.flushMs = nowMs;
      return;
    }
    const victim = find(uid);
    const isTold = victim?.verdict?.reason === preemptingReason;
    if (victim !== undefined && !hasStopped(victim)) {
      if (isTold && nowMs < worker.stageMs) return;
      if (!isTold) {
        env().event(victim, 'Warning', preemptingReason, preemptingMessage);
        worker.stageMs = nowMs + patienceMs(victim);
        end(victim, { reason: preemptingReason, message: preemptingMessage, disruption: preemptingDisruption }, graceSecondsOf(victim.pod));
        continue;
      }
      env().event(victim, 'Warning', 'ExceededGracePeriod', notKilledInTime);
    }
    worker.victims = worker.victims.slice(1);
  }
}

/** Nothing of it runs any more, or will. */
export function hasStopped(worker: PodWorker): boolean {
  return isTerminal(worker) || (worker.stopping !== null && worker.containers.every(({ state }) => state !== 'running'));
}
