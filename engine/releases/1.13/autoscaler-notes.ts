/**
 * What autoscalers of v1 say in annotations was read by Go's own JSON decoder on the way to what is stored: what that could not read was
 * refused. Mirrors pkg/apis/autoscaling/v1/conversion.go of the release and the types of its k8s.io/api autoscaling/v1 that are in no body.
 */
import type { KubeObject } from '../../apimachinery/object.ts';
import { getOwn } from '../../base/dictionary.ts';
import { bodyForms } from './body-forms.gen.ts';
import type { BodyForms } from './refusals/body-values.ts';
import { noteFault } from './refusals/note-values.ts';

const at = 'autoscaling/v1';
const ofResource = 'name Name core/v1.ResourceName';
const selector = 'selector Selector *meta/v1.LabelSelector';
const ofObject = [`target Target ${at}.CrossVersionObjectReference`, 'metricName MetricName string'];
const ofExternal = ['metricName MetricName string', 'metricSelector MetricSelector *meta/v1.LabelSelector'];

function metric(end: 'Source' | 'Status'): readonly string[] {
  const sources = ['Object', 'Pods', 'Resource', 'External'].map((name) => `${name.toLowerCase()} ${name} *${at}.${name}Metric${end}`);
  return [`type Type ${at}.MetricSourceType`, ...sources];
}

const forms: BodyForms = {
  structs: {
    ...bodyForms.structs,
    [`${at}.MetricSpec`]: metric('Source'),
    [`${at}.MetricStatus`]: metric('Status'),
    [`${at}.ObjectMetricSource`]: [
      ...ofObject,
      'targetValue TargetValue resource.Quantity',
      selector,
      'averageValue AverageValue *resource.Quantity',
    ],
    [`${at}.PodsMetricSource`]: ['metricName MetricName string', 'targetAverageValue TargetAverageValue resource.Quantity', selector],
    [`${at}.ResourceMetricSource`]: [
      ofResource,
      'targetAverageUtilization TargetAverageUtilization *int32',
      'targetAverageValue TargetAverageValue *resource.Quantity',
    ],
    [`${at}.ExternalMetricSource`]: [
      ...ofExternal,
      'targetValue TargetValue *resource.Quantity',
      'targetAverageValue TargetAverageValue *resource.Quantity',
    ],
    [`${at}.ObjectMetricStatus`]: [
      ...ofObject,
      'currentValue CurrentValue resource.Quantity',
      selector,
      'averageValue AverageValue *resource.Quantity',
    ],
    [`${at}.PodsMetricStatus`]: ['metricName MetricName string', 'currentAverageValue CurrentAverageValue resource.Quantity', selector],
    [`${at}.ResourceMetricStatus`]: [
      ofResource,
      'currentAverageUtilization CurrentAverageUtilization *int32',
      'currentAverageValue CurrentAverageValue resource.Quantity',
    ],
    [`${at}.ExternalMetricStatus`]: [
      ...ofExternal,
      'currentValue CurrentValue resource.Quantity',
      'currentAverageValue CurrentAverageValue *resource.Quantity',
    ],
    [`${at}.HorizontalPodAutoscalerCondition`]: [
      `type Type ${at}.HorizontalPodAutoscalerConditionType`,
      'status Status core/v1.ConditionStatus',
      'lastTransitionTime LastTransitionTime meta/v1.Time',
      'reason Reason string',
      'message Message string',
    ],
  },
  named: {
    ...bodyForms.named,
    [`${at}.MetricSourceType`]: 'string',
    [`${at}.HorizontalPodAutoscalerConditionType`]: 'string',
    'core/v1.ResourceName': 'string',
    'core/v1.ConditionStatus': 'string',
  },
};

/** In the order in which they were read. */
const notes = [
  ['metrics', `[]${at}.MetricSpec`],
  ['current-metrics', `[]${at}.MetricStatus`],
  ['conditions', `[]${at}.HorizontalPodAutoscalerCondition`],
] as const;

export function misreadNotes({ metadata }: KubeObject, version: string): string | undefined {
  if (version !== 'v1') return undefined;
  for (const [note, type] of notes) {
    const text = getOwn(metadata?.annotations ?? {}, `autoscaling.alpha.kubernetes.io/${note}`);
    const fault = text === undefined ? undefined : noteFault(forms, type, text);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
