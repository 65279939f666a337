/**
 * Which nodes a pod accepts by nodeSelector and node affinity. Mirrors k8s.io/component-helpers scheduling/corev1/nodeaffinity.
 * Broken terms match nothing, as upstream's lazy selector.
 */
import { getOwn } from '../base/dictionary.ts';
import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod } from '../api/core/v1/types.gen.ts';
import { fieldAt } from '../base/plain.ts';

type Labels = { readonly [key: string]: string };
const noLabels: Labels = Object.freeze({});
const integer = /^[+-]?[0-9]+$/;

/** All labels of the set are on the node. */
export function matchesLabelSet(required: Labels | undefined, labels: Labels | undefined): boolean {
  if (required === undefined) return true;
  for (const key in required) if (labels?.[key] !== fieldAt(required, key)) return false;
  return true;
}

function matchesExpression(requirement: NodeSelectorRequirement, labels: Labels): boolean {
  const value = getOwn(labels, requirement.key);
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return values.length > 0 && (value === undefined || !values.includes(value));
    case 'Exists':
      return value !== undefined && values.length === 0;
    case 'DoesNotExist':
      return value === undefined && values.length === 0;
    case 'Gt':
    case 'Lt': {
      const bound = values[0];
      if (value === undefined || values.length !== 1 || bound === undefined || !integer.test(value) || !integer.test(bound)) return false;
      return requirement.operator === 'Gt' ? Number(value) > Number(bound) : Number(value) < Number(bound);
    }
    default:
      return false;
  }
}

function matchesField(requirement: NodeSelectorRequirement, name: string): boolean {
  if (requirement.values?.length !== 1) return false;
  const equal = requirement.key === 'metadata.name' && requirement.values[0] === name;
  return requirement.operator === 'In' ? equal : requirement.operator === 'NotIn' && !equal;
}

/** An empty term matches no node. */
export function matchesNodeSelectorTerm(term: NodeSelectorTerm, node: Node): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  const labels = node.metadata.labels ?? noLabels;
  for (const requirement of expressions) if (!matchesExpression(requirement, labels)) return false;
  for (const requirement of fields) if (!matchesField(requirement, node.metadata.name ?? '')) return false;
  return true;
}

/** One of the terms matches. */
export function matchesNodeSelector(selector: NodeSelector, node: Node): boolean {
  for (const term of selector.nodeSelectorTerms ?? []) if (matchesNodeSelectorTerm(term, node)) return true;
  return false;
}

/** nodeSelector and required node affinity of the pod accept the node. */
export function matchesRequiredNodeAffinity(pod: Pod, node: Node): boolean {
  if (!matchesLabelSet(pod.spec?.nodeSelector, node.metadata.labels)) return false;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required === null || matchesNodeSelector(required, node);
}
