/**
 * The simulated machines of a cluster as one component: node pools become machines, each with a kubelet of its own that is heard
 * only while it has power and network. This file puts the parts together; it is the room's only door.
 */
import type { KubeletConnections } from '../contracts/connect.ts';
import { timerCause } from '../base/causes.ts';
import { list, mapOf } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';
import { assert } from '../base/assert.ts';
import type { JsonValue } from '../base/json.ts';
import type { ImageProfile } from '../api/sim/v1alpha1/image-profile.ts';
import type { RandomStream } from '../base/random.ts';
import type { Component } from '../base/task-loop.ts';
import { nodes, resourceType } from '../client/resources.ts';
import { Connections } from './connections.ts';
import { componentName, streamName, type NodesContext, type NodesEnvironment } from './context.ts';
import { Evictions, evictionTimer } from './eviction/manager.ts';
import { Heartbeats, nodeReportTimer } from './heartbeats.ts';
import { toImageDefinition } from './image-profile.ts';
import { SharedParts } from './kubelet/shared-parts.ts';
import type { Machine } from './machine.ts';
import { clockAt } from './machine-clock.ts';
import type { MetricsSources } from './metrics/metrics-api.ts';
import { deviceTimer } from './node-devices.ts';
import { nodePools, NodePools, poolTimer } from './nodepool.ts';
import { PodWorkers, reportTimer } from './pod-workers.ts';
import { processTimer } from './processes/processes.ts';
import { machineCodec, workerCodec } from './saved.ts';
import { shutdownTimer } from './shutdown.ts';
import { mirrorTimer, StaticPods } from './static-pods/static-pods.ts';
import { silentTimer, Strikes } from './strikes.ts';
import { VolumeCaches } from './volume-caches.ts';
import { growthTimer, VolumeGrowth } from './volume-growth.ts';
import { ImageCatalog } from './runtime/image-catalog.ts';

export const imageProfiles = resourceType<ImageProfile>('sim.wavetank.dev', 'v1alpha1', 'imageprofiles', 'ImageProfile', false);

export interface Nodes extends Component, KubeletConnections {
  /** What `metrics.k8s.io` reads. */
  readonly metrics: MetricsSources;
  nodeNames(): readonly string[];
  /** The machine of that name, with or without a Node object. */
  machine(name: string): Machine | undefined;
  /** What the clock of that machine shows at an instant. */
  clockAt(name: string, ms: number): number;
  /** Makes the machines of all pools known so far; pools that come later are seen by watch. */
  start(): void;
}

/** Registers nothing by itself: the composition root registers the component with the loop before it starts informers. */
export function createNodes(environment: NodesEnvironment): Nodes {
  return new Kubelets(environment);
}

class Kubelets implements Nodes {
  readonly name = componentName;
  readonly #context: NodesContext;
  readonly #workers: PodWorkers;
  readonly #heartbeats: Heartbeats;
  readonly #pools: NodePools;
  readonly #connections: Connections;
  readonly #strikes: Strikes;
  readonly #evictions: Evictions;
  readonly #growth: VolumeGrowth;
  readonly #statics: StaticPods;
  readonly slots = new Slots();
  readonly metrics: MetricsSources;

  constructor(environment: NodesEnvironment) {
    const streams = new Map<string, RandomStream>();
    const context: NodesContext = {
      ...environment,
      clientFor: (node) => environment.clientFor(node),
      recorderFor: (node) => environment.recorderFor(node),
      machines: new Map(),
      workers: new Map(),
      catalog: new ImageCatalog(environment.points),
      shared: new SharedParts(),
      nodeInformer: environment.informers.informer(nodes),
      volumes: new VolumeCaches(environment.informers),
      stream: (machine) => {
        const known = streams.get(machine.name) ?? environment.random.stream(streamName(machine.name));
        streams.set(machine.name, known);
        return known;
      },
    };
    this.#context = context;
    this.#declare();
    this.#workers = new PodWorkers(context, this.slots.part('podReports'));
    this.#heartbeats = new Heartbeats(context, this.slots.part('nodeReports'), (machine) => this.#running(machine));
    this.metrics = { context, workersOn: (machine) => this.#workers.on(machine) };
    this.#heartbeats.onVolumesReported = (machine) => this.#workers.volumesChanged(machine);
    this.#growth = new VolumeGrowth(context, this.slots.part('volumeGrowth'));
    this.#workers.onMounted = (worker) => this.#growth.mounted(worker);
    this.#connections = new Connections(context, this.#workers, this.slots.part('processes'));
    this.#strikes = new Strikes(context, this.#heartbeats, this.#workers);
    this.#evictions = new Evictions(context, {
      workersOn: (machine) => this.#workers.on(machine),
      evict: (worker, machine, { message, annotations }, graceSeconds, isDisruption) =>
        this.#workers.end(worker, machine, { reason: 'Evicted', message, disruption: isDisruption ? message : null }, graceSeconds, annotations),
      conditionsChanged: (machine) => this.#heartbeats.tellConditions(machine),
    });
    this.#workers.onMoved = (machine) => this.#evictions.moved(machine);
    this.#statics = new StaticPods(context, environment.informers.informer(nodePools), this.#workers, this.slots.part('mirrors'));
    this.#heartbeats.onRegistered = (machine) => this.#statics.tellMirrors(machine, [timerCause(componentName, 'register')]);
    this.#heartbeats.onBeat = (machine) => this.#evictions.beat(machine);
    this.#pools = new NodePools(
      context,
      {
        added: (machine) => this.#heartbeats.boot(machine, 0),
        removed: (machine) => this.#strikes.switchOff(machine, true),
      },
      this.slots.part('pools'),
    );
    environment.informers.informer(imageProfiles).addHandler(({ type, object }) => this.#profile(object, type === 'delete'));
  }

  start(): void {
    this.#pools.reconcileAll();
  }

  onTimer(name: string, payload: JsonValue): void {
    if (name === 'pod') {
      this.#workers.onTimer(payload as string);
      return;
    }
    if (name === reportTimer) {
      this.#workers.onReportTimer(payload as string);
      return;
    }
    if (name === nodeReportTimer) {
      this.#heartbeats.onReportTimer(payload as string);
      return;
    }
    if (name === growthTimer) {
      this.#growth.onTimer(payload as string | null);
      return;
    }
    if (name === deviceTimer) {
      this.#workers.onDeviceTimer(payload as string | null);
      return;
    }
    if (name === processTimer) {
      this.#connections.processes.onTimer(payload as string);
      return;
    }
    if (name === mirrorTimer) {
      this.#statics.onTimer(payload as string | null);
      return;
    }
    if (name === poolTimer) {
      this.#pools.onTimer(payload as string);
      return;
    }
    const machine = this.#context.machines.get(payload as string);
    if (machine === undefined) return;
    // A machine that hangs looks at itself with its next beat.
    if (name === evictionTimer) {
      if (!machine.hung) this.#evictions.synchronize(machine);
    } else if (name === shutdownTimer) this.#strikes.shutdowns.step(machine);
    else if (name === 'heartbeat') this.#heartbeats.beat(machine);
    else if (name === silentTimer) this.#strikes.silent(machine);
    else if (name === 'register') this.#heartbeats.register(machine);
    else this.#heartbeats.runtimeUp(machine);
  }

  nodeNames(): readonly string[] {
    return [...this.#context.machines.keys()];
  }

  machine(name: string): Machine | undefined {
    return this.#context.machines.get(name);
  }

  clockAt(name: string, ms: number): number {
    const machine = this.#context.machines.get(name);
    return machine === undefined ? ms : clockAt(machine, ms);
  }

  #declare(): void {
    const { machines, workers, informers } = this.#context;
    this.slots.field(
      'machines',
      list(machineCodec),
      () => [...machines.values()],
      (saved) => {
        machines.clear();
        for (const machine of saved) machines.set(machine.name, machine);
      },
    );
    this.slots.field(
      'workers',
      mapOf(workerCodec((pod) => pod === this.#workers.known(pod.metadata.namespace ?? '', pod.metadata.name ?? ''))),
      () => workers,
      (saved) => {
        workers.clear();
        for (const [uid, worker] of saved) {
          const pod = worker.pod ?? this.#workers.known(worker.namespace, worker.name);
          assert(pod, `pod ${worker.namespace}/${worker.name} of a saved worker is there`);
          workers.set(uid, { ...worker, pod });
        }
      },
    );
    this.slots.onRestored(() => {
      for (const profile of informers.informer(imageProfiles).list()) this.#profile(profile, false);
    });
  }

  readLogs: KubeletConnections['readLogs'] = (namespace, pod, options) => this.#connections.readLogs(namespace, pod, options);

  followLogs: KubeletConnections['followLogs'] = (namespace, pod, options, onText, onEnd) =>
    this.#connections.followLogs(namespace, pod, options, onText, onEnd);

  openPort: KubeletConnections['openPort'] = (namespace, pod, port, sink) => this.#connections.openPort(namespace, pod, port, sink);

  serverAt: KubeletConnections['serverAt'] = (namespace, pod, port) => this.#connections.serverAt(namespace, pod, port);

  openProcess: KubeletConnections['openProcess'] = (id, target, sink) => this.#connections.openProcess(id, target, sink);

  reopenProcess: KubeletConnections['reopenProcess'] = (id) => this.#connections.reopenProcess(id);

  readNode: KubeletConnections['readNode'] = (node, path) => this.#connections.readNode(node, path);

  reopenPort: KubeletConnections['reopenPort'] = (...port) => this.#connections.reopenPort(...port);

  /** The kubelet has started: it takes up the pods that the API has for it. */
  #running(machine: Machine): void {
    if (this.#context.options?.forgetsProbes === true) this.#workers.forgetProbes(machine);
    if (machine.connected) this.#workers.relist(machine);
    else for (const worker of this.#workers.on(machine)) this.#workers.sync(worker);
    this.#statics.bring(machine);
  }

  #profile(profile: ImageProfile, isDeleted: boolean): void {
    const found = toImageDefinition(profile);
    if (found === undefined) return;
    this.#context.catalog.setProfile(found.repository, isDeleted ? undefined : found);
    this.#workers.reconsiderLoads(found.repository);
  }
}
