/** Configuration data. */
import type { ConfigMap } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { validateConfigMap, validateConfigMapUpdate } from './data-validation.ts';

export const configMapKind = defineKind<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  metaChecks: { update: 'U M' },
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.ConfigMap',
  storagePrefix: 'configmaps',
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
  columns: columns('Name', 'Data', 'Age'),
  row: (object, context) => [
    nameOf(object),
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    ageOf(object, context),
  ],
});
