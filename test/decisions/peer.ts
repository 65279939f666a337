/**
 * The real scheduler beside the real API server, asked about one pod after the other. Its log (-v=10) tells the scores. A pod that found
 * no place goes again at once, so that nothing is tried twice.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { ResourceClaim } from '../../engine/api/resource/v1/types.gen.ts';
import type { PersistentVolume, Pod } from '../../engine/api/core/v1/types.gen.ts';
import { readPeerKubeconfig, trustOf } from '../support/peer-kubeconfig.ts';
import { type Drawn, type DrawnCluster, type DrawnPod, namespaces, priorityClasses, startOfPlaced, startOfPod } from './draw.ts';
import type { ClusterFacts, DecisionFact } from './facts.ts';

const plurals: Readonly<Record<string, string>> = {
  CSINode: 'csinodes',
  StorageClass: 'storageclasses',
  DeviceClass: 'deviceclasses',
  PriorityClass: 'priorityclasses',
};
const clusterWide = ['Node', 'PersistentVolume', 'StorageClass', 'CSINode', 'DeviceClass', 'ResourceSlice', 'PriorityClass', 'Namespace'];
const settleMs = 100;
const patienceMs = 15_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class PeerScheduler {
  readonly #server: string;
  readonly #token: string;
  readonly #agent: Agent;
  readonly #log: string;
  #logAt = 0;
  readonly #pods = new Map<string, Pod>();
  /** Pods as they were when they first found no place. */
  readonly #failed = new Map<string, Pod>();
  #wake: () => void = () => {};

  constructor(kubeconfig: string, log: string) {
    const reached = readPeerKubeconfig(kubeconfig);
    this.#server = reached.server;
    this.#token = reached.token;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 16, ...trustOf(reached) });
    this.#log = log;
  }

  async start(): Promise<void> {
    for (const name of namespaces)
      await this.#ask(
        'POST',
        '/api/v1/namespaces',
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: name === 'red' ? { team: 'x' } : {} } },
        undefined,
        true,
      );
    for (const one of priorityClasses) await this.#ask('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', one, undefined, true);
    // What another run may have left.
    await this.#clear();
    this.#watch();
    await sleep(1000);
  }

  close(): void {
    this.#agent.destroy();
  }

  async play({ seed, objects, pods }: DrawnCluster): Promise<ClusterFacts> {
    for (const one of objects) await this.#create(one);
    for (const [i, one] of objects.filter(({ kind }) => kind === 'Pod').entries()) await this.#started(one, startOfPlaced(i));
    await sleep(4 * settleMs);
    const facts: DecisionFact[] = [];
    this.#logAt = statSync(this.#log).size;
    for (const [i, drawn] of pods.entries()) facts.push(await this.#place(drawn, startOfPod(i)));
    await this.#clear();
    return { seed, pods: pods.length, facts };
  }

  async #place({ pod, with: before }: DrawnPod, startTime: string): Promise<DecisionFact> {
    for (const one of before) await this.#create(one);
    if (before.length > 0) await sleep(settleMs);
    const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    const others = new Set(this.#pods.keys());
    await this.#create(pod);
    const decided = await this.#decided(key);
    const nominated = decided.status?.nominatedNodeName;
    const failed = decided.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
    if (failed !== undefined) {
      if (nominated !== undefined) await sleep(3 * settleMs);
      const victims = [...others].filter((other) => !this.#pods.has(other)).sort();
      await this.#remove(key);
      return { pod: key, message: failed.message ?? '', ...(nominated === undefined ? {} : { nominated, victims }) };
    }
    const node = decided.spec?.nodeName ?? nominated ?? '';
    const scores = this.#scoresOf(key);
    const isBound = decided.spec?.nodeName !== undefined;
    const devices = decided.spec?.resourceClaims === undefined || !isBound ? undefined : await this.#devices(pod);
    if (isBound) await this.#started(pod, startTime);
    const volume = isBound ? undefined : await this.#takenVolume(pod);
    if (!isBound) await this.#remove(key);
    return {
      pod: key,
      node,
      ...(isBound ? {} : { waits: true }),
      ...(volume === undefined ? {} : { volume }),
      ...(scores === undefined ? {} : { scores }),
      ...(devices === undefined ? {} : { devices }),
    };
  }

  async #decided(key: string): Promise<Pod> {
    const untilMs = Date.now() + patienceMs;
    for (;;) {
      const pod = this.#failed.get(key) ?? this.#pods.get(key);
      if (pod !== undefined && (pod.spec?.nodeName !== undefined || this.#failed.has(key))) return pod;
      // A pod that was announced somewhere is bound at once, unless it waits for volumes.
      if (pod?.status?.nominatedNodeName !== undefined) {
        await sleep(3 * settleMs);
        return this.#failed.get(key) ?? this.#pods.get(key) ?? pod;
      }
      if (Date.now() > untilMs) throw new Error(`nothing was decided about ${key}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 500);
      });
    }
  }

  async #devices({ metadata }: Drawn): Promise<readonly string[]> {
    const claim = (await this.#ask(
      'GET',
      `/apis/resource.k8s.io/v1/namespaces/${metadata.namespace ?? ''}/resourceclaims/${metadata.name}-d`,
    )) as ResourceClaim;
    return (claim.status?.allocation?.devices?.results ?? []).map(({ request, pool, device }) => `${request}=${pool}/${device}`);
  }

  /** The volume that its claim was promised; it goes, so that nobody else is given it. */
  async #takenVolume({ metadata }: Drawn): Promise<string | undefined> {
    const { items } = (await this.#ask('GET', '/api/v1/persistentvolumes')) as { readonly items: readonly PersistentVolume[] };
    const taken = items.find(({ spec }) => spec?.claimRef?.namespace === metadata.namespace && spec?.claimRef?.name === `${metadata.name}-v`);
    if (taken !== undefined) await this.#ask('DELETE', `/api/v1/persistentvolumes/${taken.metadata.name ?? ''}`);
    return taken?.metadata.name;
  }

  #scoresOf(pod: string): { readonly [node: string]: number } | undefined {
    const { size } = statSync(this.#log);
    const bytes = Buffer.alloc(size - this.#logAt);
    const file = openSync(this.#log, 'r');
    readSync(file, bytes, 0, bytes.length, this.#logAt);
    closeSync(file);
    this.#logAt = size;
    const pattern = new RegExp(`final score for pod" pod="${pod}" node="([^"]+)" score=(-?[0-9]+)`, 'g');
    const found = [...bytes.toString('utf8').matchAll(pattern)].map(([, node, score]) => [node ?? '', Number(score)] as const);
    return found.length === 0 ? undefined : Object.fromEntries(found.sort());
  }

  /** Who has run longest counts when pods have to go. */
  async #started(pod: Drawn, startTime: string): Promise<void> {
    await this.#ask('PATCH', `${pathOf(pod)}/${pod.metadata.name}/status`, { status: { startTime } }, 'application/merge-patch+json');
  }

  async #remove(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    await this.#ask('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`);
    while (this.#pods.has(key)) await sleep(10);
  }

  async #create(object: Drawn): Promise<void> {
    const path = pathOf(object);
    await this.#ask('POST', path, object);
    // Admission gives a new node a taint that its kubelet would take away.
    if (object.kind === 'Node') {
      const { taints = null } = (object['spec'] ?? {}) as { readonly taints?: unknown };
      await this.#ask('PATCH', `${path}/${object.metadata.name}`, { spec: { taints } }, 'application/merge-patch+json');
    }
    if (object['status'] === undefined || object.kind === 'Node') return;
    const patch = { status: object['status'] };
    await this.#ask('PATCH', `${path}/${object.metadata.name}/status`, patch, 'application/merge-patch+json');
  }

  async #clear(): Promise<void> {
    const claims = (await this.#ask('GET', '/apis/resource.k8s.io/v1/resourceclaims')) as { readonly items: readonly ResourceClaim[] };
    for (const { metadata } of claims.items) {
      if (metadata.finalizers === undefined) continue;
      const path = `/apis/resource.k8s.io/v1/namespaces/${metadata.namespace ?? ''}/resourceclaims/${metadata.name ?? ''}`;
      await this.#ask('PATCH', `${path}/status`, { status: { allocation: null, reservedFor: null } }, 'application/merge-patch+json');
      await this.#ask('PATCH', path, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    }
    for (const namespace of namespaces) {
      const inside = [`/api/v1/namespaces/${namespace}/pods`, `/api/v1/namespaces/${namespace}/persistentvolumeclaims`];
      for (const path of [
        ...inside,
        `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`,
        `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
      ])
        await this.#ask('DELETE', `${path}?gracePeriodSeconds=0`);
    }
    for (const app of ['a', 'b', 'c']) await this.#ask('DELETE', `/api/v1/namespaces/red/services/s-${app}`, undefined, undefined, true);
    for (const path of [
      '/api/v1/nodes',
      '/api/v1/persistentvolumes',
      '/apis/storage.k8s.io/v1/storageclasses',
      '/apis/storage.k8s.io/v1/csinodes',
      '/apis/resource.k8s.io/v1/deviceclasses',
      '/apis/resource.k8s.io/v1/resourceslices',
    ])
      await this.#ask('DELETE', path);
    await this.#release();
    await sleep(settleMs);
  }

  /** Claims and volumes that a server protects: no controller lets them go. */
  async #release(): Promise<void> {
    for (const path of ['/api/v1/persistentvolumeclaims', '/api/v1/persistentvolumes']) {
      const { items } = (await this.#ask('GET', path)) as { readonly items: readonly Pick<Pod, 'metadata'>[] };
      for (const { metadata } of items) {
        const at = metadata.namespace === undefined ? path : path.replace('/v1/', `/v1/namespaces/${metadata.namespace}/`);
        await this.#ask('PATCH', `${at}/${metadata.name ?? ''}`, { metadata: { finalizers: null } }, 'application/merge-patch+json', true);
      }
    }
  }

  #watch(): void {
    let rest = '';
    const call = request(
      `${this.#server}/api/v1/pods?watch=1`,
      { agent: this.#agent, headers: { authorization: `Bearer ${this.#token}` } },
      (response) => {
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          rest += piece;
          const lines = rest.split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) this.#heard(JSON.parse(line) as { readonly type: string; readonly object: Pod });
        });
        response.on('end', () => this.#watch());
      },
    );
    call.on('error', () => {});
    call.end();
  }

  #heard({ type, object }: { readonly type: string; readonly object: Pod }): void {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
    if (type === 'DELETED') {
      this.#pods.delete(key);
      this.#failed.delete(key);
    } else this.#pods.set(key, object);
    const isFailed = object.status?.conditions?.some((condition) => condition.type === 'PodScheduled' && condition.status === 'False');
    if (type !== 'DELETED' && isFailed === true && object.spec?.nodeName === undefined && !this.#failed.has(key)) this.#failed.set(key, object);
    this.#wake();
  }

  #ask(method: string, path: string, body?: unknown, type = 'application/json', mayFail = false): Promise<unknown> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': type, 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const call = request(this.#server + path, { method, agent: this.#agent, headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (answer += piece));
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 400 || mayFail) resolve(JSON.parse(answer));
          else reject(new Error(`${method} ${path}: ${answer}\n${text}`));
        });
      });
      call.on('error', reject);
      call.end(text);
    });
  }
}

function pathOf({ apiVersion, kind, metadata }: Drawn): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  return clusterWide.includes(kind) ? `${root}/${plural}` : `${root}/namespaces/${metadata.namespace ?? ''}/${plural}`;
}
