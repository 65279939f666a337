/** What Events say of a load balancer: as now, and as release 1.13 said it. Mirrors pkg/controller/service/service_controller.go of 1.13. */
import type { Service } from '../../api/core/v1/types.gen.ts';
import { deepEqual } from '../../base/equal.ts';
import { keyOf } from '../../client/informer.ts';
import { wantsLoadBalancer } from './changes.ts';
import { nodeNamesText } from './nodes.ts';

type Told = readonly [reason: string, message: string];

export interface BalancerWords {
  failed(service: Service, why: string): Told;
  noNodes(service: Service): Told;
  notUpdated(nodes: readonly string[], why: string): Told;
  /** Of a Service that has gone. */
  notDeleted(why: string): Told;
  /** Of a change that matters. */
  changed(old: Service, next: Service): Told | undefined;
}

export const presentWords: BalancerWords = {
  failed: (_service, why) => ['SyncLoadBalancerFailed', `Error syncing load balancer: ${why}`],
  noNodes: () => ['UnAvailableLoadBalancer', 'There are no available nodes for LoadBalancer'],
  notUpdated: (nodes, why) => [
    'UpdateLoadBalancerFailed',
    `Error updating load balancer with new hosts ${nodeNamesText(nodes)} [node names limited, total number of nodes: ${nodes.length}], error: ${why}`,
  ],
  notDeleted: (why) => ['DeleteLoadBalancerFailed', `Error deleting load balancer: ${why}`],
  changed: () => undefined,
};

export const formerWords: BalancerWords = {
  failed: (service, why) =>
    wantsLoadBalancer(service)
      ? [
          'CreatingLoadBalancerFailed',
          `Error creating load balancer (will retry): ${why.replace(/^failed to ensure load balancer(?=: )/, (text) => `${text} for service ${keyOf(service)}`)}`,
        ]
      : ['CleanupLoadBalancerFailed', `Error cleaning up load balancer (will retry): ${why}`],
  noNodes: (service) => ['UnAvailableLoadBalancer', `There are no available nodes for LoadBalancer service ${keyOf(service)}`],
  notUpdated: (nodes, why) => [
    'LoadBalancerUpdateFailed',
    `Error updating load balancer with new hosts map[${[...nodes]
      .sort()
      .map((name) => `${name}:{}`)
      .join(' ')}]: ${why}`,
  ],
  notDeleted: (why) => ['DeletingLoadBalancerFailed', `Error deleting load balancer (will retry): ${why}`],
  changed: formerChange,
};

/** The first that it met. Who exchanges ports, annotations or the like is told nothing. */
function formerChange(old: Service, next: Service): Told | undefined {
  const [before, now] = [old.spec ?? {}, next.spec ?? {}];
  const turned = (reason: string, from: unknown, to: unknown): Told => [reason, `${goText(from)} -> ${goText(to)}`];
  if (wantsLoadBalancer(old) !== wantsLoadBalancer(next)) return turned('Type', before.type, now.type);
  if (!deepEqual(before.loadBalancerSourceRanges ?? [], now.loadBalancerSourceRanges ?? []))
    return turned('LoadBalancerSourceRanges', before.loadBalancerSourceRanges ?? [], now.loadBalancerSourceRanges ?? []);
  if (!deepEqual(before.ports ?? [], now.ports ?? []) || before.sessionAffinity !== now.sessionAffinity) return undefined;
  if ((before.loadBalancerIP ?? '') !== (now.loadBalancerIP ?? '')) return turned('LoadbalancerIP', before.loadBalancerIP, now.loadBalancerIP);
  const [were, are] = [before.externalIPs ?? [], now.externalIPs ?? []];
  if (were.length !== are.length) return ['ExternalIP', `Count: ${were.length} -> ${are.length}`];
  const other = are.find((address, index) => address !== were[index]);
  if (other !== undefined) return ['ExternalIP', `Added: ${other}`];
  if (!deepEqual(old.metadata.annotations ?? {}, next.metadata.annotations ?? {})) return undefined;
  if (old.metadata.uid !== next.metadata.uid) return turned('UID', old.metadata.uid, next.metadata.uid);
  if (before.externalTrafficPolicy !== now.externalTrafficPolicy)
    return turned('ExternalTrafficPolicy', before.externalTrafficPolicy, now.externalTrafficPolicy);
  if ((before.healthCheckNodePort ?? 0) !== (now.healthCheckNodePort ?? 0))
    return turned('HealthCheckNodePort', before.healthCheckNodePort ?? 0, now.healthCheckNodePort ?? 0);
  return undefined;
}

function goText(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(' ')}]` : String(value ?? '');
}
