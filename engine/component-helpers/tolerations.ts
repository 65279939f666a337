/**
 * Which taints a pod bears. Mirrors ToleratesTaint of k8s.io/api core/v1 and k8s.io/component-helpers scheduling/corev1.
 */
import type { Taint, Toleration } from '../api/core/v1/types.gen.ts';

/** As a person would write it. */
const decimal = /^(0|-?[1-9][0-9]*)$/;
/** Digits of the largest int64, and a sign. */
const digitsMax = 20;

/** Lt and Gt too: whether they may be written at all (feature TaintTolerationComparisonOperators) is asked when they are. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
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
      return compares(toleration.operator, toleration.value ?? '', taint.value ?? '');
    default:
      return false;
  }
}

function compares(operator: 'Lt' | 'Gt', tolerated: string, actual: string): boolean {
  const [limit, value] = [int64Of(tolerated), int64Of(actual)];
  if (limit === undefined || value === undefined) return false;
  return operator === 'Lt' ? value < limit : value > limit;
}

function int64Of(text: string): bigint | undefined {
  if (text.length > digitsMax || !decimal.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
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

export function tolerationsTolerateTaint(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  if (tolerations === undefined) return false;
  for (const toleration of tolerations) if (tolerates(toleration, taint)) return true;
  return false;
}

/** The first taint that counts (all do without a filter) and is not tolerated. */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  counts?: (taint: Taint) => boolean,
): Taint | undefined {
  if (taints === undefined) return undefined;
  for (const taint of taints) {
    if (counts !== undefined && !counts(taint)) continue;
    if (!tolerationsTolerateTaint(tolerations, taint)) return taint;
  }
  return undefined;
}

/** The effects that keep a pod off a node. */
export function isSchedulingTaint(taint: Taint): boolean {
  return taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
}

/**
 * How long a pod stays under taints of the effect NoExecute: undefined where one is not tolerated, Infinity for ever. Of several
 * tolerations that fit a taint the first counts, as in pkg/controller/tainteviction.
 */
export function toleratedMs(taints: readonly Taint[], tolerations: readonly Toleration[]): number | undefined {
  let shortest = Infinity;
  for (const taint of taints) {
    const used = tolerations.find((toleration) => tolerates(toleration, taint));
    if (used === undefined) return undefined;
    const { tolerationSeconds } = used;
    if (tolerationSeconds !== undefined && tolerationSeconds !== null) shortest = Math.min(shortest, Math.max(0, Number(tolerationSeconds)) * 1000);
  }
  return shortest;
}
