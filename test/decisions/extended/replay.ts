/** Puts drawn pods with extended resources before our scheduler. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../../engine/api/resource/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { deviceClasses, pods as podType, resourceClaims, resourceSlices } from '../../../engine/client/resources.ts';
import { scoresByNode } from '../../../engine/scheduler/decision.ts';
import { SchedulerBench } from '../../../engine/scheduler/testing/scheduler-bench.ts';
import type { Draft } from '../../support/bench.ts';
import { classOf, drawExtended, type ExtendedFact, type ExtendedFacts, ownClaim, pluginArgs, sliceOf } from './draw.ts';
import { told } from './told.ts';

export async function replayExtended(seed: number): Promise<ExtendedFacts> {
  const { nodes, classes, pods } = drawExtended(seed);
  const bench = new SchedulerBench({ profiles: [{ schedulerName: 'default-scheduler', pluginArgs }] });
  for (const { name, plugin, devices } of nodes) {
    bench.node(name, { allocatable: plugin });
    if (devices > 0) bench.putAs(resourceSlices, `slice-${name}`, undefined, { ...sliceOf(name, devices) } as unknown as Draft);
  }
  classes.forEach((one, i) => {
    const drawn = classOf(one);
    const metadata = { name: one.name, creationTimestamp: `2026-01-01T00:00:0${i}Z` };
    bench.putAs(deviceClasses, one.name, undefined, { ...drawn, metadata });
  });
  const facts: ExtendedFact[] = [];
  for (const { name, spec, claims } of pods) {
    for (const claim of claims) bench.putAs(resourceClaims, claim, 'default', { ...ownClaim(claim) } as unknown as Draft);
    bench.pod(name, spec as JsonObject);
    const from = bench.decisions.length;
    for (let i = 0; i < 20 && bench.decisions.length === from; i++) await bench.advance(50);
    await bench.advance(200);
    const pod = bench.get<Pod>(podType, 'default', name) as Pod;
    facts.push(told(pod, bench.list<ResourceClaim>(resourceClaims), scoresOf(bench.decisions.at(from))));
    if (pod.spec?.nodeName === undefined) bench.remove(podType, 'default', name);
  }
  return { seed, facts };
}

function scoresOf(decision: SchedulerBench['decisions'][number] | undefined): ExtendedFact['scores'] {
  if (decision?.scores === undefined) return undefined;
  const totals = Object.entries(scoresByNode(decision.scores)).map(
    ([node, plugins]) => [node, Object.values(plugins).reduce((a, b) => a + b, 0)] as const,
  );
  return Object.fromEntries(totals.sort());
}
