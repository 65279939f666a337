import { describe, expect, it } from 'vitest';
import { pluginsByPoint, type PluginSets, scoreWeights } from './plugin-sets.ts';
import { plugins } from './plugins/index.gen.ts';
import { SchedulerBench } from './testing/scheduler-bench.ts';

const ordered = plugins.toSorted((a, b) => a.order - b.order);
const at = (sets: PluginSets) => pluginsByPoint(ordered, sets, 'default-scheduler');

describe('plugins of a profile', () => {
  it('run in the default order where nothing is said', () => {
    expect(at({}).postFilter).toEqual(['DynamicResources', 'DefaultPreemption']);
    expect(at({}).score).toEqual([
      'TaintToleration',
      'NodeAffinity',
      'NodeResourcesFit',
      'VolumeBinding',
      'PodTopologySpread',
      'InterPodAffinity',
      'DynamicResources',
      'NodeResourcesBalancedAllocation',
      'ImageLocality',
    ]);
  });

  it('one point alone switches a plugin off', () => {
    const sets = at({ filter: { disabled: ['NodeAffinity'] } });
    expect(sets.filter).not.toContain('NodeAffinity');
    expect(sets.score).toContain('NodeAffinity');
  });

  it('a star switches all off but those that the point names', () => {
    expect(at({ score: { disabled: ['*'], enabled: [{ name: 'ImageLocality' }] } }).score).toEqual(['ImageLocality']);
    const only = [{ name: 'PrioritySort' }, { name: 'DefaultBinder' }, { name: 'NodeName' }];
    expect(at({ multiPoint: { disabled: ['*'], enabled: only } })).toMatchObject({ filter: ['NodeName'], score: [], bind: ['DefaultBinder'] });
  });

  it('what a point names again comes first, in its order', () => {
    const sets = at({ score: { enabled: [{ name: 'ImageLocality' }, { name: 'NodeAffinity' }] } });
    expect(sets.score.slice(0, 3)).toEqual(['ImageLocality', 'NodeAffinity', 'TaintToleration']);
  });

  it('weighs by the point, then by multiPoint, then by default', () => {
    const sets = {
      multiPoint: {
        enabled: [
          { name: 'NodeAffinity', weight: 7 },
          { name: 'ImageLocality', weight: 5 },
        ],
      },
      score: { enabled: [{ name: 'ImageLocality', weight: 9 }] },
    };
    const weights = scoreWeights(ordered, sets);
    expect(['NodeAffinity', 'ImageLocality', 'TaintToleration'].map((name) => weights.get(name))).toEqual([7, 9, 3]);
  });

  it('a filter that is switched off keeps nobody away', async () => {
    const bench = new SchedulerBench({
      profiles: [
        { schedulerName: 'default-scheduler' },
        { schedulerName: 'blind', plugins: { filter: { disabled: ['NodeUnschedulable', 'TaintToleration'] } } },
      ],
    });
    bench.node('a', { spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] } });
    bench.pod('sees');
    bench.pod('blind', { schedulerName: 'blind' });
    await bench.advance(1_000);
    expect([bench.nodeOf('sees'), bench.nodeOf('blind')]).toEqual([undefined, 'a']);
  });
});
