/** Our controllers on host time against any API server, with clients and informers over HTTPS. */
import { createHmac, hash } from 'node:crypto';
import type { ResourceType } from '../../client/client.ts';
import { qpsOfClient, RateLimiter } from '../../client/rate-limiter.ts';
import { chooseControllers } from '../../cluster/chosen-controllers.ts';
import type { Settings } from '../../cluster/settings.ts';
import { eventSourceOf } from '../../controller-runtime/controller.ts';
import { ControllerRunner } from '../../controller-runtime/runner.ts';
import { createSchemaRegistry } from '../../api/schemas.ts';
import { servedTypes } from '../../cluster/served-types.ts';
import type { ControllerMetric } from '../../controller-runtime/controller.ts';
import type { ControllerDefinition, ControllerOptions } from '../../controllers/controller.ts';
import type { ControllerHost } from '../../controllers/options/family.ts';
import type { Release } from '../../contracts/release.ts';
import type { Connection } from './connection.ts';
import { discoverDeletable, hasSubresource, versionsAsker } from './discovery.ts';
import type { HttpsInformers } from './https-informers.ts';
import type { RemoteRuntime } from './runtime.ts';

export interface ControllersOptions {
  readonly runtime: RemoteRuntime;
  readonly settings: Settings;
  /** Whose times are in force. */
  readonly release: Release;
  /** What the process lends to controllers, beside what it can by itself. */
  readonly host: Omit<ControllerHost, 'sha256' | 'hmacSha256'>;
  /** Wait between the starts of two controllers. */
  readonly startIntervalMs?: number;
  /** How the controller with this service account speaks; the runtime's own connection when absent. */
  readonly connectionOf?: (serviceAccount: string) => Promise<Connection>;
  readonly log: (line: string) => void;
}

const discoveryMs = 30_000;
const sha256 = (text: string): string => hash('sha256', text, 'hex');
const hmacSha256 = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** What runs in a daemon. */
export interface Running {
  readonly names: readonly string[];
  metrics(): readonly ControllerMetric[];
  /** What is told at `/metrics/resources`, where the daemon has that path. */
  resources?(): readonly ControllerMetric[];
}

/** Resolves with what runs, when all informers are synced and the controllers have begun. */
export async function startControllers({
  runtime,
  settings,
  release,
  host,
  startIntervalMs = 0,
  connectionOf,
  log,
}: ControllersOptions): Promise<Running> {
  const { loop, random } = runtime;
  const informers = runtime.informers();
  let deletable: readonly ResourceType[] = await discoverDeletable(runtime.connection);
  const types = servedTypes(() => deletable, createSchemaRegistry());
  const { options, definitions: chosen } = chooseControllers(settings, release, { ...host, sha256, hmacSha256 });
  // A cluster of ours may run later ones unseen; before a server from outside a release has those that it has.
  const known = release.daemonOptions && new Set(Object.values(release.daemonOptions.controllers).flat());
  const definitions = chosen.filter(({ name }) => known?.has(name) !== false);
  const asked = versionsAsker(runtime.connection, options.horizontalPodAutoscaler.syncPeriodMs, () => loop.nowMs());
  const versionsOf = (group: string): Promise<readonly string[] | undefined> => runtime.asTask('controllers', () => asked(group));
  const newRunner = async (definition: ControllerDefinition, informers: HttpsInformers): Promise<ControllerRunner<ControllerOptions>> => {
    const component = `controller/${definition.name}`;
    const share = definition.clientShare ?? { qps: 1, burst: 1 };
    const limiter = new RateLimiter(qpsOfClient(settings.number('kube-api-qps')) * share.qps, settings.number('kube-api-burst') * share.burst);
    const connection = definition.serviceAccount === undefined ? undefined : await connectionOf?.(definition.serviceAccount);
    return new ControllerRunner({
      definition,
      loop,
      client: runtime.client(component, limiter, connection),
      informers,
      waitsForCaches: true,
      recorder: runtime.recorder(component, eventSourceOf(definition, options), connection, release.ratchets.EventReporters),
      random: random.stream(component),
      options,
      deletableResources: () => deletable,
      types,
      versionsOf,
      hasSubresource: (type, name) => runtime.asTask('controllers', () => hasSubresource(runtime.connection, type, name)),
      onError: (controller, key, error) => log(`${controller}: ${key}: ${error.message}`),
    });
  };
  const runners: ControllerRunner<ControllerOptions>[] = [];
  // Who speaks as a service account of a server that gives tokens in Secrets alone waits for who fills them.
  const isFirst = ({ givesCredentials }: ControllerDefinition): boolean => connectionOf !== undefined && givesCredentials === true;
  for (const definition of definitions.filter(isFirst)) {
    const own = runtime.informers();
    const runner = await newRunner(definition, own);
    await beginAll(runtime, [runner], own, 0);
    runners.push(runner);
  }
  const others: ControllerRunner<ControllerOptions>[] = [];
  for (const definition of definitions.filter((one) => !isFirst(one))) others.push(await newRunner(definition, informers));
  runners.push(...others);
  const refresh = setInterval(() => {
    discoverDeletable(runtime.connection, deletable).then(
      (found) => {
        deletable = found;
      },
      (error: unknown) => log(`discovery: ${(error as Error).message}`),
    );
  }, discoveryMs);
  runtime.onClose(() => clearInterval(refresh));
  await beginAll(runtime, others, informers, startIntervalMs);
  return { names: runners.map(({ name }) => name.slice('controller/'.length)), metrics: () => runners.flatMap((runner) => runner.metrics()) };
}

/** Each begins when what it looks at is known, in the order of the list with the wait between; resolves when all of them may. */
async function beginAll(
  runtime: RemoteRuntime,
  runners: readonly ControllerRunner<ControllerOptions>[],
  informers: HttpsInformers,
  intervalMs: number,
): Promise<void> {
  const waiting = new Map(runners.map((runner, index) => [runner, index]));
  const begin = (): void => {
    for (const [runner, index] of waiting) {
      if (!runner.synced) continue;
      waiting.delete(runner);
      const start = (): void => runtime.deliver('informers', () => runner.start());
      if (intervalMs <= 0 || index === 0) start();
      else {
        const timer = setTimeout(start, intervalMs * index);
        runtime.onClose(() => clearTimeout(timer));
      }
    }
  };
  begin();
  await informers.start(begin);
}
