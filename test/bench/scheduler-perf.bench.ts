/**
 * Upstream's scheduling workloads (test/integration/scheduler_perf), read from its own files and played here, and with --peer by the real
 * scheduler's own test binary in turns with ours: pods a second from the first creation of the measured pods until all of them have a node.
 * Run: npm run bench -- scheduler-perf [--list] [--peer] [--rounds 1] [--label performance] [--release 1.36.3] [WORKLOAD…], a WORKLOAD being the name of a case
 * (SchedulingBasic) or with its size (SchedulingBasic/5000Nodes_10000Pods); without one all of upstream's CI with 1,000 nodes and more.
 */
import { chosen, measured, nodesOf, readWorkloads, type UpstreamWorkload, upstreamFolder } from './scheduler-perf/config.ts';
import { playPeer } from './scheduler-perf/peer.ts';
import { play } from './scheduler-perf/player.ts';
import { print } from './spawned.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values, positionals } = scriptOptions(import.meta.filename, {
  options: {
    list: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
    /** Of upstream's: `performance` is what its CI measures, `integration-test` the same cases with a few nodes. */
    label: { type: 'string', default: measured },
    release: { type: 'string', default: '1.36.3' },
  },
  allowPositionals: true,
});

const short = (value: number): number => Number(value.toFixed(2));

async function playOurs(workload: UpstreamWorkload): Promise<void> {
  const { sections, digest } = await play(workload);
  for (const { pods, wallSeconds, cpuSeconds, mainSeconds, virtualSeconds } of sections) {
    print(`scheduler-perf/${workload.topic}/${workload.name}`, {
      nodes: nodesOf(workload),
      pods,
      podsPerWallSecond: Math.round(pods / wallSeconds),
      podsPerMainSecond: Math.round(pods / mainSeconds),
      podsPerCpuSecond: Math.round(pods / cpuSeconds),
      wallSeconds: short(wallSeconds),
      threshold: workload.threshold,
      virtualSeconds: short(virtualSeconds),
      residentMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      digest: digest.slice(0, 12),
    });
  }
}

const root = upstreamFolder(values.release);
const workloads = chosen(readWorkloads(root), positionals, values.label);
if (values.list) for (const { topic, name, threshold } of workloads) console.log(`${topic} ${name} ${threshold}`);
else
  for (const workload of workloads) {
    for (let round = 0; round < Number(values.rounds); round++) {
      await playOurs(workload);
      if (values.peer) playPeer(workload, root, values.release);
    }
  }
