/**
 * Warms the process up: code that V8 has not compiled yet is three to four times as slow, and the first thousand requests of a user
 * would be those that pay for it. A throw-away cluster of the same release answers the usual requests over a socket of its own, so that
 * the same functions are compiled and nothing of the user's cluster is touched: no revision, no draw, no input, no metric, no line of an
 * audit log. It works in slices of a few milliseconds, and only while nobody else in the process has anything to do.
 */
import { randomBytes } from 'node:crypto';
import { defaultConfig } from '../cluster/config.ts';
import { type Engine, startEngine } from './engine.ts';
import { WarmClient, type WarmRequest } from './warm-client.ts';
import { requestsOf, roundsByCluster, watches } from './warm-requests.ts';

/** What it has to know of the engine that users see. */
export interface WarmedEngine {
  readonly endpoint: Pick<Engine['endpoint'], 'keys' | 'requests' | 'listBranches'>;
  readonly branch: Pick<Engine['branch'], 'cluster'>;
}

export interface WarmUpOptions {
  /** The engine that users see: left alone, and let go first whenever it has something to do. */
  readonly engine: WarmedEngine;
  /** Something went wrong, which costs nobody more than slow first requests. */
  readonly onDefect: (error: Error) => void;
}

/** After the engine is ready, and after each time it was busy. */
const pauseMs = 20;
/** A cluster that never rests is warm by itself. */
const giveUpMs = 60_000;
/** A batch that took less is followed by a longer one. */
const sliceMs = 3;
const connections = 8;
/** Virtual time for what a batch has set going: watches, caches, controllers. */
const settleMs = 20;

/** It was told to end, or waited for too long. */
class GaveUp extends Error {}

export class WarmUp {
  readonly #options: WarmUpOptions;
  readonly #endMs = performance.now() + giveUpMs;
  readonly #isOver: Promise<void>;
  #isClosing = false;
  #activitySeen: number | undefined;
  #answered = 0;

  constructor(options: WarmUpOptions) {
    this.#options = options;
    this.#isOver = this.#run().catch((error: unknown) => {
      if (!(error instanceof GaveUp)) options.onDefect(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Requests that its cluster has answered. */
  get answered(): number {
    return this.#answered;
  }

  /** Resolves when it has had enough, or has given up; never rejects. */
  get done(): Promise<void> {
    return this.#isOver;
  }

  /** Ends after the slice at hand. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.#isOver;
  }

  async #run(): Promise<void> {
    for (const rounds of roundsByCluster) await this.#warmBy(Array.from({ length: rounds }, (_, round) => requestsOf(round)).flat());
  }

  async #warmBy(requests: WarmRequest[]): Promise<void> {
    await this.#turn();
    const { keys } = this.#options.engine.endpoint;
    const failed = Promise.withResolvers<never>();
    const engine = await startEngine({
      config: this.#config(),
      keys,
      speed: 'paused',
      ports: [0],
      onFailure: failed.reject,
      pause: () => this.#turn(),
    });
    const client = new WarmClient(engine.endpoint.server, keys);
    try {
      await Promise.race([this.#exercise(engine, client, requests), failed.promise]);
    } finally {
      await client.close();
      await engine.close();
    }
  }

  /** Options are left at their defaults: some of them would reach for the outside. */
  #config(): Parameters<typeof startEngine>[0]['config'] {
    const { startMs, release } = this.#options.engine.branch.cluster.config;
    const name = `warm-up-${randomBytes(4).toString('hex')}`;
    return { ...defaultConfig, name, startMs, nodes: 1, zones: 1, ...(release === undefined ? {} : { release }) };
  }

  async #exercise({ branch }: Engine, client: WarmClient, queue: WarmRequest[]): Promise<void> {
    await client.watch(watches);
    for (let size = 1; queue.length > 0; ) {
      await this.#turn();
      const beganMs = performance.now();
      const batch = queue.splice(0, size);
      await client.send(batch);
      await branch.pacer.runUntil(branch.cluster.loop.nowMs() + settleMs);
      this.#answered += batch.length;
      size = performance.now() - beganMs < sliceMs ? Math.min(size * 2, connections) : Math.max(1, size >> 1);
    }
  }

  /** Resolves in a turn of its own, when nobody else has had anything to do for a while. */
  async #turn(): Promise<void> {
    for (;;) {
      if (this.#isClosing || performance.now() > this.#endMs) throw new GaveUp();
      const activity = this.#activity();
      if (activity === this.#activitySeen) return new Promise((resolve) => void setImmediate(resolve));
      this.#activitySeen = activity;
      await new Promise((resolve) => void setTimeout(resolve, pauseMs));
    }
  }

  /** Another number whenever a client has asked something, or something has happened in a cluster that users see. */
  #activity(): number {
    const { endpoint } = this.#options.engine;
    return endpoint.listBranches().reduce((sum, { branch }) => sum + branch.cluster.loop.tasksRun, endpoint.requests);
  }
}
