/** The engine process's side of the contract, without Electron: starts one cluster when asked and says what becomes of it. */
import type { EngineReply, EngineRequest } from './ipc/contract.ts';

export interface RunningEngine {
  readonly cluster: { readonly name: string; readonly page: string | null; readonly kubeconfig: string };
  /** Resolves with the exit code when the cluster has stopped. */
  readonly stopped: Promise<number>;
  stop(): void;
}

export interface EngineServiceOptions {
  readonly send: (reply: EngineReply) => void;
  readonly onRequest: (receive: (request: EngineRequest) => void) => void;
  readonly start: (args: readonly string[]) => Promise<RunningEngine>;
  readonly exit: (code: number) => void;
}

const failureExitCode = 70;

export function serveEngine(options: EngineServiceOptions): void {
  let engine: Promise<RunningEngine | undefined> | undefined;
  options.onRequest((request) => {
    if (request.type === 'start') engine ??= start(options, request.args);
    else if (engine === undefined) finish(options, 0);
    else void engine.then((running) => running?.stop());
  });
}

/** Undefined when it could not start, which has been told then. */
async function start(options: EngineServiceOptions, args: readonly string[]): Promise<RunningEngine | undefined> {
  const failed = (message: string): undefined => {
    options.send({ type: 'failed', message });
    finish(options, failureExitCode);
  };
  let engine: RunningEngine;
  try {
    engine = await options.start(args);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
  const { page } = engine.cluster;
  if (page === null) {
    engine.stop();
    await engine.stopped;
    return failed('the cluster has no page; start the app without --no-ui');
  }
  void engine.stopped.then((code) => finish(options, code));
  options.send({ type: 'ready', cluster: { ...engine.cluster, page } });
  return engine;
}

function finish(options: EngineServiceOptions, exitCode: number): void {
  options.send({ type: 'stopped', exitCode });
  options.exit(exitCode);
}
