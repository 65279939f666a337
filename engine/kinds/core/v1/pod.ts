/** Pods. Mirrors pkg/registry/core/pod/strategy.go. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../apimachinery/kind.ts';
import { columns } from '../../shared/table.ts';
import { podCells } from './pod-table.ts';
import { defaultPod } from './pod-defaults.ts';

export const podKind = defineKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Pod',
  storagePrefix: 'pods',
  statusSubresource: true,
  defaults: defaultPod,
  columns: columns('Name', 'Ready', 'Status', 'Restarts', 'Age', '*IP', '*Node', '*Nominated Node', '*Readiness Gates'),
  row: (object, context) => [...podCells(object, context)],
});
