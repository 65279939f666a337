/** Endpoint slices. Mirrors pkg/registry/discovery/endpointslice/strategy.go. */
import type { EndpointSlice } from '../../../api/discovery/v1/types.gen.ts';
import { root } from '../../../apimachinery/field-errors.ts';
import { warningsForIP } from '../../../apimachinery/ip.ts';
import { isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, listWithMore, nameOf, text } from '../../shared/table.ts';
import { editEach, fill } from '../../shared/defaulting.ts';
import { validateSlice, validateSliceUpdate } from './validation.ts';

/** What v1beta1 had for topology is not written any more; a node that it named before stays named (dropTopologyOnV1). */
function withoutTopology(next: EndpointSlice, old: EndpointSlice | undefined): EndpointSlice {
  if (!(next.endpoints ?? []).some(({ deprecatedTopology }) => deprecatedTopology !== undefined)) return next;
  if (old !== undefined && semanticEqual(old.endpoints, next.endpoints)) return next;
  const named = new Set((old?.endpoints ?? []).map(({ deprecatedTopology }) => getOwn(deprecatedTopology, hostLabel)));
  return editEach(next, 'endpoints', ({ deprecatedTopology, ...endpoint }) => {
    const name = getOwn(deprecatedTopology, hostLabel);
    const isKept = endpoint.nodeName === undefined && name !== undefined && named.has(name) && isDNS1123Subdomain(name).length === 0;
    return isKept ? { ...endpoint, nodeName: name } : endpoint;
  });
}

/** What is dropped counts as a change all the same. */
function counted(sent: EndpointSlice, next: EndpointSlice, old: EndpointSlice): EndpointSlice {
  return sent === next ? next : { ...next, metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}

/** Controllers write addresses as they should be. */
function sliceWarnings({ metadata, addressType, endpoints }: EndpointSlice, old: EndpointSlice | undefined): readonly string[] {
  const deprecated = addressType === 'FQDN' && old === undefined ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
  if (controllers.has(getOwn(metadata.labels, managedByLabel) ?? '')) return deprecated;
  const path = root('endpoints');
  const odd = (endpoints ?? []).flatMap(({ addresses }, i) =>
    (addresses ?? []).flatMap((address, j) => warningsForIP(path.index(i).child('addresses').index(j), address)),
  );
  return [...deprecated, ...odd];
}

const hostLabel = 'kubernetes.io/hostname';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const controllers: ReadonlySet<string> = new Set(['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io']);

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
  prepareForCreate: (object) => withoutTopology(object, undefined),
  prepareForUpdate: (next, old) => counted(next, withoutTopology(next, old), old),
  warnings: sliceWarnings,
  validate: validateSlice,
  validateUpdate: validateSliceUpdate,
  columns: columns('Name', 'AddressType', 'Ports', 'Endpoints', 'Age'),
  row(object, context) {
    const ports = (object.ports ?? []).map((port) => text(port.port ?? port.name, '*'));
    const addresses = (object.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
    return [nameOf(object), object.addressType ?? '', listWithMore(ports), listWithMore(addresses), ageOf(object, context)];
  },
});
