/**
 * The simulated machines of a cluster as one component: node pools become machines, each with a kubelet of its own that is heard
 * only while it has power and network. This file puts the parts together; it is the room's only door.
 */
import type { KubeletConnections, NodeFaultPoints } from '../contracts/connect.ts';
import { assert } from '../base/assert.ts';
import type { JsonValue } from '../base/json.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { ImageProfile } from '../api/sim/v1alpha1/image-profile.ts';
import type { RandomStream } from '../base/random.ts';
import type { Component } from '../base/task-loop.ts';
import { nodes, resourceType } from '../client/resources.ts';
import { Connections } from './connections.ts';
import { componentName, streamName, type NodesContext, type NodesEnvironment } from './context.ts';
import { Heartbeats } from './heartbeats.ts';
import { toImageDefinition } from './image-profile.ts';
import { crash } from './kubelet/crash.ts';
import type { PodWorker } from './kubelet/worker.ts';
import { restoreMachine, saveMachine, type Machine, type SavedMachine } from './machine.ts';
import { bootId, NodePools } from './nodepool.ts';
import { bootMaxMs, bootMinMs } from './physics.ts';
import { PodWorkers } from './pod-workers.ts';
import { ImageCatalog } from './runtime/image-catalog.ts';

export const imageProfiles = resourceType<ImageProfile>('sim.wavetank.dev', 'v1alpha1', 'imageprofiles', 'ImageProfile', false);

export interface Nodes extends Component, KubeletConnections, NodeFaultPoints {
  /** Makes the machines of all pools known so far; pools that come later are seen by watch. */
  start(): void;
}

interface SavedNodes {
  readonly machines: readonly SavedMachine[];
  /** By uid. The pod is absent where it is what the informer has. */
  readonly workers: Readonly<Record<string, Omit<PodWorker, 'pod'> & { readonly pod?: Pod }>>;
  readonly registries: readonly string[];
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

  constructor(environment: NodesEnvironment) {
    const streams = new Map<string, RandomStream>();
    const context: NodesContext = {
      ...environment,
      clientFor: (node) => environment.clientFor(node),
      recorderFor: (node) => environment.recorderFor(node),
      machines: new Map(),
      workers: new Map(),
      catalog: new ImageCatalog(),
      nodeInformer: environment.informers.informer(nodes),
      stream: (machine) => {
        const known = streams.get(machine.name) ?? environment.random.stream(streamName(machine.name));
        streams.set(machine.name, known);
        return known;
      },
    };
    this.#context = context;
    this.#workers = new PodWorkers(context);
    this.#heartbeats = new Heartbeats(context, (machine) => this.#running(machine));
    this.#connections = new Connections(context, this.#workers);
    this.#pools = new NodePools(context, {
      added: (machine) => this.#heartbeats.boot(machine, 0),
      removed: (machine) => this.#switchOff(machine, true),
    });
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
    const machine = this.#context.machines.get(payload as string);
    if (machine === undefined) return;
    if (name === 'heartbeat') this.#heartbeats.beat(machine);
    else if (name === 'register') this.#heartbeats.register(machine);
    else this.#heartbeats.runtimeUp(machine);
  }

  save(): JsonValue {
    const { machines, workers, catalog } = this.#context;
    const saved: SavedNodes = {
      machines: [...machines.values()].map(saveMachine),
      workers: Object.fromEntries([...workers].map(([uid, worker]) => [uid, this.#saveWorker(worker)])),
      registries: catalog.saveRegistries(),
    };
    return saved as unknown as JsonValue;
  }

  restore(value: JsonValue): void {
    const saved = value as unknown as SavedNodes;
    const { machines, workers, catalog, informers } = this.#context;
    machines.clear();
    workers.clear();
    for (const machine of saved.machines) machines.set(machine.name, restoreMachine(machine));
    for (const worker of Object.values(saved.workers)) {
      const pod = worker.pod ?? this.#workers.known(worker.namespace, worker.name);
      assert(pod, `pod ${worker.namespace}/${worker.name} of a saved worker is there`);
      workers.set(worker.uid, structuredCopy({ ...worker, pod }));
    }
    catalog.restoreRegistries(saved.registries);
    for (const profile of informers.informer(imageProfiles).list()) this.#profile(profile, false);
  }

  #saveWorker(worker: PodWorker): SavedNodes['workers'][string] {
    const { pod, ...rest } = structuredCopy(worker);
    return pod === this.#workers.known(worker.namespace, worker.name) ? rest : { ...rest, pod };
  }

  nodeNames(): readonly string[] {
    return [...this.#context.machines.keys()];
  }

  setNodePower(node: string, on: boolean): void {
    const machine = this.#context.machines.get(node);
    if (machine === undefined || machine.power === on) return;
    if (!on) {
      this.#switchOff(machine, false);
      return;
    }
    const stream = this.#context.stream(machine);
    machine.power = true;
    machine.rebooted = true;
    machine.registered = false;
    machine.bootId = bootId(stream.hex(32));
    this.#heartbeats.boot(machine, stream.between(bootMinMs, bootMaxMs));
  }

  setNodeNetwork(node: string, connected: boolean): void {
    const machine = this.#context.machines.get(node);
    if (machine === undefined || machine.connected === connected) return;
    machine.connected = connected;
    if (!connected || machine.kubeletSinceMs === null) return;
    this.#workers.relist(machine);
    this.#heartbeats.speak(machine);
  }

  setImageRegistry(host: string, reachable: boolean): void {
    this.#context.catalog.setRegistry(host, reachable);
  }

  readLogs: KubeletConnections['readLogs'] = (namespace, pod, options) => this.#connections.readLogs(namespace, pod, options);

  followLogs: KubeletConnections['followLogs'] = (namespace, pod, options, onText, onEnd) =>
    this.#connections.followLogs(namespace, pod, options, onText, onEnd);

  openPort: KubeletConnections['openPort'] = (namespace, pod, port, sink) => this.#connections.openPort(namespace, pod, port, sink);

  /** The kubelet has started: it takes up the pods that the API has for it. */
  #running(machine: Machine): void {
    if (machine.connected) this.#workers.relist(machine);
    else for (const worker of this.#workersOn(machine)) this.#workers.sync(worker);
  }

  #switchOff(machine: Machine, forGood: boolean): void {
    machine.power = false;
    this.#heartbeats.stop(machine);
    for (const worker of this.#workersOn(machine)) {
      this.#workers.stopTimer(worker);
      if (forGood) this.#context.workers.delete(worker.uid);
      else crash(worker, machine, this.#context.loop.nowMs());
    }
    machine.pullsBusyUntilMs = 0;
  }

  #workersOn(machine: Machine): readonly PodWorker[] {
    return [...machine.pods].map((uid) => this.#context.workers.get(uid)).filter((worker) => worker !== undefined);
  }

  #profile(profile: ImageProfile, isDeleted: boolean): void {
    const found = toImageDefinition(profile);
    if (found !== undefined) this.#context.catalog.setProfile(found.repository, isDeleted ? undefined : found);
  }
}

/** Copies what workers change in place; API objects, code and records are shared. */
function structuredCopy(worker: PodWorker): PodWorker {
  return {
    ...worker,
    containers: worker.containers.map((run) => ({
      ...run,
      program:
        run.program === null || run.program.type === 'service'
          ? run.program === null
            ? null
            : { ...run.program }
          : {
              type: 'shell',
              shell: {
                ...run.program.shell,
                vars: { ...run.program.shell.vars },
                functions: { ...run.program.shell.functions },
                calls: [...run.program.shell.calls],
                lists: run.program.shell.lists.map((list) => ({ ...list })),
              },
            },
      probes: run.probes === null ? null : Object.fromEntries(Object.entries(run.probes).map(([type, probe]) => [type, { ...probe }])),
      log: run.log === null ? null : [...run.log],
      previousLog: run.previousLog === null ? null : [...run.previousLog],
      files: Object.isFrozen(run.files) ? run.files : { ...run.files },
    })),
  };
}
