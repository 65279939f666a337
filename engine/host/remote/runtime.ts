/** What components need to work against an API server from outside: a task loop on host time, and how answers enter it. */
import { Random } from '../../base/random.ts';
import { TaskLoop } from '../../base/task-loop.ts';
import { CorrelatingRecorder } from '../../client/correlating-recorder.ts';
import type { Client } from '../../client/client.ts';
import type { RateLimiter } from '../../client/rate-limiter.ts';
import { Pacer, wallClock } from '../pacing.ts';
import { Arrivals, Connection } from './connection.ts';
import { createHttpsClient } from './https-client.ts';
import { HttpsInformers } from './https-informers.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';
import { WireForms } from './wire-forms.ts';
import { discoverServedTypes, ServedTypes } from './served-types.ts';

export interface RuntimeOptions {
  readonly server: RemoteServer;
  readonly userAgent: string;
  /** The form of requests and answers about kinds that have more than JSON; JSON when absent. */
  readonly contentType?: string;
  readonly seed: number;
  readonly log: (line: string) => void;
  readonly onFailure: (error: Error) => void;
}

export class RemoteRuntime {
  readonly loop: TaskLoop;
  readonly connection: Connection;
  readonly arrivals: Arrivals;
  readonly random: Random;
  readonly #forms: WireForms;
  readonly #pacer: Pacer;
  readonly #log: (line: string) => void;
  readonly #closers: (() => void)[] = [];

  #served = new ServedTypes();

  /** Time runs from here on. */
  constructor({ server, userAgent, contentType, seed, log, onFailure }: RuntimeOptions) {
    this.#forms = new WireForms(contentType);
    this.connection = new Connection(server, userAgent);
    this.loop = new TaskLoop(Date.now(), { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => performance.now() });
    this.loop.onCrash(({ component, key, error }) =>
      log(`${component}: crashed at ${key}, recovered: ${error instanceof Error ? error.stack : String(error)}`),
    );
    this.#pacer = new Pacer({ loop: this.loop, wall: wallClock, speed: 1, onFailure });
    this.arrivals = new Arrivals(this.loop, this.#pacer);
    this.random = new Random(seed);
    this.#log = log;
    this.#pacer.start();
  }

  /** Asks the server what it has in which versions. Rejects with a StatusError when it cannot be reached. */
  async discover(): Promise<void> {
    this.#served = await discoverServedTypes(this.connection);
  }

  /** What is seen of the server, in the versions that were discovered. */
  informers(): HttpsInformers {
    const { connection, arrivals } = this;
    const onError = (resource: string, error: Error): void => this.#log(`${resource}: ${error.message}`);
    const informers = new HttpsInformers({ connection, arrivals, component: 'informers', served: this.#served, forms: this.#forms, onError });
    this.onClose(() => informers.close());
    return informers;
  }

  /** Speaks over `connection`, the runtime's own where none is given. */
  client(component: string, limiter?: RateLimiter, connection = this.connection): Client {
    const { arrivals } = this;
    const more = limiter === undefined ? {} : { limiter };
    return createHttpsClient({ connection, arrivals, served: this.#served, forms: this.#forms, component, ...more });
  }

  recorder(component: string, eventSource: string, connection = this.connection, namesReporter = true): CorrelatingRecorder {
    const client = this.client(component, undefined, connection);
    return new CorrelatingRecorder({ loop: this.loop, client, component: eventSource, namesReporter });
  }

  /** Calls within a task of the loop. */
  deliver(component: string, call: () => void): void {
    this.arrivals.deliver(component, call);
  }

  /** What is asked outside of the loop comes back as one of its tasks. */
  asTask<T>(component: string, ask: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      ask().then(
        (answer) => this.arrivals.answer(component, () => resolve(answer)),
        (error: unknown) => this.arrivals.answer(component, () => reject(error as Error)),
      );
    });
  }

  /** `end` is called when the runtime is closed. */
  onClose(end: () => void): void {
    this.#closers.push(end);
  }

  async close(): Promise<void> {
    for (const end of this.#closers) end();
    await this.#pacer.close();
    this.connection.close();
  }
}
