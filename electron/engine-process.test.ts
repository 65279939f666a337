import { describe, expect, test } from 'vitest';
import { EngineProcess } from './engine-process.ts';
import { type RunningEngine, serveEngine } from './engine-service.ts';
import type { EngineReply, EngineRequest } from './ipc/contract.ts';

/** Both sides of the contract joined without processes. */
function join(start: (args: readonly string[]) => Promise<RunningEngine>): {
  readonly engine: EngineProcess;
  readonly lost: string[];
  readonly codes: number[];
} {
  const lost: string[] = [];
  const codes: number[] = [];
  let receive: (request: EngineRequest) => void = () => {};
  let onMessage: (reply: EngineReply) => void = () => {};
  let onExit: (code: number) => void = () => {};
  serveEngine({
    send: (reply) => onMessage(reply),
    onRequest: (listener) => {
      receive = listener;
    },
    start,
    exit: (code) => {
      codes.push(code);
      onExit(code);
    },
  });
  const child = {
    postMessage: (request: EngineRequest) => queueMicrotask(() => receive(request)),
    on: (event: 'message' | 'exit', listener: unknown) => {
      if (event === 'message') onMessage = listener as (reply: EngineReply) => void;
      else onExit = listener as (code: number) => void;
    },
    kill: () => true,
  };
  return { engine: new EngineProcess({ child, args: ['--nodes', '5'], onLost: (message) => lost.push(message) }), lost, codes };
}

function running(page: string | null = 'http://127.0.0.1:1/?token=t'): { readonly engine: RunningEngine; readonly end: (code: number) => void } {
  const { promise, resolve } = Promise.withResolvers<number>();
  return { engine: { cluster: { name: 'wavetank', page, kubeconfig: '/k' }, stopped: promise, stop: () => resolve(0) }, end: resolve };
}

describe("the engine's process", () => {
  test('starts with the arguments, says where the page is, and stops when told', async () => {
    const given: Array<readonly string[]> = [];
    const { engine, lost, codes } = join((args) => {
      given.push(args);
      return Promise.resolve(running().engine);
    });
    expect(await engine.ready).toEqual({ name: 'wavetank', page: 'http://127.0.0.1:1/?token=t', kubeconfig: '/k' });
    expect(given).toEqual([['--nodes', '5']]);
    await engine.stop();
    expect({ lost, codes }).toEqual({ lost: [], codes: [0] });
  });

  test.each([
    ['cannot start', () => Promise.reject(new Error('port 6443 is in use')), 'port 6443 is in use'],
    ['has no page', () => Promise.resolve(running(null).engine), 'the cluster has no page'],
  ])('a cluster that %s says why', async (_name, start, message) => {
    const { engine, lost, codes } = join(start);
    await expect(engine.ready).rejects.toThrow(message);
    expect({ lost, codes }).toEqual({ lost: [], codes: [70] });
  });

  test('a cluster that ends by itself is noticed', async () => {
    const { engine: cluster, end } = running();
    const { engine, lost } = join(() => Promise.resolve(cluster));
    await engine.ready;
    end(70);
    await cluster.stopped;
    await Promise.resolve();
    expect(lost).toEqual(["the cluster's process ended with code 70"]);
  });
});
