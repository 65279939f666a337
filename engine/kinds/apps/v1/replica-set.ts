/** Replica sets. Mirrors pkg/registry/apps/replicaset/strategy.go. */
import type { ReplicaSet } from '../../../api/apps/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector, labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { withReplicas } from '../../shared/strategy.ts';
import { specTemplate, templateHooks } from '../../shared/template-hooks.ts';
import { ageOf, columns, containerCells, containersColumn, imagesColumn, integerColumn, nameOf } from '../../shared/table.ts';
import { defaultReplicaSet } from './defaults.ts';
import { validateReplicaSetStatus } from './status-validation.ts';
import { validateReplicaSet, validateReplicaSetUpdate } from './validation.ts';

export const replicaSetKind = defineKind<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  singular: 'replicaset',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.apps.v1.ReplicaSet',
  storagePrefix: 'replicasets',
  gatedFields: [{ gates: ['DeploymentReplicaSetTerminatingReplicas'], fields: ['status.terminatingReplicas'] }],
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateReplicaSetStatus },
  scale: {
    getReplicas: (object) => object.spec?.replicas ?? 0,
    getStatusReplicas: (object) => object.status?.replicas ?? 0,
    getSelector: (object) => labelSelectorAsSelector(object.spec?.selector).toString(),
    setReplicas: withReplicas,
  },
  defaults: defaultReplicaSet,
  ...templateHooks<ReplicaSet>(specTemplate(true)),
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  unsaid: { spec: { replicas: 0 } },
  columns: columns(
    'Name',
    integerColumn(
      'Desired',
      'Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset',
    ),
    integerColumn(
      'Current',
      'Replicas is the most recently observed number of non-terminating pods. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset',
    ),
    integerColumn('Ready', 'The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.'),
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
      formatLabelSelector(object.spec?.selector),
    ];
  },
});
