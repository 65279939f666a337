/** What every registered scheduler plugin keeps to: a place of its own, scores within 0 and 100, the same answer to the same question. */
import { describe, expect, it } from 'vitest';
import { nodeScoreMax } from '../../engine/scheduler/framework/plugin.ts';
import { plugins } from '../../engine/scheduler/plugins/index.gen.ts';
import { scoresByNode } from '../../engine/scheduler/decision.ts';
import { SchedulerBench } from '../../engine/scheduler/testing/scheduler-bench.ts';

describe('registered plugins', () => {
  it('have names and places of their own', () => {
    expect(new Set(plugins.map(({ name }) => name)).size).toBe(plugins.length);
    expect(new Set(plugins.map(({ order }) => order)).size).toBe(plugins.length);
  });

  it.each(plugins)('$name lists what it may say, once', ({ reasons, points }) => {
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(points.length).toBeGreaterThan(0);
  });

  it('score within bounds, and again the same', async () => {
    const [first, second] = [await scoresOf(), await scoresOf()];
    expect(second).toEqual(first);
    expect(first.length).toBeGreaterThan(0);
    const weights = new Map(plugins.map(({ name, defaultWeight }) => [name, defaultWeight]));
    const outside = first.flatMap((nodes) =>
      Object.values(nodes).flatMap((scores) =>
        Object.entries(scores).filter(([name, score]) => !(score >= 0 && score <= nodeScoreMax * (weights.get(name) ?? 0))),
      ),
    );
    expect(outside).toEqual([]);
  });
});

/** Twenty odd pods on five odd nodes. */
async function scoresOf(): Promise<readonly ReturnType<typeof scoresByNode>[]> {
  const bench = new SchedulerBench();
  for (let i = 0; i < 5; i++) {
    bench.node(`n${i}`, {
      labels: { 'kubernetes.io/hostname': `n${i}`, 'topology.kubernetes.io/zone': `z${i % 2}`, disk: i % 2 === 0 ? 'ssd' : 'hdd' },
      spec: i === 3 ? { taints: [{ key: 'odd', effect: 'PreferNoSchedule' }] } : {},
    });
  }
  const terms = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'a' } } };
  for (let i = 0; i < 20; i++) {
    const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 + i, podAffinityTerm: terms }] };
    const nodeAffinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] } },
      ],
    };
    bench.pod(
      `p${i}`,
      { requests: { cpu: `${50 * (i % 4)}m` }, affinity: i % 2 === 0 ? { podAffinity, nodeAffinity } : { podAntiAffinity: podAffinity } },
      { labels: { app: i % 3 === 0 ? 'a' : 'b' } },
    );
    await bench.advance(10);
  }
  return bench.decisions.flatMap(({ scores }) => (scores === undefined ? [] : [scoresByNode(scores)]));
}
