/**
 * What timelines, changes and comparisons of a large history cost: windows of rows over all of it and over a minute, sorted and filtered,
 * pages of what differs between two instants, and one change with what came of it. The history is generated: pods are put into the store
 * and changed there, without running anything. Run: npm run bench -- timelines [pods marks]
 */
import { gzipSync } from 'node:zlib';
import type { Difference } from '../../engine/api/sim/v1alpha1/change.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { aCluster } from '../support/cluster.ts';
import { GeneratedHistory } from './generated-history.ts';
import { percentile, print } from './spawned.ts';

const [pods = 150_000, marks = 1_000_000] = process.argv.slice(2).map(Number);
const api = '/apis/sim.wavetank.dev/v1alpha1';
const turns = 5;
const made = await aCluster({ nodes: 1, options: { controllers: '-*', scheduler: 'false' } });
const { store, history } = made.cluster;
const generated = new GeneratedHistory(made.cluster, { pods, stepMs: 2 });
generated.fill(marks);
// Half of the newest minute is rows that came and went.
generated.removeFirst(100);
history.catchUp();
const { startMs, nowMs: endMs } = generated;
print('timelines/history', {
  pods,
  marks: generated.countMarks(),
  writes: generated.writes,
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
