/** The main process's side of the engine: one child process, its one ready message, and a stop that does not wait for ever. */
import type { EngineReady, EngineReply, EngineRequest } from './ipc/contract.ts';

/** What Electron's UtilityProcess is here. */
export interface EngineChild {
  postMessage(request: EngineRequest): void;
  on(event: 'message', listener: (reply: EngineReply) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

export interface EngineProcessOptions {
  readonly child: EngineChild;
  readonly args: readonly string[];
  /** The engine ended although nobody stopped it. */
  readonly onLost: (message: string) => void;
}

const stopTimeoutMs = 5_000;

export class EngineProcess {
  readonly ready: Promise<EngineReady>;
  readonly #child: EngineChild;
  readonly #exited: Promise<void>;
  #stopping = false;

  constructor({ child, args, onLost }: EngineProcessOptions) {
    this.#child = child;
    const started = Promise.withResolvers<EngineReady>();
    const exited = Promise.withResolvers<void>();
    this.ready = started.promise;
    this.#exited = exited.promise;
    let isReady = false;
    let failure: string | undefined;
    child.on('message', (reply) => {
      if (reply.type === 'ready') {
        isReady = true;
        started.resolve(reply.cluster);
      } else if (reply.type === 'failed') failure = reply.message;
    });
    child.on('exit', (code) => {
      exited.resolve();
      const message = failure ?? `the cluster's process ended with code ${code}`;
      if (this.#stopping) return;
      if (isReady) onLost(message);
      else started.reject(new Error(message));
    });
    child.postMessage({ type: 'start', args });
  }

  /** Resolves when the process is gone: by itself, or killed after a while. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child.postMessage({ type: 'stop' });
    const timer = setTimeout(() => this.#child.kill(), stopTimeoutMs);
    await this.#exited;
    clearTimeout(timer);
  }
}
