/** The last scheduling decisions of each pod. Pods that have not been thought about for longest leave first. */
import type { SchedulingDecision } from '../api/sim/v1alpha1/timeline.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { Subscribers } from './subscribers.ts';

/** A record of the scheduler: plain data with the pod's `namespace/name`. */
export interface DecisionOf {
  readonly pod: string;
}

interface Attempts {
  readonly order: number;
  readonly attempts: readonly JsonValue[];
}

const attemptsMax = 20;
const podsMax = 20_000;

export class SchedulingDecisions {
  /** Pods in the order in which they were last thought about, which `order` counts. */
  readonly #byPod = new Map<string, Attempts>();
  #order = 0;
  /** Hear of each pod whose decisions changed. */
  readonly subscribers = new Subscribers();

  onDecision(record: DecisionOf): void {
    const { pod } = record;
    const attempts = this.#byPod.get(pod)?.attempts ?? [];
    this.#byPod.delete(pod);
    this.#byPod.set(pod, { order: ++this.#order, attempts: attempts.slice(-attemptsMax + 1).concat(record as unknown as JsonObject) });
    this.#tell(pod);
    if (this.#byPod.size <= podsMax) return;
    const [oldest] = this.#byPod.keys();
    if (oldest === undefined) return;
    this.#byPod.delete(oldest);
    this.#tell(oldest);
  }

  #tell(pod: string): void {
    if (this.subscribers.isEmpty) return;
    const slash = pod.indexOf('/');
    this.subscribers.tell(pod.slice(0, slash), pod.slice(slash + 1));
  }

  get(namespace: string, name: string): SchedulingDecision | undefined {
    const found = this.#byPod.get(`${namespace}/${name}`);
    return found === undefined ? undefined : show(namespace, name, found.attempts);
  }

  list(namespace: string | undefined): readonly SchedulingDecision[] {
    const found: SchedulingDecision[] = [];
    for (const pod of [...this.#byPod.keys()].sort()) {
      const slash = pod.indexOf('/');
      const own = pod.slice(0, slash);
      if (namespace === undefined || namespace === '' || namespace === own)
        found.push(show(own, pod.slice(slash + 1), this.#byPod.get(pod)?.attempts ?? []));
    }
    return found;
  }

  save(): JsonValue {
    return Object.fromEntries(this.#byPod) as unknown as JsonValue;
  }

  restore(saved: JsonValue): void {
    this.#byPod.clear();
    const pods = Object.entries(saved as unknown as Readonly<Record<string, Attempts>>).sort(([, a], [, b]) => a.order - b.order);
    for (const [pod, attempts] of pods) this.#byPod.set(pod, attempts);
    this.#order = pods.at(-1)?.[1].order ?? 0;
  }
}

function show(namespace: string, name: string, attempts: readonly JsonValue[]): SchedulingDecision {
  return { kind: 'SchedulingDecision', apiVersion: 'sim.wavetank.dev/v1alpha1', metadata: { name, namespace }, attempts };
}
