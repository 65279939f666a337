/**
 * Sessions on disk: how often a rollout is quiet, what restore points cost, how fast a file opens to its last instant and how fast any
 * instant of the rollout is reached. `node build/with-node.mjs test/bench/session.bench.ts [--pods 500] [--qps 20] [--megabytes 1000]`:
 * with the last one the session grows to that size before it is opened. Times are CPU time of this process, so that a busy machine
 * changes them little.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../engine/base/random.ts';
import { SessionFile } from '../../engine/persistence/session-file.ts';
import { configOf } from '../../engine/host/session.ts';
import { aDeployment, madeCluster } from '../support/cluster.ts';
import { openSession, reached } from '../support/session.ts';
import { percentile, print } from './spawned.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: { pods: { type: 'string', default: '500' }, qps: { type: 'string', default: '20' }, megabytes: { type: 'string', default: '0' } },
});
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
/** `busySince`: the instant at which the loop was last found busy after it had been quiet. */
const quiet = { places: 0, lastTasks: loop.tasksRun, busySince: loop.nowMs(), tasksMax: 0, msMax: 0 };
let wasQuiet = true;
const places = new Map<number, string>();
const rolloutMs = cpuMs();
for (let next = loop.tasksRun; running() < pods; ) {
  await loop.run(Number.POSITIVE_INFINITY, loop.tasksRun + 1);
  if (loop.tasksRun >= next) {
    next = loop.tasksRun + 97;
    session.recorder.commit();
    places.set(loop.tasksRun, cluster.digest);
  }
  if (!loop.quiet) {
    if (wasQuiet) quiet.busySince = loop.nowMs();
    wasQuiet = false;
    continue;
  }
  if (!wasQuiet) quiet.msMax = Math.max(quiet.msMax, loop.nowMs() - quiet.busySince);
  wasQuiet = true;
  quiet.places++;
  quiet.tasksMax = Math.max(quiet.tasksMax, loop.tasksRun - quiet.lastTasks);
  quiet.lastTasks = loop.tasksRun;
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

const growing = performance.now();
for (let round = 0; session.recorder.writtenBytes < Number(values.megabytes) * 1e6; round++) {
  const name = `big-${round % 200}`;
  const path = '/api/v1/namespaces/default/configmaps';
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { big: `${round}`.padEnd(100_000, 'abcdefghij') } };
  if (round < 200) session.call('POST', path, body);
  else session.call('PUT', `${path}/${name}`, body);
  await session.advance(1_000);
}
if (values.megabytes !== '0')
  print('session-grown', { megabytes: Number(values.megabytes), wallS: Math.round((performance.now() - growing) / 1000) });
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
const bases: number[] = [];
for (const { record, offset, end } of file.lines()) {
  if (record?.t === 'checkpoint') bytes.push(end - offset);
  if (record?.t === 'based') bases.push(offset - record.base);
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
  bases: bases.length,
  baseMbLast: round((bases.at(-1) ?? 0) / 1e6),
  restorePoints: bytes.length,
  restorePointKbMedian: round(percentile(bytes, 0.5) / 1e3),
  restorePointKbMax: round(Math.max(...bytes) / 1e3),
  saveStateMs: round(saveStateMs),
  cleanStopMs: round(stopMs),
});

const wall = performance.now();
const opening = cpuMs();
const again = await openSession(path);
print('session-open', {
  pods,
  fileMb: round(statSync(path).size / 1e6),
  openMs: Math.round(cpuMs() - opening),
  wallMs: Math.round(performance.now() - wall),
});
again.kill();
const random = new Random(1).stream('places');
const reaches: Reach[] = [];
const known = [...places.keys()];
for (let i = 0; i < 20; i++) {
  const place = known[random.integer(known.length)] as number;
  reaches.push(await reachIt(place));
}
const spread = (part: keyof Reach): string =>
  [0.5, 1]
    .map((share) =>
      Math.round(
        percentile(
          reaches.map((one) => one[part]),
          share,
        ),
      ),
    )
    .join(' / ');
print('session-reach', {
  pods,
  medianAndWorst: { readMs: spread('readMs'), restoreMs: spread('restoreMs'), rerunMs: spread('rerunMs'), allMs: spread('allMs') },
});
rmSync(folder, { recursive: true, force: true });

interface Reach {
  readonly readMs: number;
  readonly restoreMs: number;
  readonly rerunMs: number;
  readonly allMs: number;
}

/** The way to a place in its parts: what is read, what is restored, and the rest: the inputs and tasks that are run again. */
async function reachIt(place: number): Promise<Reach> {
  const began = cpuMs();
  const file = SessionFile.openToRead(path);
  const stored = file.readRestorePoint(place);
  const read = cpuMs();
  if (stored === undefined) throw new Error(`nothing leads to place ${place}`);
  madeCluster(configOf(file.head as never)).cluster.restoreStored({ ...stored, derived: undefined, derivedLater: stored.derived.pieces() });
  file.close();
  const restored = cpuMs();
  const there = await reached(path, place);
  const allMs = cpuMs() - restored;
  if (there.cluster.digest !== places.get(place)) throw new Error(`place ${place} has another digest`);
  return { readMs: read - began, restoreMs: restored - read, rerunMs: Math.max(0, allMs - (restored - began)), allMs };
}

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
