/** A page of metrics as objects of the kind Metric describe it, in Prometheus' text form. Mirrors pkg/kwok/metrics of sigs.k8s.io/kwok. */
import type { MetricConfig } from '../../api/kwok/v1alpha1/target.ts';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { compareLabels, metricHead, metricLine, type MetricLabels } from '../../base/prometheus-text.ts';
import { CelError } from '../../cel/values.ts';
import { asNumber, asText } from '../expressions/environment.ts';
import type { DrivenWorld, Subject } from './world.ts';

interface Family {
  readonly help: string;
  readonly kind: MetricConfig['kind'];
  /** By the labels' text. */
  readonly samples: Map<string, readonly [labels: MetricLabels, text: string]>;
}

/** What cannot be evaluated is left out: KWOK writes it to its log. */
export function metricPage(world: DrivenWorld, configs: readonly MetricConfig[], node: Node): string {
  const families = new Map<string, Family>();
  for (const config of configs) {
    const family = families.get(config.name) ?? { help: config.help ?? '', kind: config.kind, samples: new Map() };
    if (family.kind !== config.kind || family.help !== (config.help ?? '')) continue;
    families.set(config.name, family);
    try {
      for (const subject of subjectsOf(world, config, node)) {
        const labels = labelsOf(world, config, subject);
        family.samples.set(JSON.stringify(labels), [labels, sampled(world, config, subject, labels)]);
      }
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
    }
  }
  return [...families]
    .filter(([, { samples }]) => samples.size > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { help, kind, samples }]) => {
      const ordered = [...samples.values()].toSorted(([a], [b]) => compareLabels(a, b)).map(([, text]) => text);
      return metricHead(name, kind, help) + ordered.join('');
    })
    .join('');
}

function* subjectsOf(world: DrivenWorld, { dimension = 'node' }: MetricConfig, node: Node): Generator<Subject> {
  if (dimension === 'node') return yield { node };
  for (const pod of world.podsOn(node.metadata.name ?? '')) {
    if (dimension === 'pod') yield { node, pod };
    else for (const container of pod.spec?.containers ?? []) yield { node, pod, container };
  }
}

function labelsOf(world: DrivenWorld, { labels = [] }: MetricConfig, subject: Subject): MetricLabels {
  return Object.fromEntries(labels.map(({ name, value }) => [name, asText(world.evaluate(value, subject))]));
}

function sampled(world: DrivenWorld, config: MetricConfig, subject: Subject, labels: MetricLabels): string {
  const { name, kind, value = '' } = config;
  if (kind !== 'histogram') return metricLine(name, labels, asNumber(world.evaluate(value, subject)));
  return histogram(world, config, subject, labels);
}

/** Buckets count what those before them counted too; hidden ones are counted in the next that is shown. */
function histogram(world: DrivenWorld, { name, buckets = [] }: MetricConfig, subject: Subject, labels: MetricLabels): string {
  const lines: string[] = [];
  let count = 0;
  let sum = 0;
  for (const { le, value, hidden = false } of buckets.toSorted((a, b) => a.le - b.le)) {
    const added = Math.max(0, Math.trunc(asNumber(world.evaluate(value, subject))));
    count += added;
    sum += le * added;
    if (!hidden) lines.push(metricLine(`${name}_bucket`, labels, count, { le }));
  }
  lines.push(metricLine(`${name}_bucket`, labels, count, { le: Number.POSITIVE_INFINITY }));
  return [...lines, metricLine(`${name}_sum`, labels, sum), metricLine(`${name}_count`, labels, count)].join('');
}
