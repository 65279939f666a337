/** Which nodes load balancers lead to: those that stay, and are not marked as not to be used; in 1.13 those that work. */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { getNodeCondition } from '../../component-helpers/node.ts';
import { goBool } from '../../apimachinery/go-bool.ts';

const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';
/** Of release 1.13, with the gate ServiceNodeExclusion. */
const earlierExcludeLabel = 'alpha.service-controller.kubernetes.io/exclude-balancer';
const masterLabel = 'node-role.kubernetes.io/master';
/** Set by the cluster autoscaler before it removes a node. */
const toBeDeletedTaint = 'ToBeDeletedByClusterAutoscaler';
const namesLoggedMax = 20;

/** Its label says nothing against it; one that is no truth value does. */
export function isIncluded({ metadata }: Node): boolean {
  const value = metadata.labels?.[excludeLabel];
  return value === undefined || goBool(value) === false;
}

/** Mirrors getNodeConditionPredicate of release 1.13: nodes that take pods and are ready, and no masters. */
export function isWorking(node: Node, heedsExclusion: boolean): boolean {
  const { metadata, spec, status } = node;
  const hasLabel = (label: string): boolean => getOwn(metadata.labels, label) !== undefined;
  if (spec?.unschedulable === true || hasLabel(masterLabel) || (heedsExclusion && hasLabel(earlierExcludeLabel))) return false;
  return (status?.conditions ?? []).length > 0 && (getNodeCondition(node, 'Ready')?.status ?? 'True') === 'True';
}

export function isStable(node: Node): boolean {
  return node.metadata.deletionTimestamp === undefined && isIncluded(node) && !(node.spec?.taints ?? []).some(({ key }) => key === toBeDeletedTaint);
}

/** What of a node a load balancer knows: a change of it is a change of the set. */
export function nodeMark({ metadata, spec }: Node): string {
  return `${metadata.name} ${spec?.providerID ?? ''}`;
}

/** `[a b <3 more>]`, as Go prints it. */
export function nodeNamesText(names: readonly string[]): string {
  const shown = names.slice(0, namesLoggedMax);
  return `[${[...[...shown].sort(), ...(names.length > shown.length ? [`<${names.length - shown.length} more>`] : [])].join(' ')}]`;
}
