/** Endpoints. Mirrors pkg/registry/core/endpoint/strategy.go. */
import type { Endpoints } from '../../../api/core/v1/types.gen.ts';
import { root } from '../../../apimachinery/field-errors.ts';
import { warningsForIP } from '../../../apimachinery/ip.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { formerOrder } from '../../../component-helpers/endpoints/order.ts';
import { repackSubsets } from '../../../component-helpers/endpoints/subsets.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { validateEndpoints, validateEndpointsUpdate } from './endpoints-validation.ts';
import { endpointsText } from './service-table.ts';
import { editEach } from '../../shared/defaulting.ts';

/** The controller writes addresses as they should be. */
function endpointsWarnings({ metadata, subsets }: Endpoints): readonly string[] {
  if (getOwn(metadata.labels, 'endpoints.kubernetes.io/managed-by') === 'endpoint-controller') return [];
  return (subsets ?? []).flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, j) => warningsForIP(root('subsets').index(i).child(list).index(j).child('ip'), ip)),
    ),
  );
}

/** The registry of old packed subsets whoever wrote them. Mirrors Canonicalize of pkg/registry/core/endpoint in release 1.13. */
function repacked(object: Endpoints): Endpoints {
  const { subsets = [] } = object;
  const packed = repackSubsets(subsets, formerOrder);
  return semanticEqual(packed, subsets) ? object : { ...object, subsets: packed };
}

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
  warnings: endpointsWarnings,
  validate: validateEndpoints,
  validateUpdate: validateEndpointsUpdate,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  defaults: (object) =>
    editEach(object, 'subsets', (subset) => editEach(subset, 'ports', (port) => (port.protocol ? port : { ...port, protocol: 'TCP' }))),
  settle: (object, context) => (context.ratcheted('KeptSubsets') ? object : repacked(object)),
  columns: columns('Name', 'Endpoints', 'Age'),
  row: (object, context) => [nameOf(object), endpointsText(object), ageOf(object, context)],
});
