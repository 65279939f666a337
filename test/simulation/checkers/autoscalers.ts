/** Autoscalers keep between the bounds that they were given. */
import type { Deployment } from '../../../engine/api/apps/v1/types.gen.ts';
import type { HorizontalPodAutoscaler } from '../../../engine/api/autoscaling/v2/types.gen.ts';
import { nameOf, prefixOf } from '../world.ts';
import type { Checker } from './checker.ts';

const scaler = 'system:serviceaccount:kube-system:horizontal-pod-autoscaler';
/** A wish that was read before it changed. */
const lagMs = 10_000;

export function autoscalersKeepTheirBounds(): Checker {
  /** By autoscaler's key, what bounds it has had. */
  const bounds = new Map<string, { readonly atMs: number; readonly min: number; readonly max: number }[]>();
  return {
    name: 'autoscalers keep their bounds',
    onChange({ key, current, previous, meta }, world) {
      const prefix = prefixOf(key);
      if (prefix === 'horizontalpodautoscalers' && current !== undefined) {
        const { spec } = current.value as HorizontalPodAutoscaler;
        bounds.set(key, [...(bounds.get(key) ?? []), { atMs: world.nowMs, min: spec?.minReplicas ?? 1, max: spec?.maxReplicas ?? 0 }]);
      }
      if (prefix !== 'deployments' || current === undefined || meta.identity !== scaler) return [];
      const [now, before] = [current.value as Deployment, previous?.value as Deployment | undefined];
      const replicas = now.spec?.replicas ?? 1;
      if (replicas === before?.spec?.replicas) return [];
      const known = bounds.get(`/registry/horizontalpodautoscalers/${now.metadata.namespace}/${now.metadata.name}`) ?? [];
      const past = known.findLastIndex(({ atMs }) => atMs <= world.nowMs - lagMs);
      const recent = known.slice(Math.max(0, past));
      const min = Math.min(...recent.map((one) => one.min));
      const max = Math.max(...recent.map((one) => one.max));
      // Scaling goes in steps, so it may stay outside for a while; it never goes away from its bounds.
      const isAway = replicas > max && replicas > (before?.spec?.replicas ?? 0);
      const isBelow = replicas < min && replicas < (before?.spec?.replicas ?? 0);
      return isAway || isBelow ? [`${nameOf(now)} was scaled to ${replicas} by an autoscaler of ${min} to ${max}`] : [];
    },
  };
}
