/** Our controllers on host time against any API server: a task loop and pacer of their own, clients and informers over HTTPS. */
import { Random } from '../../base/random.ts';
import { TaskLoop } from '../../base/task-loop.ts';
import type { Release } from '../../contracts/release.ts';
import type { ResourceType } from '../../client/client.ts';
import { CorrelatingRecorder } from '../../client/correlating-recorder.ts';
import { RateLimiter } from '../../client/rate-limiter.ts';
import { isSwitchedOff } from '../../cluster/component-options.ts';
import { controllerOptions, isControllerEnabled, Settings } from '../../cluster/settings.ts';
import { controllers } from '../../controllers/index.gen.ts';
import { ControllerRunner } from '../../controller-runtime/runner.ts';
import { Pacer, wallClock } from '../pacing.ts';
import { Arrivals, Connection } from './connection.ts';
import { discoverDeletable } from './discovery.ts';
import { createHttpsClient } from './https-client.ts';
import { releaseOfServer } from './server-release.ts';
import { HttpsInformers } from './https-informers.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';

export interface ControllerManagerOptions {
  readonly server: RemoteServer;
  /** Options that were given, under their flag names. */
  readonly given: Readonly<Record<string, string>>;
  /** Whose times and defaults are in force; the server's when absent. */
  readonly release: Release | undefined;
  readonly seed: number;
  readonly log: (line: string) => void;
  readonly onFailure: (error: Error) => void;
}

export interface RunningControllerManager {
  readonly names: readonly string[];
  /** Whose times and defaults they have. */
  readonly release: string;
  close(): Promise<void>;
}

const discoveryMs = 30_000;

/** Resolves when all informers are synced and the controllers run. */
export async function startControllerManager({
  server,
  given,
  release,
  seed,
  log,
  onFailure,
}: ControllerManagerOptions): Promise<RunningControllerManager> {
  const connection = new Connection(server, 'wavetank-controller-manager');
  const emulated = release ?? (await releaseOfServer(connection));
  const settings = new Settings(given, emulated);
  let deletable: readonly ResourceType[] = await discoverDeletable(connection);
  const loop = new TaskLoop(Date.now(), { hop: () => new Promise((resolve) => setImmediate(resolve)), wallMs: () => performance.now() });
  loop.onCrash(({ component, key, error }) =>
    log(`${component}: crashed at ${key}, recovered: ${error instanceof Error ? error.stack : String(error)}`),
  );
  const pacer = new Pacer({ loop, wall: wallClock, speed: 1, onFailure });
  const arrivals = new Arrivals(loop, pacer);
  const informers = new HttpsInformers({
    connection,
    arrivals,
    component: 'informers',
    onError: (resource, error) => log(`${resource}: ${error.message}`),
  });
  const random = new Random(seed);
  const options = controllerOptions(settings, emulated, server.ca ?? '');
  const enabled = settings.text('controllers').split(',');
  const runners = controllers
    .filter(({ name, aliases }) => isControllerEnabled(enabled, [name, ...aliases]) && !isSwitchedOff(settings, name))
    .filter(({ canRun }) => canRun?.(options) !== false)
    .map((definition) => {
      const component = `controller/${definition.name}`;
      const share = definition.clientShare ?? { qps: 1, burst: 1 };
      const limiter = new RateLimiter(settings.number('kube-api-qps') * share.qps, settings.number('kube-api-burst') * share.burst);
      const recorder = new CorrelatingRecorder({
        loop,
        client: createHttpsClient({ connection, arrivals, component }),
        component: definition.eventSource,
      });
      return new ControllerRunner({
        definition,
        loop,
        client: createHttpsClient({ connection, arrivals, component, limiter }),
        informers,
        recorder,
        random: random.stream(component),
        options,
        deletableResources: () => deletable,
        onError: (controller, key, error) => log(`${controller}: ${key}: ${error.message}`),
      });
    });
  const refresh = setInterval(() => {
    discoverDeletable(connection).then(
      (found) => {
        deletable = found;
      },
      (error: unknown) => log(`discovery: ${(error as Error).message}`),
    );
  }, discoveryMs);
  pacer.start();
  await informers.start();
  arrivals.deliver('informers', () => runners.forEach((runner) => runner.start()));
  return {
    release: emulated.name,
    names: runners.map(({ name }) => name.slice('controller/'.length)),
    async close() {
      clearInterval(refresh);
      informers.close();
      await pacer.close();
      connection.close();
    },
  };
}
