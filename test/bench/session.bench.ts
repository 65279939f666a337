/**
 * Sessions on disk: how often a rollout is quiet, what restore points cost, how fast a file opens to its last instant and how fast any
 * instant of the rollout is reached. `node build/with-node.mjs test/bench/session.bench.ts [--pods 500] [--qps 20]`. Times are CPU time
 * of this process, so that a busy machine changes them little.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../engine/base/random.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { aDeployment } from '../support/cluster.ts';
import { openSession, reached } from '../support/session.ts';
import { percentile, print } from './spawned.ts';

const { values } = parseArgs({ options: { pods: { type: 'string', default: '500' }, qps: { type: 'string', default: '20' } } });
const pods = Number(values.pods);
const folder = mkdtempSync(join(tmpdir(), 'wavetank-session-bench-'));
const path = join(folder, 'session');
const nodes = Math.max(10, Math.ceil(pods / 100));
const options = values.qps === '20' ? {} : { 'kube-api-qps': values.qps, 'kube-api-burst': values.qps };

const session = await openSession(path, { seed: 1, nodes, options });
const { cluster } = session;
const { loop } = cluster;
session.call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', pods));
const start = { tasks: loop.tasksRun, ms: loop.nowMs() };
const quiet = { places: 0, lastTasks: loop.tasksRun, lastMs: loop.nowMs(), tasksMax: 0, msMax: 0 };
const places = new Map<number, string>();
const rolloutMs = cpuMs();
for (let next = loop.tasksRun; running() < pods; ) {
  await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1);
  if (loop.tasksRun >= next) {
    next = loop.tasksRun + 97;
    session.recorder.commit();
    places.set(loop.tasksRun, cluster.digest);
  }
  if (!loop.quiet) continue;
  quiet.places++;
  quiet.tasksMax = Math.max(quiet.tasksMax, loop.tasksRun - quiet.lastTasks);
  quiet.msMax = Math.max(quiet.msMax, loop.nowMs() - quiet.lastMs);
  quiet.lastTasks = loop.tasksRun;
  quiet.lastMs = loop.nowMs();
}
const tasks = loop.tasksRun - start.tasks;
print('session-quiet', {
  pods,
  tasks,
  quietPercent: round((100 * quiet.places) / tasks),
  longestGapTasks: quiet.tasksMax,
  longestGapVirtualMs: Math.round(quiet.msMax),
  rolloutCpuMs: Math.round(cpuMs() - rolloutMs),
});

await session.quiet();
const saving = cpuMs();
cluster.saveState();
const saveStateMs = cpuMs() - saving;
const stopping = cpuMs();
await session.close();
const stopMs = cpuMs() - stopping;
const file = SessionFile.openToRead(path);
const bytes: number[] = [];
let changes = 0;
let changeBytes = 0;
let bases = 0;
for (const { record, offset, end } of file.lines()) {
  if (record?.t === 'checkpoint') bytes.push(end - offset);
  if (record?.t === 'based') bases += offset - record.base;
  if (record?.t !== 'change') continue;
  changes++;
  changeBytes += end - offset;
}
file.close();
print('session-file', {
  pods,
  fileMb: round(statSync(path).size / 1e6),
  changes,
  bytesPerChange: Math.round(changeBytes / changes),
  basesMb: round(bases / 1e6),
  restorePoints: bytes.length,
  restorePointKbMedian: round(percentile(bytes, 0.5) / 1e3),
  restorePointKbMax: round(Math.max(...bytes) / 1e3),
  saveStateMs: round(saveStateMs),
  cleanStopMs: round(stopMs),
});

const opening = cpuMs();
const again = await openSession(path);
const openMs = cpuMs() - opening;
again.kill();
const random = new Random(1).stream('places');
const reaches: number[] = [];
const known = [...places.keys()];
for (let i = 0; i < 12; i++) {
  const place = known[random.integer(known.length)] as number;
  const began = cpuMs();
  const there = await reached(path, place);
  reaches.push(cpuMs() - began);
  if (there.cluster.digest !== places.get(place)) throw new Error(`place ${place} has another digest`);
}
print('session-open', { pods, openMs: Math.round(openMs), reachMsMedian: percentile(reaches, 0.5), reachMsMax: percentile(reaches, 1) });
rmSync(folder, { recursive: true, force: true });

function running(): number {
  if (loop.tasksRun % 500 !== 0) return 0;
  return cluster.stored('pods/default').filter((pod) => (pod as { readonly status?: { readonly phase?: string } }).status?.phase === 'Running')
    .length;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
