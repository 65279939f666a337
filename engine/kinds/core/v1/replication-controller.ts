/** Replication controllers. Mirrors pkg/registry/core/replicationcontroller/strategy.go. */
import type { ReplicationController } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabels } from '../../../apimachinery/labels.ts';
import { withReplicas } from '../../shared/strategy.ts';
import { specTemplate, templateHooks, templateWarnings } from '../../shared/template-hooks.ts';
import { ageOf, columns, containerCells, containersColumn, imagesColumn, integerColumn, labelsText, nameOf } from '../../shared/table.ts';
import { defaultReplicationController, labelledByTemplate } from './replication-controller-defaults.ts';
import { validateControllerStatus } from '../../apps/v1/status-validation.ts';
import { validateReplicationController } from '../../shared/small-validation.ts';

const place = specTemplate<ReplicationController>(true);

export const replicationControllerKind = defineKind<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  singular: 'replicationcontroller',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  nameValidation: 'longName',
  takesAnyGenerateName: true,
  schema: 'io.k8s.api.core.v1.ReplicationController',
  storagePrefix: 'controllers',
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateControllerStatus },
  defaultPropagation: 'Orphan',
  scale: {
    getReplicas: (object) => object.spec?.replicas ?? 0,
    getStatusReplicas: (object) => object.status?.replicas ?? 0,
    getSelector: (object) => formatLabels(object.spec?.selector),
    setReplicas: withReplicas,
  },
  selectableFields: { 'status.replicas': (object) => String(object.status?.replicas ?? 0) },
  defaults: defaultReplicationController,
  settle: labelledByTemplate,
  ...templateHooks<ReplicationController>(place),
  // Upstream looks at the template that was.
  warnings: (object, old) => templateWarnings(place, old ?? object, old === undefined ? undefined : object),
  validate: validateReplicationController,
  validateUpdate: (next, _old, context) => validateReplicationController(next, context),
  columns: columns(
    'Name',
    integerColumn('Desired'),
    integerColumn('Current'),
    integerColumn('Ready'),
    'Age',
    containersColumn,
    imagesColumn,
    '*Selector',
  ),
  row(object, context) {
    const [names, images] = containerCells(object.spec?.template?.spec?.containers);
    return [
      nameOf(object),
      object.spec?.replicas ?? 0,
      object.status?.replicas ?? 0,
      object.status?.readyReplicas ?? 0,
      ageOf(object, context),
      names,
      images,
      labelsText(object.spec?.selector),
    ];
  },
});
