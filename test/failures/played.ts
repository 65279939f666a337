/**
 * Plays a stage in a control plane, real or ours, as kubelets and users would, and keeps what it did to nodes and pods, with the second.
 * Signs of life come every ten seconds from all nodes together, so that what follows from silence can be counted.
 */
import type { PlayedCase, Stage, Act } from './played-cases.ts';

export interface Thing {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly deletionTimestamp?: string };
  readonly spec?: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
  readonly [field: string]: unknown;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

export interface FailureWorld {
  /** Kubelets renew leases; else they write their status. */
  readonly hasLeases: boolean;
  nowMs(): number;
  sleepUntil(ms: number): Promise<void>;
  ask(method: string, path: string, body?: unknown, contentType?: string): Promise<{ readonly status: number; readonly object: unknown }>;
  /** `gone`: the object does not exist any more. */
  onChange(resource: 'nodes' | 'pods' | 'events', handler: (object: Thing, gone: boolean) => void): void;
}

/** Second, and what was seen of what: `[52, 'node 0', 'Ready Unknown']`. */
export type Line = readonly [second: number, of: string, what: string];
export type Timelines = Readonly<Record<string, readonly Line[]>>;

const heartbeatSeconds = 10;
/** Nodes are made so long before the last sign of life that all give. */
const leadSeconds = 40;
const toldReasons = new Set(['NodeNotReady', 'TaintManagerEviction', 'RemovingNode', 'DeletingNode']);

export async function playStage(world: FailureWorld, stage: Stage): Promise<Timelines> {
  const player = new Player(world, stage);
  return player.play();
}

interface PlayedNode {
  readonly name: string;
  readonly of: PlayedCase;
  readonly number: number;
  silent: boolean;
  skewMs: number;
  conditions: Readonly<Record<string, string>>;
  /** As last seen. */
  seen: Thing | undefined;
}

class Player {
  readonly #world: FailureWorld;
  readonly #stage: Stage;
  readonly #nodes = new Map<string, PlayedNode>();
  readonly #pods = new Map<string, { readonly of: PlayedCase; readonly name: string; seen: Thing | undefined }>();
  readonly #lines = new Map<string, Line[]>();
  #zeroMs = 0;

  constructor(world: FailureWorld, stage: Stage) {
    this.#world = world;
    this.#stage = stage;
  }

  async play(): Promise<Timelines> {
    const world = this.#world;
    world.onChange('nodes', (node, gone) => this.#seeNode(node, gone));
    world.onChange('pods', (pod, gone) => this.#seePod(pod, gone));
    world.onChange('events', (event) => this.#seeEvent(event));
    this.#zeroMs = Math.ceil(world.nowMs() / 1000) * 1000 + leadSeconds * 1000;
    for (const [number, played] of this.#stage.cases.entries()) await this.#setUp(number, played);
    const acts = this.#stage.cases.flatMap((of) => of.acts.map((act) => ({ act, of })));
    for (let second = heartbeatSeconds - leadSeconds; second <= this.#stage.seconds; second++) {
      await world.sleepUntil(this.#zeroMs + second * 1000);
      // Who falls silent has given a last sign; who speaks again gives one at once.
      const now = acts.filter(({ act }) => act.at === second);
      await Promise.all(now.filter(({ act }) => !('silence' in act)).map(({ act, of }) => this.#act(act, of)));
      if (second % heartbeatSeconds === 0) await Promise.all([...this.#nodes.values()].map((node) => this.#beat(node)));
      await Promise.all(now.filter(({ act }) => 'silence' in act).map(({ act, of }) => this.#act(act, of)));
    }
    return Object.fromEntries([...this.#lines].map(([name, lines]) => [name, lines]));
  }

  async #setUp(number: number, played: PlayedCase): Promise<void> {
    this.#lines.set(played.name, []);
    const zone = played.zone ?? `zone-${number}`;
    await Promise.all(Array.from({ length: played.nodes }, (_, i) => this.#makeNode(played, `case-${number}-node-${i}`, i, zone)));
    for (const [pod, { node, toleratesSeconds }] of Object.entries(played.pods ?? {})) {
      const name = `case-${number}-${pod}`;
      this.#pods.set(name, { of: played, name: pod, seen: undefined });
      await this.#makePod(name, `case-${number}-node-${node}`, toleratesSeconds);
    }
  }

  async #makeNode(of: PlayedCase, name: string, number: number, zone: string): Promise<void> {
    const labels = {
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/zone': zone,
      'topology.kubernetes.io/region': 'played',
      'failure-domain.beta.kubernetes.io/zone': zone,
      'failure-domain.beta.kubernetes.io/region': 'played',
    };
    const conditions = { Ready: 'True', MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False' };
    const node: PlayedNode = { name, of, number, silent: false, skewMs: 0, conditions, seen: undefined };
    this.#nodes.set(name, node);
    await this.#must('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
    await this.#writeStatus(node);
    await this.#beat(node);
  }

  async #makePod(name: string, nodeName: string, toleratesSeconds: number | 'for ever' | undefined): Promise<void> {
    const tolerations = ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      ...(typeof toleratesSeconds === 'number' ? { tolerationSeconds: toleratesSeconds } : {}),
    }));
    const path = '/api/v1/namespaces/default/pods';
    const spec = { nodeName, containers: [{ name: 'c', image: 'nginx' }], ...(toleratesSeconds === undefined ? {} : { tolerations }) };
    await this.#must('POST', path, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    const conditions = [{ type: 'Ready', status: 'True' }];
    await this.#must('PATCH', `${path}/${name}/status`, { status: { phase: 'Running', conditions } });
  }

  async #act(act: Act, of: PlayedCase): Promise<void> {
    const nodes = (which: readonly number[]): readonly PlayedNode[] =>
      [...this.#nodes.values()].filter((node) => node.of === of && which.includes(node.number));
    if ('silence' in act) for (const node of nodes(act.silence)) node.silent = true;
    else if ('speak' in act) await Promise.all(nodes(act.speak).map((node) => this.#return(node)));
    else if ('say' in act)
      for (const node of nodes(act.nodes)) {
        node.conditions = { ...node.conditions, ...act.say };
        await this.#writeStatus(node);
      }
    else if ('taint' in act)
      for (const { name, seen } of nodes(act.nodes)) {
        const taints = [...(seen?.spec?.taints ?? []), { key: act.taint, effect: act.effect }];
        await this.#must('PATCH', `/api/v1/nodes/${name}`, { spec: { taints } }, 'application/merge-patch+json');
      }
    else if ('remove' in act)
      for (const node of nodes(act.remove)) {
        node.silent = true;
        await this.#must('DELETE', `/api/v1/nodes/${node.name}`);
      }
    else if ('add' in act) await this.#addUnheard(of, act.add);
    else for (const node of nodes(act.nodes)) node.skewMs = act.skewSeconds * 1000;
  }

  /** Somebody makes a Node whose kubelet never says a word. */
  async #addUnheard(of: PlayedCase, number: number): Promise<void> {
    const name = `case-${this.#stage.cases.indexOf(of)}-node-${number}`;
    this.#nodes.set(name, { name, of, number, silent: true, skewMs: 0, conditions: {}, seen: undefined });
    const labels = { 'topology.kubernetes.io/zone': of.name.replaceAll(' ', '-'), 'topology.kubernetes.io/region': 'played' };
    await this.#must('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  }

  /** A kubelet is heard again: status, lease, and the end of pods that were deleted meanwhile. */
  async #return(node: PlayedNode): Promise<void> {
    node.silent = false;
    await this.#writeStatus(node);
    for (const [name, { of, seen }] of this.#pods)
      if (of === node.of && seen?.metadata.deletionTimestamp !== undefined)
        await this.#world.ask('DELETE', `/api/v1/namespaces/default/pods/${name}`, { gracePeriodSeconds: 0 });
  }

  async #beat(node: PlayedNode): Promise<void> {
    if (node.silent) return;
    if (!this.#world.hasLeases) return this.#writeStatus(node);
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const renewTime = `${new Date(this.#world.nowMs() + node.skewMs).toISOString().slice(0, -1)}000Z`;
    const spec = { holderIdentity: node.name, leaseDurationSeconds: 40, renewTime };
    const { status } = await this.#world.ask('PATCH', `${path}/${node.name}`, { spec }, 'application/merge-patch+json');
    if (status !== 404) return;
    const metadata = { name: node.name, namespace: 'kube-node-lease' };
    await this.#must('POST', path, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  }

  async #writeStatus({ name, conditions, skewMs }: PlayedNode): Promise<void> {
    const time = `${new Date(this.#world.nowMs() + skewMs).toISOString().slice(0, 19)}Z`;
    const told = Object.entries(conditions).map(([type, status]) => ({
      type,
      status,
      reason: 'Played',
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    }));
    await this.#must('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: told } }, 'application/strategic-merge-patch+json');
  }

  async #must(method: string, path: string, body?: unknown, contentType?: string): Promise<void> {
    const type = contentType ?? (method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json');
    const { status, object } = await this.#world.ask(method, path, body, type);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(object)}`);
  }

  #seeNode(now: Thing, gone: boolean): void {
    const node = this.#nodes.get(now.metadata.name);
    if (node === undefined) return;
    const of = `node ${node.number}`;
    const before = node.seen;
    node.seen = now;
    if (gone) return this.#note(node.of, of, 'gone');
    for (const { type, status, reason } of now.status?.conditions ?? []) {
      // What the player writes itself is no news.
      const old = before?.status?.conditions?.find((one) => one.type === type);
      if (reason !== 'Played' && old?.status !== status) this.#note(node.of, of, `${type} ${status} ${reason ?? ''}`);
    }
    const taints = taintsOf(now);
    const had = taintsOf(before);
    for (const taint of had) if (!taints.includes(taint)) this.#note(node.of, of, `-${taint}`);
    for (const taint of taints) if (!had.includes(taint)) this.#note(node.of, of, `+${taint}`);
  }

  #seePod(now: Thing, gone: boolean): void {
    const pod = this.#pods.get(now.metadata.name);
    if (pod === undefined) return;
    const of = `pod ${pod.name}`;
    const before = pod.seen;
    pod.seen = now;
    if (gone) return this.#note(pod.of, of, 'gone');
    if (now.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined) this.#note(pod.of, of, 'deleted');
    for (const { type, status, reason } of now.status?.conditions ?? []) {
      const old = before?.status?.conditions?.find((one) => one.type === type);
      if (before !== undefined && old?.status !== status && (old !== undefined || type === 'DisruptionTarget'))
        this.#note(pod.of, of, [type, status, ...(reason === undefined ? [] : [reason])].join(' '));
    }
  }

  #seeEvent(event: Thing): void {
    const { involvedObject, reason, message } = event as unknown as {
      involvedObject: { kind: string; name: string };
      reason: string;
      message: string;
    };
    if (!toldReasons.has(reason)) return;
    const node = this.#nodes.get(involvedObject.name);
    const pod = this.#pods.get(involvedObject.name);
    const words = reason === 'TaintManagerEviction' ? ` ${message.split(' ')[0] ?? ''}` : '';
    if (node !== undefined && involvedObject.kind === 'Node') this.#note(node.of, `node ${node.number}`, `Event ${reason}`);
    else if (pod !== undefined) this.#note(pod.of, `pod ${pod.name}`, `Event ${reason}${words}`);
  }

  /** What happens before the last common sign of life is of no interest. */
  #note(of: PlayedCase, subject: string, what: string): void {
    const ms = this.#world.nowMs() - this.#zeroMs;
    if (ms >= 0) this.#lines.get(of.name)?.push([Math.round(ms / 100) / 10, subject, what.trim()]);
  }
}

function taintsOf(node: Thing | undefined): readonly string[] {
  return (node?.spec?.taints ?? []).map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
}
