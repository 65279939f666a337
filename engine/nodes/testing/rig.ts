/** Pools, kubelets and containers over the bench, with fault points that a test strikes. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { NodePoolSpec } from '../../api/sim/v1alpha1/node-pool.ts';
import { type FaultPoint, FaultPoints } from '../../base/fault-points.ts';
import { podQosClass } from '../../component-helpers/pod-qos.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RandomStream } from '../../base/random.ts';
import type { Client } from '../../client/client.ts';
import type { LoopbackInformers } from '../../client/loopback-informers.ts';
import { pods } from '../../client/resources.ts';
import { Bench } from '../../../test/support/bench.ts';
import type { NodesOptions } from '../context.ts';
import { createNodes, type Nodes } from '../kubelets.ts';
import { nodePools } from '../nodepool.ts';

const component = 'kubelets';

export class Rig extends Bench {
  readonly points = new FaultPoints();
  readonly logs: string[] = [];
  readonly nodes: Nodes;
  readonly #informers: LoopbackInformers;

  constructor(options: NodesOptions = {}) {
    super();
    this.#informers = this.informers(component);
    const clients = new Map<string, Client>();
    this.nodes = createNodes({
      loop: this.loop,
      informers: this.#informers,
      clientFor: (node) => {
        const client = clients.get(node) ?? this.client(`system:node:${node}`);
        clients.set(node, client);
        return client;
      },
      poolClient: this.client('pools'),
      recorderFor: () => this.recorder(),
      random: this.random,
      points: this.points,
      options,
      onLog: (record) => this.logs.push(record.text),
    });
    this.loop.register(this.nodes);
  }

  /** As in a cluster: changes that come while a kubelet waits for an answer go with its next write. */
  protected override latency(name: string): RandomStream {
    return this.random.stream(`latency/${name}`);
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
    this.#informers.start();
    this.nodes.start();
    this.add(nodePools, { metadata: { name: 'pool' }, spec });
    await this.advance(30_000);
  }

  pod(name: string): Pod | undefined {
    return this.get(pods, 'default', name);
  }

  addPod(name: string, spec: JsonObject, node = 'pool-0'): void {
    const given = { nodeName: node, restartPolicy: 'Always', ...spec };
    this.add(pods, {
      metadata: { name, namespace: 'default' },
      spec: given,
      status: { phase: 'Pending', qosClass: podQosClass({ spec: given } as unknown as Pod) },
    });
  }

  deletePod(name: string, graceSeconds = 30): void {
    this.delete(pods, 'default', name, { gracePeriodSeconds: graceSeconds });
  }

  override takeOver(other: Rig): void {
    super.takeOver(other);
    this.#informers.restore();
    this.nodes.slots.restore(JSON.parse(JSON.stringify(other.nodes.slots.save())), 'saved');
  }
}
