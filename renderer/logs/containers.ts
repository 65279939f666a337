/** A pod's containers, as one chooses among them for their logs. */
import type { AnyObject } from '../api/objects.ts';
import { texts } from '../texts/texts.ts';

const words = texts.logs;

export interface LogContainer {
  readonly name: string;
  /** What it does: `running`, `waiting: CrashLoopBackOff`, `init, ended: Completed`. */
  readonly state: string;
  readonly restarts: number;
  /** Another value: it began anew. */
  readonly life: string;
}
interface Status {
  readonly name: string;
  readonly restartCount?: number;
  readonly containerID?: string;
  readonly state?: { readonly running?: object; readonly waiting?: { readonly reason?: string }; readonly terminated?: { readonly reason?: string } };
}
interface Named {
  readonly name: string;
}

/** Those that run for as long as the pod does stand first. */
export function containersOf(pod: AnyObject | undefined): readonly LogContainer[] {
  return [
    ...listed(pod, 'containers', 'containerStatuses', ''),
    ...listed(pod, 'initContainers', 'initContainerStatuses', words.init),
    ...listed(pod, 'ephemeralContainers', 'ephemeralContainerStatuses', words.ephemeral),
  ];
}

function listed(pod: AnyObject | undefined, field: string, statusField: string, sort: string): readonly LogContainer[] {
  const statuses = (pod?.status?.[statusField] ?? []) as readonly Status[];
  return ((pod?.spec?.[field] ?? []) as readonly Named[]).map(({ name }) => {
    const status = statuses.find((one) => one.name === name);
    const state = [sort, stateOf(status)].filter((part) => part !== '').join(', ');
    const restarts = status?.restartCount ?? 0;
    return { name, state, restarts, life: `${restarts} ${status?.containerID ?? ''} ${status?.state?.running ? 'running' : ''}` };
  });
}

function stateOf(status: Status | undefined): string {
  const { running, waiting, terminated } = status?.state ?? {};
  if (running) return words.running;
  if (terminated) return words.ended(terminated.reason ?? '');
  return words.waiting(waiting?.reason ?? '');
}
