/** A large history that nobody lived: pods are put into the store and changed there, without running anything. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { Cluster } from '../../engine/cluster/cluster.ts';
import { markCount } from '../../engine/history/marks.ts';

export interface GeneratedOptions {
  readonly pods: number;
  /** So much virtual time lies between two writes. */
  readonly stepMs: number;
  /** Nodes, Deployments and ReplicaSets of the pods are there too. */
  readonly hasOwners?: boolean;
}

interface Shared {
  readonly metadata: object;
  readonly spec: object;
}

const namespaces = 40;
const apps = 300;
const nodes = 5_000;

export class GeneratedHistory {
  readonly startMs: number;
  writes = 0;
  readonly #cluster: Cluster;
  readonly #options: GeneratedOptions;
  readonly #shared: readonly Shared[];
  #round = 0;

  constructor(cluster: Cluster, options: GeneratedOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.startMs = cluster.loop.nowMs();
    this.#shared = Array.from({ length: options.pods }, (_, index) => sharedOf(index));
    if (options.hasOwners === true) this.#writeOwners();
    for (let index = 0; index < options.pods; index++) cluster.store.create(keyOf(index), this.#pod(index, 0), this.#meta());
  }

  get nowMs(): number {
    return this.startMs + this.writes * this.#options.stepMs;
  }

  /** Until history has so many marks. */
  fill(marks: number): void {
    while (this.countMarks() < marks) {
      this.#round++;
      for (let index = 0; index < this.#options.pods; index++) this.#update(index, this.#round, this.#meta());
    }
  }

  /** Of the present, a pod each; each turn is another state. */
  write(count: number): void {
    const { pods } = this.#options;
    const virtualMs = this.#cluster.loop.nowMs();
    for (let done = 0; done < count; done++) {
      const turn = this.writes++;
      this.#update(turn % pods, this.#round + 1 + Math.floor(turn / pods), { virtualMs, identity: 'bench', causes: [] });
    }
  }

  /** The newest come and go. */
  removeFirst(count: number): void {
    for (let index = 0; index < count; index++) this.#cluster.store.remove(keyOf(index), undefined, this.#meta());
  }

  countMarks(): number {
    let count = 0;
    for (const row of this.#cluster.history.rows()) count += markCount(row.marks);
    return count;
  }

  #update(index: number, round: number, meta: { virtualMs: number; identity: string; causes: string[] }): void {
    this.#cluster.store.update(keyOf(index), undefined, this.#pod(index, round), meta);
  }

  #meta(): { virtualMs: number; identity: string; causes: string[] } {
    const { store } = this.#cluster;
    return {
      virtualMs: this.startMs + this.writes++ * this.#options.stepMs,
      identity: `system:node:pool-${this.writes % nodes}`,
      causes: [`rev:${Math.max(2, store.currentRevision() - 3)}`],
    };
  }

  /** Each round changes phase, address, readiness and restarts: two marks a write or three. */
  #pod(index: number, round: number): KubeObject {
    const isReady = round % 2 === 1;
    const status = {
      phase: round === 0 ? 'Pending' : 'Running',
      podIP: `10.${index % 250}.${round}.1`,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', reason: isReady ? undefined : 'ContainersNotReady' }],
      containerStatuses: [{ name: 'c', restartCount: Math.floor(round / 2) }],
    };
    return { apiVersion: 'v1', kind: 'Pod', ...this.#shared[index], status } as unknown as KubeObject;
  }

  #writeOwners(): void {
    const { store } = this.#cluster;
    for (let index = 0; index < nodes; index++) {
      const labels = { 'topology.kubernetes.io/zone': `zone-${index % 3}` };
      const status = { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '16', pods: '110', memory: '64Gi' } };
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: `pool-${index}`, uid: `n${index}`, labels }, spec: {}, status };
      store.create(`/registry/minions/pool-${index}`, node as KubeObject, this.#meta());
    }
    const replicas = this.#options.pods / apps / namespaces;
    for (let index = 0; index < Math.min(apps * namespaces, this.#options.pods); index++) {
      const [namespace, app] = placeOf(index);
      const metadata = { name: app, namespace };
      const status = { replicas, readyReplicas: replicas, availableReplicas: replicas };
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { ...metadata, uid: `d${namespace}${app}` },
        spec: { replicas },
        status,
      };
      const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: app, uid: `d${namespace}${app}`, controller: true }];
      const set = { ...deployment, kind: 'ReplicaSet', metadata: { ...metadata, uid: `r${namespace}${app}`, ownerReferences } };
      if (store.get(`/registry/deployments/${namespace}/${app}`) !== undefined) continue;
      store.create(`/registry/deployments/${namespace}/${app}`, deployment as unknown as KubeObject, this.#meta());
      store.create(`/registry/replicasets/${namespace}/${app}`, set as unknown as KubeObject, this.#meta());
    }
  }
}

function placeOf(index: number): readonly [namespace: string, app: string] {
  return [`team-${index % namespaces}`, `web-${index % apps}`];
}

function keyOf(index: number): string {
  return `/registry/pods/${placeOf(index)[0]}/web-${index}`;
}

function sharedOf(index: number): Shared {
  const [namespace, app] = placeOf(index);
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app, uid: `r${namespace}${app}`, controller: true };
  return {
    metadata: { name: `web-${index}`, namespace, uid: `p${index}`, labels: { app }, ownerReferences: [owner] },
    spec: { nodeName: `pool-${index % nodes}`, containers: [{ name: 'c', image: 'nginx' }] },
  };
}
