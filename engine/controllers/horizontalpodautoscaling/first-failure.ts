/** How a metric that fails is told where the first one ends it all. Mirrors computeReplicasForMetrics of release 1.13 (pkg/controller/podautoscaler/horizontal.go). */
import type { MetricFailure } from './metrics.ts';

export interface FirstFailure {
  /** Of the metric alone, in its event and in the condition. */
  readonly told: string;
  /** Why nothing was computed. */
  readonly whole: string;
}

export function firstFailure({ reason, message, summary }: MetricFailure): FirstFailure {
  const [, resource, told] = /^failed to get (\S+) (?:utilization|usage): (.*)$/s.exec(message) ?? [];
  if (resource !== undefined && told !== undefined) return { told, whole: `failed to get ${resource} utilization: ${told}` };
  if (reason === 'FailedGetExternalMetric') return { told: message, whole: summary.replace(/^failed to get .*? external metric value: /s, '') };
  // Those of pods were told in the words of objects.
  if (reason === 'FailedGetPodsMetric' || reason === 'FailedGetObjectMetric')
    return { told: message, whole: `failed to get object metric value: ${message}` };
  return { told: message, whole: message };
}
