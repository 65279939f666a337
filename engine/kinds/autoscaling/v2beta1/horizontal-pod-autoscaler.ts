/** Autoscalers whose metrics have a target for each way to measure. Mirrors pkg/apis/autoscaling/v2beta1. */
import type { HorizontalPodAutoscaler } from '../../../api/autoscaling/v2beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { horizontalPodAutoscalerKind as stored } from '../v2/horizontal-pod-autoscaler.ts';
import { fromV2, toV2 } from './conversion.ts';

export const horizontalPodAutoscalerKind = defineKind<HorizontalPodAutoscaler>(
  olderForm(stored, {
    group: 'autoscaling',
    version: 'v2beta1',
    schema: 'io.k8s.api.autoscaling.v2beta1.HorizontalPodAutoscaler',
    deprecated: 22,
    removed: 25,
    toStored: toV2,
    fromStored: fromV2,
  }),
);
