/**
 * APIServices of what is built in here: upstream's server registers each group and version of its own. Mirrors the priorities of
 * cmd/kube-apiserver; what keeps them, and adds those of definitions, is `aggregation/registration-controller.ts`.
 */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { automanagedLabel } from '../../component-helpers/local-api-service.ts';
import { isCustom, type KindDefinition } from '../../contracts/kind.ts';
import { groupPriority, type Priorities, versionPriority } from '../group-priorities.ts';
import type { RestStorages } from '../storage/rest-storages.ts';

/** Served here where a real cluster has a server beside it: one that somebody brings, and that is no simulated pod, comes in its place. */
export const givesWay: ReadonlySet<string> = new Set(['metrics.k8s.io']);
/** Of every group and version but the server's own list of servers, and what another server comes in the place of. By name. */
export function builtInServices(storages: RestStorages, priorities: Priorities): readonly APIService[] {
  const kinds = new Map<string, KindDefinition>();
  for (const [{ kind }] of storages.list()) {
    if (kind.visibility !== undefined || kind.group === 'apiregistration.k8s.io' || givesWay.has(kind.group) || isCustom(kind)) continue;
    kinds.set(`${kind.version}.${kind.group}`, kind);
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => builtInService(name, kind, priorities));
}

function builtInService(name: string, { group, version }: KindDefinition, { groupPriorities, versionPriorities }: Priorities): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [automanagedLabel]: 'onstart' } },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: getOwn(groupPriorities, group) ?? groupPriority(group),
      versionPriority: versionPriority(group, version, versionPriorities),
    },
  };
}
