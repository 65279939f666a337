/** What must hold of pods and nodes: bound once, lived once, one address each, never more than a node has. */
import type { Node, Pod, Service } from '../../../engine/api/core/v1/types.gen.ts';
import { isPodTerminal } from '../../../engine/component-helpers/pod.ts';
import { nameOf, prefixOf, type World } from '../world.ts';
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

/** What has ended stays ended; what must not be started again is not; restarts are counted and never forgotten. */
export function podsLiveForwards(): Checker {
  return {
    name: 'pods live forwards',
    onChange({ key, current, previous }, world) {
      if (prefixOf(key) !== 'pods' || current === undefined) return [];
      const [pod, before] = [current.value as Pod, previous?.value as Pod | undefined];
      const found: string[] = [];
      if (before !== undefined && isPodTerminal(before) && pod.status?.phase !== before.status?.phase)
        found.push(`${nameOf(pod)} went from ${before.status?.phase} to ${pod.status?.phase}`);
      for (const { name, restartCount, lastState } of pod.status?.containerStatuses ?? []) {
        const old = before?.status?.containerStatuses?.find((status) => status.name === name)?.restartCount ?? 0;
        if (restartCount < old && nodeOf(pod, world) !== undefined)
          found.push(`${nameOf(pod)} forgot restarts of ${name}: ${restartCount} after ${old}`);
        // One that went with its machine counts as restarted, though it is not.
        const isLost = lastState?.terminated?.reason === 'ContainerStatusUnknown';
        if (restartCount > 0 && !isLost && pod.spec?.restartPolicy === 'Never') found.push(`${nameOf(pod)} started ${name} again`);
      }
      return found;
    },
  };
}

function nodeOf({ spec }: Pod, world: World): Node | undefined {
  return world.get<Node>('minions', undefined, spec?.nodeName ?? '');
}

export function addressesAreUnique(): Checker {
  return {
    name: 'addresses are unique',
    inspect(world) {
      const pods = world.all<Pod>('pods').filter((pod) => !isPodTerminal(pod) && !pod.spec?.hostNetwork && pod.status?.podIP);
      const services = world.all<Service>('services/specs');
      const holders: (readonly [string, string])[] = [
        ...pods.map((pod) => [pod.status?.podIP ?? '', nameOf(pod)] as const),
        ...services.filter(({ spec }) => spec?.clusterIP !== 'None').map((service) => [service.spec?.clusterIP ?? '', nameOf(service)] as const),
        ...services.flatMap((service) =>
          (service.spec?.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [[`port ${nodePort}`, nameOf(service)] as const] : [])),
        ),
      ];
      const owners = new Map<string, string>();
      return holders.flatMap(([address, holder]) => {
        const other = owners.get(address);
        owners.set(address, holder);
        return other === undefined ? [] : [`${other} and ${holder} share ${address}`];
      });
    },
  };
}

/**
 * Requests of pods on a node stay within what it allots; pods past their end count no more, and those not yet that their creator put
 * there himself and whose kubelet, which is to refuse them, has not seen them: it may be down.
 */
export function nodesAreNotOverfull(): Checker {
  return {
    name: 'nodes are not overfull',
    inspect(world) {
      const pods = world.all<Pod>('pods').filter((pod) => !isPodTerminal(pod) && isPlaced(pod));
      return world.all<Node>('minions').flatMap((node) => {
        const own = pods.filter((pod) => pod.spec?.nodeName === node.metadata.name);
        const found = own.length > quantityToNumber(node.status?.allocatable?.['pods']) ? [`${node.metadata.name} has ${own.length} pods`] : [];
        const cpus = own.reduce((sum, pod) => sum + quantityToNumber(pod.spec?.containers?.map((one) => one.resources?.requests?.['cpu'])), 0);
        return cpus > quantityToNumber(node.status?.allocatable?.['cpu']) + 1e-9 ? [...found, `${node.metadata.name} promised ${cpus} CPUs`] : found;
      });
    },
  };
}

function isPlaced({ status }: Pod): boolean {
  return status?.phase !== 'Pending' || status.conditions?.some(({ type, status: value }) => type === 'PodScheduled' && value === 'True') === true;
}
