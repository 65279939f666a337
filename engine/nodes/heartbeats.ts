/**
 * The signs of life of a node: registration, lease, status. Mirrors pkg/kubelet/kubelet_node_status.go and
 * component-helpers/apimachinery/lease/controller.go.
 */
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import type { Node } from '../api/core/v1/types.gen.ts';
import { isAlreadyExists } from '../apimachinery/errors.ts';
import { StatusError } from '../apimachinery/status.ts';
import { formatMicroTime } from '../apimachinery/time.ts';
import { type Cause, mergeCauses, timerCause } from '../base/causes.ts';
import { csiNodes, leases, nodes } from '../client/resources.ts';
import { deepEqual } from '../base/equal.ts';
import type { Slots } from '../base/slots.ts';
import { KeyedWorkers } from '../controller-runtime/keyed-workers.ts';
import { componentName, type NodesContext } from './context.ts';
import { maySetNodeLabel } from '../component-helpers/node-labels.ts';
import { isHeard, type Machine, noPressure } from './machine.ts';
import { clockAt } from './machine-clock.ts';
import { buildCsiNode, buildNode, buildNodeStatus, differs } from './node-object.ts';
import { heartbeatMs, leaseDurationSeconds, registerMaxMs, registerMinMs, runtimeUpMaxMs, runtimeUpMinMs, statusReportMs } from './physics.ts';

/** Timers of what kubelets tell of their nodes. */
export const nodeReportTimer = 'node-report';
const leaseNamespace = 'kube-node-lease';
const heartbeatJitter = 0.04;
/** A period counts as over a little early: what is asked of it may have taken a while the last time. */
const nearly = 0.9;
const causes = [timerCause(componentName, 'heartbeat')];

export class Heartbeats {
  readonly #context: NodesContext;
  /** What kubelets tell of themselves: one coroutine for each node. */
  readonly #reports: KeyedWorkers;
  readonly #onRunning: (machine: Machine) => void;

  /** What else a kubelet looks at in this rhythm; set by the room. */
  onBeat: ((machine: Machine) => void) | undefined;
  onVolumesReported: ((machine: Machine) => void) | undefined;
  onRegistered: ((machine: Machine) => void) | undefined;

  /** `onRunning`: the kubelet runs and may take pods. */
  constructor(context: NodesContext, slots: Slots, onRunning: (machine: Machine) => void) {
    this.#context = context;
    this.#onRunning = onRunning;
    this.#reports = new KeyedWorkers({
      loop: context.loop,
      component: componentName,
      timer: nodeReportTimer,
      slots,
      backoff: { baseMs: heartbeatMs, maxMs: heartbeatMs, isEachAlone: true },
      work: (node) => this.#speak(node),
      describe: (node) => `heartbeat of ${node}`,
    });
  }

  /** A report that crashed is tried again. */
  onReportTimer(node: string): void {
    this.#reports.onTimer(node);
  }

  /** The kubelet starts after so long a boot. */
  boot(machine: Machine, bootMs: number): void {
    const { loop } = this.#context;
    const delayMs = bootMs + this.#context.stream(machine).between(registerMinMs, registerMaxMs);
    machine.timer = loop.setTimer(componentName, loop.nowMs() + delayMs, 'register', machine.name);
  }

  stop(machine: Machine): void {
    this.#context.loop.cancelTimer(machine.timer);
    this.#context.loop.cancelTimer(machine.heartbeatTimer);
    this.#context.loop.cancelTimer(machine.pressure.timer);
    machine.kubeletSinceMs = null;
    machine.runtimeUp = false;
  }

  register(machine: Machine): void {
    const { loop } = this.#context;
    const stream = this.#context.stream(machine);
    // Told again after a crash, it starts anew.
    this.stop(machine);
    machine.kubeletSinceMs = loop.nowMs();
    machine.registered = false;
    machine.pressure = noPressure();
    machine.imagesCollectedMs = loop.nowMs();
    machine.imagesUncollected = false;
    machine.volumesReported = [];
    machine.timer = loop.setTimer(componentName, loop.nowMs() + stream.between(runtimeUpMinMs, runtimeUpMaxMs), 'runtime', machine.name);
    machine.heartbeatTimer = loop.setTimer(componentName, loop.nowMs() + stream.between(0.1, 1) * this.#intervalMs, 'heartbeat', machine.name);
    if (isHeard(machine)) this.#reports.queue.add(machine.name, causes);
    this.#onRunning(machine);
  }

  runtimeUp(machine: Machine): void {
    if (machine.runtimeDownMs !== null) return;
    machine.runtimeUp = true;
    if (!isHeard(machine) || this.#reports.queue.isProcessing(machine.name)) return;
    machine.runtimeNews = true;
    this.#reports.queue.add(machine.name, causes);
  }

  beat(machine: Machine): void {
    const { loop } = this.#context;
    const intervalMs = this.#intervalMs * (1 + heartbeatJitter * this.#context.stream(machine).next());
    machine.heartbeatTimer = loop.setTimer(componentName, loop.nowMs() + intervalMs, 'heartbeat', machine.name);
    if (machine.hung) return;
    // Without a runtime nothing could be evicted.
    if (machine.runtimeDownMs === null) this.onBeat?.(machine);
    this.speak(machine);
  }

  /** The shorter of the two periods: of the lease's renewal and of the status. */
  get #intervalMs(): number {
    return this.#renewsLeases ? Math.min(this.#renewMs, this.#statusUpdateMs) : this.#statusUpdateMs;
  }

  get #renewMs(): number {
    return ((this.#context.options?.leaseDurationSeconds ?? leaseDurationSeconds) * 1000) / 4;
  }

  get #statusUpdateMs(): number {
    return this.#context.options?.statusUpdateMs ?? heartbeatMs;
  }

  /** The conditions have changed: with this report, or the next one. */
  tellConditions(machine: Machine): void {
    machine.lastStatusMs = Math.min(machine.lastStatusMs, this.#context.loop.nowMs() - this.#statusUpdateMs);
    this.speak(machine);
  }

  /** Lease and, where there is something to say, status; at once. */
  speak(machine: Machine): void {
    if (isHeard(machine) && !this.#reports.queue.isProcessing(machine.name)) this.#reports.queue.add(machine.name, causes);
  }

  async #speak(node: string): Promise<void> {
    const machine = this.#context.machines.get(node);
    if (machine === undefined || !isHeard(machine)) return;
    const { runtimeNews } = machine;
    machine.runtimeNews = false;
    if (runtimeNews) await this.#writeStatus(machine);
    else if (machine.registered) await this.#beat(machine);
    else await this.#register(machine);
  }

  async #beat(machine: Machine): Promise<void> {
    if (this.#renewsLeases && this.#isRenewalDue(machine)) await this.#renewLease(machine);
    const nowMs = this.#context.loop.nowMs();
    if (!isHeard(machine) || isAskingRuntime(machine) || nowMs - machine.lastStatusMs < this.#statusUpdateMs * nearly) return;
    machine.lastStatusMs = nowMs;
    const node = this.#context.nodeInformer.get(undefined, machine.name);
    if (!machine.labelled && node !== undefined) await this.#labelAsInstaller(machine, node);
    this.#countVolumes(machine);
    if (node !== undefined && deepEqual(node.status?.volumesInUse ?? [], machine.volumesInUse)) this.#volumesReported(machine);
    const reportMs = this.#statusReportMs;
    // Every status that is computed is reported, where one without changes is as often.
    const isDue = reportMs <= this.#statusUpdateMs || nowMs - machine.lastReportMs >= reportMs;
    if (node !== undefined && (isDue || machine.imagesChanged || differs(machine, node, nowMs))) await this.#writeStatus(machine);
  }

  #countVolumes(machine: Machine): void {
    const inUse = this.#context.volumes.inUse(machine, this.#context.workers);
    if (!deepEqual(inUse, machine.volumesInUse)) machine.volumesInUse = inUse;
  }

  /** The API knows which volumes the machine uses: they may be mounted once they are attached. */
  #volumesReported(machine: Machine): void {
    if (deepEqual(machine.volumesReported, machine.volumesInUse)) return;
    machine.volumesReported = machine.volumesInUse;
    this.onVolumesReported?.(machine);
  }

  #isRenewalDue({ lease, leaseRenewedMs }: Machine): boolean {
    return lease === null || this.#context.loop.nowMs() - leaseRenewedMs >= this.#renewMs * nearly;
  }

  get #renewsLeases(): boolean {
    return this.#context.options?.renewsLeases !== false;
  }

  /** What its clock says. */
  #clockMs(machine: Machine): number {
    return clockAt(machine, this.#context.loop.nowMs());
  }

  /** Of what it reports: its timer, and faults that have come or gone since the last time. */
  #causesOf(machine: Machine): readonly Cause[] {
    return mergeCauses(machine.faultCauses, causes);
  }

  /** Upstream reports as often as it computes once that period was changed. */
  get #statusReportMs(): number {
    return this.#statusUpdateMs === heartbeatMs ? (this.#context.options?.statusReportMs ?? statusReportMs) : this.#statusUpdateMs;
  }

  async #register(machine: Machine): Promise<void> {
    const client = this.#context.clientFor(machine.name).because(this.#causesOf(machine));
    const node = buildNode(machine, this.#context.loop.nowMs(), this.#context.options);
    let known: Node;
    try {
      known = await client.create(nodes, node);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.status.code !== 409) return;
      known = await client.get(nodes, undefined, machine.name);
    }
    if (!isHeard(machine)) return;
    machine.registered = true;
    machine.nodeUid = known.metadata.uid ?? '';
    machine.lastReportMs = this.#context.loop.nowMs();
    machine.labelled = false;
    await this.#labelAsInstaller(machine, known);
    await this.#tellDrivers(machine, known);
    const recorder = this.#context.recorderFor(machine.name);
    recorder.event(known, 'Normal', 'Starting', 'Starting kubelet.', causes);
    if (machine.rebooted) {
      machine.rebooted = false;
      recorder.event(known, 'Warning', 'Rebooted', `Node ${machine.name} has been rebooted, boot id: ${machine.bootId}`, causes);
    }
    this.onRegistered?.(machine);
    if (this.#renewsLeases) await this.#renewLease(machine);
    if (!isHeard(machine)) return;
    const current = this.#context.nodeInformer.get(undefined, machine.name) ?? known;
    // A kubelet asks its runtime before it says anything of a node that is known: a restart alone makes no node unready.
    if (!isAskingRuntime(machine) && differs(machine, current, this.#context.loop.nowMs())) await this.#writeStatus(machine);
  }

  /** Which CSI drivers run on the machine (pkg/volume/csi/nodeinfomanager). What is refused is told with the next registration. */
  async #tellDrivers({ name }: Machine, node: Node): Promise<void> {
    if (this.#context.options?.csiDriver !== true) return;
    try {
      const client = this.#context.clientFor(name).because(causes);
      const told = buildCsiNode(name, node);
      try {
        await client.create(csiNodes, told);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        // That of a Node that was there before would be collected with it.
        const known = await client.get(csiNodes, undefined, name);
        const isSame = known.metadata.ownerReferences?.some(({ uid }) => uid === node.metadata.uid) === true;
        if (!isSame)
          await client.update(csiNodes, { ...told, metadata: { ...told.metadata, resourceVersion: known.metadata.resourceVersion ?? '' } });
      }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  /**
   * Labels of the pool that no kubelet may give itself (roles, restrictions) are given by who set the machine up. What is refused is
   * told on the Node and tried again with every beat.
   */
  async #labelAsInstaller(machine: Machine, node: Node): Promise<void> {
    const labels = Object.fromEntries(Object.entries(machine.labels).filter(([key]) => !maySetNodeLabel(key)));
    const { poolClient } = this.#context;
    try {
      if (poolClient !== undefined && Object.keys(labels).length > 0)
        await poolClient.because(causes).patch(nodes, undefined, machine.name, 'merge', { metadata: { labels } });
      machine.labelled = true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // The Node was deleted again; it will be registered anew.
      if (error.status.code === 404) return;
      const message = `labels of pool ${machine.pool} are refused: ${error.status.message ?? ''}`;
      this.#context.recorderFor(machine.name).event(node, 'Warning', 'NodeLabelsRefused', message, causes);
    }
  }

  async #writeStatus(machine: Machine): Promise<void> {
    if (!machine.registered) return;
    const why = this.#causesOf(machine);
    const client = this.#context.clientFor(machine.name).because(why);
    const isListing = machine.imagesChanged;
    machine.imagesChanged = false;
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        const node = await client.get(nodes, undefined, machine.name);
        if (!isHeard(machine)) return;
        const wasReady = isReady(node);
        this.#countVolumes(machine);
        const status = buildNodeStatus(machine, node.status, this.#context.loop.nowMs(), this.#context.options);
        const written = await client.updateStatus(nodes, { ...node, status });
        machine.lastReportMs = this.#context.loop.nowMs();
        this.#volumesReported(machine);
        if (mergeCauses(machine.faultCauses, causes).join() === why.join()) machine.faultCauses = [];
        if (!wasReady && isReady(written)) {
          this.#context.recorderFor(machine.name).event(written, 'Normal', 'NodeReady', `Node ${machine.name} status is now: NodeReady`, causes);
        }
        return;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        // Whatever it was, upstream tries five times: the base may have changed since, or the API server had a moment.
        if (error.status.code === 404) break;
      }
    }
    machine.imagesChanged ||= isListing;
  }

  /** What fails is tried again at the next beat, as upstream does after its own retries. */
  async #renewLease(machine: Machine): Promise<void> {
    const client = this.#context.clientFor(machine.name).because(this.#causesOf(machine));
    const renewTime = formatMicroTime(this.#clockMs(machine));
    machine.leaseRenewedMs = this.#context.loop.nowMs();
    try {
      if (machine.lease === null) {
        machine.lease = await client.create(leases, this.#makeLease(machine, renewTime));
      } else {
        const { lease } = machine;
        machine.lease = await client.update(leases, { ...lease, spec: { ...lease.spec, renewTime } });
      }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      machine.lease = await this.#readLease(machine);
    }
  }

  async #readLease(machine: Machine): Promise<Lease | null> {
    try {
      return await this.#context.clientFor(machine.name).get(leases, leaseNamespace, machine.name);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return null;
    }
  }

  #makeLease(machine: Machine, renewTime: string): Lease {
    const seconds = this.#context.options?.leaseDurationSeconds ?? leaseDurationSeconds;
    return {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: {
        name: machine.name,
        namespace: leaseNamespace,
        ...(machine.nodeUid === '' ? {} : { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: machine.name, uid: machine.nodeUid }] }),
      },
      spec: { holderIdentity: machine.name, leaseDurationSeconds: seconds, renewTime },
    } as unknown as Lease;
  }
}

/** The kubelet has just started and waits for the first answer of a runtime that will give it. */
function isAskingRuntime({ runtimeUp, runtimeDownMs }: Machine): boolean {
  return !runtimeUp && runtimeDownMs === null;
}

function isReady(node: Node): boolean {
  return node.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
}
