/** Daemon sets. Mirrors pkg/registry/apps/daemonset/strategy.go. */
import type { DaemonSet } from '../../../api/apps/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { ageOf, columns, containerCells, containersColumn, imagesColumn, integerColumn, labelsText, nameOf } from '../../shared/table.ts';
import { defaultDaemonSet } from './defaults.ts';
import {
  daemonSetWarnings,
  generationAnnotation,
  prepareDaemonSet,
  prepareDaemonSetStatus,
  prepareDaemonSetUpdate,
  tellGeneration,
} from './template-generation.ts';
import { validateDaemonSetStatus } from './status-validation.ts';
import { validateDaemonSet, validateDaemonSetUpdate } from './validation.ts';

export const daemonSetKind = defineKind<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  singular: 'daemonset',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.apps.v1.DaemonSet',
  storagePrefix: 'daemonsets',
  fieldAnnotations: [generationAnnotation],
  unsaidAnnotations: { [generationAnnotation]: '0' },
  statusSubresource: { verbs: ['get', 'patch', 'update'], prepareForUpdate: prepareDaemonSetStatus, validateUpdate: validateDaemonSetStatus },
  defaults: (object) => tellGeneration(defaultDaemonSet(object)),
  prepareForCreate: prepareDaemonSet,
  prepareForUpdate: prepareDaemonSetUpdate,
  warnings: daemonSetWarnings,
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  columns: columns(
    'Name',
    integerColumn('Desired'),
    integerColumn('Current'),
    integerColumn('Ready'),
    integerColumn('Up-to-date'),
    integerColumn('Available'),
    'Node Selector',
    'Age',
    containersColumn,
    imagesColumn,
    '*Selector',
  ),
  row(object, context) {
    const [names, images] = containerCells(object.spec?.template?.spec?.containers);
    const {
      desiredNumberScheduled = 0,
      currentNumberScheduled = 0,
      numberReady = 0,
      updatedNumberScheduled = 0,
      numberAvailable = 0,
    } = object.status ?? {};
    const counts = [desiredNumberScheduled, currentNumberScheduled, numberReady, updatedNumberScheduled, numberAvailable];
    return [
      nameOf(object),
      ...counts,
      labelsText(object.spec?.template?.spec?.nodeSelector),
      ageOf(object, context),
      names,
      images,
      formatLabelSelector(object.spec?.selector),
    ];
  },
});
