/** Pods that the scheduler has in its queue, as plain data (law 9). They are saved by name; classes and NodeInfos are worked out again. */
import type { Cause } from '../base/causes.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { type Codec, list, number, oneOf, optional, pair, record, text } from '../base/codecs.ts';
import { splitKey } from '../client/informer.ts';
import { podKey } from './decision.ts';
import { newPodInfo, type PodInfo } from './framework/pod-info.ts';
import type { SavedTree } from './node-tree.ts';
import type { Profile } from './profile.ts';
import type { QueuedPod, QueuePlace, SchedulingQueue } from './queue.ts';

/** Thousands may wait in a rollout: what is usual is left out, so that most are a time, a cause and a number. */
export interface SavedPod {
  /** Absent for the first profile. */
  readonly profile: string | undefined;
  /** Absent for `active`. */
  readonly place: QueuePlace | undefined;
  readonly timestampMs: number;
  /** Absent where it is `timestampMs`. */
  readonly initialMs: number | undefined;
  /** This and the next three are absent for 0. */
  readonly attempts: number | undefined;
  readonly unschedulableCount: number | undefined;
  readonly errorCount: number | undefined;
  readonly backoffUntilMs: number | undefined;
  /** Absent where there are none. */
  readonly rejectors: readonly string[] | undefined;
  readonly causes: readonly Cause[];
  readonly sequence: number;
}

export const savedPod = record<SavedPod>({
  profile: optional(text),
  place: optional(oneOf('active', 'backoff', 'error', 'unschedulable', 'out')),
  timestampMs: number,
  initialMs: optional(number),
  attempts: optional(number),
  unschedulableCount: optional(number),
  errorCount: optional(number),
  backoffUntilMs: optional(number),
  rejectors: optional(list(text)),
  causes: list(text),
  sequence: number,
});

export const savedTree: Codec<SavedTree> = list(pair(text, list(text)));

/** By namespace/name. Pods that are out of the queue are saved where they wait for their binding. */
export function savePods(queue: SchedulingQueue, profiles: ReadonlyMap<string, Profile>, waits: (uid: string) => boolean): Map<string, SavedPod> {
  const pods = new Map<string, SavedPod>();
  const [usual] = profiles.values();
  for (const queued of queue.values()) if (queued.place !== 'out' || waits(queued.info.uid)) pods.set(podKey(queued.info), savePod(queued, usual));
  return pods;
}

function savePod(
  { profile, place, timestampMs, initialMs, rejectors, causes, sequence, ...counts }: QueuedPod,
  usual: Profile | undefined,
): SavedPod {
  return {
    profile: profile === usual ? undefined : profile.schedulerName,
    place: place === 'active' ? undefined : place,
    timestampMs,
    initialMs: initialMs === timestampMs ? undefined : initialMs,
    attempts: counts.attempts || undefined,
    unschedulableCount: counts.unschedulableCount || undefined,
    errorCount: counts.errorCount || undefined,
    backoffUntilMs: counts.backoffUntilMs || undefined,
    rejectors: rejectors.length === 0 ? undefined : rejectors,
    causes,
    sequence,
  };
}

export function restorePods(
  pods: ReadonlyMap<string, SavedPod>,
  queue: SchedulingQueue,
  profiles: ReadonlyMap<string, Profile>,
  find: (namespace: string, name: string) => Pod | undefined,
): void {
  queue.clear();
  const [usual] = profiles.values();
  for (const [key, saved] of pods) {
    const { namespace = '', name } = splitKey(key);
    const pod = find(namespace, name);
    const profile = saved.profile === undefined ? usual : profiles.get(saved.profile);
    if (pod !== undefined && profile !== undefined) queue.restore(queuedPod(saved, newPodInfo(pod), profile));
  }
}

function queuedPod({ place = 'active', timestampMs, causes, sequence, ...saved }: SavedPod, info: PodInfo, profile: Profile): QueuedPod {
  return {
    info,
    profile,
    place,
    timestampMs,
    initialMs: saved.initialMs ?? timestampMs,
    attempts: saved.attempts ?? 0,
    unschedulableCount: saved.unschedulableCount ?? 0,
    errorCount: saved.errorCount ?? 0,
    backoffUntilMs: saved.backoffUntilMs ?? 0,
    rejectors: saved.rejectors ?? [],
    causes,
    sequence,
  };
}
