/** Defaults of autoscalers. Mirrors pkg/apis/autoscaling/v2/defaults.go. */
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec, HPAScalingRules, MetricSpec } from '../../../api/autoscaling/v2/types.gen.ts';
import { edit, ensure, fill } from '../../shared/defaulting.ts';

const minDefaults = Object.freeze({ minReplicas: 1 });
const cpuMetric: MetricSpec = Object.freeze({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
});
const scaleUp: HPAScalingRules = Object.freeze({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});
const scaleDown: HPAScalingRules = Object.freeze({ selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] });

export function defaultAutoscaler(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  return edit(object, 'spec', (spec) => {
    const filled: HorizontalPodAutoscalerSpec = fill(spec, minDefaults);
    const measured = filled.metrics?.length ? filled : { ...filled, metrics: [cpuMetric] };
    return edit(measured, 'behavior', (behavior) =>
      ensure(
        ensure(behavior, 'scaleUp', (rules) => fill(rules, scaleUp)),
        'scaleDown',
        (rules) => fill(rules, scaleDown),
      ),
    );
  });
}
