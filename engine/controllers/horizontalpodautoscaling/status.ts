/** The status of an autoscaler while it is worked out. Mirrors setCondition and setStatus of pkg/controller/podautoscaler/horizontal.go. */
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../api/autoscaling/v2/types.gen.ts';
import { deepEqual } from '../../base/equal.ts';
import type { JsonValue } from '../../base/json.ts';
import { formatTime } from '../../apimachinery/time.ts';

export type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited' | 'ScaledToZero';

export class StatusDraft {
  readonly #old: HorizontalPodAutoscaler['status'];
  readonly #nowText: string;
  #conditions: readonly HorizontalPodAutoscalerCondition[];
  #currentReplicas: number;
  #desiredReplicas: number;
  #metrics: readonly MetricStatus[];
  #lastScaleTime: string | undefined;

  constructor({ status }: HorizontalPodAutoscaler, nowMs: number) {
    this.#old = status;
    this.#nowText = formatTime(nowMs);
    this.#conditions = status?.conditions ?? [];
    this.#currentReplicas = status?.currentReplicas ?? 0;
    this.#desiredReplicas = status?.desiredReplicas ?? 0;
    this.#metrics = status?.currentMetrics ?? [];
    this.#lastScaleTime = status?.lastScaleTime;
  }

  /** A condition stands where it stood first; its time is when its status changed. */
  condition(type: ConditionType, isTrue: boolean, reason: string, message: string): void {
    const status = isTrue ? 'True' : 'False';
    const old = this.#conditions.find((one) => one.type === type);
    const lastTransitionTime = old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : this.#nowText;
    const next = { type, status, lastTransitionTime, reason, message } as HorizontalPodAutoscalerCondition;
    this.#conditions = old === undefined ? [...this.#conditions, next] : this.#conditions.map((one) => (one === old ? next : one));
  }

  isTrue(type: ConditionType): boolean {
    return this.#conditions.find(({ type: own }) => own === type)?.status === 'True';
  }

  without(type: ConditionType): void {
    if (this.#conditions.some(({ type: own }) => own === type)) this.#conditions = this.#conditions.filter(({ type: own }) => own !== type);
  }

  /** Without `desired` what was wanted before stands. */
  counted(current: number, metrics: readonly MetricStatus[], desired?: number): void {
    this.#currentReplicas = current;
    this.#metrics = metrics;
    this.#desiredReplicas = desired ?? this.#desiredReplicas;
  }

  rescaled(): void {
    this.#lastScaleTime = this.#nowText;
  }

  /** What is to be written, if it says anything new. */
  changed(): HorizontalPodAutoscalerStatus | undefined {
    const next: HorizontalPodAutoscalerStatus = {
      ...(this.#lastScaleTime === undefined ? undefined : { lastScaleTime: this.#lastScaleTime }),
      currentReplicas: this.#currentReplicas,
      desiredReplicas: this.#desiredReplicas,
      currentMetrics: this.#metrics.length === 0 ? null : this.#metrics,
      ...(this.#conditions.length === 0 ? undefined : { conditions: this.#conditions }),
    };
    return deepEqual(comparable(next), comparable(this.#old)) ? undefined : next;
  }
}

/** Zero and empty are as good as absent. */
function comparable(status: Partial<HorizontalPodAutoscalerStatus> | undefined): JsonValue {
  const { lastScaleTime = null, currentReplicas = 0, desiredReplicas = 0, currentMetrics, conditions } = status ?? {};
  return {
    lastScaleTime,
    currentReplicas,
    desiredReplicas,
    currentMetrics: currentMetrics ?? [],
    conditions: conditions ?? [],
  } as unknown as JsonValue;
}
