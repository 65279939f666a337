/** A scheduler over the bench: nodes and pods as a test writes them, what was bound, told and decided as it reads them. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { LoopbackInformers } from '../../client/loopback-informers.ts';
import { nodes, pods } from '../../client/resources.ts';
import { Bench } from '../../../test/support/bench.ts';
import type { DecisionRecord } from '../decision.ts';
import type { SchedulerOptions } from '../options.ts';
import type { SchedulerEnvironment } from '../parts.ts';
import { createScheduler, type Scheduler } from '../scheduler.ts';

export interface NodeDraft {
  readonly labels?: JsonObject;
  readonly spec?: JsonObject;
  readonly allocatable?: JsonObject;
  readonly images?: JsonValue;
}

const component = 'kube-scheduler';

export class SchedulerBench extends Bench {
  readonly scheduler: Scheduler;
  readonly decisions: DecisionRecord[] = [];
  /** What was said of pods that are bound, as `POD: POINT PLUGIN VERDICT, …`. */
  readonly bound: string[] = [];
  readonly #informers: LoopbackInformers;
  #started = false;

  constructor(options: Partial<SchedulerOptions> = {}, more: Pick<SchedulerEnvironment, 'ask' | 'plugins'> = {}) {
    super();
    const recorder = this.recorder();
    this.#informers = this.informers(component);
    this.scheduler = createScheduler({
      loop: this.loop,
      client: this.client(component),
      informers: this.#informers,
      recorderOf: () => recorder,
      random: this.random.stream('scheduler'),
      options,
      onDecision: (record) => void this.decisions.push(record),
      onBound: (pod, _attempt, placed) =>
        void this.bound.push(`${pod}: ${placed.map(({ point, plugin, verdict }) => `${point} ${plugin} ${verdict}`).join(', ')}`),
      ...more,
    });
    this.loop.register(this.scheduler);
  }

  node(name: string, { labels, spec = {}, allocatable, images }: NodeDraft = {}): void {
    this.putAs(nodes, name, undefined, {
      metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
      spec,
      status: { allocatable: { cpu: '4', memory: '16Gi', pods: '110', ...allocatable }, ...(images === undefined ? {} : { images }) },
    });
  }

  /** One that no kubelet has to let go: it is removed as soon as somebody deletes it. */
  pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): void {
    const { requests = { cpu: '100m', memory: '128Mi' }, ...rest } = spec as { readonly requests?: JsonObject };
    const containers = [{ name: 'c', image: 'nginx', resources: { requests } }];
    this.putAs(pods, name, 'default', {
      metadata: { name, namespace: 'default', ...metadata },
      spec: { containers, schedulerName: 'default-scheduler', terminationGracePeriodSeconds: 0, ...rest },
      status: { phase: 'Pending' },
    });
  }

  nodeOf(name: string): string | undefined {
    return this.get<Pod>(pods, 'default', name)?.spec?.nodeName;
  }

  /** Starts the scheduler with what is there by then. */
  override async advance(ms: number): Promise<void> {
    if (!this.#started) {
      this.#started = true;
      this.#informers.start();
      this.scheduler.start();
    }
    await super.advance(ms);
  }

  override takeOver(other: SchedulerBench): void {
    this.#started = true;
    super.takeOver(other);
    this.#informers.restore();
    this.scheduler.slots.restore(JSON.parse(JSON.stringify(other.scheduler.slots.save())), 'saved');
  }
}
