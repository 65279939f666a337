/**
 * What timelines, changes and comparisons of a large history cost: windows of rows over all of it and over a minute, sorted and filtered,
 * pages of what differs between two instants, and one change with what came of it. The history is generated: pods are put into the store
 * and changed there, without running anything. Run: npm run bench -- timelines [pods marks]
 */
import { gzipSync } from 'node:zlib';
import type { Difference } from '../../engine/api/sim/v1alpha1/change.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { markCount } from '../../engine/history/marks.ts';
import { aCluster } from '../support/cluster.ts';
import { percentile, print } from './spawned.ts';

const [pods = 150_000, marks = 1_000_000] = process.argv.slice(2).map(Number);
const api = '/apis/sim.wavetank.dev/v1alpha1';
const turns = 5;
const made = await aCluster({ nodes: 1, options: { controllers: '-*', scheduler: 'false' } });
const { store, history } = made.cluster;
const startMs = made.cluster.loop.nowMs();
/** So much virtual time between two writes. */
const stepMs = 2;
let writes = 0;

interface Shared {
  readonly metadata: object;
  readonly spec: object;
}

const shared: Shared[] = Array.from({ length: pods }, (_, index) => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${index % 300}`, uid: `r${index % 300}`, controller: true };
  return {
    metadata: {
      name: `web-${index}`,
      namespace: `team-${index % 40}`,
      uid: `p${index}`,
      labels: { app: `web-${index % 300}` },
      ownerReferences: [owner],
    },
    spec: { nodeName: `pool-${index % 5_000}`, containers: [{ name: 'c', image: 'nginx' }] },
  };
});

function keyOf(index: number): string {
  return `/registry/pods/team-${index % 40}/web-${index}`;
}

/** Each round changes phase, address, readiness and restarts: two marks a write or three. */
function aPod(index: number, round: number): KubeObject {
  const isReady = round % 2 === 1;
  const status = {
    phase: round === 0 ? 'Pending' : 'Running',
    podIP: `10.${index % 250}.${round}.1`,
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', reason: isReady ? undefined : 'ContainersNotReady' }],
    containerStatuses: [{ name: 'c', restartCount: Math.floor(round / 2) }],
  };
  return { apiVersion: 'v1', kind: 'Pod', ...shared[index], status } as unknown as KubeObject;
}

function meta(): { virtualMs: number; identity: string; causes: string[] } {
  return {
    virtualMs: startMs + writes++ * stepMs,
    identity: `system:node:pool-${writes % 5_000}`,
    causes: [`rev:${Math.max(2, store.currentRevision() - 3)}`],
  };
}

function countMarks(): number {
  let count = 0;
  for (const row of history.rows()) count += markCount(row.marks);
  return count;
}

for (let index = 0; index < pods; index++) store.create(keyOf(index), aPod(index, 0), meta());
let round = 0;
while (countMarks() < marks) {
  round++;
  for (let index = 0; index < pods; index++) store.update(keyOf(index), undefined, aPod(index, round), meta());
}
// Half of the newest minute is rows that came and went.
for (let index = 0; index < 100; index++) store.remove(keyOf(index), undefined, meta());
history.catchUp();
const endMs = startMs + writes * stepMs;
print('timelines/history', {
  pods,
  marks: countMarks(),
  writes,
  virtualMinutes: Math.round((endMs - startMs) / 60_000),
  heapMb: Math.round(process.memoryUsage().heapUsed / 1e6),
});

interface Read {
  readonly ms: number;
  readonly text: string;
}

/** Processor time of the engine's answer alone: what else the machine does counts for nothing. */
function read(path: string, query: string): Read {
  const before = process.threadCpuUsage();
  const answer = made.door.serveAtOnce({
    method: 'GET',
    path: `${api}/${path}`,
    query,
    headers: {},
    body: new Uint8Array(),
    identity: adminIdentity,
  });
  if (!('body' in answer)) throw new Error('what is computed is no stream');
  if (answer.status !== 200) throw new Error(`${path}?${query} answered ${answer.status}`);
  const pieces = typeof answer.body === 'string' || answer.body instanceof Uint8Array ? [answer.body] : [...answer.body];
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1000, text: pieces.map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece))).join('') };
}

function measure(name: string, path: string, query: string): Read {
  const reads = Array.from({ length: turns }, () => read(path, query));
  const last = reads.at(-1) as Read;
  const times = reads.map(({ ms }) => ms);
  print(`timelines/${name}`, {
    firstMs: times[0] ?? 0,
    p50Ms: percentile(times, 0.5),
    maxMs: percentile(times, 1),
    bytes: last.text.length,
    zipped: gzipSync(last.text).length,
  });
  return last;
}

const minuteMs = 60_000;
const window = (fromMs: number, toMs: number): string => `from=${fromMs}&to=${toMs}&buckets=1200&limit=180`;
measure('all', 'timelines/main', window(startMs, endMs));
measure('all-far-down', 'timelines/main', `${window(startMs, endMs)}&offset=${pods - 500}`);
measure('minute', 'timelines/main', window(endMs - minuteMs, endMs));
measure('by-node', 'timelines/main', `${window(startMs, endMs)}&group=node&collapsed=*`);
for (const sort of ['trouble', 'time', 'size']) measure(`sorted-by-${sort}`, 'timelines/main', `${window(startMs, endMs)}&sort=${sort}`);
measure('changed-in-a-minute', 'timelines/main', `${window(endMs - minuteMs, endMs)}&changed=true`);
measure('searched', 'timelines/main', `${window(startMs, endMs)}&search=web-14999`);
measure('labelled', 'timelines/main', `${window(startMs, endMs)}&label=app%3Dweb-7`);

measure('differences-of-a-minute', 'differences', `from=${endMs - minuteMs}&to=${endMs}&limit=200`);
const whole = measure('differences-of-all', 'differences', `from=${startMs}&to=${endMs}&limit=200`);
const { metadata } = JSON.parse(whole.text) as { metadata: { continue: string; remainingItemCount: number } };
measure('differences-next-page', 'differences', `limit=200&continue=${metadata.continue}`);
measure('differences-last-page', 'differences', `limit=200&continue=${startMs}:${endMs}:${metadata.remainingItemCount}`);
measure('differences-of-a-namespace', 'namespaces/team-7/differences', `from=${startMs}&to=${endMs}&limit=200`);
const middle = measure('differences-long-past', 'differences', `from=${startMs + minuteMs * 5}&to=${startMs + minuteMs * 6}&limit=200`);
const { items } = JSON.parse(middle.text) as { items: readonly Difference[] };
print('timelines/long-past', { listed: items.length, withFields: items.filter(({ status }) => status.fields !== undefined).length });

measure('changes', 'changes', 'limit=500');
measure('change-new', `changes/${store.currentRevision() - 200}`, '');
measure('change-oldest-noted', `changes/${history.notes.after(0).next().value?.revision ?? 0}`, '');
