/** Our controllers on host time against any API server, with clients and informers over HTTPS. */
import { hash } from 'node:crypto';
import type { ResourceType } from '../../client/client.ts';
import { RateLimiter } from '../../client/rate-limiter.ts';
import { isSwitchedOff } from '../../cluster/component-options.ts';
import { controllerOptions, hasGates, isControllerEnabled, type Settings } from '../../cluster/settings.ts';
import { ControllerRunner } from '../../controller-runtime/runner.ts';
import type { ControllerOptions } from '../../controllers/controller.ts';
import { controllers } from '../../controllers/index.gen.ts';
import type { Release } from '../../contracts/release.ts';
import { FeatureGates } from '../../releases/feature-gates.ts';
import type { Connection } from './connection.ts';
import { discoverDeletable } from './discovery.ts';
import type { RemoteRuntime } from './runtime.ts';

export interface ControllersOptions {
  readonly runtime: RemoteRuntime;
  readonly settings: Settings;
  /** Whose times are in force. */
  readonly release: Release;
  /** Who signed the API server's certificate, for what controllers publish of it. */
  readonly rootCaPem: string;
  /** Wait between the starts of two controllers. */
  readonly startIntervalMs?: number;
  /** How the controller with this service account speaks; the runtime's own connection when absent. */
  readonly connectionOf?: (serviceAccount: string) => Promise<Connection>;
  readonly log: (line: string) => void;
}

const discoveryMs = 30_000;

/** Resolves with the names of what runs, when all informers are synced and the controllers have begun. */
export async function startControllers({
  runtime,
  settings,
  release,
  rootCaPem,
  startIntervalMs = 0,
  connectionOf,
  log,
}: ControllersOptions): Promise<readonly string[]> {
  const { loop, random } = runtime;
  const informers = runtime.informers();
  let deletable: readonly ResourceType[] = await discoverDeletable(runtime.connection);
  const options = controllerOptions(settings, release, rootCaPem, (text) => hash('sha256', text, 'hex'));
  const enabled = settings.text('controllers').split(',');
  const gates = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const definitions = controllers
    .filter((one) => isControllerEnabled(enabled, one) && hasGates(one, gates) && !isSwitchedOff(settings, one.name))
    .filter(({ canRun }) => canRun?.(options) !== false);
  const runners: ControllerRunner<ControllerOptions>[] = [];
  for (const definition of definitions) {
    const component = `controller/${definition.name}`;
    const share = definition.clientShare ?? { qps: 1, burst: 1 };
    const limiter = new RateLimiter(settings.number('kube-api-qps') * share.qps, settings.number('kube-api-burst') * share.burst);
    const connection = definition.serviceAccount === undefined ? undefined : await connectionOf?.(definition.serviceAccount);
    runners.push(
      new ControllerRunner({
        definition,
        loop,
        client: runtime.client(component, limiter, connection),
        informers,
        recorder: runtime.recorder(component, definition.eventSource, connection),
        random: random.stream(component),
        options,
        deletableResources: () => deletable,
        onError: (controller, key, error) => log(`${controller}: ${key}: ${error.message}`),
      }),
    );
  }
  const refresh = setInterval(() => {
    discoverDeletable(runtime.connection).then(
      (found) => {
        deletable = found;
      },
      (error: unknown) => log(`discovery: ${(error as Error).message}`),
    );
  }, discoveryMs);
  runtime.onClose(() => clearInterval(refresh));
  await informers.start();
  runners.forEach((runner, index) => {
    const begin = (): void => runtime.deliver('informers', () => runner.start());
    if (startIntervalMs <= 0 || index === 0) return begin();
    const timer = setTimeout(begin, startIntervalMs * index);
    runtime.onClose(() => clearTimeout(timer));
  });
  return runners.map(({ name }) => name.slice('controller/'.length));
}
