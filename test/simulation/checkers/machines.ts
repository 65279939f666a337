/**
 * What really runs on machines, whatever the API says: a member of a StatefulSet runs once. A second one may only run where somebody
 * other than the machine said that the first is gone: by force, because its node is, or out of service.
 */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { Cluster } from '../../../engine/cluster/cluster.ts';
import { prefixOf } from '../world.ts';
import type { Checker } from './checker.ts';

export interface RunningPod {
  readonly uid: string;
  readonly name: string;
  readonly node: string;
}

export function membersRunOnce(running: (cluster: Cluster) => readonly RunningPod[] = runningPods): Checker {
  const members = new Set<string>();
  const forced = new Set<string>();
  return {
    name: 'members run once',
    onChange({ key, type, current, previous, meta }) {
      if (prefixOf(key) !== 'pods') return [];
      const pod = (current ?? previous)?.value as Pod | undefined;
      const { uid = '', ownerReferences = [] } = pod?.metadata ?? {};
      if (ownerReferences.some(({ kind }) => kind === 'StatefulSet')) members.add(uid);
      if (type === 'delete' && meta.identity !== `system:node:${pod?.spec?.nodeName}`) forced.add(uid);
      return [];
    },
    inspect(_world, cluster) {
      const byName = new Map<string, RunningPod>();
      const found: string[] = [];
      for (const one of running(cluster)) {
        if (!members.has(one.uid) || forced.has(one.uid)) continue;
        const other = byName.get(one.name);
        if (other !== undefined) found.push(`${one.name} runs on ${other.node} and on ${one.node}`);
        byName.set(one.name, one);
      }
      return found;
    },
  };
}

function runningPods({ nodes }: Cluster): readonly RunningPod[] {
  return [...nodes.metrics.context.workers.values()]
    .filter(({ containers }) => containers.some(({ state }) => state === 'running'))
    .map(({ uid, namespace, name, node }) => ({ uid, name: `${namespace}/${name}`, node }));
}
