/** A cluster in a process of its own, as a user starts it, for benches: the bundle where it was built, else the sources. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export interface SpawnedCluster {
  readonly process: ChildProcess;
  /** What was run. */
  readonly entry: string;
  readonly kubeconfig: string;
  readonly server: string;
  readonly token: string;
  /** From the start of the process to the line that says where the cluster is. */
  readonly startMs: number;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Resident and largest resident memory in megabytes (Linux only, else 0). */
  memory(): { readonly nowMb: number; readonly peakMb: number };
  /** Processor time of all threads since the start of the process (Linux only, else 0). */
  cpuMs(): number;
  stop(): Promise<void>;
}

interface Record {
  readonly server: string;
  readonly token: string;
  readonly kubeconfig: string;
}

/** Keys are made at the first start below `home`; it goes when the cluster stops, unless it is kept for the next one. */
export async function spawnCluster(
  args: readonly string[],
  home = mkdtempSync(join(tmpdir(), 'wavetank-bench-')),
  { keepHome = false } = {},
): Promise<SpawnedCluster> {
  const bundle = join(root, 'dist', 'wavetank.js');
  const entry = existsSync(bundle) ? bundle : join(root, 'engine', 'host', 'entry.ts');
  const startedMs = performance.now();
  const child = spawn(process.execPath, [entry, 'up', '--name', `bench-${process.pid}`, '--port', '0', '--seed', '1', '--output', 'json', ...args], {
    env: { ...process.env, WAVETANK_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A bench that fails leaves nothing behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    void exited.then((code) => reject(new Error(`the cluster ended with ${code}`)));
  });
  const startMs = performance.now() - startedMs;
  const record = JSON.parse(line) as Record;
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return {
    process: child,
    entry,
    kubeconfig: record.kubeconfig,
    server: record.server,
    token: record.token,
    startMs,
    call: (method, path, body) => call(agent, record, method, path, body),
    memory: () => memoryOf(child.pid ?? 0),
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    stop: async () => {
      agent.destroy();
      child.kill('SIGTERM');
      await exited;
      if (!keepHome) rmSync(home, { recursive: true, force: true });
    },
  };
}

function call<T>(agent: Agent, { server, token }: Record, method: string, path: string, body: unknown): Promise<T> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, accept: 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) >= 400) reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
        else resolve((text.startsWith('{') ? JSON.parse(text) : text) as T);
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function memoryOf(pid: number): { nowMb: number; peakMb: number } {
  if (!existsSync(`/proc/${pid}/status`)) return { nowMb: 0, peakMb: 0 };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { nowMb: field('VmRSS'), peakMb: field('VmHWM') };
}

function cpuMsOf(pid: number): number {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return 0;
  const ranNs = readdirSync(threads).map((id) => Number(readFileSync(join(threads, id, 'schedstat'), 'utf8').split(' ')[0]));
  return Math.round(ranNs.reduce((sum, ns) => sum + ns, 0) / 1e6);
}

export function print(bench: string, values: object): void {
  console.log(JSON.stringify({ bench, ...values }));
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The value below which `share` of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}
