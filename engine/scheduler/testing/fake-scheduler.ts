/**
 * A scheduler over a store in memory, on a task loop of its own: writes take effect at once and informers hear of them before the
 * call returns. For tests of the scheduler only; the contract tests use the real API server.
 */
import { Random } from '../../base/random.ts';
import { TaskLoop } from '../../base/task-loop.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { newNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { InformerCache } from '../../client/informer-cache.ts';
import { keyOf, type Informer, type InformerEvent, type InformerFactory, type Tally } from '../../client/informer.ts';
import { nodes, pods } from '../../client/resources.ts';
import type { DecisionRecord } from '../decision.ts';
import type { SchedulerOptions } from '../options.ts';
import { createScheduler, type Scheduler } from '../scheduler.ts';

class FakeInformer implements Informer<KubeObject> {
  readonly type: ResourceType;
  readonly synced = true;
  readonly cache = new InformerCache<KubeObject>();
  readonly #handlers: ((event: InformerEvent<KubeObject>) => void)[] = [];

  constructor(type: ResourceType) {
    this.type = type;
  }
  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.cache.get(namespace ? `${namespace}/${name}` : name);
  }
  list(namespace?: string): readonly KubeObject[] {
    return this.cache.list(namespace);
  }
  byIndex(index: string, value: string): readonly KubeObject[] {
    return this.cache.byIndex(index, value);
  }
  addIndex(index: string, values: (object: KubeObject) => readonly string[]): void {
    this.cache.addIndex(index, values);
  }
  addTally(tally: Tally<KubeObject>): void {
    this.cache.addTally(tally);
  }
  addHandler(handler: (event: InformerEvent<KubeObject>) => void): void {
    this.#handlers.push(handler);
  }
  put(object: KubeObject): void {
    const old = this.cache.put(keyOf(object), object);
    const event: InformerEvent<KubeObject> = old === undefined ? { type: 'add', object, causes: [] } : { type: 'update', object, old, causes: [] };
    for (const handler of this.#handlers) handler(event);
  }
  remove(namespace: string | undefined, name: string): void {
    const object = this.cache.delete(namespace ? `${namespace}/${name}` : name);
    if (object !== undefined) for (const handler of this.#handlers) handler({ type: 'delete', object, causes: [] });
  }
}

export class FakeScheduler {
  readonly loop: TaskLoop;
  readonly scheduler: Scheduler;
  readonly decisions: DecisionRecord[] = [];
  readonly events: string[] = [];
  readonly patches: JsonObject[] = [];
  /** Called before each binding; throw to refuse. */
  refuseBinding: ((pod: string) => void) | undefined;
  readonly #informers = new Map<string, FakeInformer>();
  readonly #random = new Random(7);
  #uids = 0;

  constructor(options: Partial<SchedulerOptions> = {}) {
    const host = { hop: settle, wallMs: () => 0 };
    this.loop = new TaskLoop(Date.parse('2026-01-01T00:00:00Z'), host);
    this.scheduler = createScheduler({
      loop: this.loop,
      client: this.#client(),
      informers: { informer: (type: ResourceType) => this.informer(type) } as unknown as InformerFactory,
      recorder: { event: (object, type, reason, message) => void this.events.push(`${object.metadata.name ?? ''} ${type} ${reason} ${message}`) },
      random: this.#random.stream('scheduler'),
      options,
      onDecision: (record) => void this.decisions.push(record),
    });
    this.loop.register(this.scheduler);
    this.scheduler.start();
  }

  informer(type: ResourceType): FakeInformer {
    let informer = this.#informers.get(type.resource);
    if (informer === undefined) this.#informers.set(type.resource, (informer = new FakeInformer(type)));
    return informer;
  }

  put(type: ResourceType, object: JsonObject): void {
    const metadata = object['metadata'] as JsonObject;
    const uid = metadata['uid'] ?? `uid-${++this.#uids}`;
    this.informer(type).put({
      kind: type.kind,
      apiVersion: type.group === '' ? 'v1' : `${type.group}/v1`,
      ...object,
      metadata: { ...metadata, uid },
    } as unknown as KubeObject);
  }

  node(
    name: string,
    extra: { readonly labels?: JsonObject; readonly spec?: JsonObject; readonly allocatable?: JsonObject; readonly images?: JsonValue } = {},
  ): void {
    const allocatable = { cpu: '4', memory: '16Gi', pods: '110', ...extra.allocatable };
    this.put(nodes, {
      metadata: { name, uid: `node-${name}`, labels: { 'kubernetes.io/hostname': name, ...extra.labels } },
      spec: extra.spec ?? {},
      status: { allocatable, ...(extra.images === undefined ? {} : { images: extra.images }) },
    });
  }

  pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): void {
    const { requests = { cpu: '100m', memory: '128Mi' }, ...rest } = spec as { readonly requests?: JsonObject };
    const containers = [{ name: 'c', image: 'nginx', resources: { requests } }];
    this.put(pods, {
      metadata: { name, namespace: 'default', generation: 1, ...metadata },
      spec: { containers, schedulerName: 'default-scheduler', ...rest },
      status: { phase: 'Pending' },
    });
  }

  get(name: string): Pod | undefined {
    return this.informer(pods).get('default', name) as Pod | undefined;
  }

  nodeOf(name: string): string | undefined {
    return this.get(name)?.spec?.nodeName;
  }

  getNode(name: string): Node {
    return this.informer(nodes).get(undefined, name) as Node;
  }

  async advance(ms: number): Promise<void> {
    await this.loop.run(this.loop.nowMs() + ms);
  }

  saveRandom(): Record<string, readonly number[]> {
    return this.#random.save();
  }

  restoreRandom(saved: Record<string, readonly number[]>): void {
    this.#random.restore(saved);
  }

  #existing(namespace: string, name: string): Pod {
    const pod = this.informer(pods).get(namespace, name);
    if (pod === undefined) throw newNotFound(pods, name);
    return pod as Pod;
  }

  #client(): Client {
    const client = {
      because: () => client as unknown as Client,
      post: (_type: ResourceType, namespace: string, name: string, _subresource: string, body: KubeObject) =>
        this.loop.after(1, 'kube-scheduler', () => {
          this.refuseBinding?.(name);
          const pod = this.#existing(namespace, name);
          const target = (body as unknown as { readonly target: { readonly name: string } }).target.name;
          this.informer(pods).put({ ...pod, spec: { ...pod.spec, nodeName: target } } as KubeObject);
          return body;
        }),
      patch: (_type: ResourceType, namespace: string, name: string, _patchType: string, patch: JsonObject) =>
        this.loop.after(1, 'kube-scheduler', () => {
          this.patches.push(patch);
          const pod = this.#existing(namespace, name);
          const status = { ...pod.status, ...(patch['status'] as JsonObject) };
          this.informer(pods).put({ ...pod, status } as KubeObject);
          return pod;
        }),
      delete: (_type: ResourceType, namespace: string, name: string) =>
        this.loop.after(1, 'kube-scheduler', () => this.informer(pods).remove(namespace, name)),
    };
    return client as unknown as Client;
  }
}

/** Enough microtasks for every coroutine to reach its next engine promise. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}
