/**
 * The lines between components and the API: clients with their rate limiters, informers, event recorders. What these remember is
 * saved under their names; recorders that were made on demand are made again by a restore.
 */
import type { Random } from '../base/random.ts';
import { SharedTexts } from '../base/shared-values.ts';
import { Slots } from '../base/slots.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { Seconds } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';
import type { ApiPipeline, Identity } from '../contracts/request.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { Informer } from '../client/informer.ts';
import { CorrelatingRecorder } from '../client/correlating-recorder.ts';
import { createLoopbackClient } from '../client/loopback-client.ts';
import { redeliveryMs } from '../client/cached-informer.ts';
import { keyOf } from '../client/informer.ts';
import { type InformerCrash, LoopbackInformers } from '../client/loopback-informers.ts';
import { RateLimiter } from '../client/rate-limiter.ts';
import type { Release } from '../contracts/release.ts';
import { kubeletIdentity, userAgent } from './identities.ts';
import type { Weather } from './weather.ts';

export interface WiringOptions {
  /** Of the components: how their user agents say it, and whether their Events name who reports them. */
  readonly release: Pick<Release, 'gitVersion' | 'ratchets'>;
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly pipeline: () => ApiPipeline;
  readonly weather: Weather;
  log?(line: string): void;
  /** What the clock of a node's machine shows at an instant. */
  nodeClockAt(node: string, ms: number): number;
}

const kubeletsComponent = 'kubelets';
const redeliverTimer = 'redeliver';
const retryTimer = 'retry';
/** Processes hear of an object within a second or so. */
const keysMax = 2_000;

/** Which informer is to list or watch again, and of which process. */
interface Retry {
  readonly process: string;
  readonly resource: ResourceType;
}

/** What a handler is to be told again, and by whose informers. */
interface Redelivery {
  readonly process: string;
  readonly crash: InformerCrash;
}

export class Wiring implements Component {
  /** As a component it tells handlers again what they threw at, and informers to try again. */
  readonly name = 'informers';
  readonly #options: WiringOptions;
  readonly #informers: LoopbackInformers[] = [];
  readonly slots = new Slots();
  /** Informers that wait, which is known before any is filled. */
  readonly waiting = new Slots();
  readonly #late = this.slots.part('informers');
  readonly #limiters = this.slots.part('limiters');
  readonly #recorders = this.slots.part('recorders');
  /** Made when a kubelet first speaks, by node. */
  readonly #nodeSlots = new Map<string, Slots>();
  readonly #seconds = new Seconds();
  readonly #keys = new SharedTexts(keysMax);
  readonly #nodeClients = new Map<string, Client>();
  readonly #nodeRecorders = new Map<string, CorrelatingRecorder>();

  constructor(options: WiringOptions) {
    this.#options = options;
    this.slots.family('kubelets', this.#nodeSlots, (node) => this.#nodeRecorder(node, kubeletsComponent).slots);
  }

  /** Informers of one simulated process, which asks under the name that its writes have too. */
  informers(identity: Identity, component: string, agent: string): LoopbackInformers {
    const { loop, random, pipeline, release } = this.#options;
    const latency = random.stream(`latency/watch/${component}`);
    const weather = this.#options.weather.watches(component);
    const onCrash = (crash: InformerCrash, error: unknown): void => this.#handlerCrashed({ process: component, crash }, error);
    const informers = new LoopbackInformers({
      pipeline: pipeline(),
      loop,
      identity,
      userAgent: userAgent(agent, release.gitVersion),
      component,
      latency,
      onCrash,
      onRefused: ({ resource }, { status }) => this.#options.log?.(`${component}: cannot watch ${resource}: ${status.message}`),
      retryLater: (resource, delayMs) => {
        const retry: Retry = { process: component, resource };
        loop.setTimer(this.name, loop.nowMs() + delayMs, retryTimer, retry as unknown as JsonValue);
      },
      weather,
      keys: this.#keys,
    });
    this.#informers.push(informers);
    this.#late.adopt(component, informers.slots);
    this.waiting.adopt(component, informers.waitingSlots);
    return informers;
  }

  /** A client whose calls are in flight in the name of `component`. */
  client(identity: Identity, component: string, agent: string, limiter?: RateLimiter): Client {
    const { loop, random, pipeline, release } = this.#options;
    const latency = random.stream(`latency/${component}`);
    return createLoopbackClient({
      pipeline: pipeline(),
      loop,
      identity,
      userAgent: userAgent(agent, release.gitVersion),
      component,
      latency,
      weather: this.#options.weather.requests,
      ...(limiter === undefined ? {} : { limiter }),
    });
  }

  limiter(name: string, qps: number, burst: number): RateLimiter {
    const limiter = new RateLimiter(qps, burst);
    limiter.keepIn(this.#limiters.part(name));
    return limiter;
  }

  recorder(client: Client, component: string): CorrelatingRecorder {
    const { loop, release } = this.#options;
    const namesReporter = release.ratchets.EventReporters;
    const recorder = new CorrelatingRecorder({ loop, client, component, namesReporter, seconds: this.#seconds });
    this.#recorders.adopt(component, recorder.slots);
    return recorder;
  }

  nodeClient(node: string, component: string): Client {
    let client = this.#nodeClients.get(node);
    if (client === undefined) {
      client = this.client(kubeletIdentity(node), component, 'kubelet');
      this.#nodeClients.set(node, client);
    }
    return client;
  }

  nodeRecorder(node: string, component: string): EventRecorder {
    return this.#nodeRecorder(node, component);
  }

  #nodeRecorder(node: string, component: string): CorrelatingRecorder {
    let recorder = this.#nodeRecorders.get(node);
    if (recorder === undefined) {
      recorder = new CorrelatingRecorder({
        loop: this.#options.loop,
        client: this.nodeClient(node, component),
        component: 'kubelet',
        host: node,
        clockAt: (ms) => this.#options.nodeClockAt(node, ms),
        namesReporter: this.#options.release.ratchets.EventReporters,
        seconds: this.#seconds,
      });
      this.#nodeSlots.set(node, recorder.slots);
      this.#nodeRecorders.set(node, recorder);
    }
    return recorder;
  }

  /** Every cache of every simulated process, by whom it is held. */
  caches(): readonly { readonly component: string; readonly informer: Informer<KubeObject> }[] {
    return this.#informers.flatMap((informers) => informers.all().map((informer) => ({ component: informers.component, informer })));
  }

  startInformers(): void {
    for (const informers of this.#informers) informers.start();
  }

  restoreInformers(): void {
    for (const informers of this.#informers) informers.restore();
  }

  onTimer(name: string, payload: JsonValue): void | Promise<void> {
    if (name === retryTimer) {
      const { process, resource } = payload as unknown as Retry;
      return this.#informersOf(process)?.retry(resource);
    }
    const { process, crash } = payload as unknown as Redelivery;
    this.#informersOf(process)?.redeliver(crash);
  }

  #informersOf(process: string): LoopbackInformers | undefined {
    return this.#informers.find(({ component }) => component === process);
  }

  #handlerCrashed(redelivery: Redelivery, error: unknown): void {
    const { loop } = this.#options;
    const { owner, resource, handler } = redelivery.crash;
    loop.crashed(owner, `${resource.resource} ${keyOf(handler.event.object)}`, error);
    loop.setTimer(this.name, loop.nowMs() + redeliveryMs(handler.attempts), redeliverTimer, redelivery as unknown as JsonValue);
  }
}
