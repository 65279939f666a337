/** Horizontal pod autoscalers. Mirrors pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go. */
import type { HorizontalPodAutoscaler } from '../../../api/autoscaling/v2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns } from '../../shared/table.ts';
import { autoscalerCells } from './autoscaler-table.ts';
import { defaultAutoscaler } from './autoscaler-defaults.ts';
import { validateAutoscaler, validateAutoscalerStatus } from './validation.ts';

export const horizontalPodAutoscalerKind = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  storagePrefix: 'horizontalpodautoscalers',
  gatedFields: [{ gates: ['HPAConfigurableTolerance'], fields: ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance'] }],
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateAutoscalerStatus },
  defaults: defaultAutoscaler,
  validate: validateAutoscaler,
  validateUpdate: (next, old, context) => validateAutoscaler(next, context, old),
  sparedByDefaults: ['scaleUp', 'scaleDown'].map((direction) => ['spec', 'behavior', direction, 'policies']),
  columns: columns('Name', 'Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'),
  row: (object, context) => [...autoscalerCells(object, context)],
});
