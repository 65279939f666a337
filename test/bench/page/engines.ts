/** Engines whose page is measured: a real one with so many pods running, and one whose history was generated. */
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, spawnCluster } from '../spawned.ts';

export type Pace = 'max' | 'real' | 'still';

export interface MeasuredEngine {
  readonly pods: number;
  /** Signs a browser in, once each. */
  link(): Promise<string>;
  /** Processor time of the thread that the cluster runs on. */
  threadMs(): number;
  memoryMb(): number;
  /** What it has done so far, in a unit of its own. */
  done(): Promise<number>;
  /** As much as it can do, what happens in a second each second, or nothing. */
  drive(pace: Pace): Promise<void>;
  readonly unit: string;
  /** Whether it is driven by a clock, so that a page makes it do the same in more time, and not less in the same. */
  readonly isPaced: boolean;
  stop(): Promise<void>;
}

const readyMostMs = 400_000;
const clockPath = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';

/** Ten Deployments on fifty nodes for each thousand pods. */
export async function runningEngine(pods: number): Promise<MeasuredEngine> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-bench-'));
  const nodes = Math.max(3, Math.ceil(pods / 100));
  const limits = ['--kube-api-qps', '0', '--scheduler-kube-api-qps', '0'];
  const cluster = await spawnCluster(['--nodes', String(nodes), '--speed', 'max', ...limits], home);
  const pid = cluster.process.pid ?? 0;
  const deployments = 10;
  for (let index = 0; index < deployments; index++) {
    const labels = { app: `web-${index}` };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    const spec = { replicas: pods / deployments, selector: { matchLabels: labels }, template };
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: `web-${index}` }, spec });
  }
  const endMs = performance.now() + readyMostMs;
  for (;;) {
    const { items } = await cluster.call<{ items: { status?: { readyReplicas?: number } }[] }>('GET', '/apis/apps/v1/namespaces/default/deployments');
    if (items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0) >= pods) break;
    if (performance.now() > endMs) throw new Error(`${pods} pods were not ready in ${readyMostMs / 1000} s`);
    await sleep(200);
  }
  const setSpeed = async (speed: string): Promise<void> => void (await cluster.call('PATCH', clockPath, { spec: { speed } }));
  await setSpeed('1');
  const jobTemplate = {
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '5'] }] } } },
  };
  await cluster.call('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate },
  });
  return {
    pods,
    unit: 'virtual ms',
    isPaced: false,
    link: () => Promise.resolve(linkOf(cluster.entry, `bench-${process.pid}`, home)),
    threadMs: () => threadMsOf(pid),
    memoryMb: () => cluster.memory().nowMb,
    done: async () => {
      const { status } = await cluster.call<{ status: { virtualMs: number } }>('GET', clockPath);
      return status.virtualMs;
    },
    drive: (pace) => setSpeed({ max: 'max', real: '1', still: 'paused' }[pace]),
    stop: () => cluster.stop(),
  };
}

function linkOf(entry: string, name: string, home: string): string {
  const text = execFileSync(process.execPath, [entry, 'status', name], { env: { ...process.env, WAVETANK_HOME: home }, encoding: 'utf8' });
  return /http:\S+token=\S+/.exec(text)?.[0] ?? '';
}

interface Said {
  readonly link?: string;
  readonly written?: number;
}

export async function generatedEngine(pods: number, marks: number): Promise<MeasuredEngine> {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-bench-'));
  const child = fork(join(import.meta.dirname, 'generated-engine.ts'), [String(pods), String(marks)], {
    env: { ...process.env, WAVETANK_HOME: home },
    execArgv: ['--max-old-space-size=6144', ...process.execArgv],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const failed = ended.then((code): never => {
    throw new Error(`the generated engine ended with ${code}`);
  });
  failed.catch(() => undefined);
  const ask = (what: string): Promise<Said> => {
    const said = new Promise<Said>((resolve) => child.once('message', (message) => resolve(message as Said)));
    child.send(what);
    return Promise.race([said, failed]);
  };
  process.once('exit', () => child.kill('SIGKILL'));
  await ask('link');
  const pid = child.pid ?? 0;
  return {
    pods,
    unit: 'writes',
    isPaced: true,
    link: async () => (await ask('link')).link ?? '',
    threadMs: () => threadMsOf(pid),
    memoryMb: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024),
    done: async () => (await ask('written')).written ?? 0,
    drive: async (pace) => void (await ask(pace)),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Linux only, else 0. */
function threadMsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
