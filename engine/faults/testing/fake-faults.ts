/** A loop, a map of Fault objects and recorded fault points, for tests of this room. */
import type { Node } from '../../api/core/v1/types.gen.ts';
import type { Fault, FaultSpec } from '../../api/sim/v1alpha1/fault.ts';
import type { NodeFaultPoints } from '../../contracts/connect.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';
import { TaskLoop } from '../../base/task-loop.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import type { Informer, InformerEvent, InformerFactory } from '../../client/informer.ts';
import { createFaults } from '../controller.ts';

const zoneLabel = 'topology.kubernetes.io/zone';

class FakeInformer<T extends KubeObject> {
  readonly objects = new Map<string, T>();
  readonly handlers: ((event: InformerEvent<T>) => void)[] = [];
  readonly synced = true;

  addHandler(handler: (event: InformerEvent<T>) => void): void {
    this.handlers.push(handler);
  }

  get(_namespace: string | undefined, name: string): T | undefined {
    return this.objects.get(name);
  }

  put(object: T): void {
    const name = object.metadata.name ?? '';
    const old = this.objects.get(name);
    this.objects.set(name, object);
    const event: InformerEvent<T> = old === undefined ? { type: 'add', object, causes: [] } : { type: 'update', object, old, causes: [] };
    for (const handler of this.handlers) handler(event);
  }

  remove(name: string): void {
    const object = this.objects.get(name) as T;
    this.objects.delete(name);
    for (const handler of this.handlers) handler({ type: 'delete', object, causes: [] });
  }
}

export class FakeFaults {
  readonly loop = new TaskLoop(Date.parse('2026-01-01T00:00:00Z'), { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => 0 });
  readonly faults = new FakeInformer<Fault>();
  readonly nodes = new FakeInformer<Node>();
  readonly calls: string[] = [];
  #uids = 0;

  constructor() {
    for (const [name, zone] of [
      ['n1', 'a'],
      ['n2', 'a'],
      ['n3', 'b'],
    ] as const)
      this.nodes.put({ kind: 'Node', apiVersion: 'v1', metadata: { name, labels: { [zoneLabel]: zone } } });
    const points: NodeFaultPoints = {
      nodeNames: () => ['n1', 'n2', 'n3'],
      setNodePower: (node, on) => this.calls.push(`power ${node} ${on}`),
      setNodeNetwork: (node, connected) => this.calls.push(`network ${node} ${connected}`),
      setImageRegistry: (host, reachable) => this.calls.push(`registry ${host} ${reachable}`),
    };
    const informers: InformerFactory = {
      informer: <T extends KubeObject>(type: ResourceType<T>) => (type.resource === 'nodes' ? this.nodes : this.faults) as unknown as Informer<T>,
    };
    const client = {
      because: () => client,
      patch: (_type: unknown, _namespace: unknown, name: string, _how: unknown, patch: JsonObject) => this.#patch(name, patch),
    } as unknown as Client;
    this.loop.register(createFaults({ loop: this.loop, client, informers, points }));
  }

  async create(name: string, spec: FaultSpec): Promise<void> {
    this.faults.put({ kind: 'Fault', apiVersion: 'sim.wavetank.dev/v1alpha1', metadata: { name, uid: `uid-${++this.#uids}` }, spec });
    await this.advance(10);
  }

  /** As the API server does: what has a finalizer waits. */
  async delete(name: string): Promise<void> {
    const fault = this.get(name);
    if ((fault.metadata.finalizers ?? []).length === 0) this.faults.remove(name);
    else this.faults.put({ ...fault, metadata: { ...fault.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await this.advance(10);
  }

  get(name: string): Fault {
    return this.faults.get(undefined, name) as Fault;
  }

  async advance(ms: number): Promise<void> {
    await this.loop.run(this.loop.nowMs() + ms);
  }

  #patch(name: string, patch: JsonObject): Promise<Fault> {
    return this.loop.after(1, 'faults', () => {
      const old = this.get(name);
      const metadata = { ...old.metadata, ...(patch['metadata'] as JsonObject | undefined) };
      const next = { ...old, metadata, ...(patch['status'] === undefined ? {} : { status: patch['status'] }) } as Fault;
      if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0) this.faults.remove(name);
      else this.faults.put(next);
      return next;
    });
  }
}
