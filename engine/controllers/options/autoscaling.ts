import { defineOptions, managerFlag } from './family.ts';

const prefix = 'horizontal-pod-autoscaler';

export interface AutoscalingOptions {
  readonly horizontalPodAutoscaler: {
    readonly concurrentSyncs: number;
    readonly syncPeriodMs: number;
    readonly downscaleStabilizationMs: number;
    /** Of a ratio that would otherwise change the replicas. */
    readonly tolerance: number;
    /** After a start CPU of pods that are not ready does not count for so long. */
    readonly cpuInitializationMs: number;
    readonly initialReadinessDelayMs: number;
    /** Autoscalers may say how tolerant they are. */
    readonly hasOwnTolerance: boolean;
    /** Those that took the last replica away may bring it back. */
    readonly scalesToZero: boolean;
  };
}

export const autoscalingOptions = defineOptions<AutoscalingOptions>({
  flags: [
    managerFlag('concurrent-horizontal-pod-autoscaler-syncs', 'integer', '5', 'Autoscalers synced at the same time', 1),
    managerFlag(`${prefix}-cpu-initialization-period`, 'duration', '5m0s', 'Time after a start in which CPU samples may be skipped'),
    managerFlag(`${prefix}-downscale-stabilization`, 'duration', '5m0s', 'How long the autoscaler looks back before it scales down'),
    managerFlag(`${prefix}-initial-readiness-delay`, 'duration', '30s', 'Time after a start in which changes of readiness are the first one'),
    managerFlag(`${prefix}-sync-period`, 'duration', '15s', 'How often the autoscaler looks at metrics'),
    managerFlag(`${prefix}-tolerance`, 'number', '0.1', 'Change of a ratio that the autoscaler answers', 0),
  ],
  read: (source) => ({
    horizontalPodAutoscaler: {
      concurrentSyncs: source.number('concurrent-horizontal-pod-autoscaler-syncs'),
      syncPeriodMs: source.milliseconds(`${prefix}-sync-period`),
      downscaleStabilizationMs: source.milliseconds(`${prefix}-downscale-stabilization`),
      tolerance: source.number(`${prefix}-tolerance`),
      cpuInitializationMs: source.milliseconds(`${prefix}-cpu-initialization-period`),
      initialReadinessDelayMs: source.milliseconds(`${prefix}-initial-readiness-delay`),
      hasOwnTolerance: source.hasGate('HPAConfigurableTolerance'),
      scalesToZero: source.hasGate('HPAScaleToZero'),
    },
  }),
});
