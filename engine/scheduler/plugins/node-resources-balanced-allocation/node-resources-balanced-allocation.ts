/** Likes nodes whose resources would be used evenly, and more evenly than before (framework/plugins/noderesources/balanced_allocation.go). */
import { DeviceCounts } from '../../framework/device-counts.ts';
import { definePlugin, nodeScoreMax } from '../../framework/plugin.ts';
import type { Resources } from '../../framework/resources.ts';

type Names = readonly { readonly name: string }[];

export const nodeResourcesBalancedAllocation = definePlugin<Resources>({
  name: 'NodeResourcesBalancedAllocation',
  order: 160,
  defaultWeight: 1,
  points: ['PreScore', 'Score'],
  args: {
    resources: [
      { name: 'cpu', weight: 1 },
      { name: 'memory', weight: 1 },
    ],
  },
  reasons: [],
  create: ({ claims }, args) => {
    const names = (args['resources'] as unknown as Names).map(({ name }) => name);
    const devices = new DeviceCounts(claims);
    claims.scoreBy(names);
    return {
      classState: ({ requests }) => requests,
      preScore: (requests) => names.some((name) => amount(requests, name) !== 0),
      score: (requests, node) => {
        const { allocatable, requested } = node;
        const withPod: number[] = [];
        const without: number[] = [];
        for (const name of names) {
          const wanted = amount(requests, name);
          if (wanted === 0 && isScalar(name)) continue;
          const offered = amount(allocatable, name);
          const found = offered === 0 && isScalar(name) ? devices.of(name, node) : undefined;
          const total = found?.total || offered;
          if (total === 0) continue;
          const used = found !== undefined && found.total > 0 ? found.used : amount(requested, name);
          withPod.push(Math.min(1, (used + wanted) / total));
          without.push(Math.min(1, used / total));
        }
        return nodeScoreMax / 2 + Math.trunc((nodeScoreMax / 2 + balance(withPod) - balance(without)) / 2);
      },
    };
  },
});

function isScalar(name: string): boolean {
  return name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage';
}

function amount(resources: Resources, name: string): number {
  if (name === 'cpu') return resources.milliCpu;
  if (name === 'memory') return resources.memory;
  return name === 'ephemeral-storage' ? resources.ephemeralStorage : (resources.scalar?.get(name) ?? 0);
}

/** 100 when all fractions are the same, less by their standard deviation. */
function balance(fractions: readonly number[]): number {
  let deviation = 0;
  if (fractions.length === 2) deviation = Math.abs(((fractions[0] as number) - (fractions[1] as number)) / 2);
  else if (fractions.length > 2) {
    const mean = fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length;
    deviation = Math.sqrt(fractions.reduce((sum, fraction) => sum + (fraction - mean) * (fraction - mean), 0) / fractions.length);
  }
  return Math.trunc((1 - deviation) * nodeScoreMax);
}
