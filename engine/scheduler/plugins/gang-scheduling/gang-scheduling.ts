/**
 * All or nothing for the pods of a gang (framework/plugins/gangscheduling): none is tried before there are enough of them, none is
 * bound before enough of them have a place. On where the gate GangScheduling is.
 */
import { Action } from '../../framework/cluster-events.ts';
import { groupNameOf } from '../../framework/groups.ts';
import { definePlugin, type Handle, type PermitWait } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { PluginError, type Status, unresolvable } from '../../framework/status.ts';
import type { Pod } from '../../../api/core/v1/types.gen.ts';

const name = 'GangScheduling';
const permitTimeoutMs = 5 * 60_000;
const tooFewText = 'waiting for minCount pods from a gang to appear in scheduling queue';
const waitText = 'waiting for minCount pods from a gang to be scheduled';

export const gangScheduling = definePlugin({
  name,
  order: 190,
  defaultWeight: 0,
  gate: 'gangs',
  points: ['PreEnqueue', 'Permit'],
  args: {},
  reasons: ['waiting for pods\'s pod group "<name>" to appear in scheduling queue', tooFewText, waitText],
  create: (handle) => ({
    events: [
      {
        resource: 'Pod',
        action: Action.add,
        worth: (pod, change) => {
          const added = change.new as Pod;
          return groupNameOf(pod) !== undefined && groupNameOf(added) === groupNameOf(pod) && added.metadata.namespace === pod.metadata.namespace;
        },
      },
      {
        resource: 'PodGroup',
        action: Action.add,
        worth: (pod, change) => groupNameOf(pod) === change.new?.metadata.name && change.new?.metadata.namespace === pod.metadata.namespace,
      },
    ],
    preEnqueue: (pod) => mayQueue(handle, pod),
    permit: (pod) => mayBind(handle, pod),
  }),
});

function mayQueue({ groups }: Handle, pod: Pod): Status | undefined {
  const group = groupNameOf(pod);
  if (group === undefined) return undefined;
  const namespace = pod.metadata.namespace ?? '';
  const known = groups.group(namespace, group);
  if (known === undefined) return unresolvable(name, `waiting for pods's pod group ${JSON.stringify(group)} to appear in scheduling queue`);
  const { gang } = known.spec.schedulingPolicy;
  return gang === undefined || groups.count(namespace, group) >= gang.minCount ? undefined : unresolvable(name, tooFewText);
}

function mayBind({ groups }: Handle, { pod, namespace }: PodInfo): PermitWait | undefined {
  const group = groupNameOf(pod);
  if (group === undefined) return undefined;
  const known = groups.group(namespace, group);
  if (known === undefined)
    throw new PluginError(`failed to get podGroup ${namespace}/${group}: podgroup.scheduling.k8s.io ${JSON.stringify(group)} not found`);
  const { gang } = known.spec.schedulingPolicy;
  if (gang === undefined) return undefined;
  if (groups.scheduledCount(namespace, group) < gang.minCount) {
    groups.activate(namespace, group);
    return { code: 'Wait', plugin: name, reasons: [waitText], timeoutMs: permitTimeoutMs };
  }
  groups.allow(namespace, group, name);
  return undefined;
}
