/** Stateful sets. Mirrors pkg/registry/apps/statefulset/strategy.go. */
import type { StatefulSet } from '../../../api/apps/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { withReplicas } from '../../shared/strategy.ts';
import { ageOf, columns, containerCells, containersColumn, imagesColumn, nameOf, readyColumn } from '../../shared/table.ts';
import { defaultStatefulSet } from './defaults.ts';
import { defaultUnavailable, prepareStatefulSet, prepareStatefulSetUpdate, statefulSetWarnings } from './stateful-set-gates.ts';
import { validateStatefulSetStatus } from './status-validation.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from './stateful-set-validation.ts';

export const statefulSetKind = defineKind<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  metaChecks: { status: ' U' },
  plural: 'statefulsets',
  singular: 'statefulset',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.apps.v1.StatefulSet',
  nameValidation: 'dns1123label',
  storagePrefix: 'statefulsets',
  gatedFields: [{ gates: ['MaxUnavailableStatefulSet'], fields: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] }],
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateStatefulSetStatus },
  scale: {
    getReplicas: (object) => object.spec?.replicas ?? 0,
    getStatusReplicas: (object) => object.status?.replicas ?? 0,
    getSelector: (object) => labelSelectorAsSelector(object.spec?.selector).toString(),
    setReplicas: withReplicas,
  },
  defaults: defaultStatefulSet,
  defaultsHere: defaultUnavailable,
  prepareForCreate: prepareStatefulSet,
  prepareForUpdate: prepareStatefulSetUpdate,
  warnings: statefulSetWarnings,
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  unsaid: { spec: { replicas: 0 } },
  columns: columns('Name', readyColumn, 'Age', containersColumn, imagesColumn),
  row(object, context) {
    const [names, images] = containerCells(object.spec?.template?.spec?.containers);
    return [nameOf(object), `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`, ageOf(object, context), names, images];
  },
});
