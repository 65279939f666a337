/** Each plugin through the whole scheduler: one node, one pod, and what the pod is told. */
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { plugins } from './plugins/index.gen.ts';
import { pickCandidate } from './plugins/default-preemption/default-preemption.ts';
import { ln } from './framework/ln.ts';
import { newPodInfo } from './framework/pod-info.ts';
import { scaledQuantity } from './framework/resources.ts';
import { nodesToFind } from './sampling.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

interface Case {
  readonly name: string;
  readonly node?: { readonly labels?: JsonObject; readonly spec?: JsonObject; readonly allocatable?: JsonObject; readonly images?: JsonValue };
  readonly others?: readonly JsonObject[];
  readonly pod: JsonObject;
  readonly reason?: string;
}

const onA = { nodeName: 'a' };
const port = (hostPort: number, hostIP?: string): JsonObject => ({
  containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort, ...(hostIP ? { hostIP } : {}) }] }],
});
const affinity = (expression: JsonObject): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
});

const cases: readonly Case[] = [
  { name: 'cordoned', node: { spec: { unschedulable: true } }, pod: {}, reason: '1 node(s) were unschedulable' },
  {
    name: 'cordoned, tolerated',
    node: { spec: { unschedulable: true } },
    pod: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] },
  },
  {
    name: 'tainted',
    node: { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoExecute' }] } },
    pod: { tolerations: [{ key: 'k', value: 'w' }] },
    reason: '1 node(s) had untolerated taint(s)',
  },
  { name: 'tainted softly', node: { spec: { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } }, pod: {} },
  { name: 'node selector', pod: { nodeSelector: { disk: 'ssd' } }, reason: "1 node(s) didn't match Pod's node affinity/selector" },
  { name: 'node affinity', node: { labels: { cores: '8' } }, pod: affinity({ key: 'cores', operator: 'Gt', values: ['4'] }) },
  {
    name: 'node affinity, not',
    node: { labels: { cores: '4' } },
    pod: affinity({ key: 'cores', operator: 'Gt', values: ['4'] }),
    reason: "1 node(s) didn't match Pod's node affinity/selector",
  },
  {
    name: 'same host port',
    others: [{ ...onA, ...port(80) }],
    pod: port(80),
    reason: "1 node(s) didn't have free ports for the requested pod ports",
  },
  { name: 'same host port on another address', others: [{ ...onA, ...port(80, '10.0.0.1') }], pod: port(80, '10.0.0.2') },
  { name: 'memory', pod: { requests: { memory: '17Gi' } }, reason: '1 Insufficient memory' },
  { name: 'extended resource', pod: { requests: { 'example.com/gpu': '1' } }, reason: '1 Insufficient example.com/gpu' },
  { name: 'pods', node: { allocatable: { pods: '1' } }, others: [onA], pod: {}, reason: '1 Too many pods' },
  { name: 'cpu and memory together', pod: { requests: { cpu: '5', memory: '17Gi' } }, reason: '1 Insufficient cpu, 1 Insufficient memory' },
  {
    name: 'missing claim',
    pod: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
    reason: 'persistentvolumeclaim "data" not found',
  },
  {
    name: 'spread without the label',
    pod: { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }] },
    reason: "1 node(s) didn't match pod topology spread constraints (missing required label)",
  },
  {
    name: 'affinity to nobody',
    pod: {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } }],
        },
      },
    },
    reason: "1 node(s) didn't match pod affinity rules",
  },
];

test.each(cases)('$name', async ({ node, others = [], pod, reason }) => {
  const bench = new SchedulerBench();
  bench.node('a', node);
  others.forEach((other, i) => bench.pod(`other-${i}`, other));
  bench.pod('p', pod);
  await bench.advance(10);
  if (reason === undefined) expect(bench.nodeOf('p')).toBe('a');
  else expect(bench.eventTexts()[0]?.startsWith(`Warning FailedScheduling 0/1 nodes are available: ${reason}. `)).toBe(true);
});

test('the node with the image wins when all else is equal', async () => {
  const bench = new SchedulerBench();
  for (const name of ['a', 'b', 'c']) bench.node(name, name === 'b' ? { images: [{ names: ['nginx:latest'], sizeBytes: 900_000_000 }] } : {});
  bench.pod('p');
  await bench.advance(10);
  expect(bench.nodeOf('p')).toBe('b');
});

test('MostAllocated packs', async () => {
  const scoringStrategy = { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] };
  const bench = new SchedulerBench({
    profiles: [
      {
        schedulerName: 'default-scheduler',
        plugins: { multiPoint: { disabled: ['PodTopologySpread'], enabled: [{ name: 'NodeResourcesFit', weight: 10 }] } },
        pluginArgs: { NodeResourcesFit: { scoringStrategy } },
      },
    ],
  });
  for (const name of ['a', 'b', 'c']) bench.node(name);
  bench.pod('other', { requests: { cpu: '2' }, nodeName: 'c' });
  bench.pod('p');
  await bench.advance(10);
  expect(bench.nodeOf('p')).toBe('c');
});

test('victims: fewest broken budgets, then the lowest highest priority, then the fewest', () => {
  const victim = (priority: number): ReturnType<typeof newPodInfo> =>
    newPodInfo({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'v', uid: `${priority}` },
      spec: { priority, containers: [] },
      status: { startTime: '2026-01-01T00:00:00Z' },
    });
  const a = { node: 'a', pods: [victim(5)], pdbViolations: 1 };
  const b = { node: 'b', pods: [victim(9)], pdbViolations: 0 };
  const c = { node: 'c', pods: [victim(7), victim(1)], pdbViolations: 0 };
  const d = { node: 'd', pods: [victim(7)], pdbViolations: 0 };
  expect(pickCandidate([a, b, c, d]).node).toBe('d');
});

test('quantities, logarithms and samples are upstream’s', () => {
  expect(['100m', '1', '0.5', '2k', '1Ki', '1e3', '1.1'].map((text) => scaledQuantity(text, 1000))).toEqual([
    100, 1000, 500, 2_000_000, 1_024_000, 1_000_000, 1100,
  ]);
  for (const x of [2, 3, 5, 102, 5002])
    expect(
      Math.abs(
        ln(x) - Number({ 2: 0.6931471805599453, 3: 1.0986122886681098, 5: 1.6094379124341003, 102: 4.624972813284271, 5002: 8.517593111423406 }[x]),
      ),
    ).toBeLessThan(1e-9);
  expect([50, 100, 1000, 5000, 15000].map((nodes) => nodesToFind(nodes, 0))).toEqual([50, 100, 420, 500, 750]);
});

test('names and places in the profile are unique', () => {
  expect(new Set(plugins.map(({ name }) => name)).size).toBe(plugins.length);
  expect(new Set(plugins.map(({ order }) => order)).size).toBe(plugins.length);
});
