/** `wavetank up`: starts a cluster, says how to reach it, and stays until it is told to stop. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { adminIdentity } from '../../cluster/identities.ts';
import { Settings } from '../../cluster/settings.ts';
import { CommandError } from '../command-error.ts';
import type { Branch } from '../branch.ts';
import { type Engine, startEngine } from '../engine.ts';
import { loadKeys } from '../home.ts';
import { contextName, mergeKubeconfig, writeKubeconfig } from '../kubeconfig.ts';
import { type RunningPage, startPage } from '../page.ts';
import { forgetCluster, kubeconfigOf, listClusters, rememberCluster, type RunningCluster } from '../registry-file.ts';
import { listScenarios, loadScenario } from './run.ts';
import { sessionNotes } from './session-notes.ts';
import { clusterName, controlPlaneOptions, type Given, isJson, speed, text, time, wholeNumber } from './options.ts';

const nodesMax = 5000;
const defaultPort = 6443;
const impatienceMs = 500;

export interface StartedCluster {
  readonly engine: Engine;
  readonly page: RunningPage | undefined;
  readonly record: RunningCluster;
  /** Resolves with the exit code when the cluster has stopped. */
  readonly stopped: Promise<number>;
  stop(): void;
}

export async function runUp(given: Given): Promise<number> {
  const json = isJson(given);
  const started = await startUp(given, { log: () => undefined });
  print(started, json);
  let firstMs: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // One Ctrl-C comes more than once: from the terminal, and from the start script that passes its own on.
      if (firstMs !== undefined && performance.now() - firstMs > impatienceMs) process.exit(130);
      if (firstMs !== undefined) return;
      firstMs = performance.now();
      if (!json) process.stdout.write('\nstopping …\n');
      started.stop();
    });
  }
  return started.stopped;
}

/** Checks the options and starts; also what the desktop app calls. */
export async function startUp(given: Given, { log }: { readonly log: (line: string) => void }): Promise<StartedCluster> {
  const name = clusterName(given);
  const options = controlPlaneOptions(given);
  // Bad options are refused before anything is written.
  new Settings(options);
  const seed = wholeNumber(given, 'seed', defaultSeed(), 0, Number.MAX_SAFE_INTEGER);
  const config = {
    name,
    seed,
    startMs: time(given, 'start-time', Math.floor(Date.now() / 1000) * 1000),
    nodes: wholeNumber(given, 'nodes', 3, 0, nodesMax),
    zones: wholeNumber(given, 'zones', 3, 1, 100),
    options,
  };
  // Without --port a second cluster takes any free port instead of failing on the first one's.
  const port = wholeNumber(given, 'port', defaultPort, 0, 65_535);
  const ports = given['port'] === undefined ? [port, 0] : [port];
  const pace = speed(given, 1);
  if (listClusters().some((cluster) => cluster.name === name))
    throw new CommandError(`a cluster named ${name} is running; stop it with \`wavetank stop ${name}\` or choose another --name`);
  const session = sessionFile(given);
  const keys = loadKeys();
  const kubeconfig = text(given, 'kubeconfig') ?? kubeconfigOf(name);
  let fail: (error: Error) => void = () => undefined;
  const engine = await startEngine({
    config,
    keys,
    speed: pace,
    ports,
    log,
    onFailure: (error) => fail(error),
    ...(session === undefined ? {} : { session }),
  });
  if (engine.branch.isNew) offerScenarios(engine.branch);
  else say(sessionNotes(given, config, engine.branch));
  const page = given['ui'] === false ? undefined : await startPage(engine.endpoint);
  try {
    writeKubeconfig(kubeconfig, name, engine.endpoint.server, keys);
    if (given['mergeKubeconfig'] === true) mergeKubeconfig(name, engine.endpoint.server, keys);
  } catch (error) {
    await page?.close();
    await engine.close();
    throw error;
  }
  const record: RunningCluster = {
    name,
    server: engine.endpoint.server,
    kubeconfig,
    token: keys.adminToken,
    ui: page?.url ?? null,
    seed: engine.branch.cluster.config.seed,
    pid: process.pid,
  };
  rememberCluster(session === undefined ? record : { ...record, session });
  let stop: () => void = () => undefined;
  const stopped = new Promise<number>((resolve) => {
    const end = (code: number): void => {
      forgetCluster(name);
      void Promise.allSettled([page?.close(), engine.close()]).then(() => resolve(code));
    };
    stop = () => end(0);
    fail = (error) => {
      process.stderr.write(
        `wavetank: the cluster stopped (seed ${engine.branch.cluster.config.seed}): ${error.message}\n${error.stack ?? ''}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}\n`,
      );
      end(70);
    };
  });
  return { engine, page, record, stopped, stop };
}

/** The session's file, which no other running cluster may write. */
function sessionFile(given: Given): string | undefined {
  const path = text(given, 'session');
  if (path === undefined) return undefined;
  const file = resolve(path);
  const other = listClusters().find((cluster) => cluster.session === file);
  if (other !== undefined)
    throw new CommandError(
      `${path} is the session of the running cluster ${other.name}; stop it with \`wavetank stop ${other.name}\` or give another path`,
    );
  return file;
}

/** The shipped library as objects, so that the page and kubectl can run them here. Inputs like any other: a replay makes them again. */
function offerScenarios(branch: Branch): void {
  for (const name of listScenarios().keys()) {
    const body = new TextEncoder().encode(JSON.stringify(loadScenario(name)));
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'wavetank' };
    branch.handle({ method: 'POST', path: '/apis/sim.wavetank.dev/v1alpha1/scenarios', query: '', headers, body, identity: adminIdentity });
  }
}

function print({ record }: StartedCluster, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(record)}\n`);
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
