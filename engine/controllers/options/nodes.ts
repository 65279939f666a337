import { defineOptions, managerFlag, type OptionSource } from './family.ts';

/** Health of nodes, their addresses, and what pods on lost ones come to. */
export interface NodeOptions {
  readonly largeClusterSizeThreshold: number;
  readonly nodeEvictionRate: number;
  readonly nodeMonitorGracePeriodMs: number;
  readonly nodeMonitorPeriodMs: number;
  readonly nodeStartupGracePeriodMs: number;
  readonly secondaryNodeEvictionRate: number;
  readonly unhealthyZoneThreshold: number;
  /** Nodes that are down are tainted, and taints evict; else their pods are deleted after a while (1.13 without TaintBasedEvictions). */
  readonly evictsByTaints: boolean;
  readonly podEvictionTimeoutMs: number;
  /** Conditions of nodes are NoSchedule taints too. */
  readonly taintsByCondition: boolean;
  readonly allocateNodeCidrs: boolean;
  /** Addresses of pods, and the size of a node's part of them. */
  readonly clusterCidr: string;
  readonly nodeCidrMaskSize: number;
  /** Addresses of Services. */
  readonly serviceClusterIpRange: string;
}

export const nodeOptions = defineOptions<NodeOptions>({
  flags: [
    managerFlag('allocate-node-cidrs', 'boolean', 'false', 'Give nodes that have none a range of pod addresses, and routes of the cloud'),
    managerFlag('cidr-allocator-type', 'string', 'RangeAllocator', 'How ranges of pod addresses are given to nodes'),
    { ...managerFlag('node-cidr-mask-size', 'integer', '24', 'Size of the range of pod addresses of a node', 16), max: 28 },
    managerFlag('enable-taint-manager', 'boolean', 'true', 'Evict pods that do not tolerate NoExecute taints'),
    managerFlag('large-cluster-size-threshold', 'integer', '50', 'Nodes above which a zone is large', 0),
    managerFlag('node-eviction-rate', 'number', '0.1', 'Nodes a second whose pods are evicted while the zone is healthy', 0),
    managerFlag('node-monitor-grace-period', 'duration', '', 'Silence after which a node counts as unhealthy'),
    managerFlag('node-monitor-period', 'duration', '5s', 'How often node health is looked at'),
    managerFlag('node-startup-grace-period', 'duration', '1m0s', 'Silence allowed to a node that is starting'),
    managerFlag('secondary-node-eviction-rate', 'number', '0.01', 'Eviction rate while a large zone is unhealthy', 0),
    managerFlag('unhealthy-zone-threshold', 'number', '0.55', 'Share of unhealthy nodes that makes a zone unhealthy', 0),
    managerFlag('pod-eviction-timeout', 'duration', '5m0s', 'Grace of pods on failed nodes where TaintBasedEvictions is off; else taints say it'),
  ],
  read: (source) => ({
    largeClusterSizeThreshold: source.number('large-cluster-size-threshold'),
    nodeEvictionRate: source.number('node-eviction-rate'),
    nodeMonitorGracePeriodMs: source.milliseconds('node-monitor-grace-period'),
    nodeMonitorPeriodMs: source.milliseconds('node-monitor-period'),
    nodeStartupGracePeriodMs: source.milliseconds('node-startup-grace-period'),
    secondaryNodeEvictionRate: source.number('secondary-node-eviction-rate'),
    unhealthyZoneThreshold: source.number('unhealthy-zone-threshold'),
    evictsByTaints: taintsInAnyCase(source) || (source.hasGate('TaintBasedEvictions') && source.boolean('enable-taint-manager')),
    taintsByCondition: taintsInAnyCase(source) || source.hasGate('TaintNodesByCondition'),
    podEvictionTimeoutMs: source.milliseconds('pod-eviction-timeout'),
    allocateNodeCidrs: source.boolean('allocate-node-cidrs'),
    clusterCidr: source.text('cluster-cidr'),
    nodeCidrMaskSize: source.number('node-cidr-mask-size'),
    serviceClusterIpRange: source.text('service-cluster-ip-range'),
  }),
});

function taintsInAnyCase({ release }: OptionSource): boolean {
  return release.controllers.taintsInAnyCase;
}
