/** Horizontal pod autoscalers in their first version; stored as v2. */
import type { HorizontalPodAutoscaler } from '../../../api/autoscaling/v1/types.gen.ts';
import type { HorizontalPodAutoscaler as AutoscalerV2 } from '../../../api/autoscaling/v2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns } from '../../shared/table.ts';
import { autoscalerCells } from '../v2/autoscaler-table.ts';
import { defaultCpuPercent, fromV2, hasMetrics, toV2 } from './conversion.ts';
import { edit, fill } from '../../shared/defaulting.ts';

/** What is no object has no defaults either: a bookmark. */
function withoutMetrics(object: AutoscalerV2): AutoscalerV2 {
  return edit(object, 'spec', ({ metrics: _default, ...spec }) => spec);
}

export const horizontalPodAutoscalerKind = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler',
  storagePrefix: 'horizontalpodautoscalers',
  hasGeneration: false,
  statusSubresource: true,
  storage: { version: 'v2', toStorage: toV2, fromStorage: fromV2 },
  // What other metrics there are stands in an annotation.
  defaults: (object) =>
    edit(object, 'spec', (spec) =>
      fill(spec, hasMetrics(object) ? { minReplicas: 1 } : { minReplicas: 1, targetCPUUtilizationPercentage: defaultCpuPercent }),
    ),
  columns: columns('Name', 'Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'),
  row: (object, context) => [...autoscalerCells(object.metadata.uid === undefined ? withoutMetrics(toV2(object)) : toV2(object), context)],
});
