/**
 * A controller manager as a process of its own on a cluster's loop: its informers, clients, queues and memory. It begins as the daemon
 * does, in a cluster that is there already, and can be killed at any instant. What it asks for passes a gate that the test holds.
 */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { FaultEffect } from '../../../engine/base/fault-points.ts';
import { FaultPoints } from '../../../engine/base/fault-points.ts';
import { Random } from '../../../engine/base/random.ts';
import { createLoopbackClient } from '../../../engine/client/loopback-client.ts';
import type { Client } from '../../../engine/client/client.ts';
import { CorrelatingRecorder } from '../../../engine/client/correlating-recorder.ts';
import type { Informer, InformerEvent, InformerFactory } from '../../../engine/client/informer.ts';
import { LoopbackInformers } from '../../../engine/client/loopback-informers.ts';
import { RateLimiter } from '../../../engine/client/rate-limiter.ts';
import { chooseControllers } from '../../../engine/cluster/chosen-controllers.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import { clientLimits } from '../../../engine/cluster/component-options.ts';
import { deletableResources } from '../../../engine/cluster/controllers.ts';
import { controllerIdentity, controllerManagerIdentity, userAgent } from '../../../engine/cluster/identities.ts';
import { Settings } from '../../../engine/cluster/settings.ts';
import { Weather } from '../../../engine/cluster/weather.ts';
import type { ApiPipeline, ApiRequest, ApiResult, Identity, WatchHandle, WatchSink } from '../../../engine/contracts/request.ts';
import { eventSourceOf } from '../../../engine/controller-runtime/controller.ts';
import { ControllerRunner } from '../../../engine/controller-runtime/runner.ts';
import type { ControllerDefinition, ControllerOptions } from '../../../engine/controllers/controller.ts';
import type { ControllerHost } from '../../../engine/controllers/options/family.ts';
import { MortalLoop } from './mortal-loop.ts';

/** A request of a controller that writes. */
export interface Asked {
  readonly process: string;
  readonly controller: string;
  readonly request: ApiRequest;
}

/** A write that was answered. */
export interface Written extends Asked {
  readonly atMs: number;
  /** Whether the store has moved by it. */
  readonly changed: boolean;
}

export interface ManagerOptions {
  /** Unlike that of every other process of the loop. */
  readonly name: string;
  readonly cluster: Cluster;
  readonly pipeline: ApiPipeline;
  readonly host: ControllerHost;
  readonly options: Readonly<Record<string, string>>;
  readonly seed: number;
  /** What is wrong between it and the API server. */
  readonly effects?: readonly FaultEffect[];
  /** So long that lasts; for ever when absent. */
  readonly healsAfterMs?: number;
  /** Called when a request that writes has arrived and is not done yet; may throw a StatusError. */
  onAsked(asked: Asked): void;
  onWritten(written: Written): void;
  onError(line: string): void;
}

const writing: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const syncPollMs = 5;

interface HandlerOf {
  readonly informer: Informer<KubeObject>;
  readonly handle: (event: InformerEvent<KubeObject>) => void;
}

export class ManagerProcess {
  readonly name: string;
  readonly #options: ManagerOptions;
  readonly loop: MortalLoop;
  readonly #random: Random;
  readonly #weather: Weather;
  readonly #informers: LoopbackInformers;
  readonly #handlers: HandlerOf[] = [];
  readonly #watches: WatchHandle[] = [];
  readonly #waiting = new Set<ControllerRunner<ControllerOptions>>();
  /** Nothing that it sends arrives. */
  isCutOff = false;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.name = options.name;
    const { cluster, seed, effects = [], healsAfterMs } = options;
    this.loop = new MortalLoop(cluster.loop);
    this.#random = new Random(seed);
    const points = new FaultPoints();
    points.inject('contract', effects, []);
    if (healsAfterMs !== undefined) cluster.loop.soon(healsAfterMs, this.name, () => points.heal('contract', []));
    this.#weather = new Weather(points, this.#random, seed);
    this.#informers = new LoopbackInformers({
      pipeline: this.#pipeline('informers'),
      loop: this.loop,
      identity: controllerManagerIdentity,
      userAgent: userAgent('kube-controller-manager', cluster.release.gitVersion),
      component: this.name,
      latency: this.#random.stream('watch'),
      weather: this.#weather.watches(this.name),
      onCrash: ({ owner, resource }, error) => this.loop.crashed(owner, resource.resource, error),
      onRefused: ({ resource }, { status }) => options.onError(`cannot watch ${resource}: ${status.message ?? ''}`),
    });
  }

  get isAlive(): boolean {
    return this.loop.isAlive;
  }

  /** Reads what there is and begins to work, as a manager that leads. */
  begin(): void {
    const { cluster, host, options } = this.#options;
    const settings = new Settings(options, cluster.release);
    const chosen = chooseControllers(settings, cluster.release, host);
    for (const definition of chosen.definitions) this.#waiting.add(this.#run(definition, settings, chosen.options));
    this.#informers.start();
    this.#startSynced();
  }

  /** Everything that it remembers is gone, and what it has sent and is not done is lost. */
  kill(): void {
    this.loop.kill();
    for (const watch of this.#watches) watch.cancel();
  }

  /** Every handler hears of every object again, as at a resync of client-go's informers. */
  resync(): void {
    for (const { informer, handle } of this.#handlers)
      for (const object of informer.list()) handle({ type: 'update', object, old: object, causes: [] });
  }

  /** Of this process, beside the controllers: the one that asks for the lead. */
  client(identity: Identity, component: string, limiter?: RateLimiter): Client {
    return createLoopbackClient({
      pipeline: this.#pipeline(component),
      loop: this.loop,
      identity,
      userAgent: userAgent('kube-controller-manager', this.#options.cluster.release.gitVersion),
      component: `${this.name}/${component}`,
      latency: this.#random.stream(`latency/${component}`),
      weather: this.#weather.requests,
      ...(limiter === undefined ? {} : { limiter }),
    });
  }

  #run(definition: ControllerDefinition, settings: Settings, options: ControllerOptions): ControllerRunner<ControllerOptions> {
    const { name, serviceAccount, clientShare } = definition;
    const { cluster, onError } = this.#options;
    const identity = serviceAccount === undefined ? controllerManagerIdentity : controllerIdentity(serviceAccount);
    const limiter = new RateLimiter(...clientLimits(settings, '', clientShare));
    return new ControllerRunner({
      definition: { ...definition, component: `${this.name}/${name}` },
      loop: this.loop,
      client: this.client(identity, name, limiter),
      limiter,
      waitsForCaches: true,
      informers: this.#heard(),
      recorder: new CorrelatingRecorder({ loop: this.loop, client: this.client(identity, name), component: eventSourceOf(definition, options) }),
      random: this.#random.stream(name),
      options,
      deletableResources: () => deletableResources(cluster.registry),
      onError: (controller, key, error) => onError(`${controller}: ${key}: ${error.message}`),
    });
  }

  /** Each controller starts when it knows all that it looks at. */
  #startSynced(): void {
    for (const runner of this.#waiting) {
      if (!runner.synced) continue;
      this.#waiting.delete(runner);
      runner.start();
    }
    if (this.#waiting.size > 0) this.loop.soon(syncPollMs, this.name, () => this.#startSynced());
  }

  /** The informers, with an ear on who listens. */
  #heard(): InformerFactory {
    return {
      informer: <T extends KubeObject>(type: Parameters<InformerFactory['informer']>[0]): Informer<T> => {
        const informer = this.#informers.informer(type) as unknown as Informer<T>;
        const heard = Object.create(informer) as Informer<T>;
        const handlers = this.#handlers;
        return new Proxy(heard, {
          get: (_target, property) => {
            if (property === 'addHandler')
              return (handle: (event: InformerEvent<T>) => void, owner?: string) => {
                handlers.push({ informer, handle } as unknown as HandlerOf);
                informer.addHandler(handle, owner);
              };
            const value = Reflect.get(informer, property, informer) as unknown;
            return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(informer) : value;
          },
        });
      },
    };
  }

  #pipeline(controller: string): ApiPipeline {
    const { pipeline } = this.#options;
    return {
      handle: (request) => this.#handle(controller, request),
      watch: (request, sink) => {
        const opened = pipeline.watch(request, this.#whileAlive(sink));
        if (opened instanceof Promise) throw new Error('nobody is asked about a watch here');
        this.#watches.push(opened);
        return opened;
      },
      reopen: () => {
        throw new Error('a process that begins reopens nothing');
      },
    };
  }

  #handle(controller: string, request: ApiRequest): ApiResult | Promise<ApiResult> {
    const { pipeline, cluster, onAsked, onWritten } = this.#options;
    // What does not arrive is never answered: the connection hangs.
    if (this.isCutOff) return new Promise<never>(() => undefined);
    if (!writing.has(request.verb)) return pipeline.handle(request);
    const asked = { process: this.name, controller, request };
    onAsked(asked);
    const before = cluster.store.currentRevision();
    const result = pipeline.handle(request);
    onWritten({ ...asked, atMs: this.loop.nowMs(), changed: cluster.store.currentRevision() > before });
    return result;
  }

  #whileAlive(sink: WatchSink): WatchSink {
    return {
      onEvent: (event, revision) => {
        if (this.isAlive) sink.onEvent(event, revision);
      },
      onEnd: () => {
        if (this.isAlive) sink.onEnd();
      },
    };
  }
}
