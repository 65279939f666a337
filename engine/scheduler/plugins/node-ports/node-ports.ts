/** Host ports are used once per node and address (framework/plugins/nodeports). */
import { Action } from '../../framework/cluster-events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { type HostPort, newPodInfo } from '../../framework/pod-info.ts';
import { unschedulable } from '../../framework/status.ts';
import type { Pod } from '../../../api/core/v1/types.gen.ts';

const name = 'NodePorts';
const reason = "node(s) didn't have free ports for the requested pod ports";
const verdict = unschedulable(name, reason);
const anyAddress = '0.0.0.0';

export const nodePorts = definePlugin<readonly HostPort[]>({
  name,
  order: 70,
  defaultWeight: 0,
  points: ['PreFilter', 'Filter'],
  needs: { preFilter: { text: 'reading "PreFilterNodePorts" from cycleState: not found', points: ['Filter'] } },
  args: {},
  reasons: [reason],
  create: () => ({
    events: [
      { resource: 'Pod', action: Action.delete, worth: (pod, change) => change.old !== undefined && sharesPort(pod, change.old as Pod) },
      { resource: 'Node', action: Action.add },
    ],
    classState: (pod) => pod.hostPorts,
    preFilter: (ports) => (ports.length === 0 ? { skip: true } : undefined),
    filter: (ports, node) => (ports.some((port) => taken(port, node)) ? verdict : undefined),
  }),
});

function taken({ ip, protocol, port }: HostPort, node: NodeInfo): boolean {
  if (node.hostPorts === undefined) return false;
  const key = `${protocol}/${port}`;
  if (ip !== anyAddress) return (node.hostPorts.get(anyAddress)?.has(key) ?? false) || (node.hostPorts.get(ip)?.has(key) ?? false);
  for (const ports of node.hostPorts.values()) if (ports.has(key)) return true;
  return false;
}

function sharesPort(pod: Pod, gone: Pod): boolean {
  const freed = newPodInfo(gone).hostPorts;
  return newPodInfo(pod).hostPorts.some((a) =>
    freed.some((b) => a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress)),
  );
}
