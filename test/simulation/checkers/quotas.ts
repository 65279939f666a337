/** Quotas: nothing is created beyond them, and they say what is used. */
import type { Pod, ResourceQuota } from '../../../engine/api/core/v1/types.gen.ts';
import { nameOf, prefixOf, type Thing, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { quantityToNumber } from './quantity.ts';

const calmMs = 6_000;
/** What the swarm's quotas limit, and how it is counted. */
const counts: Readonly<Record<string, (world: World, namespace: string) => number>> = {
  pods: (world, namespace) => livingPods(world, namespace).length,
  services: (world, namespace) => world.all('services/specs', namespace).length,
  'count/configmaps': (world, namespace) => world.all('configmaps', namespace).length,
  configmaps: (world, namespace) => world.all('configmaps', namespace).length,
  'count/jobs.batch': (world, namespace) => world.all('jobs', namespace).length,
  'count/deployments.apps': (world, namespace) => world.all('deployments', namespace).length,
  'requests.cpu': (world, namespace) => requested(world, namespace, 'cpu'),
  'requests.memory': (world, namespace) => requested(world, namespace, 'memory'),
};
const countedPrefixes: ReadonlySet<string> = new Set(['pods', 'services/specs', 'configmaps', 'jobs', 'deployments']);

export function quotasHold(): Checker {
  return {
    name: 'quotas hold',
    onChange({ key, current, previous }, world) {
      if (current === undefined || previous !== undefined || !countedPrefixes.has(prefixOf(key))) return [];
      const { namespace = '' } = current.value.metadata;
      return world.all<ResourceQuota>('resourcequotas', namespace).flatMap((quota) => exceeded(quota, current.value, world));
    },
  };
}

/** Only what the new object itself counts for can have been let in wrongly. */
function exceeded({ metadata: { name, namespace = '' }, status }: ResourceQuota, made: Thing, world: World): readonly string[] {
  return Object.entries(status?.hard ?? {}).flatMap(([resource, most]) => {
    const used = counts[resource]?.(world, namespace) ?? 0;
    return concerns(resource, made) && used > quantityToNumber(most) + 1e-9
      ? [`${nameOf(made)} makes ${used} ${resource} where quota ${name} allows ${most}`]
      : [];
  });
}

function concerns(resource: string, { kind }: Thing): boolean {
  if (resource === 'pods' || resource.startsWith('requests.')) return kind === 'Pod';
  return resource.toLowerCase().includes(`${kind.toLowerCase()}s`);
}

export function quotasSayWhatIsUsed(): Checker {
  const look = (world: World): readonly string[] => world.all<ResourceQuota>('resourcequotas').flatMap((quota) => wrongQuota(quota, world));
  return { name: 'quotas say what is used', inspect: look, atRest: look };
}

function wrongQuota(quota: ResourceQuota, world: World): readonly string[] {
  const { namespace = '', deletionTimestamp } = quota.metadata;
  const calm = [...countedPrefixes, 'resourcequotas'].every((prefix) => world.calmMs(prefix, namespace) >= calmMs);
  // Nobody is told when the grace of a pod is over: the next change or resync counts it out.
  const doubtful = world.all<Pod>('pods', namespace).some((pod) => pod.metadata.deletionTimestamp !== undefined);
  if (!calm || doubtful || deletionTimestamp !== undefined) return [];
  return Object.keys(quota.spec?.hard ?? {}).flatMap((resource) => {
    const true_ = counts[resource]?.(world, namespace);
    const said = quantityToNumber(quota.status?.used?.[resource]);
    return true_ !== undefined && Math.abs(said - true_) > 1e-6 ? [`${nameOf(quota)} says ${said} ${resource} where ${true_} is true`] : [];
  });
}

function livingPods(world: World, namespace: string): readonly Pod[] {
  return world
    .all<Pod>('pods', namespace)
    .filter((pod) => pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !shouldBeGone(pod, world));
}

/** Pods that a lost node will never confirm to be gone are not charged once their grace is over twice. */
function shouldBeGone({ metadata: { deletionTimestamp, deletionGracePeriodSeconds } }: Pod, world: World): boolean {
  return deletionTimestamp !== undefined && world.nowMs > Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds ?? 0) * 1000;
}

function requested(world: World, namespace: string, resource: string): number {
  return livingPods(world, namespace).reduce((sum, { spec }) => {
    const each = (spec?.containers ?? []).map(({ resources }) => quantityToNumber(resources?.requests?.[resource]));
    const first = (spec?.initContainers ?? []).map(({ resources }) => quantityToNumber(resources?.requests?.[resource]));
    const together = each.reduce((total, amount) => total + amount, 0);
    return sum + Math.max(together, ...first);
  }, 0);
}
