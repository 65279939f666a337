import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { replicaSets, services } from '../../client/resources.ts';
import { scoresByNode } from '../decision.ts';
import { SchedulerBench } from '../testing/scheduler-bench.ts';
import { policyOfProvider, readPolicy, standardGates } from './policy.ts';

const zone = 'failure-domain.beta.kubernetes.io/zone';

function aPolicy(fields: JsonObject): string {
  return JSON.stringify({ kind: 'Policy', apiVersion: 'v1', ...fields });
}

function benchOf(fields?: JsonObject): SchedulerBench {
  const policy = fields === undefined ? policyOfProvider('DefaultProvider') : readPolicy(aPolicy(fields));
  return new SchedulerBench({ policy, classCache: false, percentageOfNodesToScore: 50 });
}

/** Weighted scores of the last decision, by node. */
function scores(bench: SchedulerBench): ReturnType<typeof scoresByNode> {
  const table = bench.decisions.at(-1)?.scores;
  return table === undefined ? {} : scoresByNode(table);
}

function eventsOf(bench: SchedulerBench): readonly string[] {
  return bench.events.map(({ text }) => text);
}

describe('predicates of release 1.13', () => {
  test('reasons of all nodes in its words; resources and selectors together, and no word of preemption', async () => {
    const bench = benchOf();
    bench.node('small', { allocatable: { cpu: '100m', pods: '0' } });
    bench.node('tainted', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] }, labels: { disk: 'ssd' } });
    bench.node('cordoned', { spec: { unschedulable: true }, labels: { disk: 'ssd' } });
    bench.pod('p', { requests: { cpu: '1' }, nodeSelector: { disk: 'ssd' } });
    await bench.advance(900);
    expect(bench.decisions[0]?.message).toBe(
      "0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient pods, 1 node(s) didn't match node selector, 1 node(s) had taints that the pod didn't tolerate, 1 node(s) were unschedulable.",
    );
    expect(eventsOf(bench)).toEqual([`Warning FailedScheduling ${bench.decisions[0]?.message}`]);
  });

  test('affinity has two reasons', async () => {
    const bench = benchOf();
    bench.node('a');
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } };
    bench.pod('p', { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
    await bench.advance(900);
    expect(bench.decisions[0]?.message).toBe(
      "0/1 nodes are available: 1 node(s) didn't match pod affinity rules, 1 node(s) didn't match pod affinity/anti-affinity.",
    );
  });

  test('a claim that is nowhere ends the attempt with its name', async () => {
    const bench = benchOf();
    bench.node('a');
    bench.pod('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'lost' } }] });
    await bench.advance(900);
    expect(eventsOf(bench)).toEqual(['Warning FailedScheduling persistentvolumeclaim "lost" not found']);
  });

  test('alwaysCheckAllPredicates tells all that is wrong with a node', async () => {
    const bench = benchOf({ alwaysCheckAllPredicates: true });
    bench.node('a', { allocatable: { cpu: '100m' }, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } });
    bench.pod('p', { requests: { cpu: '1' } });
    await bench.advance(900);
    expect(bench.decisions[0]?.message).toBe("0/1 nodes are available: 1 Insufficient cpu, 1 node(s) had taints that the pod didn't tolerate.");
  });

  test('a policy without a predicate lets pods in; labels may be asked for', async () => {
    const presence = { name: 'CheckNodeLabelPresence', argument: { labelsPresence: { labels: ['retired'], presence: false } } };
    const bench = benchOf({ predicates: [presence], priorities: [{ name: 'EqualPriority', weight: 1 }] });
    bench.node('a', { labels: { retired: 'yes' } });
    bench.node('b', { allocatable: { cpu: '1m' } });
    bench.pod('p', { requests: { cpu: '1' } });
    await bench.advance(2_000);
    expect([bench.nodeOf('p'), bench.decisions[0]?.filtered]).toEqual([
      'b',
      { CheckNodeLabelPresence: { "node(s) didn't have the requested labels": { count: 1, nodes: ['a'] } } },
    ]);
  });

  test('service affinity keeps pods of a service on nodes of one label value', async () => {
    const bench = benchOf({ predicates: [{ name: 'CheckServiceAffinity', argument: { serviceAffinity: { labels: ['region'] } } }], priorities: [] });
    for (const [name, region] of [
      ['a', 'east'],
      ['b', 'west'],
      ['c', 'west'],
    ] as const)
      bench.node(name, { labels: { region } });
    bench.putAs(services, 's', 'default', { metadata: { name: 's', namespace: 'default' }, spec: { selector: { app: 'x' } } });
    bench.pod('first', { nodeName: 'b' }, { labels: { app: 'x' } });
    bench.pod('second', {}, { labels: { app: 'x' } });
    await bench.advance(2_000);
    expect(bench.decisions[0]).toMatchObject({
      feasibleNodes: 2,
      filtered: { CheckServiceAffinity: { "node(s) didn't match service affinity": { nodes: ['a'] } } },
    });
  });
});

describe('priorities of release 1.13', () => {
  test('score from 0 to 10, and are weighed', async () => {
    const bench = benchOf();
    bench.node('empty');
    bench.node('full');
    bench.pod('there', { nodeName: 'full', requests: { cpu: '2', memory: '4Gi' } });
    bench.pod('p', { requests: { cpu: '1', memory: '4Gi' } });
    await bench.advance(2_000);
    expect(bench.nodeOf('p')).toBe('empty');
    expect(scores(bench)).toEqual({
      empty: {
        BalancedResourceAllocation: 10,
        ImageLocalityPriority: 0,
        LeastRequestedPriority: 7,
        NodePreferAvoidPodsPriority: 100_000,
        SelectorSpreadPriority: 10,
        TaintTolerationPriority: 10,
      },
      full: {
        BalancedResourceAllocation: 7,
        ImageLocalityPriority: 0,
        LeastRequestedPriority: 3,
        NodePreferAvoidPodsPriority: 100_000,
        SelectorSpreadPriority: 10,
        TaintTolerationPriority: 10,
      },
    });
  });

  test('pods of a controller spread over zones first; nodes that are equally good take turns', async () => {
    const bench = benchOf({ priorities: [{ name: 'SelectorSpreadPriority', weight: 2 }] });
    for (const name of ['a1', 'a2', 'b1']) bench.node(name, { labels: { [zone]: name[0] as string } });
    bench.putAs(replicaSets, 'rs', 'default', { metadata: { name: 'rs', namespace: 'default' }, spec: { selector: { matchLabels: { app: 'x' } } } });
    bench.pod('there', { nodeName: 'a1' }, { labels: { app: 'x' } });
    bench.pod('p', {}, { labels: { app: 'x' } });
    await bench.advance(2_000);
    expect(bench.nodeOf('p')).toBe('b1');
    expect(scores(bench)).toEqual({
      a1: { SelectorSpreadPriority: 0 },
      a2: { SelectorSpreadPriority: 6 },
      b1: { SelectorSpreadPriority: 20 },
    });
    const even = benchOf({ priorities: [{ name: 'EqualPriority', weight: 1 }] });
    for (const name of ['a', 'b', 'c']) even.node(name);
    for (const name of ['p', 'q', 'r']) even.pod(name);
    await even.advance(3_000);
    expect(new Set(['p', 'q', 'r'].map((name) => even.nodeOf(name))).size).toBe(3);
  });

  test('arguments: a label, an anti-affinity of services, a shape', async () => {
    const bench = benchOf({
      priorities: [
        { name: 'Fast', weight: 2, argument: { labelPreference: { label: 'fast', presence: true } } },
        { name: 'Apart', weight: 1, argument: { serviceAntiAffinity: { label: 'rack' } } },
        {
          name: 'Ratio',
          weight: 1,
          argument: {
            requestedToCapacityRatioArguments: {
              shape: [
                { utilization: 0, score: 0 },
                { utilization: 100, score: 10 },
              ],
            },
          },
        },
      ],
    });
    bench.putAs(services, 's', 'default', { metadata: { name: 's', namespace: 'default' }, spec: { selector: { app: 'x' } } });
    bench.node('a', { labels: { rack: '1', fast: '' } });
    bench.node('b', { labels: { rack: '2' } });
    bench.pod('there', { nodeName: 'a', requests: { cpu: '2', memory: '8Gi' } }, { labels: { app: 'x' } });
    bench.pod('p', { requests: { cpu: '1', memory: '4Gi' } }, { labels: { app: 'x' } });
    await bench.advance(2_000);
    expect(scores(bench)).toEqual({ a: { Fast: 20, Apart: 0, Ratio: 7 }, b: { Fast: 0, Apart: 10, Ratio: 2 } });
  });
});

test('preemption takes the node where it hurts least, says whom it was for, and marks nobody', async () => {
  const bench = benchOf();
  for (const [name, priority] of [
    ['a', 5],
    ['b', 1],
  ] as const) {
    bench.node(name);
    bench.pod(`low-${name}`, { nodeName: name, priority, requests: { cpu: '4' } });
  }
  bench.pod('high', { priority: 10, requests: { cpu: '4' } });
  await bench.advance(30_000);
  expect(eventsOf(bench)).toEqual([
    'Warning FailedScheduling 0/2 nodes are available: 2 Insufficient cpu.',
    'Normal Preempted by default/high on node b',
    'Normal Scheduled Successfully assigned default/high to b',
  ]);
  expect(bench.writes.filter(({ name, verb }) => name === 'low-b' && verb === 'patch')).toEqual([]);
});

test('nobody makes room where that is switched off', async () => {
  const policy = { ...policyOfProvider('DefaultProvider'), disablesPreemption: true as const };
  const bench = new SchedulerBench({ policy, classCache: false, percentageOfNodesToScore: 50 });
  bench.node('a');
  bench.pod('low', { nodeName: 'a', priority: 1, requests: { cpu: '4' } });
  bench.pod('high', { priority: 10, requests: { cpu: '4' } });
  await bench.advance(30_000);
  expect(eventsOf(bench)).toEqual(['Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu.']);
});

describe('a policy is refused', () => {
  test.each<[JsonObject, string]>([
    [{ kind: 'Pod' }, 'invalid policy: no kind "Pod" is registered for version "v1"'],
    [{ predicates: [{ name: 'Nope' }] }, 'Invalid configuration: Predicate type not found for Nope'],
    [{ predicates: [{ name: 'CheckNodeCondition' }] }, 'Invalid configuration: Predicate type not found for CheckNodeCondition'],
    [{ predicates: [{ name: 'x!' }] }, 'Algorithm name x! does not match the name validation regexp'],
    [{ predicates: [{ name: 'Aa', argument: {} }] }, 'Exactly 1 predicate argument is required, numArgs: 0, Predicate: Aa'],
    [{ priorities: [{ name: 'Nope', weight: 1 }] }, 'Invalid configuration: Priority type not found for Nope'],
    [
      { priorities: [{ name: 'EqualPriority' }] },
      "couldn't create scheduler from policy: Priority EqualPriority should have a positive weight applied to it or it has overflown",
    ],
    [
      {
        extenders: [
          { urlPrefix: 'http://a', bindVerb: 'b' },
          { urlPrefix: 'http://b', bindVerb: 'b', prioritizeVerb: 'p' },
        ],
      },
      "couldn't create scheduler from policy: [Priority for extender http://b should have a positive weight applied to it, Only one extender can implement bind, found 2]",
    ],
    [{ hardPodAffinitySymmetricWeight: 101 }, 'invalid hardPodAffinitySymmetricWeight: 101, must be in the range 1-100'],
    [
      { priorities: [{ name: 'Ratio', weight: 1, argument: { requestedToCapacityRatioArguments: { shape: [] } } }] },
      'invalid RequestedToCapacityRatioPriority arguments: at least one point must be specified',
    ],
  ])('%j', (fields, words) => {
    expect(() => readPolicy(aPolicy(fields))).toThrow(words);
  });

  test('and so is a provider that is not there', () => {
    expect(() => policyOfProvider('Best')).toThrow('couldn\'t create scheduler using provider "Best": plugin "Best" has not been registered');
  });
});

describe('BalanceAttachedNodeVolumes', () => {
  async function scoresOf(balancesDisks: boolean, volumes: readonly JsonObject[]): Promise<ReturnType<typeof scoresByNode>> {
    const policy = policyOfProvider('DefaultProvider', { ...standardGates, balancesDisks });
    const bench = new SchedulerBench({ policy, classCache: false, percentageOfNodesToScore: 50 });
    const half = { cpu: '2', memory: '2Gi', pods: '110' };
    bench.node('few', { allocatable: { ...half, 'attachable-volumes-gce-pd': '4' } });
    bench.node('many', { allocatable: { ...half, 'attachable-volumes-gce-pd': '30' } });
    for (const node of ['few', 'many']) bench.pod(`on-${node}`, { nodeName: node, volumes: [disk('d0'), disk('d1')] });
    bench.pod('p', { requests: { cpu: '900m', memory: '896Mi' }, volumes: [...volumes] });
    await bench.advance(900);
    return scores(bench);
  }
  const disk = (pdName: string): JsonObject => ({ name: pdName, gcePersistentDisk: { pdName, readOnly: true } });
  const balance = (found: ReturnType<typeof scoresByNode>): readonly (number | undefined)[] =>
    ['few', 'many'].map((node) => found[node]?.['BalancedResourceAllocation']);

  test.each([
    ['on, one of two places: as even as CPU and memory', true, [disk('d2')], [10, 9]],
    ['on, one of two places, and one that is attached', true, [disk('d1'), disk('d2')], [10, 9]],
    ['on, all places', true, [disk('d2'), disk('d3')], [0, 9]],
    ['on, without disks', true, [], [10, 10]],
    ['off', false, [disk('d2')], [10, 10]],
    ['off, all places', false, [disk('d2'), disk('d3')], [10, 10]],
  ] as const)('%s', async (_what, isOn, volumes, want) => {
    expect(balance(await scoresOf(isOn, volumes))).toEqual(want);
  });
});
