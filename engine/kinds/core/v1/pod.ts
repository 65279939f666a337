/** Pods. Mirrors pkg/registry/core/pod/strategy.go. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, described } from '../../shared/table.ts';
import { validateResize } from './pod-resize-validation.ts';
import { validateEphemeralUpdate, validatePodUpdate } from './pod-update-validation.ts';
import { validatePodStatusUpdate } from './pod-status-validation.ts';
import { validatePodCreate } from './pod-validation.ts';
import { podCells } from './pod-table.ts';
import { boundGrace, defaultPod } from './pod-defaults.ts';
import { ephemeralOnly, podHooks, resizeOnly, statusUpdate } from './pod-strategy.ts';

export const podKind = defineKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  metaChecks: { update: 'UM' },
  plural: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Pod',
  storagePrefix: 'pods',
  defaults: defaultPod,
  defaultsHere: boundGrace,
  ...podHooks,
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    prepareForUpdate: statusUpdate,
    validateUpdate: validatePodStatusUpdate,
    resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  },
  subresources: {
    ephemeralcontainers: { verbs: ['get', 'patch', 'update'], prepareForUpdate: ephemeralOnly, validateUpdate: validateEphemeralUpdate },
    resize: { verbs: ['get', 'patch', 'update'], prepareForUpdate: resizeOnly, validateUpdate: validateResize },
  },
  validate: validatePodCreate,
  validateUpdate: validatePodUpdate,
  columns: columns(
    'Name',
    described('Ready', 'The aggregate readiness state of this pod for accepting traffic.'),
    described('Status', 'The aggregate status of the containers in this pod.'),
    described(
      'Restarts',
      'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
    ),
    'Age',
    '*IP',
    '*Node',
    '*Nominated Node',
    '*Readiness Gates',
  ),
  row: (object, context) => [...podCells(object, context)],
});
