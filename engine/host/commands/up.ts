/** `wavetank up`: starts a cluster, says how to reach it, and stays until it is told to stop. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { adminIdentity } from '../../cluster/identities.ts';
import { Settings } from '../../cluster/settings.ts';
import type { Release } from '../../contracts/release.ts';
import { FeatureGates } from '../../releases/feature-gates.ts';
import { defaultRelease } from '../../releases/releases.ts';
import { type Branch, sessionBytesMaxDefault } from '../branch.ts';
import { type Engine, startEngine } from '../engine.ts';
import { loadKeys } from '../home.ts';
import { checkOverwritable, contextName, entriesOf, writeKubeconfig } from '../kubeconfig.ts';
import { mergeKubeconfig, userKubeconfig } from '../kubeconfig-merge.ts';
import { WarmUp } from '../warm-up.ts';
import { type RunningPage, startPage } from '../page.ts';
import { pageMemoryOf } from '../page-memory.ts';
import { claimName, forgetCluster, kubeconfigOf, rememberCluster, type RunningCluster } from '../registry-file.ts';
import { listScenarios, loadScenario } from './run.ts';
import { SessionLostError } from '../session-recorder.ts';
import { createSimObject } from '../sim-objects.ts';
import { sessionNotes } from './session-notes.ts';
import { interruptedCode, onStopRequest } from './stop-requests.ts';
import { startAudit } from './audit-options.ts';
import { readSeals } from './encryption-options.ts';
import { AuthorizationFile } from './authorization-file.ts';
import { ManifestFolders } from './manifest-folders.ts';
import { createManifestLoader, manifestFoldersOf, withManifests } from '../../cluster/admission-manifests.ts';
import { readAuthentication } from './authentication-options.ts';
import { readServing } from './serving-options.ts';
import { type Given, isJson, text } from './given.ts';
import { clusterName, controlPlaneOptions, speed, startTime, wholeNumber, releaseOf } from './options.ts';

const nodesMax = 5000;
const defaultPort = 6443;
const megabyte = 1_000_000;
const failureCode = 70;
/** A cluster that has failed answers why for this long: pages and watches hear it before the process ends. */
const farewellMs = 1000;

export interface StartedCluster {
  readonly engine: Engine;
  /** Undefined where nothing is warmed up. */
  readonly warmUp: WarmUp | undefined;
  readonly page: RunningPage | undefined;
  readonly record: RunningCluster;
  /** The admin's bearer token. */
  readonly token: string;
  /** Resolves with the exit code when the cluster has stopped. */
  readonly stopped: Promise<number>;
  stop(): void;
}

/** Exit code: 0 stopped when asked, 70 the cluster failed, 130 stopped before it was ready. */
export async function runUp(given: Given): Promise<number> {
  const json = isJson(given);
  const asked = Promise.withResolvers<void>();
  let isAsked = false;
  onStopRequest(() => {
    isAsked = true;
    if (!json) process.stdout.write('\nstopping …\n');
    asked.resolve();
  });
  const started = await startUp(given, { log: () => undefined });
  const isInterrupted = isAsked;
  if (!isInterrupted) print(started, json);
  void asked.promise.then(() => started.stop());
  const code = await started.stopped;
  return isInterrupted && code === 0 ? interruptedCode : code;
}

function takesSinks({ featureGates }: Release = defaultRelease, options: Readonly<Record<string, string>>): boolean {
  return new FeatureGates(featureGates, options['feature-gates'] ?? '').enabled('DynamicAuditing');
}

/** Virtual time until the nodes of a new cluster are Ready, and more: it does not begin ahead of the wall. */
const startTakesMs = 3_000;

/** Checks the options and starts; also what the desktop app calls. */
export async function startUp(given: Given, { log }: { readonly log: (line: string) => void }): Promise<StartedCluster> {
  const name = clusterName(given);
  const options = controlPlaneOptions(given);
  // Bad options are refused before anything is written.
  const release = releaseOf(given);
  new Settings(options, release);
  const seed = wholeNumber(given, 'seed', defaultSeed(), 0, Number.MAX_SAFE_INTEGER);
  const config = {
    name,
    seed,
    startMs: startTime(given, 'start-time', Math.floor((Date.now() - startTakesMs) / 1000) * 1000),
    nodes: wholeNumber(given, 'nodes', 3, 0, nodesMax),
    zones: wholeNumber(given, 'zones', 3, 1, 100),
    options,
    ...(release === undefined ? undefined : { release: release.name }),
  };
  // Without --port a second cluster takes any free port instead of failing on the first one's.
  const port = wholeNumber(given, 'port', defaultPort, 0, 65_535);
  const ports = given['port'] === undefined ? [port, 0] : [port];
  const pace = speed(given, 1);
  const kubeconfig = text(given, 'kubeconfig') ?? kubeconfigOf(name);
  if (text(given, 'kubeconfig') !== undefined) checkOverwritable(kubeconfig);
  const session = sessionFile(given);
  const sessionBytesMax = wholeNumber(given, 'session-maxsize', sessionBytesMaxDefault / megabyte, 0, 1_000_000) * megabyte;
  const ways = readAuthentication(given);
  const seals = readSeals(given, (line) => say([line]));
  const keys = loadKeys();
  const serving = readServing(given, keys);
  await claimName(name, session);
  const stack: (() => Promise<unknown>)[] = [() => forgetCluster(name)];
  const unwind = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (const undo of stack.splice(0).reverse()) await undo().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
  try {
    const audit = startAudit(given, (line) => say([line]), takesSinks(release, options));
    if (audit !== undefined) stack.push(() => audit.close());
    const failed = Promise.withResolvers<Error>();
    const watched: { authorization?: AuthorizationFile | undefined; manifests?: ManifestFolders | undefined } = {};
    const at = { server: '' };
    const engine = await startEngine({
      config,
      keys,
      access: () => ({ kubeconfig: resolve(kubeconfig), context: contextName(name), server: at.server }),
      speed: pace,
      followsWall: given['startTime'] === undefined,
      ports,
      log,
      onFailure: failed.resolve,
      ways,
      serving,
      metrics: () => `${watched.authorization?.metrics() ?? ''}${watched.manifests?.metrics() ?? ''}`,
      seals,
      ...(audit === undefined ? {} : { audit: audit.options }),
      ...(session === undefined ? {} : { session, sessionBytesMax }),
    });
    stack.push(() => engine.close());
    watched.authorization = authorizationFile(given, options, engine.branch);
    watched.manifests = manifestFolders(options, engine.branch);
    for (const file of [ways, watched.authorization, watched.manifests]) {
      const forget = file?.watch?.((line) => say([line]));
      if (forget !== undefined) stack.push(async () => forget());
    }
    if (engine.branch.isNew) await offerScenarios(engine.branch);
    else say(sessionNotes(given, config, engine.branch));
    let remember: (ui: string | null) => void = () => undefined;
    const page =
      given['ui'] === false
        ? undefined
        : await startPage(engine.endpoint, { onLinkUsed: (url) => remember(url), memory: pageMemoryOf(name, (line) => say([line])) });
    if (page !== undefined) stack.push(() => page.close());
    const { server } = engine.endpoint;
    at.server = server;
    const shownPem = serving?.server.certificatePem ?? '';
    writeKubeconfig(kubeconfig, name, server, keys, shownPem);
    const merged = given['mergeKubeconfig'] === true ? await mergeKubeconfig(userKubeconfig(), entriesOf(name, server, keys, shownPem)) : undefined;
    const { seed } = engine.branch.cluster.config;
    const record: RunningCluster = { name, server, kubeconfig, ui: page?.url ?? null, seed, pid: process.pid };
    const kept = { ...record, ...(session === undefined ? {} : { session }), ...(merged === undefined ? {} : { merged }) };
    // `wavetank status` shows the link that works.
    remember = (ui) => rememberCluster({ ...kept, ui });
    remember(record.ui);
    const warmUp = given['warmUp'] === false ? undefined : new WarmUp({ engine, onDefect: (error) => say([`not warmed up: ${error.message}`]) });
    if (warmUp !== undefined) stack.push(() => warmUp.close());
    return { engine, warmUp, page, record, token: keys.adminToken, ...lifeOf(engine.branch, failed.promise, unwind) };
  } catch (error) {
    await unwind();
    throw error;
  }
}

/** Undefined where other options say who decides, or did when the session began. */
function authorizationFile(given: Given, options: Readonly<Record<string, string>>, branch: Branch): AuthorizationFile | undefined {
  const [file, configuration] = [text(given, 'authorization-config') ?? '', options['authorization-config'] ?? ''];
  if (configuration === '' || branch.cluster.authorization.configuration === '') return undefined;
  return new AuthorizationFile({ file, text: configuration, use: (text) => branch.reconfigure(text), nowMs: () => Date.now() });
}

/** Undefined where no folder of manifests is named, or another configuration counted when the session began. */
function manifestFolders(options: Readonly<Record<string, string>>, branch: Branch): ManifestFolders | undefined {
  const { cluster } = branch;
  const { configuration } = cluster.manifests;
  if (configuration === '' || configuration !== options['admission-control-config-file']) return undefined;
  const textOf = (name: string): string => cluster.settings.text(name);
  const folders = manifestFoldersOf(configuration, cluster.release, textOf);
  if (folders.length === 0) return undefined;
  return new ManifestFolders({
    folders,
    loader: createManifestLoader(cluster.release, textOf),
    use: (plugin, files) => branch.useManifests(withManifests(cluster.manifests.configuration, plugin, files)),
    nowMs: () => Date.now(),
  });
}

/** How it ends: when it is told to, or when the cluster has failed. */
function lifeOf(branch: Branch, failed: Promise<Error>, unwind: () => Promise<void>): Pick<StartedCluster, 'stopped' | 'stop'> {
  const { promise, resolve } = Promise.withResolvers<number>();
  void failed.then((error) => {
    if (error instanceof SessionLostError) {
      say([error.message]);
      return resolve(error.exitCode);
    }
    const cause = error.cause instanceof Error ? (error.cause.stack ?? '') : '';
    say([`the cluster stopped (seed ${branch.cluster.config.seed}): ${error.message}`, error.stack ?? '', cause].filter((line) => line !== ''));
    setTimeout(() => resolve(failureCode), farewellMs);
  });
  return { stop: () => resolve(0), stopped: promise.then((code) => unwind().then(() => code)) };
}

/** The session's file; `claimName` sees to it that no other running cluster writes it. */
function sessionFile(given: Given): string | undefined {
  const path = text(given, 'session');
  if (path === undefined) return undefined;
  return resolve(path);
}

/** The shipped library as objects, so that the page and kubectl can run them here. Inputs like any other: a replay makes them again. */
async function offerScenarios(branch: Branch): Promise<void> {
  for (const name of listScenarios().keys()) {
    const maker = { identity: adminIdentity, userAgent: 'wavetank' };
    const refusal = await createSimObject((request) => branch.handle(request), 'scenarios', loadScenario(name), maker);
    if (refusal !== undefined) say([`the scenario ${name} is not offered: ${refusal}`]);
  }
}

function print({ record, token }: StartedCluster, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...record, token })}\n`);
    return;
  }
  const lines = [
    `Cluster ${record.name} is ready (seed ${record.seed}).`,
    '',
    `  kubeconfig  ${record.kubeconfig}`,
    `              export KUBECONFIG=${record.kubeconfig}`,
    `  API         ${record.server} (context ${contextName(record.name)})`,
    ...(record.ui === null ? [] : [`  page        ${record.ui}`]),
    '',
    `Stop it with Ctrl-C or \`npx wavetank stop ${record.name}\`.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`wavetank: ${line}\n`);
}

function defaultSeed(): number {
  return randomBytes(4).readUInt32BE();
}
