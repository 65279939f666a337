/**
 * Which taints a pod bears. Mirrors ToleratesTaint of k8s.io/api core/v1 and k8s.io/component-helpers scheduling/corev1.
 */
import type { Taint, Toleration } from '../api/core/v1/types.gen.ts';

const decimal = /^-?(0|[1-9][0-9]*)$/;

/** `comparison` admits the operators Lt and Gt (feature TaintTolerationComparisonOperators). */
export function tolerates(toleration: Toleration, taint: Taint, comparison = false): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case undefined:
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt':
      return comparison && compares(toleration.operator, toleration.value ?? '', taint.value ?? '');
    default:
      return false;
  }
}

function compares(operator: 'Lt' | 'Gt', tolerated: string, actual: string): boolean {
  if (!decimal.test(tolerated) || !decimal.test(actual)) return false;
  return operator === 'Lt' ? BigInt(actual) < BigInt(tolerated) : BigInt(actual) > BigInt(tolerated);
}

/** Whether everything that the second toleration bears is borne by the first. Mirrors isSuperset of pkg/util/tolerations. */
export function covers(wide: Toleration, narrow: Toleration): boolean {
  if ((narrow.key ?? '') !== (wide.key ?? '') && (wide.key || wide.operator !== 'Exists')) return false;
  if (wide.effect && narrow.effect !== wide.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return (wide.operator || 'Equal') === 'Equal' && narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
}

export function tolerationsTolerateTaint(tolerations: readonly Toleration[] | undefined, taint: Taint, comparison = false): boolean {
  if (tolerations === undefined) return false;
  for (const toleration of tolerations) if (tolerates(toleration, taint, comparison)) return true;
  return false;
}

/** The first taint that counts (all do without a filter) and is not tolerated. */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  counts?: (taint: Taint) => boolean,
  comparison = false,
): Taint | undefined {
  if (taints === undefined) return undefined;
  for (const taint of taints) {
    if (counts !== undefined && !counts(taint)) continue;
    if (!tolerationsTolerateTaint(tolerations, taint, comparison)) return taint;
  }
  return undefined;
}

/** The effects that keep a pod off a node. */
export function isSchedulingTaint(taint: Taint): boolean {
  return taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
}
