/**
 * The last scheduling decisions of each pod. Pods that have not been thought about for longest leave first; long before, their tables of
 * scores shrink to the best nodes.
 */
import type { SchedulingDecision } from '../api/sim/v1alpha1/timeline.ts';
import { assert } from '../base/assert.ts';
import { data, fixedList, number, shape, text } from '../base/codecs.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { fieldAt, fieldCount, roomFor } from '../base/plain.ts';
import { SharedValues } from '../base/shared-values.ts';
import { Slots } from '../base/slots.ts';
import { Subscribers } from './subscribers.ts';

/** A record of the scheduler: plain data with the pod's `namespace/name`. */
export interface DecisionOf {
  readonly pod: string;
}

interface Attempts {
  readonly order: number;
  readonly attempts: readonly JsonValue[];
}

/** What a plugin said at one point. */
type Placed = { readonly point: string; readonly plugin: string; readonly verdict: string };

/** Thousands of pods hear the same from plugins on the way to their nodes: it is kept once, under a number. */
const placedCodec = fixedList(shape<Placed>({ point: text, plugin: text, verdict: text }));
const attemptsCodec = shape<Attempts>({ order: number, attempts: fixedList(data<JsonValue>()) });

interface LastPlaced {
  readonly list: readonly Placed[] | undefined;
  readonly number: JsonValue;
}

const nothingPlaced: LastPlaced = { list: undefined, number: 0 };

/** Row by row what each plugin gave a node. */
interface Scores {
  readonly plugins: readonly string[];
  readonly weights?: readonly number[];
  readonly nodes: readonly string[];
  readonly values: readonly (readonly number[])[];
  readonly raw?: readonly (readonly number[])[];
}

/** Of an attempt, what it says of a pod without a node. */
interface Refusal {
  readonly uid: string;
  readonly virtualMs: number;
  readonly result: string;
  readonly message?: string;
}

const attemptsMax = 20;
const podsMax = 20_000;
/** Pods whose tables are kept whole, and how many nodes stay in those of others. */
const wholeMax = 1_000;
const bestNodes = 5;
const sharedMax = 1_000;
/** Lists beyond so many different ones stand with their pods. */
const placedMax = 1_000;

export class SchedulingDecisions {
  readonly slots = new Slots();
  /** Pods in the order in which they were last thought about, which `order` counts. */
  readonly #byPod = this.slots.members('pods', attemptsCodec, (a, b) => a.order - b.order);
  readonly #placed = this.slots.members('placed', placedCodec);
  /** Numbers of those lists by their texts. */
  readonly #placedNumbers = new Map<string, number>();
  /** Pods that come one after the other mostly have the very same list. */
  #lastPlaced: LastPlaced = nothingPlaced;
  #order = 0;
  /** Pods by when they were last thought about, as far as their tables are whole. */
  readonly #whole = new Map<number, string>();
  readonly #plugins = new SharedValues<readonly string[]>(sharedMax);
  readonly #rows = new SharedValues<readonly number[]>(sharedMax);
  /** Hear of each pod whose decisions changed. */
  readonly subscribers = new Subscribers();

  constructor() {
    this.slots.field(
      'order',
      number,
      () => this.#order,
      (order) => {
        this.#order = order;
      },
    );
    this.slots.onRestored(() => {
      this.#whole.clear();
      this.#placedNumbers.clear();
      this.#lastPlaced = nothingPlaced;
      for (const [key, list] of this.#placed) this.#placedNumbers.set(JSON.stringify(list), Number(key));
      for (const [pod, { order }] of this.#byPod) if (order > this.#order - wholeMax) this.#whole.set(order, pod);
    });
  }

  onDecision(record: DecisionOf): void {
    const { pod } = record;
    const { attempts = [], order = 0 } = this.#byPod.get(pod) ?? {};
    this.#byPod.delete(pod);
    this.#whole.delete(order);
    this.#whole.set(++this.#order, pod);
    this.#shrinkOldest();
    this.#byPod.set(pod, { order: this.#order, attempts: attempts.slice(-attemptsMax + 1).concat(record as unknown as JsonObject) });
    this.#tell(pod);
    if (this.#byPod.size <= podsMax) return;
    const [oldest] = this.#byPod.keys();
    if (oldest === undefined) return;
    this.#byPod.delete(oldest);
    this.#tell(oldest);
  }

  /** What plugins said on the way from a node to the binding, a list that many pods share, of the attempt that chose the node. */
  onBound(pod: string, attempt: number, placed: readonly Placed[]): void {
    const known = this.#byPod.get(pod);
    const last = known?.attempts.at(-1) as JsonObject | undefined;
    if (known === undefined || last?.['attempt'] !== attempt || last['result'] !== 'scheduled') return;
    const told = roomFor(fieldCount(last) + 1);
    for (const name in last) told[name] = fieldAt(last, name);
    told['placed'] = this.#numberOf(placed);
    this.#byPod.set(pod, { order: known.order, attempts: known.attempts.toSpliced(-1, 1, told as JsonObject) });
    this.#tell(pod);
  }

  #numberOf(placed: readonly Placed[]): JsonValue {
    if (placed === this.#lastPlaced.list) return this.#lastPlaced.number;
    const number = this.#numberAnew(placed);
    this.#lastPlaced = { list: placed, number };
    return number;
  }

  #numberAnew(placed: readonly Placed[]): JsonValue {
    const said = JSON.stringify(placed);
    const known = this.#placedNumbers.get(said);
    if (known !== undefined) return known;
    const next = this.#placed.size;
    if (next >= placedMax) return placed;
    this.#placed.set(String(next), placed);
    this.#placedNumbers.set(said, next);
    return next;
  }

  #shrinkOldest(): void {
    const order = this.#order - wholeMax;
    const pod = this.#whole.get(order);
    if (pod === undefined) return;
    this.#whole.delete(order);
    const known = this.#byPod.get(pod);
    assert(known === undefined || known.order === order, `${pod} is whole in its place`);
    if (known !== undefined) this.#byPod.set(pod, { order, attempts: known.attempts.map((attempt) => this.#shrunk(attempt)) });
  }

  /** With the best nodes only. Pods that were placed one after the other found nodes alike. */
  #shrunk(attempt: JsonValue): JsonValue {
    const { scores } = attempt as { readonly scores?: Scores };
    if (scores === undefined || scores.nodes.length <= bestNodes) return attempt;
    const best = {
      plugins: this.#plugins.under(scores.plugins.join(), () => scores.plugins),
      ...(scores.weights === undefined ? {} : { weights: this.#weightsOf(scores.weights) }),
      nodes: scores.nodes.slice(0, bestNodes),
      values: this.#rowsOf(scores.values),
      ...(scores.raw === undefined ? {} : { raw: this.#rowsOf(scores.raw) }),
    };
    const kept = roomFor(fieldCount(attempt as JsonObject));
    for (const name in attempt as JsonObject) kept[name] = name === 'scores' ? best : fieldAt(attempt as JsonObject, name);
    return kept as JsonObject;
  }

  #rowsOf(rows: Scores['values']): Scores['values'] {
    let last: readonly number[] | undefined;
    let shared: readonly number[] = [];
    return rows.slice(0, bestNodes).map((row) => {
      // Nodes alike have one row.
      if (row !== last) shared = this.#rows.under(row.join(), () => row);
      last = row;
      return shared;
    });
  }

  #weightsOf(weights: readonly number[]): readonly number[] {
    return this.#rows.under(`weights ${weights.join()}`, () => weights);
  }

  #tell(pod: string): void {
    if (this.subscribers.isEmpty) return;
    const slash = pod.indexOf('/');
    this.subscribers.tell(pod.slice(0, slash), pod.slice(slash + 1));
  }

  get(namespace: string, name: string): SchedulingDecision | undefined {
    const found = this.#byPod.get(`${namespace}/${name}`);
    return found === undefined ? undefined : this.#show(namespace, name, found.attempts);
  }

  /** Why no node took a pod, as its last attempt up to an instant says; '' where none is on record, or it found one. */
  refusalAt(namespace: string, name: string, uid: string, ms: number): string {
    const attempts = (this.#byPod.get(`${namespace}/${name}`)?.attempts ?? []) as unknown as readonly Refusal[];
    const last = attempts.findLast((attempt) => attempt.uid === uid && attempt.virtualMs <= ms);
    return last?.result === 'unschedulable' ? (last.message ?? '') : '';
  }

  list(namespace: string | undefined): readonly SchedulingDecision[] {
    const found: SchedulingDecision[] = [];
    for (const pod of [...this.#byPod.keys()].sort()) {
      const slash = pod.indexOf('/');
      const own = pod.slice(0, slash);
      if (namespace === undefined || namespace === '' || namespace === own)
        found.push(this.#show(own, pod.slice(slash + 1), this.#byPod.get(pod)?.attempts ?? []));
    }
    return found;
  }

  #show(namespace: string, name: string, attempts: readonly JsonValue[]): SchedulingDecision {
    return {
      kind: 'SchedulingDecision',
      apiVersion: 'sim.wavetank.dev/v1alpha1',
      metadata: { name, namespace },
      attempts: attempts.map((attempt) => this.#told(attempt)),
    };
  }

  #told(attempt: JsonValue): JsonValue {
    const { placed } = attempt as { readonly placed?: JsonValue };
    return typeof placed === 'number' ? { ...(attempt as JsonObject), placed: this.#placed.get(String(placed)) ?? [] } : attempt;
  }
}
