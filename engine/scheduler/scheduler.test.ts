import { describe, expect, test } from 'vitest';
import { newForbidden } from '../apimachinery/errors.ts';
import { pods, replicaSets } from '../client/resources.ts';
import { scoresByNode } from './decision.ts';
import { FakeScheduler } from './testing/fake-scheduler.ts';

describe('scheduling', () => {
  test('a pod goes to the emptier node, with event and decision', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.node('b');
    fake.pod('big', { requests: { cpu: '2' }, nodeName: 'a' });
    fake.pod('p');
    await fake.advance(10);
    expect(fake.nodeOf('p')).toBe('b');
    expect(fake.events).toEqual(['p Normal Scheduled Successfully assigned default/p to b']);
    expect(fake.decisions[0]).toMatchObject({ pod: 'default/p', result: 'scheduled', node: 'b', attempt: 1, feasibleNodes: 2 });
    const scores = scoresByNode(fake.decisions[0]?.scores as NonNullable<(typeof fake.decisions)[0]['scores']>);
    expect(scores['b']?.['TaintToleration']).toBe(300);
  });

  test('reasons are counted, sorted and followed by those of preemption', async () => {
    const fake = new FakeScheduler();
    fake.node('a', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    fake.node('b');
    fake.node('c');
    fake.pod('full-b', { requests: { cpu: '4' }, nodeName: 'b' });
    fake.pod('full-c', { requests: { cpu: '4' }, nodeName: 'c' });
    fake.pod('p', { requests: { cpu: '1' } });
    await fake.advance(10);
    const text =
      '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, ' +
      'preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.';
    expect(fake.events).toEqual([`p Warning FailedScheduling ${text}`]);
    expect(fake.patches[0]).toMatchObject({
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: text, observedGeneration: 1 }] },
    });
  });

  test('no nodes at all', async () => {
    const fake = new FakeScheduler();
    fake.pod('p');
    await fake.advance(10);
    expect(fake.events).toEqual(['p Warning FailedScheduling no nodes available to schedule pods']);
    fake.node('a');
    await fake.advance(3000);
    expect(fake.nodeOf('p')).toBe('a');
  });

  test('a pod that waits goes on when room appears, not before', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.pod('full', { requests: { cpu: '4' }, nodeName: 'a' });
    fake.pod('p', { requests: { cpu: '1' } });
    await fake.advance(10_000);
    expect(fake.decisions).toHaveLength(1);
    fake.informer(pods).remove('default', 'full');
    await fake.advance(10);
    expect(fake.nodeOf('p')).toBe('a');
  });

  test('after five minutes a waiting pod is tried anyway', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.pod('p', { requests: { cpu: '5' } });
    await fake.advance(5 * 60_000);
    expect(fake.decisions).toHaveLength(1);
    await fake.advance(31_000);
    expect(fake.decisions).toHaveLength(2);
  });

  test('gates hold a pod back until they are gone', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.pod('p', { schedulingGates: [{ name: 'g' }] });
    await fake.advance(10);
    expect(fake.decisions).toEqual([]);
    fake.pod('p', {}, { uid: fake.get('p')?.metadata.uid ?? '' });
    await fake.advance(10);
    expect(fake.nodeOf('p')).toBe('a');
  });

  test('pods of another scheduler are left alone', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.pod('p', { schedulerName: 'other' });
    await fake.advance(1000);
    expect(fake.decisions).toEqual([]);
  });

  test('a refused binding is tried again after a back-off', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.refuseBinding = () => {
      throw newForbidden({ group: '', resource: 'pods' }, 'p', 'no');
    };
    fake.pod('p');
    await fake.advance(100);
    expect(fake.events[0]).toContain('p Warning FailedScheduling running Bind plugin "DefaultBinder": ');
    fake.refuseBinding = undefined;
    await fake.advance(900);
    expect(fake.nodeOf('p')).toBeUndefined();
    await fake.advance(1500);
    expect(fake.nodeOf('p')).toBe('a');
  });

  test('priority first; the victim is marked, evicted and told of', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.pod('low', { requests: { cpu: '3' }, nodeName: 'a', priority: 0 });
    fake.pod('high', { requests: { cpu: '3' }, priority: 1000 }, { uid: 'high-uid' });
    await fake.advance(2500);
    expect(fake.get('low')).toBeUndefined();
    expect(fake.events).toContain('low Normal Preempted Preempted by pod high-uid on node a');
    expect(fake.patches.map((patch) => JSON.stringify(patch)).some((text) => text.includes('PreemptionByScheduler'))).toBe(true);
    expect(fake.decisions[0]?.preemption).toEqual({ node: 'a', victims: ['default/low'], pdbViolations: 0 });
    expect(fake.nodeOf('high')).toBe('a');
  });

  test('preemptionPolicy Never takes nobody away', async () => {
    const fake = new FakeScheduler();
    fake.node('a');
    fake.pod('low', { requests: { cpu: '3' }, nodeName: 'a' });
    fake.pod('high', { requests: { cpu: '3' }, priority: 1000, preemptionPolicy: 'Never' });
    await fake.advance(100);
    expect(fake.events[0]).toContain('preemption: not eligible due to preemptionPolicy=Never.');
  });

  test('anti-affinity to itself puts one on each node', async () => {
    const fake = new FakeScheduler();
    for (const name of ['a', 'b', 'c']) fake.node(name);
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'x' } } };
    for (let i = 0; i < 4; i++)
      fake.pod(`p${i}`, { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }, { labels: { app: 'x' } });
    await fake.advance(100);
    expect([0, 1, 2].map((i) => fake.nodeOf(`p${i}`)).sort()).toEqual(['a', 'b', 'c']);
    expect(fake.nodeOf('p3')).toBeUndefined();
    expect(fake.events[3]).toContain("0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.");
  });

  test('a hard spread constraint keeps zones even', async () => {
    const fake = new FakeScheduler();
    for (const [name, zone] of [
      ['a', 'z1'],
      ['b', 'z1'],
      ['c', 'z2'],
    ] as const)
      fake.node(name, { labels: { 'topology.kubernetes.io/zone': zone } });
    const constraint = {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'x' } },
    };
    for (let i = 0; i < 6; i++) fake.pod(`p${i}`, { topologySpreadConstraints: [constraint] }, { labels: { app: 'x' } });
    await fake.advance(100);
    expect([0, 1, 2, 3, 4, 5].filter((i) => fake.nodeOf(`p${i}`) === 'c')).toHaveLength(3);
  });

  test('a saved scheduler goes on as the original', async () => {
    const first = new FakeScheduler();
    first.node('a');
    first.pod('p', { requests: { cpu: '5' } });
    await first.advance(100);
    const [saved, time, random] = [first.scheduler.save(), first.loop.save(), first.saveRandom()];
    const second = new FakeScheduler();
    second.informer(pods).cache.put('default/p', first.get('p') as NonNullable<ReturnType<typeof first.get>>);
    second.informer({ group: '', version: 'v1', resource: 'nodes', kind: 'Node', namespaced: false }).cache.put('a', first.getNode('a'));
    second.loop.restore(time);
    second.restoreRandom(random);
    second.scheduler.restore(JSON.parse(JSON.stringify(saved)));
    await first.advance(400_000);
    await second.advance(400_000);
    expect(second.decisions).toEqual(first.decisions.slice(1));
    expect(second.decisions.length).toBeGreaterThan(0);
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

async function runRandom(seed: number, classCache: boolean): Promise<FakeScheduler> {
  const fake = new FakeScheduler({ classCache });
  const draw = random(seed);
  const zones = 1 + draw(4);
  const nodes = 20 + draw(130);
  for (let i = 0; i < nodes; i++) {
    const taints = draw(8) === 0 ? [{ key: 'k', effect: draw(2) === 0 ? 'NoSchedule' : 'PreferNoSchedule' }] : [];
    const images = draw(3) === 0 ? [{ names: ['nginx:latest'], sizeBytes: 200_000_000 }] : [];
    fake.node(`n${i}`, { labels: { 'topology.kubernetes.io/zone': `z${i % zones}`, disk: draw(2) === 0 ? 'ssd' : 'hdd' }, spec: { taints }, images });
  }
  fake.put(replicaSets, { metadata: { name: 'rs', namespace: 'default', uid: 'rs' }, spec: { selector: { matchLabels: { app: 'a0' } } } });
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
    fake.pod(
      `p${i}`,
      { ...spec, ...(affinity ? { affinity } : {}), ...(spread ? { topologySpreadConstraints: spread } : {}) },
      { labels: { app }, ...(app === 'a0' ? owner : {}) },
    );
    if (draw(6) === 0) await fake.advance(draw(20));
    if (draw(20) === 0) fake.informer(pods).remove('default', `p${draw(i + 1)}`);
    if (draw(40) === 0) fake.node(`n${draw(nodes)}`, { labels: { 'topology.kubernetes.io/zone': `z${draw(zones)}`, disk: 'ssd' } });
  }
  await fake.advance(30_000);
  return fake;
}

test.each([1, 2, 3, 4])('classes change nothing but the speed: random cluster %i', async (seed) => {
  const [cached, uncached] = [await runRandom(seed, true), await runRandom(seed, false)];
  expect(cached.decisions.length).toBeGreaterThan(200);
  for (let i = 0; i < uncached.decisions.length; i++) expect(cached.decisions[i]).toEqual(uncached.decisions[i]);
});
