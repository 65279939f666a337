/** Metrics that a simulated node would serve at a path of its own. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import { root } from '../../../apimachinery/field-errors.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import { defineKindOfKwok, missing } from './definition.ts';
import { metricMessages, validateMetrics, type MetricItem } from './targets.ts';

interface Metric extends KubeObject {
  readonly spec?: { readonly path?: string; readonly metrics?: readonly MetricItem[] };
}

export const metricKind = defineKindOfKwok<Metric>({
  kind: 'Metric',
  plural: 'metrics',
  namespaced: false,
  defaults: (object) =>
    edit(object, 'spec', (spec) => editEach(spec, 'metrics', (each) => (each.dimension === undefined ? { ...each, dimension: 'node' } : each))),
  messages: { Spec: { path: 'string!', metrics: '[]MetricConfig!' }, ...metricMessages },
  validate: ({ path, metrics }) => [
    ...missing(root('spec', 'path'), path),
    ...missing(root('spec', 'metrics'), metrics),
    ...validateMetrics(metrics ?? []),
  ],
});
