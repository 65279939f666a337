/** LabelSelector as a predicate. Mirrors metav1.LabelSelectorAsSelector: absent selects nothing, empty selects everything. */
import { getOwn } from '../../base/dictionary.ts';
import type { LabelSelector } from '../../apimachinery/labels.ts';

export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

const none: Readonly<Record<string, string>> = {};

export function toMatcher(selector: LabelSelector | undefined | null): LabelMatcher {
  if (selector === undefined || selector === null) return () => false;
  const exact = mapMatcher(selector.matchLabels ?? none);
  const expressions = selector.matchExpressions ?? [];
  if (expressions.length === 0) return exact;
  return (labels = none) => exact(labels) && expressions.every(({ key, operator, values }) => matches(getOwn(labels, key), operator, values ?? []));
}

/** Matches labels that have all of these values. */
export function mapMatcher(wanted: Readonly<Record<string, string>>): LabelMatcher {
  const entries = Object.entries(wanted);
  return (labels = none) => {
    for (const [key, value] of entries) if (labels[key] !== value) return false;
    return true;
  };
}

export function isEmptySelector(selector: LabelSelector | undefined | null): boolean {
  if (selector === undefined || selector === null) return false;
  return Object.keys(selector.matchLabels ?? none).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

function matches(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
