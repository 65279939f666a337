/** The history of one cluster as one component: timeline rows, scheduling decisions, the digest, and how the API serves them. */
import type { JsonObject, JsonValue, KubeObject } from '../apimachinery/object.ts';
import type { VirtualResource } from '../apiserver/virtual.ts';
import type { Clock, Component } from '../base/task-loop.ts';
import type { Change, Store } from '../store/store.ts';
import { type DecisionOf, SchedulingDecisions } from './decisions.ts';
import { HistoryDigest, type LogLine } from './digest.ts';
import { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';
import { createHistoryResources } from './virtual-kinds.ts';

export interface HistoryOptions {
  readonly loop: Clock;
  readonly startMs: number;
  hash(text: string): string;
  /** Key material, as it stands inside JSON text. */
  readonly placeholders?: readonly string[];
}

/** The resources there are; `generation` rises when custom ones come and go. */
interface ResourceNames {
  readonly generation: number;
  list(): readonly { readonly kind: { readonly group: string; readonly kind: string; readonly plural: string } }[];
}

/** What history needs to be served: the cluster's store and registry. */
export interface HistorySource {
  readonly store: Pick<Store<KubeObject>, 'changeAt'>;
  readonly registry: { readonly table: ResourceNames };
}

export class History implements Component {
  readonly name = 'history';
  readonly recorder: HistoryRecorder;
  readonly decisions = new SchedulingDecisions();
  readonly #digest: HistoryDigest;
  readonly #loop: Clock;
  readonly #plurals = new Map<string, string>();
  #resources: ResourceNames | undefined;
  #generation = -1;

  constructor(options: HistoryOptions) {
    this.#loop = options.loop;
    this.recorder = createHistoryRecorder({ startMs: options.startMs, resourceOf: (group, kind) => this.#resourceOf(group, kind) });
    this.#digest = new HistoryDigest({ hash: (text) => options.hash(text), ...(options.placeholders === undefined ? {} : { placeholders: options.placeholders }) });
  }

  get digest(): string {
    return this.#digest.value;
  }

  onChange(change: Change<KubeObject>): void {
    this.#digest.onChange(change);
    this.recorder.onChange(change);
  }

  onDecision(record: DecisionOf): void {
    this.#digest.onDecision(record);
    this.decisions.onDecision(record);
  }

  onLog(line: LogLine): void {
    this.#digest.onLog(line);
  }

  /** The computed resources; called once, before the first change. */
  resources({ store, registry }: HistorySource): readonly VirtualResource[] {
    this.#resources = registry.table;
    return createHistoryResources({ recorder: this.recorder, decisions: this.decisions, store, nowMs: () => this.#loop.nowMs() });
  }

  onTimer(name: string): void {
    this.recorder.onTimer(name);
  }

  save(): JsonValue {
    return { recorder: this.recorder.save(), decisions: this.decisions.save(), digest: this.#digest.save() };
  }

  restore(saved: JsonValue): void {
    const { recorder, decisions, digest } = saved as JsonObject;
    this.recorder.restore(recorder ?? null);
    this.decisions.restore(decisions ?? null);
    this.#digest.restore(digest as string);
  }

  /** Custom kinds come and go; their names are remembered. */
  #resourceOf(group: string, kind: string): string | undefined {
    const table = this.#resources;
    if (table !== undefined && table.generation !== this.#generation) {
      this.#generation = table.generation;
      for (const { kind: one } of table.list()) this.#plurals.set(`${one.group}/${one.kind}`, one.plural);
    }
    return this.#plurals.get(`${group}/${kind}`);
  }
}
