/**
 * Ten minutes of real clients against a cluster that keeps a session: kubectl, informers of @kubernetes/client-node, port-forwards and
 * the load generator, with pauses, speed changes, a clean restart and a crash in between. Then the session is run again twice without clients; the
 * digests must be equal. `node test/bench/session-stress.ts [--minutes 10] [--kubectl FILE] [--apiload FILE]`; wants test/clients.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptOptions } from '../../build/script-options.ts';

const root = join(import.meta.dirname, '..', '..');
const bundle = process.env['WAVETANK_BUNDLE'] ?? join(root, 'dist', 'wavetank.js');
const entry = existsSync(bundle) ? bundle : join(root, 'engine', 'host', 'entry.ts');
const peers = join(homedir(), '.cache', 'wavetank-peers', 'bin');
const { values } = scriptOptions(import.meta.filename, {
  options: {
    minutes: { type: 'string', default: '10' },
    kubectl: { type: 'string', default: join(peers, 'kubectl') },
    apiload: { type: 'string', default: join(peers, 'apiload') },
    session: { type: 'string' },
  },
});
const home = mkdtempSync(join(tmpdir(), 'wavetank-stress-'));
const session = values.session ?? join(home, 'session.jsonl');
const env = { ...process.env, WAVETANK_HOME: home, HOME: home, KUBECONFIG: join(home, 'clusters', 'stress.kubeconfig') };
const endMs = performance.now() + Number(values.minutes) * 60_000;
const counts: Record<string, number> = {
  kubectl: 0,
  kubectlFailed: 0,
  forwards: 0,
  forwardsFailed: 0,
  apiload: 0,
  apiloadFailed: 0,
  informerEvents: 0,
  clock: 0,
  restarts: 0,
  crashes: 0,
};
const failures = new Set<string>();

interface Replay {
  readonly equal: boolean;
  readonly digest: string;
}

interface Client {
  readonly KubeConfig: new () => {
    loadFromFile(file: string): void;
    makeApiClient(api: unknown): Record<string, (request?: object) => Promise<unknown>>;
  };
  readonly CoreV1Api: unknown;
  readonly makeInformer: (
    config: unknown,
    path: string,
    list: () => Promise<unknown>,
  ) => { on(event: string, call: () => void): void; start(): Promise<void>; stop(): Promise<void> };
}

const manifest = join(home, 'app.yaml');
writeFileSync(
  manifest,
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:1.27", ports: [{containerPort: 80}], resources: {requests: {cpu: 10m}}}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec:
  schedule: "* * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, "echo hi; sleep 4"]}]}}}}
`,
);

let cluster = await up();
const stopInformers = await startInformers();
await Promise.all([useKubectl(), steer(), load(), restart()]);
await stopInformers();
await ended(cluster, 'SIGINT');
const replays: Replay[] = [];
for (let i = 0; i < 2; i++) {
  const { out } = await execute(process.execPath, [entry, 'replay', session, '--output', 'json'], 3_600_000);
  replays.push(JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as Replay);
}
const equal = replays.every((replay) => replay.equal && replay.digest === replays[0]?.digest);
console.log(
  JSON.stringify({
    bench: 'session-stress',
    minutes: Number(values.minutes),
    equal,
    ...counts,
    sessionMb: Math.round(statSync(session).size / 1e5) / 10,
    replays,
    failures: [...failures].slice(0, 10),
  }),
);
process.exitCode = equal ? 0 : 1;
if (equal && values.session === undefined) rmSync(home, { recursive: true, force: true });

async function up(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [entry, 'up', '--name', 'stress', '--port', '18443', '--nodes', '5', '--seed', '42', '--session', session, '--no-ui', '--output', 'json'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the cluster ended with ${code}`)));
  });
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}

/** A third in, Ctrl-C and up again; two thirds in, kill -9 and up again. */
async function restart(): Promise<void> {
  const partMs = (endMs - performance.now()) / 3;
  await sleep(partMs);
  await ended(cluster, 'SIGINT');
  cluster = await up();
  counts['restarts'] = (counts['restarts'] ?? 0) + 1;
  await sleep(partMs);
  await ended(cluster, 'SIGKILL');
  cluster = await up();
  counts['crashes'] = (counts['crashes'] ?? 0) + 1;
}

async function useKubectl(): Promise<void> {
  const kubectl = async (...args: string[]): Promise<void> => {
    const { code, error } = await execute(values.kubectl, args, 60_000);
    counts['kubectl'] = (counts['kubectl'] ?? 0) + 1;
    if (code === 0) return;
    counts['kubectlFailed'] = (counts['kubectlFailed'] ?? 0) + 1;
    failures.add(`kubectl ${args[0]}: ${error.trim().split('\n')[0]}`);
  };
  for (let round = 0; performance.now() < endMs; round++) {
    await kubectl('apply', '-f', manifest);
    await kubectl('scale', 'deployment/web', `--replicas=${2 + (round % 9)}`);
    await kubectl('set', 'image', 'deployment/web', `c=nginx:1.${20 + (round % 9)}`);
    await kubectl('get', 'pods', '-A', '-o', 'wide');
    await kubectl('run', `one-${round}`, '--image=busybox', '--restart=Never', '--', 'sh', '-c', 'echo one; sleep 1');
    await kubectl('apply', '--server-side', '--force-conflicts', '-f', manifest);
    await forward(round);
    await kubectl('logs', `one-${round}`, '--ignore-errors');
    await kubectl('delete', 'pod', `one-${round}`, '--wait=false');
    if (round % 7 === 6) await kubectl('cordon', `node-${round % 5}`);
    if (round % 7 === 0) await kubectl('uncordon', `node-${(round + 6) % 5}`);
  }
}

/** A port-forward that is used once and cut. */
async function forward(round: number): Promise<void> {
  const port = 19_000 + (round % 500);
  const child = spawn(values.kubectl, ['port-forward', 'deployment/web', `${port}:80`], { env, stdio: 'ignore' });
  await sleep(600);
  counts['forwards'] = (counts['forwards'] ?? 0) + 1;
  try {
    await (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1000) })).text();
  } catch (error) {
    counts['forwardsFailed'] = (counts['forwardsFailed'] ?? 0) + 1;
    failures.add(`port-forward: ${(error as Error).message}`);
  }
  child.kill('SIGKILL');
}

async function load(): Promise<void> {
  while (performance.now() < endMs) {
    const { code, out, error } = await execute(values.apiload, ['-n', '500', '-watchers', '20', '-ns', `load-${counts['apiload']}`], 300_000);
    counts['apiload'] = (counts['apiload'] ?? 0) + 1;
    if (code !== 0) {
      counts['apiloadFailed'] = (counts['apiloadFailed'] ?? 0) + 1;
      failures.add(`apiload: ${(error || out).trim().split('\n')[0]}`);
    }
    await execute(values.kubectl, ['delete', 'namespace', `load-${(counts['apiload'] ?? 1) - 1}`, '--wait=false'], 60_000);
    await sleep(3000);
  }
}

async function steer(): Promise<void> {
  const acts = [
    ['speed', '20'],
    ['pause'],
    ['step'],
    ['advance', '3m'],
    ['resume'],
    ['speed', '100'],
    ['step', 'event'],
    ['speed', '7.5'],
    ['advance', '45s'],
    ['speed', '1'],
  ];
  for (let i = 0; performance.now() < endMs; i++) {
    await execute(process.execPath, [entry, 'clock', ...(acts[i % acts.length] ?? []), '--name', 'stress'], 60_000);
    counts['clock'] = (counts['clock'] ?? 0) + 1;
    await sleep(2500);
  }
}

async function startInformers(): Promise<() => Promise<void>> {
  const clients = join(root, 'test', 'clients', 'package.json');
  const module = createRequire(clients).resolve('@kubernetes/client-node');
  const { KubeConfig, CoreV1Api, makeInformer } = (await import(pathToFileURL(module).href)) as Client;
  const config = new KubeConfig();
  config.loadFromFile(env.KUBECONFIG);
  const core = config.makeApiClient(CoreV1Api);
  const lists: readonly (readonly [string, string])[] = [
    ['/api/v1/pods', 'listPodForAllNamespaces'],
    ['/api/v1/nodes', 'listNode'],
    ['/api/v1/events', 'listEventForAllNamespaces'],
  ];
  const informers = lists.map(([path, method]) => makeInformer(config, path, () => (core[method] as () => Promise<unknown>).call(core)));
  let isOver = false;
  for (const informer of informers) {
    for (const event of ['add', 'update', 'delete']) informer.on(event, () => (counts['informerEvents'] = (counts['informerEvents'] ?? 0) + 1));
    informer.on('error', () => {
      if (!isOver) setTimeout(() => void informer.start().catch(() => undefined), 1000);
    });
    await informer.start();
  }
  return async () => {
    isOver = true;
    for (const informer of informers) await informer.stop();
  };
}

function execute(file: string, args: readonly string[], timeout: number): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(file, [...args], { env, timeout, maxBuffer: 1 << 28 }, (error, out, errorText) =>
      resolve({ code: error === null ? 0 : 1, out, error: errorText }),
    );
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

process.on('exit', () => cluster.kill('SIGKILL'));
