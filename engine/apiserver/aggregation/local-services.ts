/**
 * APIServices of what is built in here: upstream's server registers each group and version of its own. Mirrors the priorities of
 * cmd/kube-apiserver; what keeps them, and adds those of definitions, is `aggregation/registration-controller.ts`.
 */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { byKubeVersion } from '../../apimachinery/kube-version.ts';
import { automanagedLabel } from '../../component-helpers/local-api-service.ts';
import { isCustom, type KindDefinition } from '../../contracts/kind.ts';
import { groupPriority } from '../group-priorities.ts';
import type { RestStorages } from '../storage/rest-storages.ts';

/** Served here where a real cluster has a server beside it: one that somebody brings, and that is no simulated pod, comes in its place. */
export const givesWay: ReadonlySet<string> = new Set(['metrics.k8s.io']);
/** Of single versions; upstream's table. */
const versionPriorities: { readonly [name: string]: number } = {
  'v1.': 1,
  'v2.autoscaling': 30,
  'v1.flowcontrol.apiserver.k8s.io': 21,
  'v1.resource.k8s.io': 21,
};
const stableVersion = 15;

/** Of every group and version but the server's own list of servers, and what another server comes in the place of. By name. */
export function builtInServices(storages: RestStorages): readonly APIService[] {
  const kinds = new Map<string, KindDefinition>();
  for (const [{ kind }] of storages.list()) {
    if (kind.visibility !== undefined || kind.group === 'apiregistration.k8s.io' || givesWay.has(kind.group) || isCustom(kind)) continue;
    kinds.set(`${kind.version}.${kind.group}`, kind);
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => builtInService(name, kind));
}

function builtInService(name: string, { group, version }: KindDefinition): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [automanagedLabel]: 'onstart' } },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: groupPriority(group),
      versionPriority: versionPriority(name, version),
    },
  };
}

/** Versions that are not stable yet come behind those that are, in their order. */
function versionPriority(name: string, version: string): number {
  const known = getOwn(versionPriorities, name);
  if (known !== undefined) return known;
  if (byKubeVersion(version, 'v1') <= 0) return stableVersion;
  return version.includes('beta') ? 9 : 1;
}
