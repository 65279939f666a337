/** The real control plane and a cluster of ours, both without machines, and a shell before each in which `kubectl` and `helm` reach it. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { startPeer } from '../../differential/peer.ts';
import { type Reached, readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { program } from '../../support/program.ts';
import { binaries, fixtures } from '../session.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface Terminal {
  readonly server: string;
  readonly home: string;
  /** A line for `bash`; what it says, and the code with which it ends. */
  type(line: string): Promise<Said>;
}

export interface ClientSide {
  /** A user in a namespace of her own (`$NS` in lines and files), which is made first, with a home and a copy of the files. */
  open(namespace: string, kubectl: string): Promise<Terminal>;
  stop(): Promise<void>;
}

export interface SidesOptions {
  readonly bin: string;
  readonly port: number;
  readonly release: string | undefined;
}

const files = join(import.meta.dirname, 'files');
const lineLimitMs = 60_000;

/** @throws Error when the real programs are absent. */
export function realSide({ bin, port, release }: SidesOptions): ClientSide {
  const peer = startPeer(bin, port, { release, controllers: true });
  return sideOf(peer.kubeconfig, () => {
    peer.stop();
    return Promise.resolve();
  });
}

export async function ourSide({ port, release }: SidesOptions): Promise<ClientSide> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-compare-ours-'));
  const args = [
    'up',
    '--name',
    'compare',
    '--port',
    String(port),
    '--seed',
    '1',
    '--nodes',
    '0',
    '--no-scheduler',
    '--no-ui',
    '--no-warm-up',
    '--output',
    'json',
  ];
  const cluster = spawn(process.execPath, [program, ...args, ...(release === undefined ? [] : ['--emulate', release])], {
    env: { ...process.env, WAVETANK_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kubeconfig = await new Promise<string>((resolve, reject) => {
    let text = '';
    cluster.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve((JSON.parse(text.slice(0, text.indexOf('\n'))) as { kubeconfig: string }).kubeconfig);
    });
    cluster.once('exit', (code) => reject(new Error(`the cluster ended with ${code} before it was ready: ${text}`)));
  });
  const side = sideOf(kubeconfig, async () => {
    cluster.kill('SIGTERM');
    if (cluster.exitCode === null) await once(cluster, 'exit');
    rmSync(home, { recursive: true, force: true });
  });
  // A real control plane has none of these by itself.
  const terminal = await side.open('default', '1.36');
  for (const kind of ['storageclass', 'ingressclass', 'csidriver', 'volumesnapshotclass']) await terminal.type(`kubectl delete ${kind} --all`);
  return side;
}

function sideOf(kubeconfig: string, stop: () => Promise<void>): ClientSide {
  const homes: string[] = [];
  const reached = readPeerKubeconfig(kubeconfig);
  const { server } = reached;
  return {
    open: async (namespace, kubectl) => {
      const home = mkdtempSync(join(tmpdir(), 'wavetank-compare-'));
      homes.push(home);
      for (const folder of [fixtures, files]) copyFiles(folder, join(home, 'work'), namespace);
      const terminal = terminalOf({ home, namespace, kubectl, reached });
      await terminal.type(`kubectl create namespace ${namespace}; kubectl config set-context compared --namespace=${namespace}`);
      const ready = await terminal.type(`kubectl version --client && helm version && kubectl get namespace ${namespace}`);
      if (ready.code !== 0) throw new Error(`before ${server} nothing can be typed: ${ready.error}`);
      await terminal.type('for i in $(seq 50); do kubectl get sa default >/dev/null 2>&1 && break; sleep 0.1; done');
      return terminal;
    },
    stop: async () => {
      await stop();
      for (const home of homes) rmSync(home, { recursive: true, force: true });
    },
  };
}

interface At {
  readonly home: string;
  readonly namespace: string;
  readonly kubectl: string;
  readonly reached: Reached;
}

function terminalOf({ home, namespace, kubectl, reached }: At): Terminal {
  const { server } = reached;
  const config = join(home, 'kubeconfig');
  writeFileSync(config, JSON.stringify(configOf(reached)), { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    NS: namespace,
    KUBECONFIG: config,
    ...Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((kind) => [`HELM_${kind}_HOME`, join(home, 'helm', kind)])),
  };
  const named = kubectl.includes('/') ? kubectl : join(binaries, `kubectl-${kubectl}`);
  const functions = `KUBECTL='${named}'; kubectl() { "$KUBECTL" "$@"; }; helm() { '${join(binaries, 'helm')}' "$@"; }`;
  const type = (line: string): Promise<Said> =>
    new Promise((resolve) => {
      const options = { cwd: join(home, 'work'), env, timeout: lineLimitMs, maxBuffer: 1 << 26 };
      const shell = execFile('bash', ['-c', `${functions}; ${line}`], options, (failure, out, error) => {
        const code = failure === null ? 0 : typeof failure.code === 'number' ? failure.code : 1;
        resolve({ code, out, error: failure?.killed === true ? `${error}\n(was stopped after ${lineLimitMs} ms)` : error });
      });
      shell.stdin?.end();
    });
  return { server, home, type };
}

/** Both sides' users are alike: known by a token, and by nothing else. */
function configOf({ server, token, authority }: Reached): object {
  const trust = authority === undefined ? { 'insecure-skip-tls-verify': true } : { 'certificate-authority-data': authority.toString('base64') };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'compared',
    clusters: [{ name: 'compared', cluster: { server, ...trust } }],
    contexts: [{ name: 'compared', context: { cluster: 'compared', user: 'admin' } }],
    users: [{ name: 'admin', user: { token } }],
  };
}

/** With the namespace for `$NS`, which manifests cannot ask for. */
function copyFiles(from: string, to: string, namespace: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, copy] = [join(from, name), join(to, name)];
    if (statSync(source).isDirectory()) copyFiles(source, copy, namespace);
    else if (name.endsWith('.yaml')) writeFileSync(copy, readFileSync(source, 'utf8').replaceAll('$NS', namespace));
    else cpSync(source, copy);
  }
}
