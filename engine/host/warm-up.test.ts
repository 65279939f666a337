/** A warm-up is felt and never seen: nothing of the cluster that users have changes, and whoever has something to do goes first. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultConfig, documentedStartMs } from '../cluster/config.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { parseUp } from './commands/program.ts';
import { startUp, type StartedCluster } from './commands/up.ts';
import { type Engine, startEngine } from './engine.ts';
import { type Keys, loadKeys } from './home.ts';
import { requestsOf, roundsByCluster } from './warm-requests.ts';
import { WarmUp, type WarmedEngine } from './warm-up.ts';

const home = mkdtempSync(join(tmpdir(), 'wavetank-warm-up-'));
const session = join(home, 'session');
const queued = roundsByCluster.flatMap((rounds) => Array.from({ length: rounds }, (_, round) => requestsOf(round)).flat()).length;
let keys: Keys;
let engine: Engine;

beforeAll(() => {
  vi.stubEnv('WAVETANK_HOME', home);
  keys = loadKeys(home);
});

afterEach(() => engine.close());

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

async function start(): Promise<void> {
  rmSync(session, { force: true });
  const config = { ...defaultConfig, nodes: 1, startMs: documentedStartMs };
  engine = await startEngine({ config, keys, session, speed: 'paused', ports: [0], onFailure: throwIt });
}

function throwIt(error: Error): never {
  throw error;
}

/** All that a user could find it by. */
function traces(): Record<string, unknown> {
  const { branch, endpoint } = engine;
  const { cluster } = branch;
  const metrics = branch.handleAtOnce({ method: 'GET', path: '/metrics', query: '', headers: {}, body: new Uint8Array(0), identity: adminIdentity });
  return {
    digest: cluster.digest,
    revision: cluster.store.currentRevision(),
    inputs: cluster.door.inputs,
    nowMs: cluster.loop.nowMs(),
    state: cluster.saveState(),
    recorded: readFileSync(session, 'latin1')
      .split('\n')
      .filter((line) => line.includes('"t":"input"')),
    requests: endpoint.requests,
    branches: endpoint.listBranches().map(({ name }) => name),
    // This very request is counted too, but for no resource.
    counted:
      'body' in metrics
        ? String(metrics.body)
            .split('\n')
            .filter((line) => /"(configmaps|pods)"/.test(line))
        : undefined,
  };
}

test('a warm-up leaves no trace in the cluster that users see', async () => {
  await start();
  const before = traces();
  const warmUp = new WarmUp({ engine, onDefect: throwIt });
  await warmUp.done;
  expect(warmUp.answered).toBe(queued);
  expect(traces()).toEqual(before);
});

test('a warm-up goes on only while nobody asks anything', async () => {
  await start();
  const seen: number[] = [];
  let busy = 5;
  let requests = 0;
  const warmUp: { current?: WarmUp } = {};
  const watched: WarmedEngine = {
    branch: engine.branch,
    endpoint: {
      keys,
      listBranches: () => engine.endpoint.listBranches(),
      /** Users ask five times at first, and five times more when it has begun. */
      get requests() {
        const answered = warmUp.current?.answered ?? 0;
        if (answered > 0 && seen.at(-1) === 0) busy = 5;
        if (busy > 0) {
          busy--;
          requests++;
          seen.push(answered);
        }
        return requests;
      },
    },
  };
  warmUp.current = new WarmUp({ engine: watched, onDefect: throwIt });
  await warmUp.current.done;
  const [begun = 0] = seen.slice(5);
  expect(seen).toEqual([0, 0, 0, 0, 0, begun, begun, begun, begun, begun]);
  expect(warmUp.current.answered).toBe(queued);
});

test('a warm-up ends when it is told to, before it has begun and in the middle', async () => {
  await start();
  const early = new WarmUp({ engine, onDefect: throwIt });
  await early.close();
  expect(early.answered).toBe(0);
  const halfway: { current?: WarmUp; closed?: Promise<void> | undefined } = {};
  const endpoint = {
    keys,
    listBranches: () => engine.endpoint.listBranches(),
    get requests() {
      if ((halfway.current?.answered ?? 0) > 20) halfway.closed ??= halfway.current?.close();
      return 0;
    },
  };
  halfway.current = new WarmUp({ engine: { branch: engine.branch, endpoint }, onDefect: throwIt });
  await halfway.current.done;
  expect(halfway.current.answered).toBeGreaterThan(20);
  expect(halfway.current.answered).toBeLessThan(40);
});

test.each([
  { name: 'wavetank up warms up', argv: [], warms: true },
  { name: 'not with --no-warm-up', argv: ['--no-warm-up'], warms: false },
])('$name', async ({ argv, warms }) => {
  const kubeconfig = join(home, 'kubeconfig');
  const started: StartedCluster = await startUp(parseUp(['--name', 'warm', '--port', '0', '--no-ui', '--kubeconfig', kubeconfig, ...argv]), {
    log: () => undefined,
  });
  ({ engine } = started);
  expect(started.warmUp !== undefined).toBe(warms);
  started.stop();
  expect(await started.stopped).toBe(0);
});
