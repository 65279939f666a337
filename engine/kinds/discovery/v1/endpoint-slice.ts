/** Endpoint slices. Mirrors pkg/registry/discovery/endpointslice/strategy.go. */
import type { EndpointSlice } from '../../../api/discovery/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, listWithMore, nameOf, text } from '../../shared/table.ts';
import { editEach, fill } from '../../shared/defaulting.ts';
import { validateSlice, validateSliceUpdate } from './validation.ts';

export const endpointSliceKind = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  metaChecks: { update: 'M' },
  plural: 'endpointslices',
  singular: 'endpointslice',
  namespaced: true,
  schema: 'io.k8s.api.discovery.v1.EndpointSlice',
  storagePrefix: 'endpointslices',
  hasGeneration: true,
  generationCountsLabels: true,
  defaults: (object) => editEach(object, 'ports', (port) => fill(port, { name: '', protocol: 'TCP' })),
  validate: validateSlice,
  validateUpdate: validateSliceUpdate,
  columns: columns('Name', 'AddressType', 'Ports', 'Endpoints', 'Age'),
  row(object, context) {
    const ports = (object.ports ?? []).map((port) => text(port.port ?? port.name, '*'));
    const addresses = (object.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [nameOf(object), object.addressType ?? '', listWithMore(ports), listWithMore(addresses), ageOf(object, context)];
  },
});
