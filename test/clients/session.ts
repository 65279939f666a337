/** A cluster in a process of its own, and real clients run against it as a user would in a terminal. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { program } from '../support/program.ts';

const here = dirname(fileURLToPath(import.meta.url));
export const binaries = join(here, '.bin');
export const fixtures = join(here, 'fixtures');

export const kubectlVersions = ['1.24', '1.30', '1.36'] as const;
export type KubectlVersion = (typeof kubectlVersions)[number];
export const hasBinaries = existsSync(join(binaries, 'kubectl-1.36'));

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface Session {
  /** A line for `bash`, with `kubectl` (also as `$KUBECTL`, where a process is needed) and `helm`; works in a copy of the fixtures. */
  sh(line: string, version?: KubectlVersion): Promise<Outcome>;
  /** The same, and fails with what was said when the exit code is not 0. Standard output without trailing space. */
  ok(line: string, version?: KubectlVersion): Promise<string>;
  readonly server: string;
  readonly token: string;
  stop(): Promise<void>;
}

export async function startSession(): Promise<Session> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-clients-'));
  const work = join(home, 'work');
  cpSync(fixtures, work, { recursive: true });
  const cluster = spawn(process.execPath, [program, 'up', '--name', 'clients', '--port', '0', '--seed', '1', '--no-ui', '--output', 'json'], {
    env: { ...process.env, WAVETANK_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { server, kubeconfig, token } = await firstLine(cluster);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    KUBECONFIG: kubeconfig,
    ...Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((kind) => [`HELM_${kind}_HOME`, join(home, 'helm', kind)])),
  };
  const sh: Session['sh'] = (line, version = '1.36') =>
    new Promise((resolve) => {
      const script = `KUBECTL='${join(binaries, `kubectl-${version}`)}'; kubectl() { "$KUBECTL" "$@"; }; helm() { '${join(binaries, 'helm')}' "$@"; }; ${line}`;
      execFile('bash', ['-c', script], { cwd: work, env, timeout: 50_000, maxBuffer: 1 << 24 }, (error, out, errorText) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, out, error: errorText });
      });
    });
  return {
    sh,
    ok: async (line, version) => {
      const { code, out, error } = await sh(line, version);
      if (code !== 0) throw new Error(`${line}\nexit code ${code}\n${out}${error}`);
      return out.trim();
    },
    server,
    token,
    stop: async () => {
      await stopped(cluster);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

interface Record {
  readonly server: string;
  readonly kubeconfig: string;
  readonly token: string;
}

/** What `wavetank up --output json` prints when the cluster answers. */
function firstLine(cluster: ChildProcess): Promise<Record> {
  return new Promise((resolve, reject) => {
    let text = '';
    cluster.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as Record);
    });
    cluster.once('exit', (code) => reject(new Error(`the cluster ended with ${code} before it was ready: ${text}`)));
  });
}

function stopped(cluster: ChildProcess): Promise<void> {
  if (cluster.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    cluster.once('exit', () => resolve());
    cluster.kill('SIGTERM');
  });
}
