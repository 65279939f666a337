/** Endpoints. Mirrors pkg/registry/core/endpoint/strategy.go. */
import type { Endpoints } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { validateEndpoints, validateEndpointsUpdate } from './endpoints-validation.ts';
import { endpointsText } from './service-table.ts';
import { editEach } from '../../shared/defaulting.ts';

export const endpointsKind = defineKind<Endpoints>({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  metaChecks: { update: 'UM' },
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Endpoints',
  storagePrefix: 'services/endpoints',
  allowCreateOnUpdate: true,
  validate: validateEndpoints,
  validateUpdate: validateEndpointsUpdate,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  defaults: (object) =>
    editEach(object, 'subsets', (subset) => editEach(subset, 'ports', (port) => (port.protocol ? port : { ...port, protocol: 'TCP' }))),
  columns: columns('Name', 'Endpoints', 'Age'),
  row: (object, context) => [nameOf(object), endpointsText(object), ageOf(object, context)],
});
