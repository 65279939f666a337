import { describe, expect, test } from 'vitest';
import { newForbidden } from '../apimachinery/errors.ts';
import { nodes, pods, replicaSets } from '../client/resources.ts';
import { scoresByNode } from './decision.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

describe('scheduling', () => {
  test('a pod goes to the emptier node, with event and decision', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.node('b');
    bench.pod('big', { requests: { cpu: '2' }, nodeName: 'a' });
    bench.pod('p');
    await bench.advance(10);
    expect(bench.nodeOf('p')).toBe('b');
    expect(bench.eventTexts()).toEqual(['Normal Scheduled Successfully assigned default/p to b']);
    expect(bench.decisions[0]).toMatchObject({ pod: 'default/p', result: 'scheduled', node: 'b', attempt: 1, feasibleNodes: 2 });
    const scores = scoresByNode(bench.decisions[0]?.scores as NonNullable<(typeof bench.decisions)[0]['scores']>);
    expect(scores['b']?.['TaintToleration']).toBe(300);
  });

  test('reasons are counted, sorted and followed by those of preemption', async () => {
    const bench = new SchedulerBench();
    bench.node('a', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    bench.node('b');
    bench.node('c');
    bench.pod('full-b', { requests: { cpu: '4' }, nodeName: 'b' });
    bench.pod('full-c', { requests: { cpu: '4' }, nodeName: 'c' });
    bench.pod('p', { requests: { cpu: '1' } });
    await bench.advance(10);
    const text =
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, ' +
      'preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.';
    expect(bench.eventTexts()).toEqual([`Warning FailedScheduling ${text}`]);
    expect(bench.writes[0]?.body).toMatchObject({
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: text, observedGeneration: 1 }] },
    });
  });

  test('a decision tells weights beside scores, and whose filters had nothing to say', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.node('b', { spec: { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } });
    bench.pod('p');
    await bench.advance(1_000);
    const { skipped, scores: { plugins, weights, values, raw } = {} } = bench.decisions[0] ?? {};
    expect(skipped).toEqual(expect.arrayContaining(['InterPodAffinity', 'NodePorts', 'VolumeBinding']));
    expect(skipped).not.toContain('NodeResourcesFit');
    const at = plugins?.indexOf('TaintToleration') ?? -1;
    expect([weights?.[at], values?.[0]?.[at], weights?.length]).toEqual([3, 300, plugins?.length]);
    // Of taints that nobody has to tolerate fewer are better: what the plugin counted is turned round.
    expect(raw?.map((row) => row[at])).toEqual([0, 1]);
  });

  test('no nodes at all', async () => {
    const bench = new SchedulerBench();
    bench.pod('p');
    await bench.advance(10);
    expect(bench.eventTexts()).toEqual(['Warning FailedScheduling no nodes available to schedule pods']);
    bench.node('a');
    await bench.advance(3000);
    expect(bench.nodeOf('p')).toBe('a');
  });

  test('a pod that waits goes on when room appears, not before', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('full', { requests: { cpu: '4' }, nodeName: 'a' });
    bench.pod('p', { requests: { cpu: '1' } });
    await bench.advance(10_000);
    expect(bench.decisions).toHaveLength(1);
    bench.remove(pods, 'default', 'full');
    await bench.advance(10);
    expect(bench.nodeOf('p')).toBe('a');
  });

  test('after five minutes a waiting pod is tried anyway', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('p', { requests: { cpu: '5' } });
    await bench.advance(5 * 60_000);
    expect(bench.decisions).toHaveLength(1);
    await bench.advance(31_000);
    expect(bench.decisions).toHaveLength(2);
  });

  test('or after as long as an option says', async () => {
    const bench = new SchedulerBench({ unschedulableStayMs: 60_000 });
    bench.node('a');
    bench.pod('p', { requests: { cpu: '5' } });
    await bench.advance(60_000);
    expect(bench.decisions).toHaveLength(1);
    await bench.advance(31_000);
    expect(bench.decisions).toHaveLength(2);
  });

  test('gates hold a pod back until they are gone', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('p', { schedulingGates: [{ name: 'g' }] });
    await bench.advance(10);
    expect(bench.decisions).toEqual([]);
    bench.pod('p', {}, { uid: bench.get(pods, 'default', 'p')?.metadata.uid ?? '' });
    await bench.advance(10);
    expect(bench.nodeOf('p')).toBe('a');
  });

  test('pods of another scheduler are left alone', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('p', { schedulerName: 'other' });
    await bench.advance(1000);
    expect(bench.decisions).toEqual([]);
  });

  test('a refused binding is tried again after a back-off', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.refuse = ({ subresource }) => {
      if (subresource !== 'binding') return;
      throw newForbidden({ group: '', resource: 'pods' }, 'p', 'no');
    };
    bench.pod('p');
    await bench.advance(100);
    expect(bench.eventTexts()[0]).toContain('Warning FailedScheduling running Bind plugin "DefaultBinder": ');
    bench.refuse = undefined;
    await bench.advance(900);
    expect(bench.nodeOf('p')).toBeUndefined();
    await bench.advance(1500);
    expect(bench.nodeOf('p')).toBe('a');
  });

  test('each binding that fails makes the next back-off twice as long, up to ten seconds', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    const triedMs: number[] = [];
    bench.refuse = ({ subresource }) => {
      if (subresource !== 'binding') return;
      triedMs.push(bench.nowMs);
      throw newForbidden({ group: '', resource: 'pods' }, 'p', 'no');
    };
    bench.pod('p');
    await bench.advance(60_000);
    const gaps = triedMs.slice(1).map((atMs, index) => Math.round((atMs - (triedMs[index] as number)) / 1000));
    // 1, 2, 4, 8, 10 and 10 s, each looked at a window of a second later.
    expect(gaps.slice(0, 6)).toEqual([2, 3, 5, 9, 11, 11]);
    // The record says that a node was chosen, and that the pod did not come to it.
    expect(bench.decisions.slice(0, 2)).toMatchObject([
      { result: 'scheduled', node: 'a', attempt: 1 },
      { result: 'error', node: 'a', attempt: 1, at: 'Bind', message: expect.stringContaining('running Bind plugin "DefaultBinder": ') },
    ]);
  });

  test('a node that grows is tried again, and takes no more than it has', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('p', { requests: { cpu: '6' } });
    await bench.advance(1_000);
    expect(bench.nodeOf('p')).toBeUndefined();
    bench.change(nodes, undefined, 'a', (node) => ({ ...node, status: { ...node.status, allocatable: { ...node.status?.allocatable, cpu: '8' } } }));
    await bench.advance(3_000);
    expect(bench.nodeOf('p')).toBe('a');
    bench.pod('q', { requests: { cpu: '3' } });
    await bench.advance(3_000);
    expect(bench.nodeOf('q')).toBeUndefined();
  });

  test('affinity looks at the labels that a placed pod has now', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.node('b');
    bench.pod('calm', { nodeName: 'a' }, { labels: { app: 'x' } });
    bench.pod('other', { nodeName: 'b' }, { labels: { app: 'y' } });
    await bench.advance(100);
    for (const [name, app] of [
      ['calm', 'y'],
      ['other', 'x'],
    ] as const)
      bench.change(pods, 'default', name, (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { app } } }));
    await bench.advance(100);
    const term = { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: 'kubernetes.io/hostname' };
    bench.pod('p', { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
    await bench.advance(100);
    expect(bench.nodeOf('p')).toBe('b');
  });

  test('priority first; the victim is marked, evicted and told of', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('low', { requests: { cpu: '3' }, nodeName: 'a', priority: 0 });
    bench.pod('high', { requests: { cpu: '3' }, priority: 1000 }, { uid: 'high-uid' });
    await bench.advance(2500);
    expect(bench.get(pods, 'default', 'low')).toBeUndefined();
    expect(bench.eventTexts()).toContain('Normal Preempted Preempted by pod high-uid on node a');
    expect(bench.writes.map(({ body }) => JSON.stringify(body)).some((text) => text.includes('PreemptionByScheduler'))).toBe(true);
    expect(bench.decisions[0]?.preemption).toEqual({
      node: 'a',
      victims: ['default/low'],
      pdbViolations: 0,
      candidateCount: 1,
      candidates: [{ node: 'a', victims: 1, pdbViolations: 0 }],
    });
    expect(bench.nodeOf('high')).toBe('a');
  });

  test('who must go is found anew when pods turn out to run longer', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.node('b');
    for (const name of ['a-old', 'a-young']) bench.pod(name, { requests: { cpu: '2' }, nodeName: 'a', priority: 1 });
    bench.pod('b-least', { requests: { cpu: '4' }, nodeName: 'b', priority: 0 });
    const started = (name: string, startTime: string): unknown =>
      bench.change(pods, 'default', name, (pod) => ({ ...pod, status: { ...pod.status, startTime } }));
    started('a-old', '2020-01-01T00:00:00Z');
    started('a-young', '2020-01-01T01:00:00Z');
    await bench.advance(10);
    // Tries both nodes, and takes the one whose pod matters less.
    bench.pod('first', { requests: { cpu: '2' }, priority: 1000 });
    await bench.advance(10);
    started('a-old', '2020-01-01T02:00:00Z');
    bench.pod('second', { requests: { cpu: '2' }, priority: 1000 });
    bench.pod('third', { requests: { cpu: '2' }, priority: 1000 });
    await bench.advance(5000);
    const victims = bench.decisions.flatMap(({ pod, preemption }) => (preemption === undefined ? [] : [[pod, ...preemption.victims]]));
    expect(victims).toEqual([
      ['default/first', 'default/b-least'],
      ['default/third', 'default/a-old'],
    ]);
  });

  test('preemptionPolicy Never takes nobody away', async () => {
    const bench = new SchedulerBench();
    bench.node('a');
    bench.pod('low', { requests: { cpu: '3' }, nodeName: 'a' });
    bench.pod('high', { requests: { cpu: '3' }, priority: 1000, preemptionPolicy: 'Never' });
    await bench.advance(100);
    expect(bench.eventTexts()[0]).toContain('preemption: not eligible due to preemptionPolicy=Never.');
  });

  test('anti-affinity to itself puts one on each node', async () => {
    const bench = new SchedulerBench();
    for (const name of ['a', 'b', 'c']) bench.node(name);
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } };
    for (let i = 0; i < 4; i++)
      bench.pod(`p${i}`, { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }, { labels: { app: 'x' } });
    await bench.advance(100);
    expect([0, 1, 2].map((i) => bench.nodeOf(`p${i}`)).sort()).toEqual(['a', 'b', 'c']);
    expect(bench.nodeOf('p3')).toBeUndefined();
    expect(bench.eventTexts()[3]).toContain("0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.");
  });

  test('a hard spread constraint keeps zones even', async () => {
    const bench = new SchedulerBench();
    for (const [name, zone] of [
      ['a', 'z1'],
      ['b', 'z1'],
      ['c', 'z2'],
    ] as const)
      bench.node(name, { labels: { 'topology.kubernetes.io/zone': zone } });
    const constraint = {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'x' } },
    };
    for (let i = 0; i < 6; i++) bench.pod(`p${i}`, { topologySpreadConstraints: [constraint] }, { labels: { app: 'x' } });
    await bench.advance(100);
    expect([0, 1, 2, 3, 4, 5].filter((i) => bench.nodeOf(`p${i}`) === 'c')).toHaveLength(3);
  });

  test('a saved scheduler goes on as the original', async () => {
    const first = new SchedulerBench();
    first.node('a');
    first.pod('p', { requests: { cpu: '5' } });
    await first.advance(100);
    const second = new SchedulerBench();
    second.takeOver(first);
    await first.advance(400_000);
    await second.advance(400_000);
    expect(second.decisions).toEqual(first.decisions.slice(1));
    expect(second.decisions.length).toBeGreaterThan(0);
  });

  test('the first that a restored scheduler hears of may be what somebody waited for', async () => {
    const first = new SchedulerBench();
    first.node('a');
    first.pod('full', { requests: { cpu: '4' }, nodeName: 'a' });
    first.pod('p', { requests: { cpu: '1' } });
    await first.advance(10_000);
    const second = new SchedulerBench();
    second.takeOver(first);
    for (const bench of [first, second]) {
      bench.remove(pods, 'default', 'full');
      await bench.advance(10);
    }
    expect([first.nodeOf('p'), second.nodeOf('p')]).toEqual(['a', 'a']);
  });
});

/** A small generator for random clusters; the same for both runs. */
function random(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

async function runRandom(seed: number, classCache: boolean): Promise<SchedulerBench> {
  const bench = new SchedulerBench({ classCache });
  const draw = random(seed);
  const zones = 1 + draw(4);
  const nodes = 20 + draw(130);
  for (let i = 0; i < nodes; i++) {
    const taints = draw(8) === 0 ? [{ key: 'k', effect: draw(2) === 0 ? 'NoSchedule' : 'PreferNoSchedule' }] : [];
    const images = draw(3) === 0 ? [{ names: ['nginx:latest'], sizeBytes: 200_000_000 }] : [];
    bench.node(`n${i}`, {
      labels: { 'topology.kubernetes.io/zone': `z${i % zones}`, disk: draw(2) === 0 ? 'ssd' : 'hdd' },
      spec: { taints },
      images,
    });
  }
  bench.add(replicaSets, { metadata: { name: 'rs', namespace: 'default', uid: 'rs' }, spec: { selector: { matchLabels: { app: 'a0' } } } });
  const owner = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true }] };
  for (let i = 0; i < 250; i++) {
    const app = `a${draw(3)}`;
    const term = {
      topologyKey: draw(2) === 0 ? 'kubernetes.io/hostname' : 'topology.kubernetes.io/zone',
      labelSelector: { matchLabels: { app: `a${draw(3)}` } },
    };
    const kind = draw(8);
    const spec = { requests: { cpu: `${100 * (1 + draw(10))}m`, memory: '256Mi' }, priority: draw(10) === 0 ? 100 : 0 };
    const affinity =
      kind === 0
        ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
        : kind === 1
          ? { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm: term }] } }
          : kind === 2
            ? {
                nodeAffinity: {
                  preferredDuringSchedulingIgnoredDuringExecution: [
                    { weight: 5, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] } },
                  ],
                },
              }
            : undefined;
    const spread =
      kind === 3
        ? [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: draw(2) === 0 ? 'DoNotSchedule' : 'ScheduleAnyway',
              labelSelector: { matchLabels: { app } },
            },
          ]
        : undefined;
    bench.pod(
      `p${i}`,
      { ...spec, ...(affinity ? { affinity } : {}), ...(spread ? { topologySpreadConstraints: spread } : {}) },
      { labels: { app }, ...(app === 'a0' ? owner : {}) },
    );
    if (draw(6) === 0) await bench.advance(draw(20));
    if (draw(20) === 0) bench.remove(pods, 'default', `p${draw(i + 1)}`);
    if (draw(40) === 0) bench.node(`n${draw(nodes)}`, { labels: { 'topology.kubernetes.io/zone': `z${draw(zones)}`, disk: 'ssd' } });
  }
  await bench.advance(30_000);
  return bench;
}

test.each([1, 2, 3, 4])('classes change nothing but the speed: random cluster %i', async (seed) => {
  const [cached, uncached] = [await runRandom(seed, true), await runRandom(seed, false)];
  expect(cached.decisions.length).toBeGreaterThan(200);
  for (let i = 0; i < uncached.decisions.length; i++) expect(cached.decisions[i]).toEqual(uncached.decisions[i]);
});
