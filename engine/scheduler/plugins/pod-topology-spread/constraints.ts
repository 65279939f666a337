/** Spread constraints as a pod class has them (framework/plugins/podtopologyspread/common.go). */
import { getOwn } from '../../../base/dictionary.ts';
import type { Node, Pod, TopologySpreadConstraint } from '../../../api/core/v1/types.gen.ts';
import { type LabelSelector, newRequirement, type Selector } from '../../../apimachinery/labels.ts';
import { compileLabelSelector, hasUntoleratedTaint, requiredNodeAffinity, type NodePredicate } from '../../framework/matching.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

export const hostnameLabel = 'kubernetes.io/hostname';

export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly minDomains: number;
  /** Whether pods on this node count. */
  readonly includes: NodePredicate;
}

export type Action = 'DoNotSchedule' | 'ScheduleAnyway';

/** The system's constraints, used when a profile sets none. */
export const systemConstraints: readonly TopologySpreadConstraint[] = [
  { topologyKey: hostnameLabel, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

export function compileConstraints(
  given: readonly TopologySpreadConstraint[],
  pod: Pick<PodInfo, 'pod'>,
  action: Action,
  selector?: Selector,
): readonly Constraint[] {
  const affinity = requiredNodeAffinity(pod.pod);
  const tolerations = pod.pod.spec?.tolerations ?? [];
  return given
    .filter((constraint) => constraint.whenUnsatisfiable === action)
    .map((constraint) => {
      const affinityCounts = constraint.nodeAffinityPolicy !== 'Ignore' && affinity !== undefined;
      const taintsCount = constraint.nodeTaintsPolicy === 'Honor';
      return {
        maxSkew: constraint.maxSkew,
        topologyKey: constraint.topologyKey,
        selector: selector ?? selectorOf(constraint, pod.pod),
        minDomains: constraint.minDomains ?? 1,
        includes: (node: Node) => (!affinityCounts || affinity(node)) && (!taintsCount || !hasUntoleratedTaint(node, tolerations)),
      };
    });
}

function selectorOf(constraint: TopologySpreadConstraint, pod: Pod): Selector {
  const selector = compileLabelSelector(constraint.labelSelector as LabelSelector | undefined);
  const labels = pod.metadata.labels ?? {};
  const keys = (constraint.matchLabelKeys ?? []).filter((key) => getOwn(labels, key) !== undefined);
  return keys.length === 0 ? selector : selector.add(...keys.map((key) => newRequirement(key, 'in', [labels[key] as string])));
}

export function hasAllKeys(node: Node, constraints: readonly Constraint[]): boolean {
  const labels = node.metadata.labels;
  return constraints.every((constraint) => getOwn(labels, constraint.topologyKey) !== undefined);
}

export function countMatching(node: NodeInfo, selector: Selector, namespace: string): number {
  if (selector.isEmpty()) return 0;
  let count = 0;
  for (const pod of node.pods.values()) if (!pod.terminating && pod.namespace === namespace && selector.matches(pod.labels)) count++;
  return count;
}
