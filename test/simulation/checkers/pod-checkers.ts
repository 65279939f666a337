/** What must hold of pods and nodes: bound once, to a node that is there, one address each, never more than a node has. */
import type { Node, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { Job } from '../../../engine/api/batch/v1/types.gen.ts';
import type { ReplicaSet } from '../../../engine/api/apps/v1/types.gen.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { isPodTerminal } from '../../../engine/component-helpers/pod.ts';
import { quantityToNumber } from './quantity.ts';
import type { Checker } from './checker.ts';

export function podsAreBoundOnce(): Checker {
  return {
    name: 'pods are bound once',
    onChange({ key, current, previous }) {
      if (!key.startsWith('/registry/pods/') || current === undefined || previous === undefined) return [];
      const [from, to] = [(previous.value as Pod).spec?.nodeName, (current.value as Pod).spec?.nodeName];
      return from && from !== to ? [`${key} moved from ${from} to ${to}`] : [];
    },
  };
}

export function addressesAreUnique(): Checker {
  return {
    name: 'addresses are unique',
    inspect(cluster) {
      const owners = new Map<string, string>();
      return (cluster.stored('pods') as Pod[])
        .filter((pod) => !isPodTerminal(pod) && !pod.spec?.hostNetwork && pod.status?.podIP)
        .flatMap((pod) => {
          const address = pod.status?.podIP ?? '';
          const other = owners.get(address);
          owners.set(address, pod.metadata.name ?? '');
          return other === undefined ? [] : [`${other} and ${pod.metadata.name} share ${address}`];
        });
    },
  };
}

/** Requests of pods on a node stay within what it allots; pods past their end count no more. */
export function nodesAreNotOverfull(): Checker {
  return {
    name: 'nodes are not overfull',
    inspect(cluster) {
      const nodes = cluster.stored('minions') as Node[];
      const pods = (cluster.stored('pods') as Pod[]).filter((pod) => !isPodTerminal(pod));
      return nodes.flatMap((node) => {
        const own = pods.filter((pod) => pod.spec?.nodeName === node.metadata.name);
        const found = own.length > quantityToNumber(node.status?.allocatable?.['pods']) ? [`${node.metadata.name} has ${own.length} pods`] : [];
        const cpus = own.reduce((sum, pod) => sum + quantityToNumber(pod.spec?.containers?.map((one) => one.resources?.requests?.['cpu'])), 0);
        return cpus > quantityToNumber(node.status?.allocatable?.['cpu']) + 1e-9 ? [...found, `${node.metadata.name} promised ${cpus} CPUs`] : found;
      });
    },
  };
}

/** Counts that controllers promise: a Job never runs more pods at once than its parallelism, once at rest no set has too many. */
export function countsAreKept(): Checker {
  return {
    name: 'counts are kept',
    inspect(cluster) {
      const pods = cluster.stored('pods') as Pod[];
      const activeOf = (owner: KubeObject): number =>
        pods.filter(
          (pod) =>
            !isPodTerminal(pod) &&
            pod.metadata.deletionTimestamp === undefined &&
            pod.metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid),
        ).length;
      const jobs = (cluster.stored('jobs') as Job[]).filter((job) => job.metadata.generation === 1 && activeOf(job) > (job.spec?.parallelism ?? 1));
      const sets = (cluster.stored('replicasets') as ReplicaSet[]).filter(
        (set) => set.metadata.generation === 1 && set.metadata.deletionTimestamp === undefined && activeOf(set) > (set.spec?.replicas ?? 1),
      );
      return [...jobs, ...sets].map((owner) => `${owner.kind} ${owner.metadata.name} has ${activeOf(owner)} active pods`);
    },
  };
}

/** At rest every owner that is named exists. */
export function danglingOwners(objects: readonly KubeObject[]): readonly string[] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return objects.flatMap(({ kind, metadata }) =>
    (metadata.ownerReferences ?? []).length > 0 && metadata.ownerReferences?.every(({ uid }) => !uids.has(uid)) && !metadata.deletionTimestamp
      ? [`${kind} ${metadata.namespace}/${metadata.name} has no owner left`]
      : [],
  );
}
