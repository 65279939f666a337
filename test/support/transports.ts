/** Both roads to an API server, for the contracts of clients and informers: in process, and over TLS to a real endpoint. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { redeliveryMs } from '../../engine/client/cached-informer.ts';
import { Random } from '../../engine/base/random.ts';
import { TaskLoop } from '../../engine/base/task-loop.ts';
import { LoopbackInformers, type WatchWeather } from '../../engine/client/loopback-informers.ts';
import type { ClientBench } from '../../engine/client/testing/client.contract.ts';
import { reconnectMs } from '../../engine/client/physics.ts';
import type { InformerBench } from '../../engine/client/testing/informer.contract.ts';
import { createLoopbackClient } from '../../engine/client/loopback-client.ts';
import type { Cluster } from '../../engine/cluster/cluster.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { type Engine, startEngine } from '../../engine/host/engine.ts';
import { type Keys, loadKeys } from '../../engine/host/home.ts';
import { Pacer, wallClock } from '../../engine/host/pacing.ts';
import { Arrivals, Connection } from '../../engine/host/remote/connection.ts';
import { createHttpsClient } from '../../engine/host/remote/https-client.ts';
import type { TokenClaims } from '../../engine/contracts/tokens.ts';
import type { WireForms } from '../../engine/host/remote/wire-forms.ts';
import { HttpsInformers } from '../../engine/host/remote/https-informers.ts';
import type { Door } from '../../engine/cluster/door.ts';
import { aCluster, callDoor } from './cluster.ts';

/** Nothing in it moves by itself. */
const stillConfig = { nodes: 0, options: { controllers: '' } };

export async function loopbackBench(): Promise<ClientBench> {
  const tokenSigner = { audiences: ['https://kubernetes.default.svc'], sign: ({ id }: TokenClaims) => `eyJ.${id}` };
  const { cluster, door } = await aCluster(stillConfig, { tokenSigner });
  const { loop } = cluster;
  const client = createLoopbackClient({
    pipeline: door,
    loop,
    identity: adminIdentity,
    userAgent: 'contract/1',
    component: 'contract',
    latency: new Random(1).stream('contract'),
  });
  return {
    client,
    answer: async (call) => {
      let answered = false;
      const done = call.finally(() => (answered = true));
      done.catch(() => undefined);
      while (!answered) await loop.run(loop.nowMs() + 1);
      return done;
    },
    compact: () => compact(cluster),
    close: () => Promise.resolve(),
  };
}

function compact({ store }: Cluster): void {
  store.compact(store.currentRevision());
  store.expire(store.currentRevision());
}

/** An endpoint on a free port, and this side's own loop. */
export interface Far {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly arrivals: Arrivals;
  close(): Promise<void>;
}

async function openFar(serverOf: (engine: Engine) => string = ({ endpoint }) => endpoint.server): Promise<Far> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-far-'));
  const onFailure = (error: Error): never => {
    throw error;
  };
  const keys: Keys = loadKeys(home);
  const config = { name: 'far', seed: 1, startMs: Date.now(), zones: 1, ...stillConfig };
  const engine = await startEngine({ config, keys, speed: 1, ports: [0], onFailure });
  const server = { server: serverOf(engine), ca: keys.authority.certificatePem, token: keys.adminToken };
  const connection = new Connection(server, 'contract/1');
  const loop = new TaskLoop(Date.now(), { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => performance.now() });
  const pacer = new Pacer({ loop, wall: wallClock, speed: 1, onFailure });
  pacer.start();
  return {
    engine,
    connection,
    arrivals: new Arrivals(loop, pacer),
    close: async () => {
      connection.close();
      await pacer.close();
      await engine.close();
      rmSync(home, { recursive: true });
    },
  };
}

/** `forms`: how requests and answers are written; JSON when absent. */
export async function httpsBench(forms?: WireForms): Promise<ClientBench> {
  const { engine, connection, arrivals, close } = await openFar();
  return {
    client: createHttpsClient({ connection, arrivals, component: 'contract', ...(forms && { forms }) }),
    answer: (call) => call,
    compact: () => compact(engine.branch.cluster),
    close,
  };
}

/** Writes from outside, at once. */
function writers(door: Door): Pick<InformerBench, 'create' | 'update' | 'remove'> {
  const call = (method: string, path: string, body?: object, type = 'application/json'): void => void callDoor(door, method, path, body, type);
  const folder = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
  return {
    create: (name, data, namespace = 'default') => call('POST', folder(namespace), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }),
    update: (name, data) => call('PATCH', `${folder('default')}/${name}`, { data }, 'application/merge-patch+json'),
    remove: (name) => call('DELETE', `${folder('default')}/${name}`),
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export async function loopbackInformerBench(weather: Partial<WatchWeather> = {}): Promise<InformerBench & { nowMs(): number }> {
  const { cluster, door } = await aCluster(stillConfig);
  const { loop } = cluster;
  const crashes: string[] = [];
  let isCut = false;
  const informers: LoopbackInformers = new LoopbackInformers({
    pipeline: door,
    loop,
    identity: adminIdentity,
    userAgent: 'contract/1',
    component: 'contract',
    latency: new Random(1).stream('contract'),
    weather: { lagMs: () => 0, breaks: () => isCut, causes: () => [], ...weather },
    onCrash: (crash, error) => {
      crashes.push(`${crash.owner}: ${textOf(error)}`);
      loop.soon(redeliveryMs(crash.handler.attempts), 'contract', () => informers.redeliver(crash));
    },
  });
  const until = async (holds: () => boolean): Promise<void> => {
    const endMs = loop.nowMs() + 60_000;
    while (!holds()) {
      if (loop.nowMs() > endMs) throw new Error('did not come about within a minute');
      await loop.run(loop.nowMs() + 1);
    }
  };
  return {
    informers,
    start: () => {
      informers.start();
      return until(() => informers.synced);
    },
    cut: () => void (isCut = true),
    // What was told meanwhile must have broken the stream before.
    mend: async () => {
      await loop.run(loop.nowMs() + 2 * reconnectMs);
      isCut = false;
    },
    compact: () => compact(cluster),
    ...writers(door),
    until,
    crashes,
    nowMs: () => loop.nowMs(),
    close: () => Promise.resolve(),
  };
}

/** A network cable: TCP to the endpoint, which can be cut and mended. */
class Cable {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((near) => this.#join(near));
  #isCut = false;
  #farPort = 0;

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo(server: string): void {
    this.#farPort = Number(new URL(server).port);
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(near: Socket): void {
    if (this.#isCut) {
      near.destroy();
      return;
    }
    const far = connect(this.#farPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}

/** `forms`: see httpsBench. */
export async function httpsInformerBench(forms?: WireForms): Promise<InformerBench> {
  const cable = new Cable();
  await cable.open();
  const { engine, connection, arrivals, close } = await openFar(({ endpoint }) => {
    cable.leadTo(endpoint.server);
    return `https://127.0.0.1:${cable.port}`;
  });
  const crashes: string[] = [];
  arrivals.loop.onCrash(({ component, error }) => void crashes.push(`${component}: ${textOf(error)}`));
  const informers = new HttpsInformers({ connection, arrivals, component: 'contract', onError: () => undefined, ...(forms && { forms }) });
  const { cluster } = engine.branch;
  return {
    informers,
    start: () => informers.start(),
    cut: () => cable.cut(),
    mend: () => Promise.resolve(cable.mend()),
    compact: () => compact(cluster),
    ...writers(cluster.door),
    until: async (holds) => {
      await expect.poll(holds, { interval: 5, timeout: 20_000 }).toBe(true);
    },
    crashes,
    close: async () => {
      informers.close();
      cable.close();
      await close();
    },
  };
}
