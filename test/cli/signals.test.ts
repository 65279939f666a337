/** However a cluster is told to stop, and by whomever: it ends, its session is closed, and its exit code says what happened. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt } from '../support/program.ts';
import { Home, type Up } from './wavetank.ts';

const root = join(import.meta.dirname, '..', '..');
const startScript = join(root, 'dist', 'electron', 'start.js');
if (!isBuilt) console.log('skipped: signals to npm start (the app is not built: npm run build)');

let home: Home;
let file: string;
beforeEach(() => {
  home = new Home();
  file = home.file('session.jsonl');
});
afterEach(() => home.remove());

/** A session that was closed in order ends in a digest, and runs again to the same. */
async function expectClosedSession(): Promise<void> {
  const { code, out } = await home.run('replay', file, '--output', 'json');
  expect({ code, equal: (JSON.parse(out) as { equal: boolean | null }).equal }).toEqual({ code: 0, equal: true });
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function ask({ record }: Up): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(`${record.server}/readyz`, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      response.on('close', resolve);
    });
    sent.on('error', () => resolve());
    sent.end();
  });
}

function knock({ record }: Up): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(record.server).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

it('told to stop before it is ready, ends with 130 and without the ready line', async () => {
  const claim = home.file('home/clusters/wavetank.json');
  const ended = await home.interrupt('SIGTERM', () => existsSync(claim), '--nodes', '1', '--session', file);
  expect(ended).toEqual({ code: 130, out: '', error: '' });
  expect(existsSync(claim)).toBe(false);
  await expectClosedSession();
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends in order on %s right after the ready line', async (signal) => {
  const up = await home.up('--nodes', '0', '--session', file);
  expect(await up.signal(signal)).toEqual({ code: 0, out: `${JSON.stringify(up.record)}\n`, error: '' });
  await expectClosedSession();
});

it('ends while clients connect and ask all the time', async () => {
  const up = await home.up('--nodes', '0');
  let isOver = false;
  let asked = 0;
  const clients = [ask, ask, knock, knock].map(async (act) => {
    while (!isOver) {
      await act(up);
      asked += 1;
    }
  });
  while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await up.signal('SIGINT')).code).toBe(0);
  isOver = true;
  await Promise.all(clients);
});

it('ends when npm, which stands before the launcher, is killed', async () => {
  const standIn = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit', env: { ...process.env, npm_command: 'exec' } })`;
  const up = await home.upWith(['-e', standIn, '--', join(root, 'build', 'wavetank.mjs'), 'up'], '--nodes', '0', '--session', file);
  await up.signal('SIGKILL');
  await gone(up.record.pid);
  await expectClosedSession();
});

it('a scenario that is being run ends with its launcher, however that ends', async () => {
  const run = spawn(process.execPath, [join(root, 'build', 'wavetank.mjs'), 'run', 'node-power-loss', '--speed', '1'], {
    env: { ...process.env, WAVETANK_HOME: home.file('home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Both processes hold the pipes: they close when the second is gone too.
  const closed = new Promise((resolve) => run.once('close', resolve));
  run.stderr.once('data', () => run.kill('SIGKILL'));
  await closed;
  const launched = spawn(process.execPath, [join(root, 'build', 'wavetank.mjs'), 'run', 'node-power-loss', '--speed', '1'], {
    env: { ...process.env, WAVETANK_HOME: home.file('home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  launched.stderr.once('data', () => launched.kill('SIGINT'));
  expect(await new Promise((resolve) => launched.once('close', resolve))).toBe(130);
});

describe.each<[string, readonly string[], boolean]>([
  ['npx wavetank up', [join(root, 'build', 'wavetank.mjs'), 'up'], true],
  ['npm start', [join(root, 'build', 'with-node.mjs'), startScript], isBuilt],
])('the launcher of %s', (_name, command, isThere) => {
  it.skipIf(!isThere)('passes a signal and the exit code on', async () => {
    const up = await home.upWith(command, '--nodes', '0', '--session', file);
    expect((await up.signal('SIGTERM')).code).toBe(0);
    await gone(up.record.pid);
    await expectClosedSession();
  });

  it.skipIf(!isThere)('takes the cluster with it when it is killed', async () => {
    const up = await home.upWith(command, '--nodes', '0', '--session', file);
    await up.signal('SIGKILL');
    await gone(up.record.pid);
    await expectClosedSession();
  });
});
