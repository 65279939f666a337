/** What the scheduler remembers, as plain data (law 9). Pods are saved by name; classes and NodeInfos are worked out again. */
import type { Cause } from '../base/causes.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { flag, list, nullable, number, oneOf, pair, record, text } from '../base/codecs.ts';
import { newPodInfo } from './framework/pod-info.ts';
import type { SavedTree } from './node-tree.ts';
import type { Profile } from './profile.ts';
import type { QueuedPod, QueuePlace, SchedulingQueue } from './queue.ts';

interface SavedPod {
  readonly namespace: string;
  readonly name: string;
  readonly profile: string;
  readonly place: QueuePlace;
  readonly timestampMs: number;
  readonly initialMs: number;
  readonly attempts: number;
  readonly unschedulableCount: number;
  readonly errorCount: number;
  readonly backoffUntilMs: number;
  readonly rejectors: readonly string[];
  readonly causes: readonly Cause[];
  readonly sequence: number;
}

export interface SavedScheduler {
  readonly pods: readonly SavedPod[];
  readonly nominations: readonly (readonly [uid: string, node: string])[];
  readonly nodeTree: SavedTree;
  readonly startIndex: number;
  readonly cycleSet: boolean;
  readonly wakeMs: number | null;
}

const podCodec = record<SavedPod>({
  namespace: text,
  name: text,
  profile: text,
  place: oneOf('active', 'backoff', 'error', 'unschedulable', 'out'),
  timestampMs: number,
  initialMs: number,
  attempts: number,
  unschedulableCount: number,
  errorCount: number,
  backoffUntilMs: number,
  rejectors: list(text),
  causes: list(text),
  sequence: number,
});

export const schedulerCodec = record<SavedScheduler>({
  pods: list(podCodec),
  nominations: list(pair(text, text)),
  nodeTree: list(pair(text, list(text))),
  startIndex: number,
  cycleSet: flag,
  wakeMs: nullable(number),
});

export interface SchedulerParts extends Omit<SavedScheduler, 'pods' | 'wakeMs'> {
  readonly queue: SchedulingQueue;
  readonly wakeMs: number | undefined;
}

export function saveScheduler({ queue, wakeMs, ...rest }: SchedulerParts): SavedScheduler {
  const pods = [...queue.values()].filter(({ place }) => place !== 'out').map(savePod);
  return { ...rest, pods, wakeMs: wakeMs ?? null };
}

function savePod({ info, profile, ...rest }: QueuedPod): SavedPod {
  return { ...rest, namespace: info.namespace, name: info.pod.metadata.name ?? '', profile: profile.schedulerName };
}

export function restoreScheduler(
  saved: SavedScheduler,
  queue: SchedulingQueue,
  profiles: ReadonlyMap<string, Profile>,
  find: (namespace: string, name: string) => Pod | undefined,
): void {
  queue.clear();
  for (const { namespace, name, profile, ...rest } of saved.pods) {
    const pod = find(namespace, name);
    const own = profiles.get(profile);
    if (pod !== undefined && own !== undefined) queue.restore({ ...rest, info: newPodInfo(pod), profile: own });
  }
}
