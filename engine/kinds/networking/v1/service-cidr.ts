/** Ranges of service addresses. */
import type { ServiceCIDR } from '../../../api/networking/v1/types.gen.ts';
import { defineKind, type StrategyContext } from '../../../contracts/kind.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { validateRange, validateRangeUpdate } from './address-validation.ts';

function wipesStatus(context: StrategyContext): boolean {
  return context.featureEnabled('ServiceCIDRStatusFieldWiping');
}

export const serviceCIDRKind = defineKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  metaChecks: { status: '', keptByStatus: true },
  plural: 'servicecidrs',
  singular: 'servicecidr',
  namespaced: false,
  schema: 'io.k8s.api.networking.v1.ServiceCIDR',
  storagePrefix: 'servicecidrs',
  hasGeneration: false,
  prepareForCreate: (object, context) => (wipesStatus(context) ? dropStatus(object) : object),
  prepareForUpdate: (next, old, context) => (wipesStatus(context) ? keepStatus(next, old) : next),
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: () => [], resetFields: [['metadata'], ['spec']] },
  validate: validateRange,
  validateUpdate: validateRangeUpdate,
  columns: columns('Name', 'CIDRs', 'Age'),
  row: (object, context) => [nameOf(object), (object.spec?.cidrs ?? []).join(','), ageOf(object, context)],
});
