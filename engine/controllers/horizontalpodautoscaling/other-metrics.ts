/**
 * What metrics of pods, of other objects and of anything outside say, as servers of other APIs have them. Mirrors
 * pkg/controller/podautoscaler/horizontal.go (computeStatusForPodsMetric, …ForObjectMetric, …ForExternalMetric).
 */
import type { MetricIdentifier, MetricSpec, MetricStatus, MetricValueStatus } from '../../api/autoscaling/v2/types.gen.ts';
import type { LabelSelector } from '../../apimachinery/labels.ts';
import { parseGroupVersion } from '../../apimachinery/object.ts';
import { formatQuantity, newMilliQuantity } from '../../apimachinery/quantity.ts';
import { milliAmount } from '../../component-helpers/quantity-amount.ts';
import { layered, MetricError, within } from './metric-error.ts';
import { externalMetric, objectMetric, podsMetric } from './metric-servers.ts';
import type { MetricFinding, MetricSources } from './metrics.ts';
import { averageReplicas } from './replica-calculator.ts';
import { amountEnd, perPodReplicas, valueReplicas } from './whole-metric.ts';

export async function podsFinding({ pods: source }: MetricSpec, sources: MetricSources): Promise<MetricFinding> {
  const { metric: identifier, target } = source ?? {};
  const { name = '', selector } = identifier ?? {};
  const { servers, namespace, pods, currentReplicas, tolerances, calculator } = sources;
  const measured = await within(`unable to get metric ${name}`, () => podsMetric(servers, namespace, sources.selector, name, selector));
  const wanted = { amount: milliAmount(target?.averageValue ?? '0'), resource: '' };
  const { replicas, usage } = averageReplicas(pods, measured, wanted, currentReplicas, tolerances, calculator);
  const status = { metric: identified(identifier), current: { averageValue: amountText(usage) } };
  return { replicas, name: `pods metric ${name}`, status: { type: 'Pods', pods: status } };
}

export async function objectFinding({ object }: MetricSpec, sources: MetricSources): Promise<MetricFinding> {
  const { metric, describedObject, target } = object ?? {};
  const { name = '', selector } = metric ?? {};
  const { kind = '', apiVersion = '', name: of = '' } = describedObject ?? {};
  const { servers, namespace, pods, currentReplicas, statusReplicas, tolerances } = sources;
  const isAverage = target?.type === 'AverageValue' && target.averageValue !== undefined;
  if (!isAverage && !(target?.type === 'Value' && target.value !== undefined))
    throw new MetricError('invalid object metric source: neither a value target nor an average value target was set');
  const usageOf = (): Promise<number> => {
    const described = { group: parseGroupVersion(apiVersion)?.group ?? '', kind, name: of };
    // Upstream gives the reason where its text has the place for the object's name.
    return within(
      `unable to get metric ${name}: ${kind} on ${namespace} ${of}/`,
      () => objectMetric(servers, namespace, described, name, selector),
      '',
    );
  };
  const status = (current: MetricValueStatus): MetricStatus => ({
    type: 'Object',
    object: { metric: identified(metric), describedObject: { ...describedObject, kind, name: of }, current },
  });
  if (isAverage) {
    const usage = await layered(`failed to get ${name} object metric`, usageOf);
    const found = perPodReplicas(usage, milliAmount(target.averageValue ?? '0'), statusReplicas, tolerances, false);
    const label = `external metric ${name}(${selectorText(selector)})`;
    return { replicas: found.replicas, name: label, status: status({ averageValue: amountText(found.usage) }) };
  }
  const found = valueReplicas(pods, await usageOf(), milliAmount(target?.value ?? '0'), currentReplicas, tolerances);
  return { replicas: found.replicas, name: `${kind} metric ${name}`, status: status({ value: amountText(found.usage) }) };
}

export async function externalFinding({ external }: MetricSpec, sources: MetricSources): Promise<MetricFinding> {
  const { metric, target } = external ?? {};
  const { name = '', selector } = metric ?? {};
  const { servers, namespace, pods, currentReplicas, statusReplicas, tolerances } = sources;
  const label = `external metric ${name}(${selectorText(selector)})`;
  const usageOf = (): Promise<number> =>
    within(`unable to get external metric ${namespace}/${name}/${selectorText(selector)}`, () => externalMetric(servers, namespace, name, selector));
  const status = (current: MetricValueStatus): MetricStatus => ({ type: 'External', external: { metric: identified(metric), current } });
  if (target?.averageValue !== undefined) {
    const average = milliAmount(target.averageValue);
    const usage = await layered(`failed to get ${name} external metric`, usageOf);
    const found = perPodReplicas(usage, average, statusReplicas, tolerances, true);
    return { replicas: found.replicas, name: label, status: status({ averageValue: amountText(found.usage) }) };
  }
  if (target?.value === undefined)
    throw new MetricError('invalid external metric source: neither a value target nor an average value target was set');
  const value = milliAmount(target.value);
  const found = await layered(`failed to get external metric ${name}`, async () =>
    valueReplicas(pods, await usageOf(), value, currentReplicas, tolerances),
  );
  return { replicas: found.replicas, name: label, status: status({ value: amountText(found.usage) }) };
}

function identified(metric: MetricIdentifier | undefined): MetricIdentifier {
  const { name = '', selector } = metric ?? {};
  return { name, ...(selector === undefined ? undefined : { selector }) };
}

/** Of thousandths, at most as many as 64 bits hold. */
function amountText(usage: number): string {
  return formatQuantity(newMilliQuantity(usage >= amountEnd ? BigInt(amountEnd) - 1n : usage, 'DecimalSI'));
}

/** Go's print of a selector. */
function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = (selector.matchExpressions ?? [])
    .map(({ key, operator, values }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`)
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
