/**
 * Our API server with the real controller manager and the real scheduler of the release before it, ours switched off. Where what they
 * write differs from what they write before a real API server, ours answered something else than upstream's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '../../engine/serving/certificates.ts';
import { readPeerKubeconfig } from './peer-kubeconfig.ts';

const root = join(import.meta.dirname, '../..');
const startMs = 60_000;

/** Where `build.sh control-plane` puts them, unless $PEERS says otherwise. */
const binaries = join(process.env['PEERS'] ?? join(homedir(), '.cache', 'wavetank-peers'), 'bin');

/** The two that can be put before our API server. */
const realComponents = { manager: join(binaries, 'kube-controller-manager'), scheduler: join(binaries, 'kube-scheduler') } as const;

export const areBuilt = Object.values(realComponents).every((path) => existsSync(path));

interface Started {
  readonly child: ChildProcess;
  readonly log: string;
}

/** One API server without nodes; it and what is put before it run until `stop`, which takes their folder along. */
export class OwnApiServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'wavetank-own-api-server-'));
  readonly #running: Started[] = [];

  get kubeconfig(): string {
    return join(this.#folder, 'kubeconfig');
  }

  /** What the real scheduler says at `-v=10`. */
  get schedulerLog(): string {
    return this.#logOf('scheduler');
  }

  /** @throws Error when it does not start, with the end of what it wrote. */
  async start(): Promise<void> {
    const alone = ['--no-ui', '--no-warm-up', '--nodes', '0', '--no-controllers', '--no-scheduler'];
    const up = ['up', '--name', `own-${process.pid}`, '--port', '0', '--kubeconfig', this.kubeconfig, '--output', 'json', ...alone];
    await this.#spawn('server', process.execPath, [join(root, 'build', 'wavetank.mjs'), ...up], '"server"');
  }

  /** Puts the real controller manager before it. @throws Error as `start` does. */
  async startManager(flags: readonly string[]): Promise<void> {
    const signer = createAuthority('signer');
    const certificate = this.#write('ca.crt', signer.certificatePem);
    const key = this.#write('ca.key', signer.keyPem);
    const authority = this.#write('root.crt', readPeerKubeconfig(this.kubeconfig).authority ?? '');
    const files = [`--root-ca-file=${authority}`, `--cluster-signing-cert-file=${certificate}`, `--cluster-signing-key-file=${key}`];
    const common = [...this.#commonFlags(), '--use-service-account-credentials', `--service-account-private-key-file=${key}`];
    const limits = ['--kube-api-qps=500', '--kube-api-burst=1000'];
    await this.#spawn('manager', realComponents.manager, [...common, ...files, ...limits, ...flags], 'Caches are synced');
  }

  /** Puts the real scheduler before it. @throws Error as `start` does. */
  async startScheduler(): Promise<void> {
    await this.#spawn('scheduler', realComponents.scheduler, [...this.#commonFlags(), '-v=10'], 'Caches populated');
  }

  /** What the real components complained of so far, without times. */
  complaints(): readonly string[] {
    const logs = ['manager', 'scheduler'].map((name) => this.#logOf(name)).filter((log) => existsSync(log));
    const lines = logs.flatMap((log) => readFileSync(log, 'utf8').split('\n')).filter((line) => /^[EF]\d{4} /.test(line));
    return [...new Set(lines.map((line) => line.replace(/^.\d{4} [\d:.]+ +\d+ /, '')))];
  }

  async stop(): Promise<void> {
    for (const { child } of this.#running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(this.#folder, { recursive: true });
  }

  #commonFlags(): readonly string[] {
    return [`--kubeconfig=${this.kubeconfig}`, '--secure-port=0', '--leader-elect=false'];
  }

  #logOf(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #write(name: string, content: string | Buffer): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content);
    return path;
  }

  /** Resolves when it has said `sign`. */
  async #spawn(name: string, program: string, args: readonly string[], sign: string): Promise<void> {
    const log = this.#logOf(name);
    const out = openSync(log, 'w');
    const child = spawn(program, args, { stdio: ['ignore', out, out] });
    closeSync(out);
    this.#running.push({ child, log });
    const endMs = Date.now() + startMs;
    while (!readFileSync(log, 'utf8').includes(sign)) {
      if (child.exitCode !== null || Date.now() > endMs) {
        const said = readFileSync(log, 'utf8').split('\n').slice(-10).join('\n');
        await this.stop();
        throw new Error(`${name} did not start:\n${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
