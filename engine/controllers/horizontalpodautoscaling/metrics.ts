/**
 * What each metric of an autoscaler says: read, computed, and told as a status. Mirrors pkg/controller/podautoscaler/horizontal.go
 * (computeReplicasForMetric) and, for resources, metrics/client.go.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget } from '../../api/autoscaling/v2/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { formatQuantity, newMilliQuantity, parseQuantity, quantityToFloat } from '../../apimachinery/quantity.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import type { Client } from '../../client/client.ts';
import { resourceType } from '../../client/resources.ts';
import { milliAmount } from '../../component-helpers/quantity-amount.ts';
import { parseTime } from '../lib/time.ts';
import { MetricError, within } from './metric-error.ts';
import type { MetricServers } from './metric-servers.ts';
import { externalFinding, objectFinding, podsFinding } from './other-metrics.ts';
import {
  averageReplicas,
  type CalculatorOptions,
  type PodMetric,
  type PodMetrics,
  type Proposal,
  type Tolerances,
  utilizationReplicas,
} from './replica-calculator.ts';

interface MeasuredPod extends KubeObject {
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: { readonly [resource: string]: string } }[] | null;
}

const podMetrics = resourceType<MeasuredPod>('metrics.k8s.io', 'v1beta1', 'pods', 'PodMetrics');

export interface MetricSources {
  readonly client: Client;
  /** Who is asked for what is no resource. */
  readonly servers: MetricServers;
  readonly namespace: string;
  /** Of the target's pods, as its scale says it. */
  readonly selector: string;
  readonly pods: readonly Pod[];
  readonly currentReplicas: number;
  /** Those that are there, as the target's scale says it. */
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly calculator: CalculatorOptions;
}

export interface MetricFinding {
  readonly replicas: number;
  /** As events name it. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** Why a metric cannot be computed: reason of the condition and of the event, and the cause in upstream's words. */
export class MetricFailure extends Error {
  readonly reason: string;
  /** As the list of all metrics tells it. */
  readonly summary: string;

  constructor(reason: string, message: string, summary: string) {
    super(message);
    this.name = 'MetricFailure';
    this.reason = reason;
    this.summary = summary;
  }
}

/** Throws a MetricFailure when nothing can be said. */
export async function measure(spec: MetricSpec, sources: MetricSources): Promise<MetricFinding> {
  switch (spec.type) {
    case 'Resource': {
      const { name = '', target } = spec.resource ?? {};
      return failingAs('FailedGetResourceMetric', `failed to get ${name} resource metric value`, async () => {
        const { proposal, label, current } = await resourceMetric(target, name, undefined, sources);
        return { replicas: proposal.replicas, name: label, status: { type: spec.type, resource: { name, current } } };
      });
    }
    case 'ContainerResource': {
      const { name = '', target, container = '' } = spec.containerResource ?? {};
      return failingAs('FailedGetContainerResourceMetric', `failed to get ${container} container metric value`, async () => {
        const { proposal, label, current } = await resourceMetric(target, name, container, sources);
        return { replicas: proposal.replicas, name: label, status: { type: spec.type, containerResource: { name, container, current } } };
      });
    }
    case 'Pods':
      return failingAs('FailedGetPodsMetric', 'failed to get pods metric value', () => podsFinding(spec, sources));
    case 'Object':
      return failingAs('FailedGetObjectMetric', 'failed to get object metric value', () => objectFinding(spec, sources));
    case 'External': {
      const name = spec.external?.metric?.name ?? '';
      return failingAs('FailedGetExternalMetric', `failed to get ${name} external metric value`, () => externalFinding(spec, sources));
    }
    default: {
      const message = `unknown metric source type ${JSON.stringify(spec.type)}`;
      throw new MetricFailure('InvalidMetricSourceType', message, message);
    }
  }
}

/** The tolerance of the options, or the autoscaler's own. */
export function tolerancesOf({ spec }: HorizontalPodAutoscaler, tolerance: number, hasOwn: boolean): Tolerances {
  const { scaleUp, scaleDown } = (hasOwn ? spec?.behavior : undefined) ?? {};
  const own = (text: string | undefined): number => (text === undefined ? tolerance : quantityToFloat(parseQuantity(text)));
  return { up: own(scaleUp?.tolerance), down: own(scaleDown?.tolerance) };
}

async function failingAs(reason: string, summary: string, run: () => Promise<MetricFinding>): Promise<MetricFinding> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MetricError)) throw error;
    throw new MetricFailure(reason, error.message, `${summary}: ${error.summary}`);
  }
}

interface ResourceFinding {
  readonly proposal: Proposal;
  readonly label: string;
  readonly current: { readonly averageValue: string; readonly averageUtilization?: number };
}

async function resourceMetric(
  target: MetricTarget | undefined,
  resource: string,
  container: string | undefined,
  sources: MetricSources,
): Promise<ResourceFinding> {
  const { pods, currentReplicas, tolerances, calculator } = sources;
  const format = resource === 'memory' ? 'BinarySI' : 'DecimalSI';
  const text = (usage: number): string => formatQuantity(newMilliQuantity(usage, format));
  if (target?.averageValue !== undefined) {
    const amount = milliAmount(target.averageValue);
    const proposal = await within(`failed to get ${resource} usage`, async () => {
      const measured = await readPods(resource, container, sources);
      return averageReplicas(pods, measured, { amount, resource }, currentReplicas, tolerances, calculator);
    });
    return { proposal, label: `${resource} resource`, current: { averageValue: text(proposal.usage) } };
  }
  const percent = target?.averageUtilization;
  if (percent === undefined)
    throw new MetricError('invalid resource metric source: neither an average utilization target nor an average value (usage) target was set');
  const proposal = await within(`failed to get ${resource} utilization`, async () => {
    const measured = await readPods(resource, container, sources);
    return utilizationReplicas(pods, measured, { percent, resource, container }, currentReplicas, tolerances, calculator);
  });
  const label = `${resource} ${container === undefined ? '' : 'container '}resource utilization (percentage of request)`;
  return { proposal, label, current: { averageUtilization: proposal.utilization ?? 0, averageValue: text(proposal.usage) } };
}

async function readPods(resource: string, container: string | undefined, { client, namespace, selector }: MetricSources): Promise<PodMetrics> {
  const unable = `unable to get metrics for resource ${resource}`;
  let items: readonly MeasuredPod[];
  try {
    ({ items } = await client.list(podMetrics, namespace, { labelSelector: selector }));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new MetricError(`${unable}: unable to fetch metrics from resource metrics API: ${error.status.message ?? ''}`);
  }
  if (items.length === 0) throw new MetricError(`${unable}: no metrics returned from resource metrics API`);
  const found = new Map<string, PodMetric>();
  for (const item of items) {
    const value = usageOf(item, resource, container);
    if (value === undefined) continue;
    found.set(item.metadata.name ?? '', { value, atMs: parseTime(item.timestamp) ?? 0, windowMs: parseDuration(item.window) ?? 0 });
  }
  return found;
}

/** Of one container or of all; undefined where one of them says nothing. */
function usageOf({ containers }: MeasuredPod, resource: string, container: string | undefined): number | undefined {
  const asked = (containers ?? []).filter(({ name }) => container === undefined || name === container);
  if (asked.length === 0) return undefined;
  let sum = 0;
  for (const { usage } of asked) {
    const text = getOwn(usage, resource);
    if (text === undefined) return undefined;
    sum += milliAmount(text);
  }
  return sum;
}
