/** Ranges of service addresses. */
import type { ServiceCIDR } from '../../../api/networking/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const serviceCIDRKind = defineKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  singular: 'servicecidr',
  namespaced: false,
  schema: 'io.k8s.api.networking.v1beta1.ServiceCIDR',
  deprecation: deprecationText({ of: 'networking.k8s.io/v1beta1 ServiceCIDR', deprecated: 34, removed: 37 }),
  storagePrefix: 'servicecidrs',
  storage: storedAs('networking.k8s.io', 'v1beta1', 'v1'),
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['metadata'], ['spec']] },
  columns: columns('Name', 'CIDRs', 'Age'),
  row: (object, context) => [nameOf(object), (object.spec?.cidrs ?? []).join(','), ageOf(object, context)],
});
