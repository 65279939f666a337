/**
 * Autoscalers between v1 and the stored v2: v1 knows a CPU target only and keeps everything else in annotations. Mirrors
 * pkg/apis/autoscaling/v1/conversion.go.
 */
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../../../api/autoscaling/v1/types.gen.ts';
import type { HorizontalPodAutoscaler as AutoscalerV2, MetricSpec } from '../../../api/autoscaling/v2/types.gen.ts';
import type { KubeObject, ObjectMeta } from '../../../apimachinery/object.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { readBehavior, readMetrics, writeBehavior, writeMetrics } from './notes.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
export const defaultCpuPercent = 80;

function parse(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Of objects; undefined for what is none. */
function listOf(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  return isList(value) && value.every(isObject) ? value : undefined;
}

function withoutAnnotations(meta: ObjectMeta): ObjectMeta {
  const entries = Object.entries(meta.annotations ?? {});
  const kept = entries.filter(([key]) => !key.startsWith(prefix));
  if (kept.length === entries.length) return meta;
  const { annotations: _annotations, ...rest } = meta;
  return kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) };
}

function cpuMetric(percent: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } } };
}

function isCpuMetric(metric: MetricSpec): boolean {
  return metric.type === 'Resource' && metric.resource?.name === 'cpu' && metric.resource.target?.averageUtilization !== undefined;
}

/** Whether it says by what to scale, as its annotation may. */
export function hasMetrics({ metadata }: AutoscalerV1): boolean {
  return (readMetrics(parse(metadata.annotations?.[`${prefix}metrics`]), 'target') ?? []).length > 0;
}

export function toV2(object: AutoscalerV1): AutoscalerV2 {
  const { targetCPUUtilizationPercentage: percent, ...spec } = object.spec ?? ({} as NonNullable<AutoscalerV1['spec']>);
  const { currentCPUUtilizationPercentage: current, ...status } = object.status ?? ({} as NonNullable<AutoscalerV1['status']>);
  const annotations = object.metadata.annotations;
  const others = (readMetrics(parse(annotations?.[`${prefix}metrics`]), 'target') ?? []) as unknown as readonly MetricSpec[];
  const behavior = readBehavior(parse(annotations?.[`${prefix}behavior`]));
  const conditions = listOf(parse(annotations?.[`${prefix}conditions`]));
  const noted = readMetrics(parse(annotations?.[`${prefix}current-metrics`]), 'current');
  const cpu = percent === undefined ? [] : [cpuMetric(percent)];
  const metrics = cpu.length + others.length === 0 ? [cpuMetric(defaultCpuPercent)] : [...others, ...cpu];
  const measured = current === undefined ? [] : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }];
  return {
    kind: object.kind,
    apiVersion: 'autoscaling/v2',
    metadata: withoutAnnotations(object.metadata),
    spec: { ...spec, metrics, ...(behavior === undefined ? undefined : { behavior }) },
    ...(object.status === undefined
      ? undefined
      : {
          status: {
            ...status,
            ...(measured.length === 0 && noted === undefined ? undefined : { currentMetrics: noted ?? measured }),
            ...(conditions === undefined ? undefined : { conditions }),
          },
        }),
  } as unknown as AutoscalerV2;
}

export function fromV2(object: KubeObject): AutoscalerV1 {
  const autoscaler = object as AutoscalerV2;
  const { metrics = [], behavior, ...spec } = autoscaler.spec ?? ({} as NonNullable<AutoscalerV2['spec']>);
  const { currentMetrics: storedMetrics, conditions: storedConditions, ...status } = autoscaler.status ?? ({} as NonNullable<AutoscalerV2['status']>);
  // Canonical objects have null for lists that Go always writes.
  const currentMetrics = storedMetrics ?? [];
  const conditions = storedConditions ?? [];
  const cpu = metrics.find(isCpuMetric)?.resource?.target?.averageUtilization;
  const isMeasuredCpu = (metric: (typeof currentMetrics)[number]): boolean => metric.type === 'Resource' && metric.resource?.name === 'cpu';
  const measured = currentMetrics.find(isMeasuredCpu)?.resource?.current?.averageUtilization;
  const others = metrics.filter((metric) => !isCpuMetric(metric));
  const notes = {
    ...(behavior === undefined ? undefined : { [`${prefix}behavior`]: writeBehavior(behavior as unknown as JsonObject) }),
    ...(conditions.length === 0 ? undefined : { [`${prefix}conditions`]: JSON.stringify(conditions) }),
    ...(currentMetrics.length === 0
      ? undefined
      : { [`${prefix}current-metrics`]: writeMetrics(currentMetrics as unknown as readonly JsonObject[], 'current') }),
    ...(others.length === 0 ? undefined : { [`${prefix}metrics`]: writeMetrics(others as unknown as readonly JsonObject[], 'target') }),
  };
  const annotated =
    Object.keys(notes).length === 0 ? autoscaler.metadata : { ...autoscaler.metadata, annotations: { ...autoscaler.metadata.annotations, ...notes } };
  return {
    kind: autoscaler.kind,
    apiVersion: 'autoscaling/v1',
    metadata: annotated,
    spec: { ...spec, ...(cpu === undefined ? undefined : { targetCPUUtilizationPercentage: cpu }) },
    status: {
      ...status,
      currentReplicas: status.currentReplicas ?? 0,
      ...(measured === undefined ? undefined : { currentCPUUtilizationPercentage: measured }),
    },
  } as unknown as AutoscalerV1;
}
