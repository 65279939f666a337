/**
 * Metrics between v2beta1, which has a member for each way to measure, and the stored v2, which has targets and values. Mirrors
 * pkg/apis/autoscaling/v2beta1/conversion.go.
 */
import type {
  HorizontalPodAutoscaler as Stored,
  MetricIdentifier,
  MetricSpec as StoredSpec,
  MetricStatus as StoredStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../api/autoscaling/v2/types.gen.ts';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../../../api/autoscaling/v2beta1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';

export function toV2(object: HorizontalPodAutoscaler): Stored {
  return measured(object, storedSpec, storedStatus);
}

export function fromV2(object: Stored): HorizontalPodAutoscaler {
  return measured(object, ownSpec, ownStatus);
}

interface Autoscaler<Spec, Status> extends KubeObject {
  readonly spec?: { readonly metrics?: readonly Spec[] };
  readonly status?: { readonly currentMetrics: readonly Status[] | null };
}

/** With other metrics; the rest has one form. */
function measured<A, B, C, D, T extends KubeObject>(object: Autoscaler<A, B>, convertSpec: (metric: A) => C, convertStatus: (metric: B) => D): T {
  const { spec, status } = object;
  const metrics = spec?.metrics?.map(convertSpec);
  const current = status?.currentMetrics?.map(convertStatus);
  return {
    ...object,
    ...(metrics && { spec: { ...spec, metrics } }),
    ...(current && { status: { ...status, currentMetrics: current } }),
  } as unknown as T;
}

function storedSpec({ type, object, pods, resource, external }: MetricSpec): StoredSpec {
  return {
    type,
    ...(object && {
      object: {
        describedObject: object.target,
        target: target(object.averageValue === undefined ? 'Value' : 'AverageValue', object.targetValue, object.averageValue),
        metric: identifier(object.metricName, object.selector),
      },
    }),
    ...(pods && { pods: { metric: identifier(pods.metricName, pods.selector), target: target('AverageValue', undefined, pods.targetAverageValue) } }),
    ...(resource && {
      resource: {
        name: resource.name,
        target: {
          ...target(resource.targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization', undefined, resource.targetAverageValue),
          ...optional('averageUtilization', resource.targetAverageUtilization),
        },
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external.metricName, external.metricSelector),
        target: target(external.targetValue === undefined ? 'AverageValue' : 'Value', external.targetValue, external.targetAverageValue),
      },
    }),
  };
}

function ownSpec({ type, object, pods, resource, external }: StoredSpec): MetricSpec {
  return {
    type,
    ...(object && {
      object: {
        target: object.describedObject,
        ...named(object.metric),
        targetValue: object.target.value ?? '0',
        ...optional('averageValue', object.target.averageValue),
      },
    }),
    ...(pods && { pods: { ...named(pods.metric), targetAverageValue: pods.target.averageValue ?? '0' } }),
    ...(resource && {
      resource: {
        name: resource.name,
        ...optional('targetAverageUtilization', resource.target.averageUtilization),
        ...optional('targetAverageValue', resource.target.averageValue),
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...optional('metricSelector', external.metric.selector),
        ...optional('targetValue', external.target.value),
        ...optional('targetAverageValue', external.target.averageValue),
      },
    }),
  };
}

function storedStatus({ type, object, pods, resource, external }: MetricStatus): StoredStatus {
  return {
    type,
    ...(object && {
      object: {
        metric: identifier(object.metricName, object.selector),
        current: value(object.currentValue, object.averageValue),
        describedObject: object.target,
      },
    }),
    ...(pods && { pods: { metric: identifier(pods.metricName, pods.selector), current: value(undefined, pods.currentAverageValue) } }),
    ...(resource && {
      resource: {
        name: resource.name,
        current: {
          ...value(undefined, resource.currentAverageValue),
          ...optional('averageUtilization', resource.currentAverageUtilization),
        },
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external.metricName, external.metricSelector),
        current: value(external.currentValue, external.currentAverageValue),
      },
    }),
  };
}

function ownStatus({ type, object, pods, resource, external }: StoredStatus): MetricStatus {
  return {
    type,
    ...(object && {
      object: {
        target: object.describedObject,
        ...named(object.metric),
        currentValue: object.current.value ?? '0',
        ...optional('averageValue', object.current.averageValue),
      },
    }),
    ...(pods && { pods: { ...named(pods.metric), currentAverageValue: pods.current.averageValue ?? '0' } }),
    ...(resource && {
      resource: {
        name: resource.name,
        ...optional('currentAverageUtilization', resource.current.averageUtilization),
        currentAverageValue: resource.current.averageValue ?? '0',
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...optional('metricSelector', external.metric.selector),
        currentValue: external.current.value ?? '0',
        ...optional('currentAverageValue', external.current.averageValue),
      },
    }),
  };
}

function target(type: string, exact: string | undefined, average: string | undefined): MetricTarget {
  return { type, ...value(exact, average) };
}

function value(exact: string | undefined, average: string | undefined): MetricValueStatus {
  return { ...optional('value', exact), ...optional('averageValue', average) };
}

function identifier(name: string, selector: MetricIdentifier['selector']): MetricIdentifier {
  return { name, ...optional('selector', selector) };
}

function named({ name, selector }: MetricIdentifier): { readonly metricName: string; readonly selector?: NonNullable<MetricIdentifier['selector']> } {
  return { metricName: name, ...optional('selector', selector) };
}

function optional<K extends string, V>(key: K, member: V | undefined): { readonly [key in K]?: V } {
  return member === undefined ? {} : ({ [key]: member } as { readonly [key in K]?: V });
}
