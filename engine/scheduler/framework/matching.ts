/** Selectors over nodes, and taints (component-helpers/scheduling/corev1). Compiled once per pod class, asked per node. */
import { tolerates } from '../../component-helpers/tolerations.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod, Taint, Toleration } from '../../api/core/v1/types.gen.ts';
import {
  labelSelectorAsSelector,
  newRequirement,
  nothing,
  type LabelOperator,
  type LabelSelector,
  Selector,
  SelectorError,
} from '../../apimachinery/labels.ts';

export type NodePredicate = (node: Node) => boolean;

const nodeOperators: { readonly [operator: string]: LabelOperator } = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};
const noLabels = {};

function requirementsSelector(expressions: readonly NodeSelectorRequirement[]): Selector {
  try {
    return new Selector(expressions.map((e) => newRequirement(e.key, getOwn(nodeOperators, e.operator) ?? '=', e.values ?? [])));
  } catch (error) {
    // Upstream: a term that does not parse matches nothing.
    if (error instanceof SelectorError) return nothing();
    throw error;
  }
}

/** One term: all its expressions and all its fields. A term without either matches no node. */
export function compileTerm(term: NodeSelectorTerm): NodePredicate {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return () => false;
  const selector = requirementsSelector(expressions);
  return (node) => {
    if (expressions.length > 0 && !selector.matches(node.metadata.labels ?? noLabels)) return false;
    return fields.every((field) => matchesName(field, node.metadata.name ?? ''));
  };
}

function matchesName(field: NodeSelectorRequirement, name: string): boolean {
  if (field.key !== 'metadata.name' || field.values?.length !== 1) return false;
  return field.operator === 'In' ? field.values[0] === name : field.operator === 'NotIn' && field.values[0] !== name;
}

/** `spec.nodeSelector` and the required node affinity; undefined when the pod has neither. */
export function requiredNodeAffinity(pod: Pod): NodePredicate | undefined {
  const labels = pod.spec?.nodeSelector;
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.map(compileTerm);
  const pairs = labels === undefined ? [] : Object.entries(labels);
  if (pairs.length === 0 && terms === undefined) return undefined;
  return (node) => {
    const own = node.metadata.labels ?? noLabels;
    if (!pairs.every(([key, value]) => (own as Record<string, string>)[key] === value)) return false;
    return terms === undefined || terms.some((term) => term(node));
  };
}

/** The label selector of a spec; one that does not parse matches nothing. */
export function compileLabelSelector(selector: LabelSelector | undefined): Selector {
  try {
    return labelSelectorAsSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return nothing();
    throw error;
  }
}

export function toleratesAny(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}

/** A NoSchedule or NoExecute taint that the pod does not tolerate. */
export function hasUntoleratedTaint(node: Node, tolerations: readonly Toleration[]): boolean {
  const taints = node.spec?.taints;
  if (taints === undefined) return false;
  return taints.some((taint) => (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !toleratesAny(tolerations, taint));
}
