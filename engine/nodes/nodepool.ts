/**
 * NodePools to machines: makes machines while a pool grows, removes the last ones when it shrinks. Addresses: machine number i of
 * the cluster has 172.18.0.0/16 + i + 2 and the i-th /24 from the start of the cluster CIDR (10.244.0.0/16) on; with more than 256
 * machines the ranges go on into 10.245.0.0/16 and so forth, up to 10.255.255.0/24.
 */
import type { PolicyRule } from '../api/rbac/v1/types.gen.ts';
import type { NodePool, NodePoolSpec } from '../api/sim/v1alpha1/node-pool.ts';
import { isConflict, isNotFound } from '../apimachinery/errors.ts';
import { type Cause, writeCause } from '../base/causes.ts';
import { text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import type { Informer } from '../client/informer.ts';
import { nodes, resourceType } from '../client/resources.ts';
import { KeyedWorkers } from '../controller-runtime/keyed-workers.ts';
import { componentName, type NodesContext } from './context.ts';
import { type Machine, noPressure } from './machine.ts';
import { machineAddress, podRangeAt } from './pod-ranges.ts';
import { relistMs } from './physics.ts';

export const nodePools = resourceType<NodePool>('sim.wavetank.dev', 'v1alpha1', 'nodepools', 'NodePool', false);

const defaultCapacity = { cpu: '4', 'ephemeral-storage': '100Gi', memory: '16Gi' };
const defaultPodsMax = 110;
const defaultPodCidrBits = 24;
const defaultCidr = '10.244.0.0/16';
const machinesMax = 5_000;

/** Timers of the pools' queue. */
export const poolTimer = 'pools';
const nodePrefix = 'node/';
const poolPrefix = 'pool/';

export interface PoolHooks {
  added(machine: Machine): void;
  /** The machine is switched off and forgotten. */
  removed(machine: Machine): void;
}

/** What those who set machines up may do, in the cluster's name; kubelets ask as nodes. */
export const machinesRules: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['list', 'watch', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['pods', 'configmaps', 'secrets', 'services'], verbs: ['list', 'watch'] },
  { apiGroups: [''], resources: ['persistentvolumes', 'persistentvolumeclaims'], verbs: ['list', 'watch'] },
  { apiGroups: ['storage.k8s.io'], resources: ['csidrivers'], verbs: ['list', 'watch'] },
  { apiGroups: ['sim.wavetank.dev'], resources: ['nodepools', 'imageprofiles'], verbs: ['list', 'watch'] },
  { apiGroups: ['sim.wavetank.dev'], resources: ['nodepools/status'], verbs: ['patch'] },
];

export class NodePools {
  readonly #context: NodesContext;
  readonly #hooks: PoolHooks;
  readonly #informer: Informer<NodePool>;
  /** Uids of Node objects whose machine is gone, by name. */
  readonly #leaving: Map<string, string>;
  readonly #workers: KeyedWorkers;

  constructor(context: NodesContext, hooks: PoolHooks, slots: Slots) {
    this.#context = context;
    this.#hooks = hooks;
    this.#leaving = slots.map('leaving', text);
    this.#workers = new KeyedWorkers({
      loop: context.loop,
      component: componentName,
      timer: poolTimer,
      slots: slots.part('queue'),
      backoff: { baseMs: 1_000, maxMs: 60_000 },
      work: (key, causes) => this.#work(key, causes),
    });
    this.#informer = context.informers.informer(nodePools);
    this.#informer.addHandler(({ type, object }) => this.#reconcile(object, type === 'delete' ? 0 : (object.spec?.count ?? 1)));
  }

  /** Brings every known pool to its size. */
  reconcileAll(): void {
    for (const pool of this.#informer.list()) this.#reconcile(pool, pool.spec?.count ?? 1);
  }

  #reconcile(pool: NodePool, count: number): void {
    const name = pool.metadata.name ?? '';
    const machines = [...this.#context.machines.values()].filter((machine) => machine.pool === name);
    for (const machine of machines) if (machine.poolIndex >= count) this.#remove(machine, pool);
    const taken = new Set(machines.map((machine) => machine.poolIndex));
    const numbers = new FreeNumbers(this.#context.machines);
    for (let index = 0; index < count && this.#context.machines.size < machinesMax; index++) {
      if (!taken.has(index)) this.#add(pool, index, numbers.next());
    }
    this.#workers.queue.add(poolPrefix + name, [writeCause(Number(pool.metadata.resourceVersion))]);
  }

  #add(pool: NodePool, index: number, slot: number): void {
    const machine = makeMachine(pool.metadata.name ?? '', pool.spec ?? {}, index, slot, this.#context);
    if (this.#context.machines.has(machine.name)) return;
    this.#context.machines.set(machine.name, machine);
    this.#hooks.added(machine);
  }

  #remove(machine: Machine, pool: NodePool): void {
    this.#hooks.removed(machine);
    this.#context.machines.delete(machine.name);
    // One that is off, or starts anew, is known from before.
    if (!machine.registered && machine.nodeUid === '') return;
    this.#leaving.set(machine.name, machine.nodeUid);
    this.#workers.queue.add(nodePrefix + machine.name, [writeCause(Number(pool.metadata.resourceVersion))]);
  }

  /** Tries again what failed; `key` comes from a timer of the component. */
  onTimer(key: string): void {
    this.#workers.onTimer(key);
  }

  async #work(key: string, causes: readonly Cause[]): Promise<void> {
    if (key.startsWith(nodePrefix)) await this.#deleteNode(key.slice(nodePrefix.length), causes);
    else await this.#writeStatus(key.slice(poolPrefix.length), causes);
  }

  async #deleteNode(name: string, causes: readonly Cause[]): Promise<void> {
    const uid = this.#leaving.get(name) ?? '';
    const client = (this.#context.poolClient ?? this.#context.clientFor(name)).because(causes);
    try {
      await client.delete(nodes, undefined, name, uid === '' ? {} : { preconditions: { uid } });
    } catch (error) {
      // Somebody has deleted the Node before its machine, or has made another of that name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    this.#leaving.delete(name);
  }

  async #writeStatus(name: string, causes: readonly Cause[]): Promise<void> {
    const client = this.#context.poolClient;
    const pool = this.#informer.get(undefined, name);
    const machines = [...this.#context.machines.values()].filter((machine) => machine.pool === name).length;
    if (client === undefined || pool === undefined || pool.status?.machines === machines || pool.metadata.deletionTimestamp !== undefined) return;
    try {
      await client.because(causes).patch(nodePools, undefined, name, 'merge', { status: { machines } }, { subresource: 'status' });
    } catch (error) {
      // The pool has gone meanwhile.
      if (!isNotFound(error)) throw error;
    }
  }
}

/** The lowest free numbers, in order. */
class FreeNumbers {
  readonly #used: Set<number>;
  #next = 0;

  constructor(machines: ReadonlyMap<string, Machine>) {
    this.#used = new Set([...machines.values()].map((machine) => machine.slot));
  }

  next(): number {
    while (this.#used.has(this.#next)) this.#next++;
    return this.#next++;
  }
}

function makeMachine(pool: string, spec: NodePoolSpec, index: number, slot: number, context: NodesContext): Machine {
  const name = `${spec.namePrefix ?? `${pool}-`}${index}`;
  const stream = context.random.stream(`node/${name}`);
  const zones = spec.zones ?? [];
  return {
    name,
    pool,
    poolIndex: index,
    slot,
    zone: zones[index % Math.max(1, zones.length)] ?? '',
    region: spec.region ?? '',
    ...addressing(slot, context),
    capacity: Object.fromEntries(
      Object.entries({ ...defaultCapacity, pods: String(context.options?.podsMax ?? defaultPodsMax), ...spec.capacity }).sort(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    ),
    labels: spec.labels ?? {},
    taints: (spec.taints ?? []) as unknown as Machine['taints'],
    kubeletVersion: spec.kubeletVersion ?? context.options?.kubeletVersion ?? '',
    instanceType: spec.instanceType ?? 'wavetank.simulated',
    machineId: stream.hex(32),
    bootId: bootId(stream.hex(32)),
    power: true,
    connected: true,
    hears: true,
    stopped: false,
    hung: false,
    runtimeDownMs: null,
    struck: [],
    diskFull: false,
    systemDisk: null,
    diskSlowness: 1,
    memoryShort: false,
    pidsShort: false,
    pressure: noPressure(),
    imagesCollectedMs: 0,
    imagesUncollected: false,
    shutdown: null,
    clockSteps: [],
    faultCauses: [],
    kubeletSinceMs: null,
    registered: false,
    labelled: false,
    runtimeUp: false,
    runtimeNews: false,
    rebooted: false,
    relistPhaseMs: stream.integer(relistMs),
    lastReportMs: 0,
    lastStatusMs: 0,
    imagesChanged: false,
    volumesInUse: [],
    volumesReported: [],
    images: new Map(),
    pullsBusyUntilMs: 0,
    madePaths: {},
    hostFiles: {},
    nextHost: 2,
    usedHosts: new Set(),
    pods: new Set(),
    timer: 0,
    heartbeatTimer: 0,
    nodeUid: '',
    lease: null,
    leaseRenewedMs: 0,
    bootedMs: context.loop.nowMs(),
    endedCpuNanos: 0,
  };
}

export function bootId(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function addressing(slot: number, { options }: NodesContext): Pick<Machine, 'address' | 'podCidr' | 'otherCidr'> {
  const [first = '', other] = (options?.clusterCidr ?? defaultCidr).split(',');
  const rangeOf = (cidr: string): string => podRangeAt(slot, cidr, options?.podCidrBits ?? defaultPodCidrBits);
  const podCidr = rangeOf(first);
  return { address: machineAddress(slot, podCidr), podCidr, ...(other === undefined ? {} : { otherCidr: rangeOf(other) }) };
}
