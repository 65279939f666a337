/** A page of metrics as objects of the kind Metric describe it, in Prometheus' text form. Mirrors pkg/kwok/metrics of sigs.k8s.io/kwok. */
import type { MetricConfig } from '../../api/kwok/v1alpha1/target.ts';
import type { Node } from '../../api/core/v1/types.gen.ts';
import { doubleText } from '../../cel/standard.ts';
import { CelError } from '../../cel/values.ts';
import { asNumber, asText } from '../expressions/environment.ts';
import type { DrivenWorld, Subject } from './world.ts';

interface Family {
  readonly help: string;
  readonly kind: MetricConfig['kind'];
  /** By labels. */
  readonly lines: Map<string, readonly string[]>;
}

/** What cannot be evaluated is left out: KWOK writes it to its log. */
export function metricPage(world: DrivenWorld, configs: readonly MetricConfig[], node: Node): string {
  const families = new Map<string, Family>();
  for (const config of configs) {
    const family = families.get(config.name) ?? { help: config.help ?? '', kind: config.kind, lines: new Map<string, readonly string[]>() };
    if (family.kind !== config.kind || family.help !== (config.help ?? '')) continue;
    families.set(config.name, family);
    try {
      for (const subject of subjectsOf(world, config, node)) {
        const labels = labelsOf(world, config, subject);
        family.lines.set(labelText(labels), samples(world, config, subject, labels));
      }
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
    }
  }
  return [...families]
    .filter(([, { lines }]) => lines.size > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { help, kind, lines }]) => {
      const ordered = [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, each]) => each);
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${kind}\n${ordered.map((line) => `${line}\n`).join('')}`;
    })
    .join('');
}

/** Names of labels must differ; they stand in their order. */
type Labels = readonly (readonly [name: string, value: string])[];

function* subjectsOf(world: DrivenWorld, { dimension = 'node' }: MetricConfig, node: Node): Generator<Subject> {
  if (dimension === 'node') return yield { node };
  for (const pod of world.podsOn(node.metadata.name ?? '')) {
    if (dimension === 'pod') yield { node, pod };
    else for (const container of pod.spec?.containers ?? []) yield { node, pod, container };
  }
}

function labelsOf(world: DrivenWorld, { labels = [] }: MetricConfig, subject: Subject): Labels {
  return labels.map(({ name, value }) => [name, asText(world.evaluate(value, subject))] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function labelText(labels: Labels): string {
  return labels.length === 0 ? '' : `{${labels.map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function samples(world: DrivenWorld, config: MetricConfig, subject: Subject, labels: Labels): readonly string[] {
  const { name, kind, value = '' } = config;
  if (kind !== 'histogram') return [`${name}${labelText(labels)} ${doubleText(asNumber(world.evaluate(value, subject)))}`];
  return histogram(world, config, subject, labels);
}

/** Buckets count what those before them counted too; hidden ones are counted in the next that is shown. */
function histogram(world: DrivenWorld, { name, buckets = [] }: MetricConfig, subject: Subject, labels: Labels): readonly string[] {
  const lines: string[] = [];
  let count = 0;
  let sum = 0;
  for (const { le, value, hidden = false } of buckets.toSorted((a, b) => a.le - b.le)) {
    const added = Math.max(0, Math.trunc(asNumber(world.evaluate(value, subject))));
    count += added;
    sum += le * added;
    if (!hidden) lines.push(`${name}_bucket${labelText([...labels, ['le', doubleText(le)]])} ${count}`);
  }
  lines.push(`${name}_bucket${labelText([...labels, ['le', '+Inf']])} ${count}`);
  return [...lines, `${name}_sum${labelText(labels)} ${doubleText(sum)}`, `${name}_count${labelText(labels)} ${count}`];
}
