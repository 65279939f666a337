/** Namespaces. Mirrors pkg/registry/core/namespace/strategy.go. */
import type { Namespace } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { namespaceHooks } from './namespace-strategy.ts';

export const namespaceKind = defineKind<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  metaChecks: { update: 'MU' },
  plural: 'namespaces',
  singular: 'namespace',
  shortNames: ['ns'],
  namespaced: false,
  schema: 'io.k8s.api.core.v1.Namespace',
  storagePrefix: 'namespaces',
  unorphanedPropagation: 'Foreground',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  hasGeneration: false,
  nameValidation: 'dns1123label',
  selectableFields: { 'status.phase': (object) => object.status?.phase ?? '' },
  fieldLabels: { withoutNamespace: true },
  ...namespaceHooks,
  columns: columns('Name', described('Status', 'The status of the namespace'), 'Age'),
  row: (object, context) => [nameOf(object), object.status?.phase ?? '', ageOf(object, context)],
});
