/**
 * How many pods a second the scheduler places: upstream's workloads (scheduling-workloads.ts) in a cluster in process whose nodes nobody
 * runs. Counted as upstream's SchedulingThroughput is, from the creation of the measured pods until all are bound, so the API server's
 * creations, bindings, Events and watches are in it. Seconds are of processor time of all threads, beside seconds of wall time: upstream
 * counts the latter. Unlike there, ServiceAccount admission is on, and clients have no limit.
 * Run: npm run bench -- scheduling [--scale 1] [--pods PODS] [--profile FOLDER] [WORKLOAD…]
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { type Form, type Group, highPriority, hostname, teamLabels, type Workload, workloads, zone } from './scheduling-workloads.ts';
import { print } from './spawned.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values, positionals } = scriptOptions(import.meta.filename, {
  options: {
    /** Of those that are measured, at most. */
    pods: { type: 'string', default: '1000000' },
    /** Of upstream's numbers of nodes and pods. */
    scale: { type: 'string', default: '1' },
    /** Where a V8 profile of what is measured goes. */
    profile: { type: 'string' },
  },
  allowPositionals: true,
});
const stepMs = 100;
/** While pods come in between, they are looked for as often. */
const churnStepMs = 10;
const virtualPatienceMs = 3_600_000;

function aNode(index: number, { zones = [], tainted = 0, nodes }: Workload): object {
  const name = `scheduler-perf-${index}`;
  const labels = { [hostname]: name, ...(zones.length === 0 ? {} : { [zone]: zones[index % zones.length] }) };
  const status = { capacity: { pods: '110', cpu: '4', memory: '32Gi' }, conditions: [{ type: 'Ready', status: 'True' }] };
  const spec = index < nodes - tainted ? {} : { taints: [{ key: 'foo', effect: 'NoSchedule' }] };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec, status };
}

function aPod({ labels = {}, cpu = '100m', spec = {} }: Form): object {
  const amounts = { cpu, memory: '500Mi' };
  const container = {
    name: 'pause',
    image: 'registry.k8s.io/pause:3.10.2',
    ports: [{ containerPort: 80 }],
    resources: { limits: amounts, requests: amounts },
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'pod-', labels }, spec: { containers: [container], ...spec } };
}

function namespacesOf({ namespace, namespaces }: Group): readonly string[] {
  return namespaces === undefined ? [namespace] : Array.from({ length: namespaces }, (_, index) => `${namespace}-${index}`);
}

function create({ call }: TestCluster, group: Group, count = group.pods): void {
  const names = namespacesOf(group);
  for (let index = 0; index < count; index++) call('POST', `/api/v1/namespaces/${names[index % names.length]}/pods`, aPod(group.form));
}

function countPlaced({ cluster }: TestCluster, group: Group): number {
  let placed = 0;
  for (const name of namespacesOf(group))
    for (const pod of cluster.stored(`pods/${name}`) as readonly Pod[]) if (pod.spec?.nodeName !== undefined) placed++;
  return placed;
}

/** Lets time pass until so many pods of the group have a node, and tells how many have. */
async function placeAll(made: TestCluster, group: Group, count: number, churn?: Workload['churn']): Promise<number> {
  const { cluster, advance } = made;
  const endMs = cluster.loop.nowMs() + virtualPatienceMs;
  let churned = 0;
  for (;;) {
    await advance(churn === undefined ? stepMs : churnStepMs);
    const placed = countPlaced(made, group);
    if (placed >= count || cluster.loop.nowMs() >= endMs) return placed;
    if (churn === undefined) continue;
    const due = Math.floor(placed / churn.every);
    create(made, { form: churn.form, pods: 0, namespace: 'namespace-3' }, due - churned);
    churned = due;
  }
}

async function prepare(workload: Workload): Promise<TestCluster> {
  // Nobody finds that these nodes have no heartbeat.
  const options = { controllers: 'serviceaccount', 'kube-api-qps': '0', 'scheduler-kube-api-qps': '0' };
  const made = await aCluster({ nodes: 0, options });
  const { call, advance } = made;
  const groups = [...(workload.first ?? []), workload.measured];
  for (const name of new Set([...groups.flatMap(namespacesOf), 'namespace-3']))
    call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: teamLabels } });
  const priority = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: highPriority }, value: 10 };
  call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', priority);
  for (let index = 0; index < workload.nodes; index++) {
    const node = aNode(index, workload) as { readonly metadata: { readonly name: string }; readonly spec: { readonly taints?: object } };
    call('POST', '/api/v1/nodes', node);
    // As new nodes they are tainted as not ready.
    const patch = { spec: { taints: node.spec.taints ?? null } };
    call('PATCH', `/api/v1/nodes/${node.metadata.name}`, patch, 'application/merge-patch+json');
  }
  await advance(1000);
  for (const group of workload.first ?? []) {
    const before = countPlaced(made, group);
    create(made, group);
    await placeAll(made, group, before + group.pods);
  }
  return made;
}

function scaled(workload: Workload): Workload {
  const scale = Number(values.scale);
  const of = (count: number): number => Math.round(count * scale);
  const group = (one: Group): Group => ({ ...one, pods: of(one.pods) });
  const { nodes, tainted = 0, first = [], measured } = workload;
  return { ...workload, nodes: of(nodes), tainted: of(tainted), first: first.map(group), measured: group(measured) };
}

async function startProfile(name: string, folder: string): Promise<() => Promise<void>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 250 });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
    session.disconnect();
  };
}

function cpuSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000_000;
}

const short = (value: number): number => Number(value.toFixed(2));

async function run(name: string, workload: Workload): Promise<void> {
  const pods = Math.min(workload.measured.pods, Number(values.pods));
  const made = await prepare(workload);
  const { cluster } = made;
  const endProfile = values.profile === undefined ? undefined : await startProfile(name, values.profile);
  const [before, beforeWall, beforeMs] = [process.cpuUsage(), performance.now(), cluster.loop.nowMs()];
  create(made, workload.measured, pods);
  const creating = cpuSeconds(before);
  const placed = await placeAll(made, workload.measured, pods, workload.churn);
  const [seconds, wall] = [cpuSeconds(before), (performance.now() - beforeWall) / 1000];
  await endProfile?.();
  print(`scheduling/${name}/${workload.size}`, {
    nodes: workload.nodes,
    pods: placed,
    podsPerSecond: Math.round(placed / seconds),
    cpuSeconds: short(seconds),
    ofCreation: short(creating),
    podsPerWallSecond: Math.round(placed / wall),
    residentMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
    virtualSeconds: short((cluster.loop.nowMs() - beforeMs) / 1000),
    digest: cluster.digest.slice(0, 12),
  });
}

const unknown = positionals.filter((name) => workloads[name] === undefined);
if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}; there are ${Object.keys(workloads).join(', ')}`);
for (const [name, workload] of Object.entries(workloads))
  if (positionals.length === 0 || positionals.includes(name)) await run(name, scaled(workload));
