/**
 * How many pods a second the scheduler places, in process: workloads of the shapes of upstream's test/integration/scheduler_perf, on
 * nodes that nobody runs. A second is one of processor time of the whole process, the API server and the creation of the measured pods
 * included, as upstream counts from there too.
 * Run: npm run bench -- scheduling [nodes pods [workload…]]
 */
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { print } from './spawned.ts';

interface Workload {
  /** Pods of this form are there before. */
  readonly first: Spec;
  readonly measured: Spec;
  readonly zones?: number;
  /** How many pods are there before, for each node; a fifth for upstream's 1,000 on 5,000. */
  readonly firstPerNode?: number;
}

interface Spec {
  readonly labels?: Readonly<Record<string, string>>;
  readonly cpu?: string;
  readonly spec?: object;
}

const [nodes = 5000, pods = 2000] = process.argv.slice(2, 4).map(Number);
const names = process.argv.slice(4);
const namespaces = ['sched-0', 'sched-1'] as const;
const stepMs = 100;
const virtualPatienceMs = 3_600_000;
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

function term(color: string, topologyKey: string, more: object = { namespaces }): object {
  return { labelSelector: { matchLabels: { color } }, topologyKey, ...more };
}

function required(kind: 'podAffinity' | 'podAntiAffinity', one: object): object {
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [one] } } };
}

function alike(form: Spec, more: Omit<Workload, 'first' | 'measured'> = {}): Workload {
  return { first: form, measured: form, ...more };
}

const plain: Spec = {};
const anyTeam = { namespaceSelector: { matchLabels: { team: 'devops' } } };
const preferred = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term('red', hostname) }] } };
const spread = { maxSkew: 5, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { color: 'blue' } } };
const workloads: Readonly<Record<string, Workload>> = {
  basic: alike(plain),
  'anti-affinity': alike({ labels: { color: 'green' }, spec: required('podAntiAffinity', term('green', hostname)) }),
  affinity: alike({ labels: { color: 'blue' }, spec: required('podAffinity', term('blue', zone)) }, { zones: 1 }),
  'preferred-affinity': alike({ labels: { color: 'red' }, spec: { affinity: preferred } }),
  'topology-spread': { first: plain, measured: { labels: { color: 'blue' }, spec: { topologySpreadConstraints: [spread] } }, zones: 3 },
  'ns-selector-anti-affinity': alike({ labels: { color: 'green' }, spec: required('podAntiAffinity', term('green', hostname, anyTeam)) }),
  'ns-selector-affinity': alike({ labels: { color: 'blue' }, spec: required('podAffinity', term('blue', zone, anyTeam)) }, { zones: 1 }),
  preemption: {
    first: { cpu: '900m', spec: { terminationGracePeriodSeconds: 0 } },
    measured: { cpu: '3', spec: { priorityClassName: 'high' } },
    firstPerNode: 4,
  },
};

function aNode(index: number, zones: number): object {
  const name = `node-${index}`;
  const labels = { [hostname]: name, ...(zones === 0 ? {} : { [zone]: `zone-${index % zones}` }) };
  const capacity = { pods: '110', cpu: '4', memory: '32Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    status: { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function aPod(name: string, { labels = {}, cpu = '100m', spec = {} }: Spec): object {
  const amounts = { cpu, memory: '500Mi' };
  const container = {
    name: 'pause',
    image: 'registry.k8s.io/pause:3.10.2',
    ports: [{ containerPort: 80 }],
    resources: { limits: amounts, requests: amounts },
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec: { containers: [container], ...spec } };
}

/** Creates pods and lets time pass until all have a node. */
async function place({ cluster, call, advance }: TestCluster, namespace: string, count: number, form: Spec): Promise<number> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const isPlaced = ({ metadata, ...pod }: { readonly metadata: { readonly namespace?: string }; readonly spec?: unknown }): boolean =>
    metadata.namespace === namespace && (pod.spec as { readonly nodeName?: string }).nodeName !== undefined;
  for (let index = 0; index < count; index++) call('POST', path, aPod(`pod-${index}`, form));
  const endMs = cluster.loop.nowMs() + virtualPatienceMs;
  for (;;) {
    await advance(stepMs);
    const placed = cluster.stored('pods').filter(isPlaced).length;
    if (placed === count || cluster.loop.nowMs() >= endMs) return placed;
  }
}

async function run(name: string, { first, measured, zones = 0, firstPerNode = 1 / 5 }: Workload): Promise<void> {
  const made = await aCluster({
    nodes: 0,
    options: {
      // Nobody finds that these nodes have no heartbeat.
      controllers: 'serviceaccount',
      'kube-api-qps': '0',
      'scheduler-kube-api-qps': '0',
    },
  });
  const { cluster, call } = made;
  for (const namespace of namespaces)
    call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { team: 'devops' } } });
  call('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 10,
  });
  for (let index = 0; index < nodes; index++) {
    call('POST', '/api/v1/nodes', aNode(index, zones));
    // As new nodes they are tainted as not ready.
    call('PATCH', `/api/v1/nodes/node-${index}`, { spec: { taints: null } }, 'application/merge-patch+json');
  }
  await made.advance(1000);
  await place(made, namespaces[0], Math.round(nodes * firstPerNode), first);
  const [before, beforeMs] = [process.cpuUsage(), cluster.loop.nowMs()];
  const placed = await place(made, namespaces[1], pods, measured);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1_000_000;
  print(`scheduling/${name}`, {
    nodes,
    pods: placed,
    podsPerSecond: Math.round(placed / seconds),
    virtualSeconds: Number(((cluster.loop.nowMs() - beforeMs) / 1000).toFixed(1)),
    digest: cluster.digest.slice(0, 12),
  });
}

for (const [name, workload] of Object.entries(workloads)) if (names.length === 0 || names.includes(name)) await run(name, workload);
