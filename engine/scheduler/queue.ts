/**
 * Pods that wait to be scheduled (backend/queue): activeQ by the queue-sort plugin, backoffQ by the end of their back-off, and the
 * unschedulable ones until something happens that may help them. A cycle is one instant, so no event falls into one.
 */
import { assert } from '../base/assert.ts';
import { mergeCauses, type Cause } from '../base/causes.ts';
import { Heap } from '../base/heap.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { extenderRejector } from './extenders/extender.ts';
import { matches, type ClusterChange } from './framework/cluster-events.ts';
import { newPodInfo, type PodInfo } from './framework/pod-info.ts';
import { backoffWindowMs } from './physics.ts';
import type { Profile } from './profile.ts';

export type QueuePlace = 'active' | 'backoff' | 'error' | 'unschedulable' | 'out';

export interface QueuedPod {
  info: PodInfo;
  readonly profile: Profile;
  place: QueuePlace;
  timestampMs: number;
  readonly initialMs: number;
  attempts: number;
  unschedulableCount: number;
  errorCount: number;
  /** 0: not worked out yet. */
  backoffUntilMs: number;
  rejectors: readonly string[];
  causes: readonly Cause[];
  /** Breaks ties; anew with each move, so that older heap entries are known to be stale. */
  sequence: number;
}

/** What an entry is sorted by does not change: a pod that moves gets another one. */
interface HeapEntry {
  readonly queued: QueuedPod;
  readonly sequence: number;
  readonly untilMs: number;
  readonly priority: number;
  readonly timestampMs: number;
}

export interface QueueOptions {
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  /** In which an unschedulable pod waits for a change. */
  readonly stayMs: number;
  nowMs(): number;
}

export class SchedulingQueue {
  readonly #options: QueueOptions;
  readonly #pods = new Map<string, QueuedPod>();
  readonly #unschedulable = new Map<string, QueuedPod>();
  /** Of groups, those among `#errors` that were turned away. */
  readonly #members = new Set<QueuedPod>();
  readonly #active: Heap<HeapEntry>;
  readonly #backoff: Heap<HeapEntry>;
  readonly #errors: Heap<HeapEntry>;
  #sequence = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    const less = [...options.profiles.values()][0]?.at.queueSort[0]?.plugin.less ?? ((a, b) => a.timestampMs - b.timestampMs);
    const sorts = (a: HeapEntry, b: HeapEntry): boolean => {
      const order = less(a, b);
      return order !== 0 ? order < 0 : a.sequence < b.sequence;
    };
    const ends = (a: HeapEntry, b: HeapEntry): boolean => (a.untilMs === b.untilMs ? sorts(a, b) : a.untilMs < b.untilMs);
    this.#active = new Heap(sorts);
    this.#backoff = new Heap(ends);
    this.#errors = new Heap(ends);
  }

  /** A pod that has no node yet. */
  add(pod: Pod, profile: Profile, causes: readonly Cause[]): QueuedPod {
    const nowMs = this.#options.nowMs();
    const queued: QueuedPod = {
      info: newPodInfo(pod),
      profile,
      place: 'out',
      timestampMs: nowMs,
      initialMs: nowMs,
      attempts: 0,
      unschedulableCount: 0,
      errorCount: 0,
      backoffUntilMs: 0,
      rejectors: [],
      causes,
      sequence: 0,
    };
    this.#pods.set(queued.info.uid, queued);
    this.#activate(queued);
    return queued;
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid);
  }

  /** A pod that changed; what the change may mean for it is in `change`. */
  update(pod: Pod, change: ClusterChange, causes: readonly Cause[]): void {
    const queued = this.#pods.get(pod.metadata.uid ?? '');
    if (queued === undefined) return;
    queued.info = newPodInfo(pod);
    if (queued.place === 'unschedulable' && this.#worth(queued, change)) this.#requeue(queued, causes);
  }

  delete(uid: string): void {
    const queued = this.#pods.get(uid);
    if (queued === undefined) return;
    this.#leave(queued);
    this.#pods.delete(uid);
  }

  /** The next pod to schedule. While activeQ is empty, pods are taken out of their back-off early, but not after errors. */
  pop(): QueuedPod | undefined {
    const queued = take(this.#active, 'active') ?? take(this.#backoff, 'backoff');
    if (queued === undefined) return undefined;
    assert(this.#pods.get(queued.info.uid) === queued, 'what is popped is in the queue');
    assert(!this.#unschedulable.has(queued.info.uid), 'what is popped waits for no change');
    return tried(queued);
  }

  /** A pod that goes together with the one that was popped, whatever it waits for; undefined where a plugin does not let it in yet. */
  take(uid: string): QueuedPod | undefined {
    const queued = this.#pods.get(uid);
    if (queued === undefined || queued.place === 'out') return undefined;
    if (queued.place !== 'active') this.#activate(queued);
    return queued.place === 'active' ? tried(queued) : undefined;
  }

  get ready(): boolean {
    return peek(this.#active, 'active') !== undefined || peek(this.#backoff, 'backoff') !== undefined;
  }

  /**
   * Back from a cycle or a binding that failed. Without a rejector it was an error, and is tried again after a back-off; so is one that
   * goes together with others, or when something happens that may help it.
   */
  putBack(queued: QueuedPod, pod: Pod, rejectors: readonly string[], isMember = false): void {
    queued.info = newPodInfo(pod);
    queued.timestampMs = this.#options.nowMs();
    queued.rejectors = rejectors;
    this.#pods.set(queued.info.uid, queued);
    if (rejectors.length === 0) {
      queued.errorCount++;
      this.#moveToBackoff(queued);
      return;
    }
    queued.errorCount = 0;
    queued.unschedulableCount++;
    if (isMember) this.#moveToBackoff(queued, true);
    else this.#park(queued);
  }

  /** Something happened: pods that it may help go on. */
  move(change: ClusterChange, causes: readonly Cause[], may: (pod: PodInfo) => boolean = () => true): void {
    for (const queued of this.#unschedulable.values()) if (may(queued.info) && this.#worth(queued, change)) this.#requeue(queued, causes);
    for (const queued of this.#members) if (may(queued.info) && this.#worth(queued, change)) this.#activate(queued);
  }

  /** To activeQ at once. */
  activate(uid: string): void {
    const queued = this.#pods.get(uid);
    if (queued !== undefined && queued.place !== 'out' && queued.place !== 'active') this.#activate(queued);
  }

  /** Lets go on whose back-off is over, and who has waited too long for a change. */
  flush(): void {
    const nowMs = this.#options.nowMs();
    for (const [heap, place] of [
      [this.#backoff, 'backoff'],
      [this.#errors, 'error'],
    ] as const) {
      for (let top = peek(heap, place); top !== undefined && top.untilMs + backoffWindowMs <= nowMs; top = peek(heap, place))
        this.#activate(top.queued);
    }
    for (const queued of this.#unschedulable.values()) if (nowMs - queued.timestampMs > this.#options.stayMs) this.#requeue(queued, []);
  }

  /** When `flush` has something to do next: the end of the earliest back-off, and whether pods wait for a change. */
  get backoffEndMs(): number | undefined {
    const ends = [peek(this.#backoff, 'backoff')?.untilMs, peek(this.#errors, 'error')?.untilMs].filter((end) => end !== undefined);
    return ends.length === 0 ? undefined : Math.min(...ends) + backoffWindowMs;
  }

  get someUnschedulable(): boolean {
    return this.#unschedulable.size > 0;
  }

  /** Those that wait for a change come last, in the order in which it will be looked at them; the others in the order of their arrival. */
  *values(): Iterable<QueuedPod> {
    for (const queued of this.#pods.values()) if (queued.place !== 'unschedulable') yield queued;
    yield* this.#unschedulable.values();
  }

  /** Puts a saved pod where it was. */
  restore(queued: QueuedPod): void {
    const { place, sequence } = queued;
    assert(!this.#pods.has(queued.info.uid), 'a saved pod is put back once');
    this.#pods.set(queued.info.uid, queued);
    this.#sequence = Math.max(this.#sequence, sequence);
    if (place === 'unschedulable') this.#unschedulable.set(queued.info.uid, queued);
    if (place === 'error' && queued.rejectors.length > 0) this.#members.add(queued);
    const heap = place === 'active' ? this.#active : place === 'backoff' ? this.#backoff : place === 'error' ? this.#errors : undefined;
    heap?.push(entryOf(queued, queued.backoffUntilMs));
  }

  clear(): void {
    this.#pods.clear();
    this.#unschedulable.clear();
    this.#members.clear();
    for (const heap of [this.#active, this.#backoff, this.#errors]) heap.clear();
  }

  #worth({ info, profile, rejectors }: QueuedPod, change: ClusterChange): boolean {
    if (rejectors.length === 0 || change.resource === '*' || rejectors.includes(extenderRejector)) return true;
    for (const { name, plugin } of profile.entries) {
      if (plugin.events === undefined || !rejectors.includes(name)) continue;
      for (const hint of plugin.events) if (matches(hint, change) && (hint.worth?.(info.pod, change) ?? true)) return true;
    }
    return false;
  }

  #requeue(queued: QueuedPod, causes: readonly Cause[]): void {
    queued.causes = mergeCauses(queued.causes, causes);
    if (queued.backoffUntilMs === 0) queued.backoffUntilMs = this.#backoffEnd(queued);
    if (queued.backoffUntilMs + backoffWindowMs > this.#options.nowMs()) this.#moveToBackoff(queued);
    else this.#activate(queued);
  }

  #activate(queued: QueuedPod): void {
    if (this.#gated(queued)) return;
    this.#leave(queued);
    queued.place = 'active';
    queued.sequence = ++this.#sequence;
    this.#active.push(entryOf(queued, 0));
  }

  /** Parks a pod that a plugin does not let into the queue yet. */
  #gated(queued: QueuedPod): boolean {
    for (const { plugin } of queued.profile.at.preEnqueue) {
      const status = plugin.preEnqueue?.(queued.info.pod);
      if (status === undefined) continue;
      if (!queued.rejectors.includes(status.plugin)) queued.rejectors = [...queued.rejectors, status.plugin];
      this.#park(queued);
      return true;
    }
    return false;
  }

  /** A member of a group is not taken out of it early: what turned it away would at once turn it away again. */
  #moveToBackoff(queued: QueuedPod, isMember = false): void {
    if (queued.errorCount === 0 && this.#gated(queued)) return;
    this.#leave(queued);
    if (queued.backoffUntilMs === 0) queued.backoffUntilMs = this.#backoffEnd(queued);
    queued.place = queued.errorCount > 0 || isMember ? 'error' : 'backoff';
    if (isMember) this.#members.add(queued);
    queued.sequence = ++this.#sequence;
    (queued.place === 'error' ? this.#errors : this.#backoff).push(entryOf(queued, queued.backoffUntilMs));
  }

  #park(queued: QueuedPod): void {
    if (queued.place === 'unschedulable') return;
    assert(queued.rejectors.length > 0, 'who waits for a change knows who rejected it');
    this.#leave(queued);
    queued.place = 'unschedulable';
    this.#unschedulable.set(queued.info.uid, queued);
  }

  #leave(queued: QueuedPod): void {
    this.#unschedulable.delete(queued.info.uid);
    this.#members.delete(queued);
    queued.place = 'out';
    queued.sequence = 0;
  }

  /** Doubles with each failure in a row; rounded down to the window. */
  #backoffEnd({ errorCount, unschedulableCount, timestampMs }: QueuedPod): number {
    const count = errorCount > 0 ? errorCount : unschedulableCount;
    if (count === 0) return 0;
    const { initialBackoffMs, maxBackoffMs } = this.#options;
    assert(count > 0, 'only a failure backs off');
    const backoffMs = Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.min(count - 1, 30));
    return Math.floor((timestampMs + backoffMs) / backoffWindowMs) * backoffWindowMs;
  }
}

function tried(queued: QueuedPod): QueuedPod {
  queued.place = 'out';
  queued.sequence = 0;
  queued.attempts++;
  queued.rejectors = [];
  queued.backoffUntilMs = 0;
  return queued;
}

function entryOf(queued: QueuedPod, untilMs: number): HeapEntry {
  return { queued, sequence: queued.sequence, untilMs, priority: queued.info.priority, timestampMs: queued.timestampMs };
}

/** The first entry that still holds; stale ones are dropped on the way. */
function peek(heap: Heap<HeapEntry>, place: QueuePlace): HeapEntry | undefined {
  for (;;) {
    const top = heap.peek();
    if (top === undefined || (top.queued.place === place && top.queued.sequence === top.sequence)) return top;
    heap.pop();
  }
}

function take(heap: Heap<HeapEntry>, place: QueuePlace): QueuedPod | undefined {
  const top = peek(heap, place);
  if (top !== undefined) heap.pop();
  return top?.queued;
}
