/** Puts a drawn group before our scheduler. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { PodGroup } from '../../../engine/api/scheduling/v1alpha2/types.gen.ts';
import { podGroups, pods } from '../../../engine/client/resources.ts';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import { drawGroup, type GroupFact, told } from './draw.ts';

export async function replayGroup(seed: number): Promise<GroupFact> {
  const { nodes, others, policy, members } = drawGroup(seed);
  const bench = new SchedulerBench({ podGroups: true, gangs: true });
  for (const { name, cpu } of nodes) bench.node(name, { allocatable: { cpu } });
  for (const { name, cpu, node } of others) bench.pod(name, { requests: { cpu }, nodeName: node, terminationGracePeriodSeconds: 30 });
  const names = Array.from({ length: members.count }, (_, i) => `m${i}`);
  for (const name of names) bench.pod(name, { requests: { cpu: members.cpu }, priority: members.priority, schedulingGroup: { podGroupName: 'g' } });
  await bench.advance(500);
  bench.putAs(podGroups, 'g', 'default', { metadata: { name: 'g', namespace: 'default' }, spec: { schedulingPolicy: policy } });
  await bench.advance(500);
  const [condition] = bench.get<PodGroup>(podGroups, 'default', 'g')?.status?.conditions ?? [];
  return {
    seed,
    members: names.map((name) => tellOf(bench.get<Pod>(pods, 'default', name))).sort(),
    ...(condition === undefined ? {} : { condition: [condition.status, condition.reason, condition.message] as const }),
  };
}

function tellOf(pod: Pod | undefined): string {
  const condition = pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return told(pod?.spec?.nodeName, pod?.status?.nominatedNodeName, condition?.message);
}
