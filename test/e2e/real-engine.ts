/** A real engine for tests of the page: its process, what signs a browser in, and its API asked from within the page. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

/** As it ships, beside the page that it serves: it starts in a fraction of the time that its sources take. */
const entry = fileURLToPath(new URL('../../dist/wavetank.js', import.meta.url));
/** A machine on which much else runs takes long to start an engine and a browser. */
export const startMs = 180_000;
/** A day of virtual time takes minutes on such a machine; a test that waits for what hangs is ended by its own limit. */
const advanceMs = 3 * startMs;

export interface RealEngine {
  /** Signs a browser in, once each. */
  link(): string;
  process(): ChildProcess;
  /** Ends it at once, as a crash does, and starts it again. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/**
 * With `session`, a file in its home, it goes on where it was. Of one seed, unless `options` name another: what a pull takes decides what a
 * pod that starts again and again is about at a given instant.
 */
export async function startEngine(name: string, options: readonly string[] = [], session = ''): Promise<RealEngine> {
  const home = await mkdtemp(join(tmpdir(), 'wavetank-e2e-'));
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state'), KUBECONFIG: join(home, 'config') };
  const kept = session === '' ? [] : ['--session', join(home, session)];
  const start = async (): Promise<ChildProcess> => {
    const engine = spawn(process.execPath, [entry, 'up', '--name', name, '--port', '0', '--no-warm-up', '--seed', '1', ...options, ...kept], { env });
    await ready(engine);
    return engine;
  };
  let engine = await start();
  const kill = async (): Promise<void> => {
    if (engine.exitCode !== null || engine.signalCode !== null) return;
    const ended = new Promise((resolve) => engine.once('exit', resolve));
    engine.kill('SIGKILL');
    await ended;
  };
  return {
    link: () => /http:\S+token=\S+/.exec(execFileSync(process.execPath, [entry, 'status', name], { env, encoding: 'utf8' }))?.[0] ?? '',
    process: () => engine,
    kill,
    restart: async () => {
      await kill();
      engine = await start();
    },
    close: async () => {
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Asks the API as the page does; `body` creates, or with PATCH merges. */
export async function ask<T = unknown>(page: Page, path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
  const { code, text } = await page.evaluate(
    async ([to, verb, sent]) => {
      const headers = { 'content-type': verb === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      const response = await fetch(to ?? '', { method: verb ?? 'GET', ...(sent === '' ? {} : { headers, body: sent ?? '' }) });
      return { code: response.status, text: await response.text() };
    },
    [path, method, body === undefined ? '' : JSON.stringify(body)],
  );
  if (code >= 400) throw new Error(`${method} ${path}: ${code} ${text}`);
  return JSON.parse(text) as T;
}

/** Lets virtual time pass, and waits until it has. */
export async function advance(page: Page, duration: string): Promise<void> {
  const clock = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';
  await ask(page, clock, { spec: { advance: duration } }, 'PATCH');
  const isRunning = async (): Promise<boolean> => {
    const { status } = await ask<{ status: { runningUntil?: string } }>(page, clock);
    return status.runningUntil !== undefined;
  };
  await vi.waitFor(async () => expect(await isRunning()).toBe(false), { interval: 200, timeout: advanceMs });
}

function ready(engine: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (/page\s+http\S+/.test(text)) resolve();
    };
    engine.stdout?.on('data', read);
    engine.stderr?.on('data', read);
    engine.once('exit', (code) => reject(new Error(`the engine ended with ${String(code)}: ${text}`)));
  });
}

export function deployment(name: string, replicas: number, container: object = {}): object {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx', ...container }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}
