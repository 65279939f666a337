/** Autoscalers before v2 was stable; it has the same fields. */
import type { HorizontalPodAutoscaler } from '../../../api/autoscaling/v2beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { horizontalPodAutoscalerKind as stored } from '../v2/horizontal-pod-autoscaler.ts';

export const horizontalPodAutoscalerKind = defineKind<HorizontalPodAutoscaler>(
  olderForm(stored, {
    group: 'autoscaling',
    version: 'v2beta2',
    schema: 'io.k8s.api.autoscaling.v2beta2.HorizontalPodAutoscaler',
    deprecated: 23,
    removed: 26,
  }),
);
