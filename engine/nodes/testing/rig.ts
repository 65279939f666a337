/** A small API server and a loop for tests of the nodes room: real clients and informers over a map of objects. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { NodePoolSpec } from '../../api/sim/v1alpha1/node-pool.ts';
import { newConflict, newNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ApiPipeline, ApiRequest, ApiResult, WatchHandle, WatchSink } from '../../contracts/request.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { type FaultPoint, FaultPoints } from '../../base/fault-points.ts';
import { Random } from '../../base/random.ts';
import { TaskLoop } from '../../base/task-loop.ts';
import { createLoopbackClient } from '../../client/loopback-client.ts';
import { LoopbackInformers } from '../../client/loopback-informers.ts';
import type { Client } from '../../client/client.ts';
import { pods } from '../../client/resources.ts';
import { createNodes, type Nodes } from '../kubelets.ts';
import { nodePools } from '../nodepool.ts';

export interface RigEvent {
  readonly atMs: number;
  readonly object: string;
  readonly text: string;
}

export class Rig implements ApiPipeline {
  readonly startMs = Date.parse('2026-01-01T00:00:00Z');
  readonly random = new Random(7);
  readonly points = new FaultPoints();
  readonly loop = new TaskLoop(this.startMs, { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
  readonly objects = new Map<string, KubeObject>();
  readonly writes: string[] = [];
  readonly events: RigEvent[] = [];
  readonly logs: string[] = [];
  readonly #sinks: { readonly resource: string; readonly sink: WatchSink }[] = [];
  readonly nodes: Nodes;
  readonly client: Client;
  readonly informers: LoopbackInformers;
  #revision = 0;

  constructor() {
    const { loop, random } = this;
    const clientAs = (name: string): Client =>
      createLoopbackClient({
        pipeline: this,
        loop,
        identity: { name, groups: [] },
        userAgent: 'test/1',
        component: 'kubelets',
        latency: random.stream(`latency/${name}`),
      });
    this.informers = new LoopbackInformers({
      pipeline: this,
      loop,
      identity: { name: 'nodes', groups: [] },
      userAgent: 'test/1',
      component: 'kubelets',
      latency: random.stream('watch'),
      onCrash: (_crash, error) => {
        throw error;
      },
    });
    this.client = clientAs('test');
    const clients = new Map<string, Client>();
    this.nodes = createNodes({
      loop,
      informers: this.informers,
      clientFor: (node) => {
        const client = clients.get(node) ?? clientAs(`system:node:${node}`);
        clients.set(node, client);
        return client;
      },
      poolClient: clientAs('pools'),
      recorderFor: () => ({
        event: (object, _type, reason, message) => {
          this.events.push({ atMs: loop.nowMs(), object: `${object.kind}/${object.metadata.name}`, text: `${reason} ${message}` });
        },
      }),
      random,
      points: this.points,
      onLog: (record) => this.logs.push(record.text),
    });
    loop.register(this.nodes);
  }

  /** Puts a fault at these points of one subject. */
  strike(fault: string, subject: string, ...points: readonly FaultPoint<boolean>[]): void {
    this.points.inject(
      fault,
      points.map((point) => ({ point: point.name, subject, value: true })),
      [],
    );
  }

  async startPool(spec: NodePoolSpec): Promise<void> {
    this.informers.start();
    this.nodes.start();
    this.put('nodepools', { kind: nodePools.kind, apiVersion: 'sim.wavetank.dev/v1alpha1', metadata: { name: 'pool' }, spec } as KubeObject);
    await this.advance(30_000);
  }

  async advance(ms: number): Promise<void> {
    await this.loop.run(this.loop.nowMs() + ms);
  }

  get<T extends KubeObject>(resource: string, namespace: string | undefined, name: string): T | undefined {
    return this.objects.get(keyOf(resource, namespace, name)) as T | undefined;
  }

  pod(name: string): Pod | undefined {
    return this.get<Pod>('pods', 'default', name);
  }

  addPod(name: string, spec: JsonObject, node = 'pool-0'): void {
    const pod = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name, namespace: 'default', generation: 1 },
      spec: { nodeName: node, restartPolicy: 'Always', ...spec },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    };
    this.put(pods.resource, pod as unknown as KubeObject);
  }

  put(resource: string, object: KubeObject): KubeObject {
    const { namespace, name = '' } = object.metadata;
    const key = keyOf(resource, namespace, name);
    const old = this.objects.get(key);
    const revision = ++this.#revision;
    const metadata = {
      ...object.metadata,
      uid: object.metadata.uid ?? `uid-${revision}`,
      resourceVersion: String(revision),
      creationTimestamp: formatTime(this.loop.nowMs()),
    };
    const stored = deepFreeze({ ...object, metadata });
    this.objects.set(key, stored);
    this.#tell(resource, old === undefined ? 'ADDED' : 'MODIFIED', stored, revision);
    return stored;
  }

  remove(resource: string, namespace: string | undefined, name: string): void {
    const key = keyOf(resource, namespace, name);
    const object = this.objects.get(key);
    if (object === undefined) return;
    this.objects.delete(key);
    const revision = ++this.#revision;
    this.#tell(resource, 'DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }, revision);
  }

  deletePod(name: string, graceSeconds = 30): void {
    const pod = this.pod(name) as Pod;
    if (graceSeconds === 0) this.remove('pods', 'default', name);
    else
      this.put('pods', {
        ...pod,
        metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.loop.nowMs()), deletionGracePeriodSeconds: graceSeconds },
      });
  }

  handle(request: ApiRequest): ApiResult {
    const { verb, resource, namespace, name = '', body } = request;
    const key = keyOf(resource, namespace, name);
    if (verb === 'list') {
      const items = [...this.objects].filter(([one]) => one.startsWith(`${resource}/`)).map(([, object]) => object);
      return done({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(this.#revision) }, items });
    }
    if (verb !== 'get')
      this.writes.push(
        `${verb} ${resource}${request.subresource ? `/${request.subresource}` : ''} ${verb === 'create' ? (body as KubeObject).metadata.name : name}`,
      );
    if (verb === 'create') return done(this.put(resource, body as KubeObject));
    const old = this.objects.get(key);
    if (old === undefined) throw newNotFound({ group: '', resource }, name);
    if (verb === 'get') return done(old);
    if (verb === 'delete') {
      this.remove(resource, namespace, name);
      return done(old);
    }
    if (verb === 'patch') return done(this.put(resource, { ...old, ...(body as object) }));
    const next = body as KubeObject & { readonly status?: unknown };
    if (next.metadata.resourceVersion !== old.metadata.resourceVersion)
      throw newConflict({ group: '', resource }, name, 'the object has been modified');
    return done(this.put(resource, request.subresource === 'status' ? ({ ...old, status: next.status } as KubeObject) : next));
  }

  watch(request: ApiRequest, sink: WatchSink): WatchHandle {
    const entry = { resource: request.resource, sink };
    this.#sinks.push(entry);
    return { cancel: () => void this.#sinks.splice(this.#sinks.indexOf(entry), 1) };
  }

  #tell(resource: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject, revision: number): void {
    for (const entry of this.#sinks) if (entry.resource === resource) entry.sink.onEvent({ type, object }, revision);
  }

  /** Takes over another rig's store, as a restored cluster does. */
  copyObjects(other: Rig): void {
    for (const [key, object] of other.objects) this.objects.set(key, object);
    this.#revision = other.#revision;
  }

  eventTexts(object: string): string[] {
    return this.events.filter((event) => event.object === object).map((event) => event.text);
  }
}

function keyOf(resource: string, namespace: string | undefined, name: string): string {
  return `${resource}/${namespace ?? ''}/${name}`;
}

function done(object: ApiResult['object']): ApiResult {
  return { code: 200, object, warnings: [] };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
