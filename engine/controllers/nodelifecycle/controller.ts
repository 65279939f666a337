/**
 * Watches over the nodes: notices silence, mirrors conditions as taints, taints nodes that are down at a limited rate, and marks
 * their pods as not ready. Mirrors pkg/controller/nodelifecycle/node_lifecycle_controller.go. Every write that a silence causes
 * names it (law 4).
 */
import { type Cause, silenceCause, timerCause } from '../../base/causes.ts';
import { nullable, number, record, text } from '../../base/codecs.ts';
import { causesCodec } from '../../base/slots.ts';
import type { Lease } from '../../api/coordination/v1/types.gen.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { EventRecorder } from '../../client/event-recorder.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { leases, nodes, pods } from '../../client/resources.ts';
import { getNodeCondition, nodeZoneKey } from '../../component-helpers/node.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { forEachLane } from '../lib/lanes.ts';
import { podNodeIndex, podNodeIndexValues } from '../lib/pod-node-index.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type Health, healthCodec, observe, silentConditions } from './health.ts';
import { mirrorNode } from './mirror.ts';
import { PodEvictions } from './pod-evictions.ts';
import { markPodsNotReady } from './pods.ts';
import { attempt, hasTaint, notReady, removeTaints, swapTaints, unreachable } from './taints.ts';
import { passPeriodMs } from './zone-queue.ts';
import { countNode, type ZoneCount, Zones } from './zones.ts';

const name = 'node-lifecycle-controller';
const component = `controller/${name}`;
const leaseNamespace = 'kube-node-lease';
/** Nodes that are worked on at the same time. */
const workersMax = 8;
const healthAttemptsMax = 5;
/** A pass takes a while: the tenth after a sign of life was seen comes after a grace period of ten periods, not at its end. */
const passMs = 2;
const nodePrefix = 'node/';
const podPrefix = 'pod/';

/** What was looked at last: the same node and lease before the silence is due need no second look. Derived data. */
interface Seen {
  readonly node: Node;
  readonly lease: Lease | undefined;
}

const timerCodec = record<{ readonly id: number; readonly dueMs: number }>({ id: number, dueMs: number });

export class NodeLifecycleController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #pods: Informer<Pod>;
  /** Names and UIDs. */
  readonly #known: Map<string, string>;
  readonly #health: Map<string, Health>;
  /** Nodes whose pods could not all be marked. */
  readonly #retry: Set<string>;
  /** What last made a node appear or change its readiness. */
  readonly #causes: Map<string, readonly Cause[]>;
  readonly #zones: Zones;
  /** Absent where taints evict. */
  readonly #evictions: PodEvictions | undefined;
  readonly #seen = new Map<string, Seen>();
  #taintTimer: { readonly id: number; readonly dueMs: number } | null = null;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#nodes = environment.informer(nodes);
    this.#leases = environment.informer(leases);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(podNodeIndex, podNodeIndexValues, { ignoresStatus: true });
    const { slots } = environment;
    this.#known = slots.map('known', text);
    this.#health = slots.map('health', healthCodec);
    this.#retry = slots.set('retry');
    this.#causes = slots.map('causes', causesCodec);
    this.#zones = new Zones(environment.options, slots);
    this.#evictions = environment.options.evictsByTaints ? undefined : new PodEvictions(environment);
    slots.field(
      'taintTimer',
      nullable(timerCodec),
      () => this.#taintTimer,
      (timer) => {
        this.#taintTimer = timer;
      },
    );
  }

  start(): void {
    this.#environment.setTimer(0, 'monitor');
  }

  async onTimer(timer: string): Promise<void> {
    if (timer === 'taint') {
      this.#taintTimer = null;
      await this.#treatNodes();
    } else {
      await this.#monitor();
      this.#environment.setTimer(this.#environment.options.nodeMonitorPeriodMs + passMs, 'monitor');
    }
    this.#armTaintTimer();
  }

  keysOfNode(event: InformerEvent<Node>): readonly string[] {
    const { object, causes } = event;
    const { name: node = '' } = object.metadata;
    if (event.type === 'delete') {
      this.#retry.delete(node);
      if (this.#known.has(node)) this.#causes.set(node, causes);
      else this.#causes.delete(node);
      return [];
    }
    const status = getNodeCondition(object, 'Ready')?.status;
    if (event.type === 'add' || getNodeCondition(event.old, 'Ready')?.status !== status) this.#causes.set(node, causes);
    return [nodePrefix + node];
  }

  /** Only pods that come to a node that is not ready are of interest. */
  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    if (event.type === 'delete') return [];
    const nodeName = event.object.spec?.nodeName ?? '';
    if (nodeName === '' || (event.type === 'update' && event.old.spec?.nodeName === nodeName)) return [];
    const status = this.#health.get(nodeName)?.status;
    return status === undefined || status === 'True' ? [] : [podPrefix + keyOf(event.object)];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(podPrefix)) await this.#processPod(context, key.slice(podPrefix.length));
    else await this.#processNode(context, key.slice(nodePrefix.length));
  }

  /** Where pods are told; absent in releases that did not tell them. */
  get #podRecorder(): EventRecorder | undefined {
    const { recorder, options } = this.#environment;
    return options.traits.tellsPodsOfNodes ? recorder : undefined;
  }

  get #now(): string {
    return formatTime(this.#environment.nowMs());
  }

  /** NoSchedule taints and well-known labels follow each change of a node. */
  async #processNode({ client }: ReconcileContext, nodeName: string): Promise<void> {
    const node = this.#nodes.get(undefined, nodeName);
    if (node === undefined) return;
    await mirrorNode(client, node, this.#now, this.#environment.options.taintsByCondition);
  }

  async #processPod(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name: podName } = splitKey(key);
    const pod = this.#pods.get(namespace, podName);
    const nodeName = pod?.spec?.nodeName ?? '';
    const status = this.#health.get(nodeName)?.status;
    if (pod === undefined || status === undefined || status === 'True' || this.#nodes.get(undefined, nodeName) === undefined) return;
    const causes = [...context.causes, ...this.#causesOf(nodeName, status)];
    const done = await markPodsNotReady(context.client.because(causes), this.#podRecorder, [pod], this.#now, causes);
    if (!done) throw new RetryError(`unable to mark pod ${key} NotReady on node ${nodeName}`);
  }

  /** Silence, where the controller itself says that the state is unknown; else what the kubelet wrote. */
  #causesOf(node: string, status: string | undefined): readonly Cause[] {
    return status === 'Unknown' || status === undefined ? [silenceCause(node)] : (this.#causes.get(node) ?? []);
  }

  async #monitor(): Promise<void> {
    const all = this.#nodes.list();
    await this.#classify(all);
    const counts = new Map<string, ZoneCount>();
    const busy: Node[] = [];
    const nowMs = this.#environment.nowMs();
    for (const node of all) {
      if (this.#isSettled(node, nowMs) || this.#isWell(node, nowMs)) countNode(counts, node, getNodeCondition(node, 'Ready')?.status);
      else busy.push(node);
    }
    await forEachLane(workersMax, busy, (node) => this.#check(node, counts));
    await this.#handleDisruption(counts, all);
  }

  async #classify(all: readonly Node[]): Promise<void> {
    const nowMs = this.#environment.nowMs();
    const added: Node[] = [];
    for (const node of all) {
      this.#zones.ensure(nodeZoneKey(node), nowMs);
      if (!this.#known.has(node.metadata.name ?? '')) added.push(node);
    }
    for (const node of added) {
      const { name: nodeName = '', uid = '' } = node.metadata;
      this.#tellNode(nodeName, uid, 'RegisteredNode', `event: Registered Node ${nodeName} in Controller`, this.#causes.get(nodeName) ?? []);
      this.#known.set(nodeName, uid);
      await this.#markReachable(node, this.#causes.get(nodeName) ?? []);
    }
    if (this.#known.size === all.length) return;
    for (const [nodeName, uid] of [...this.#known]) {
      if (this.#nodes.get(undefined, nodeName) !== undefined) continue;
      this.#tellNode(nodeName, uid, 'RemovingNode', `event: Removing Node ${nodeName} from Controller`, this.#causes.get(nodeName) ?? []);
      this.#evictions?.forget(nodeName);
      for (const map of [this.#known, this.#health, this.#causes, this.#seen]) map.delete(nodeName);
    }
  }

  #isSettled(node: Node, nowMs: number): boolean {
    const { name: nodeName = '' } = node.metadata;
    const seen = this.#seen.get(nodeName);
    if (seen === undefined || seen.node !== node || seen.lease !== this.#leases.get(leaseNamespace, nodeName)) return false;
    const health = this.#health.get(nodeName);
    if (health === undefined || this.#retry.has(nodeName)) return false;
    // A heartbeat forgets the lease, which counts as a sign of life once more when it is looked at again.
    if (health.renewTime === undefined && seen.lease !== undefined) return false;
    return health.status === 'Unknown' || nowMs <= health.probeMs + this.#graceMs(health);
  }

  /** Ready, heard of, and free of NoExecute taints: there is nothing to write. */
  #isWell(node: Node, nowMs: number): boolean {
    const { name: nodeName = '' } = node.metadata;
    const isTainted = this.#evictions === undefined && (hasTaint(node, unreachable) || hasTaint(node, notReady));
    if (this.#retry.has(nodeName) || getNodeCondition(node, 'Ready')?.status !== 'True' || isTainted) return false;
    const lease = this.#leases.get(leaseNamespace, nodeName);
    const health = this.#observe(node, lease, nowMs);
    if (nowMs > health.probeMs + this.#graceMs(health)) return false;
    this.#zones.remove(nodeZoneKey(node), nodeName);
    this.#seen.set(nodeName, { node, lease });
    return true;
  }

  #observe(node: Node, lease: Lease | undefined, nowMs: number): Health {
    const { name: nodeName = '' } = node.metadata;
    const before = this.#health.get(nodeName);
    const health = observe(before, node, lease?.spec?.renewTime, nowMs);
    this.#health.set(nodeName, health);
    this.#evictions?.observe(node, before, nowMs);
    return health;
  }

  #graceMs({ status }: Health): number {
    const { nodeMonitorGracePeriodMs, nodeStartupGracePeriodMs } = this.#environment.options;
    return status === undefined ? nodeStartupGracePeriodMs : nodeMonitorGracePeriodMs;
  }

  /** One node that has changed or been silent for long. A failure leaves it to the next pass. */
  async #check(cached: Node, counts: Map<string, ZoneCount>): Promise<void> {
    const { name: nodeName = '', uid = '' } = cached.metadata;
    const lease = this.#leases.get(leaseNamespace, nodeName);
    const result = await this.#updateHealth(cached, lease);
    if (result === undefined) return;
    const { node, observed, silent } = result;
    const current = getNodeCondition(node, 'Ready')?.status;
    countNode(counts, node, current);
    let settled = true;
    if (current !== undefined) {
      const causes = silent ? [timerCause(component, 'monitor'), silenceCause(nodeName)] : this.#causesOf(nodeName, current);
      settled = await this.#processStatus(node, this.#environment.options.traits.taintsWithNextPass ? observed : current, causes);
      const turned = current !== 'True' && observed === 'True';
      if (turned) this.#tellNode(nodeName, uid, 'NodeNotReady', 'status is now: NodeNotReady', causes);
      if (turned || (this.#retry.has(nodeName) && observed !== 'True')) {
        const own = this.#pods.byIndex(podNodeIndex, nodeName);
        const done = await markPodsNotReady(this.#environment.client.because(causes), this.#podRecorder, own, this.#now, causes);
        if (!done) {
          this.#retry.add(nodeName);
          return;
        }
      }
    }
    this.#retry.delete(nodeName);
    if (settled) this.#seen.set(nodeName, { node: cached, lease });
  }

  /** The node as it is after the check, and its readiness before. Undefined when it could not be written. */
  async #updateHealth(
    cached: Node,
    lease: Lease | undefined,
  ): Promise<{ readonly node: Node; readonly observed: string; readonly silent: boolean } | undefined> {
    const { name: nodeName = '' } = cached.metadata;
    const client = this.#environment.client.because([timerCause(component, 'monitor'), silenceCause(nodeName)]);
    let node = cached;
    for (let attempts = 0; attempts < healthAttemptsMax; attempts++) {
      const nowMs = this.#environment.nowMs();
      const health = this.#observe(node, lease, nowMs);
      const observed = getNodeCondition(node, 'Ready')?.status ?? 'Unknown';
      const conditions =
        nowMs > health.probeMs + this.#graceMs(health)
          ? silentConditions(node, this.#environment.options.traits.kubeletConditions, this.#now)
          : undefined;
      if (conditions === undefined) return { node, observed, silent: false };
      const next: Node = { ...node, status: { ...node.status, conditions } };
      try {
        const written = await client.updateStatus(nodes, next);
        const heartbeat = getNodeCondition(next, 'Ready')?.lastHeartbeatTime ?? '';
        this.#health.set(nodeName, { heartbeat, status: 'Unknown', renewTime: lease?.spec?.renewTime, probeMs: health.probeMs });
        return { node: written, observed, silent: true };
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
      }
      try {
        node = await client.get(nodes, undefined, nodeName);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return undefined;
      }
    }
    return undefined;
  }

  /** False when a taint could not be changed, or pods are not to go yet. */
  async #processStatus(node: Node, status: string, causes: readonly Cause[]): Promise<boolean> {
    if (status === 'True') return this.#markReachable(node, causes);
    if (this.#evictions !== undefined) return this.#evictions.queue(this.#zones, node, status, this.#health.get(node.metadata.name ?? ''), causes);
    const [wanted, opposite] = status === 'False' ? [notReady, unreachable] : [unreachable, notReady];
    if (hasTaint(node, opposite)) return attempt(() => swapTaints(this.#environment.client.because(causes), node, [wanted], [opposite], this.#now));
    const { name: nodeName = '' } = node.metadata;
    if (!hasTaint(node, wanted)) this.#zones.add(nodeZoneKey(node), nodeName, this.#environment.nowMs(), causes);
    return true;
  }

  async #markReachable(node: Node, causes: readonly Cause[]): Promise<boolean> {
    const client = this.#environment.client.because(causes);
    const done = await attempt(async () => {
      if (this.#evictions !== undefined) return;
      await removeTaints(client, node, [unreachable]);
      await removeTaints(client, node, [notReady]);
    });
    if (done) this.#zones.remove(nodeZoneKey(node), node.metadata.name ?? '');
    return done;
  }

  async #handleDisruption(counts: ReadonlyMap<string, ZoneCount>, all: readonly Node[]): Promise<void> {
    const nowMs = this.#environment.nowMs();
    const change = this.#zones.update(counts, nowMs);
    if (change === 'entering') {
      for (const node of all) await this.#markReachable(node, [timerCause(component, 'monitor')]);
    } else if (change === 'leaving') {
      for (const [nodeName, health] of this.#health) this.#health.set(nodeName, { ...health, probeMs: nowMs });
      this.#evictions?.restart(nowMs);
    }
    // What has been taken off the queues comes back with the next full look.
    if (change !== undefined) this.#seen.clear();
  }

  /** Puts NoExecute taints on the nodes that the zones' rates let through, or deletes their pods. */
  async #treatNodes(): Promise<void> {
    for (const queue of this.#zones.queues()) {
      for (;;) {
        const nowMs = this.#environment.nowMs();
        const taken = queue.tryTake(nowMs);
        if (taken === undefined) break;
        const wait = await (this.#evictions?.evict(taken, this.#known.get(taken.node) ?? '') ?? this.#taint(taken.node, taken.causes));
        if (wait === undefined && this.#environment.options.traits.taintsOnce) queue.retire(taken.node);
        else if (wait === undefined) queue.remove(taken.node);
        else queue.postpone(taken.node, nowMs + wait);
      }
    }
  }

  /** Undefined when done; else how long to wait before the next attempt. */
  async #taint(nodeName: string, causes: readonly Cause[]): Promise<number | undefined> {
    const node = this.#nodes.get(undefined, nodeName);
    if (node === undefined) return undefined;
    const status = getNodeCondition(node, 'Ready')?.status;
    if (status === undefined) return 50;
    if (status === 'True') return undefined;
    const [wanted, opposite] = status === 'False' ? [notReady, unreachable] : [unreachable, notReady];
    const client = this.#environment.client.because(causes);
    return (await attempt(() => swapTaints(client, node, [wanted], [opposite], this.#now))) ? undefined : 0;
  }

  /** Wakes up for the next node that may be tainted, on upstream's grid of ten looks a second; not at all while none may. */
  #armTaintTimer(): void {
    const nowMs = this.#environment.nowMs();
    const nextMs = this.#zones.nextMs(nowMs);
    if (nextMs === undefined) return;
    const dueMs = Math.max(Math.floor(nowMs / passPeriodMs) + 1, Math.ceil(nextMs / passPeriodMs)) * passPeriodMs;
    if (this.#taintTimer !== null) {
      if (this.#taintTimer.dueMs <= dueMs) return;
      this.#environment.cancelTimer(this.#taintTimer.id);
    }
    this.#taintTimer = { id: this.#environment.setTimer(dueMs - nowMs, 'taint'), dueMs };
  }

  #tellNode(nodeName: string, uid: string, reason: string, text: string, causes: readonly Cause[]): void {
    const reference = { kind: 'Node', apiVersion: 'v1', metadata: { name: nodeName, uid } };
    this.#environment.recorder.event(reference, 'Normal', reason, `Node ${nodeName} ${text}`, causes);
  }
}

export const nodeLifecycleController = defineController<NodeLifecycleController>({
  name,
  aliases: ['nodelifecycle'],
  serviceAccount: 'node-controller',
  eventSource: 'node-controller',
  workers: () => workersMax,
  watches: [
    watchOf(leases, () => []),
    watchOf(nodes, (event, controller: NodeLifecycleController) => controller.keysOfNode(event)),
    watchOf(pods, (event, controller: NodeLifecycleController) => controller.keysOfPod(event)),
  ],
  create: (environment) => new NodeLifecycleController(environment),
});
