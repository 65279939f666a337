/** The real command line in processes of its own, with a home of its own, for tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../support/program.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface Started {
  readonly name: string;
  readonly server: string;
  readonly kubeconfig: string;
  readonly token: string;
  readonly ui: string | null;
  readonly seed: number;
  readonly pid: number;
}

export interface Up {
  readonly record: Started;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): Promise<Ended>;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Watches until it is stopped or the cluster is gone. */
  watch<T>(path: string, onEvent: (event: { readonly type: string; readonly object: T }) => void): RunningWatch;
}

export interface Daemon {
  /** The line that says what runs. */
  readonly working: Promise<string>;
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): Promise<Ended>;
}

export interface RunningWatch {
  /** Resolves when the condition holds after an event. */
  until(condition: () => boolean): Promise<void>;
  stop(): void;
}

export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'wavetank-cli-'));
  readonly #running = new Set<ChildProcess>();

  file(name: string): string {
    return join(this.path, name);
  }

  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ended> {
    return this.#spawn([program, ...args]).ended;
  }

  /** Begins `wavetank up` and tells it to stop before it can be ready. */
  async interrupt(signal: NodeJS.Signals, isBegun: () => boolean, ...args: string[]): Promise<Ended> {
    const { child, ended } = this.#spawn([program, 'up', '--output', 'json', '--port', '0', '--no-ui', ...args]);
    while (!isBegun() && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
    child.kill(signal);
    return ended;
  }

  /** `wavetank up --output json --port 0 …`; resolves with the first line on standard output. */
  up(...args: string[]): Promise<Up> {
    return this.upWith([program, 'up'], ...args);
  }

  /** The same, begun by another script with its own first arguments. */
  async upWith(command: readonly string[], ...args: string[]): Promise<Up> {
    const { child, ended, firstLine } = this.#spawn([...command, '--output', 'json', '--port', '0', '--no-ui', ...args]);
    const record = JSON.parse(await firstLine) as Started;
    return {
      record,
      ended,
      signal: (name) => {
        child.kill(name);
        return ended;
      },
      call: (method, path, body) => call(record, method, path, body),
      watch: (path, onEvent) => watch(record, path, onEvent),
    };
  }

  /** A daemon beside a cluster; resolves when it works. */
  daemon(...args: string[]): Daemon {
    const { child, ended, firstLine } = this.#spawn([program, ...args]);
    return {
      working: firstLine,
      ended,
      signal: (name) => {
        child.kill(name);
        return ended;
      },
    };
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }

  #spawn(args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended>; readonly firstLine: Promise<string> } {
    const env = { ...process.env, WAVETANK_HOME: this.file('home'), KUBECONFIG: this.file('kubeconfig') };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running.add(child);
    let out = '';
    let error = '';
    let onLine: (line: string) => void = () => undefined;
    let onNoLine: (error: Error) => void = () => undefined;
    const firstLine = new Promise<string>((resolve, reject) => {
      onLine = resolve;
      onNoLine = reject;
    });
    firstLine.catch(() => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.includes('\n')) onLine(out.slice(0, out.indexOf('\n')));
    });
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code) => {
        this.#running.delete(child);
        onNoLine(new Error(`ended with ${code}: ${error}`));
        resolve({ code: code ?? -1, out, error });
      });
    });
    return { child, ended, firstLine };
  }
}

function call<T>({ server, token }: Started, method: string, path: string, body: unknown): Promise<T> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, server), { method, headers, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 400) resolve(JSON.parse(text) as T);
        else reject(new Error(`${method} ${path}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function watch<T>({ server, token }: Started, path: string, onEvent: (event: { readonly type: string; readonly object: T }) => void): RunningWatch {
  const waiting: { readonly condition: () => boolean; readonly resolve: () => void }[] = [];
  const settle = (): void => {
    for (const { condition, resolve } of waiting) if (condition()) resolve();
  };
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  let rest = '';
  const sent = request(new URL(path, server), { headers, rejectUnauthorized: false }, (response) => {
    response.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onEvent(JSON.parse(line) as { readonly type: string; readonly object: T });
      settle();
    });
    // The cluster was killed.
    response.on('error', () => undefined);
  });
  sent.on('error', () => undefined);
  sent.end();
  return {
    until: (condition) =>
      new Promise((resolve) => {
        waiting.push({ condition, resolve });
        settle();
      }),
    stop: () => sent.destroy(),
  };
}
