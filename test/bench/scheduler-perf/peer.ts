/**
 * The same workload by the real scheduler: upstream's own test binary of the topic, with API server and scheduler in it and etcd beside it.
 * Built from the Go module, with the wrapper module that build.sh of the peers makes, where it is not there yet.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UpstreamWorkload } from './config.ts';
import { print } from '../spawned.ts';

interface DataItems {
  readonly dataItems: readonly { readonly data: Readonly<Record<string, number>> | null; readonly labels: Readonly<Record<string, string>> }[] | null;
}

const peers = process.env['PEERS'] ?? join(homedir(), '.cache', 'wavetank-peers');
const metric = 'SchedulingThroughput';

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): string {
  const result = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (result.error !== undefined) throw result.error;
  return `${result.stdout}\n${result.stderr}`;
}

function binaryOf(topic: string): string {
  const binary = join(peers, 'bin', `scheduler-perf-${topic.replaceAll('/', '-')}.test`);
  const wrapper = join(peers, 'kube');
  if (!existsSync(join(wrapper, 'go.mod'))) throw new Error(`${wrapper} is not there: run build.sh scheduler-perf etcd of the peers first`);
  if (!existsSync(binary)) {
    const said = run('go', ['test', '-vet=off', '-c', '-o', binary, `k8s.io/kubernetes/test/integration/scheduler_perf/${topic}`], wrapper, {
      GOFLAGS: '-mod=mod',
    });
    if (!existsSync(binary)) throw new Error(`${binary} was not built: ${said}`);
  }
  return binary;
}

/** Its tests end with a failure where a threshold of upstream's CI is not reached: what it measured counts all the same. */
export function playPeer(workload: UpstreamWorkload, root: string, release: string): void {
  const binary = binaryOf(workload.topic);
  const scratch = mkdtempSync(join(tmpdir(), 'scheduler-perf-'));
  try {
    // Modules are read-only, and it writes beside its files.
    const source = join(scratch, 'scheduler_perf');
    cpSync(root, source, { recursive: true, filter: (path) => !path.endsWith('.go') });
    const [out, artifacts] = [join(scratch, 'out'), join(scratch, 'artifacts')];
    mkdirSync(out);
    mkdirSync(artifacts);
    const exactly = workload.name.split('/').map((part) => `^${part}$`);
    const args = [
      '-test.run=^$',
      '-test.benchtime=1x',
      '-test.timeout=60m',
      // Which cases were chosen already; it would measure those of its CI alone.
      '-perf-scheduling-label-filter=',
      `-test.bench=^BenchmarkPerfScheduling$/${exactly.join('/')}`,
      `-data-items-dir=${out}`,
    ];
    const env = {
      PATH: `${join(peers, 'bin')}:${process.env['PATH'] ?? ''}`,
      KUBE_CACHE_MUTATION_DETECTOR: 'false',
      ETCD_LOGLEVEL: 'warn',
      ARTIFACTS: artifacts,
    };
    const startedMs = performance.now();
    const said = run(binary, args, join(source, workload.topic), env);
    const file = readdirSync(out).find((name) => name.endsWith('.json'));
    if (file === undefined) throw new Error(`${workload.name} measured nothing: ${said.slice(-2000)}`);
    const { dataItems } = JSON.parse(readFileSync(join(out, file), 'utf8')) as DataItems;
    const name = `peer-${release}/${workload.topic}/${workload.name}`;
    const found = (dataItems ?? []).filter(({ data, labels }) => data !== null && labels['Metric'] === metric);
    if (found.length === 0) console.error(`${name}: it was over before its sampling (each second) saw a throughput`);
    for (const { data } of found) {
      const wallSeconds = Math.round((performance.now() - startedMs) / 1000);
      print(name, {
        podsPerWallSecond: Math.round(data?.['Average'] ?? 0),
        median: Math.round(data?.['Perc50'] ?? 0),
        wholeRunSeconds: wallSeconds,
      });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
