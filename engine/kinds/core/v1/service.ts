/** Services. Mirrors pkg/registry/core/service. */
import type { Service } from '../../../api/core/v1/types.gen.ts';
import { balancerWarnings, serviceWarnings } from './object-warnings.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns } from '../../shared/table.ts';
import { serviceCells } from './service-table.ts';
import { defaultService } from './service-defaults.ts';
import { giveBackAddresses, giveBackAll } from './service-families.ts';
import { hideInsidePolicy, prepareService, prepareServiceUpdate } from './service-strategy.ts';
import { validateNewService, validateServiceStatus, validateServiceUpdate } from './service-validation.ts';

export const serviceKind = defineKind<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  singular: 'service',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.Service',
  storagePrefix: 'services/specs',
  takesAlong: { group: '', plural: 'endpoints' },
  warnings: serviceWarnings,
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateServiceStatus, warnings: balancerWarnings },
  allowCreateOnUpdate: true,
  selectableFields: { 'spec.clusterIP': (object) => object.spec?.clusterIP ?? '', 'spec.type': (object) => object.spec?.type ?? '' },
  defaults: defaultService,
  prepareForCreate: prepareService,
  prepareForUpdate: prepareServiceUpdate,
  afterUpdate: giveBackAddresses,
  afterDelete: giveBackAll,
  // A name may begin with a digit only where a gate relaxes that.
  nameRule: (context) => (context.featureEnabled('RelaxedServiceNameValidation') ? 'dns1123label' : 'dns1035label'),
  settle: hideInsidePolicy,
  validate: validateNewService,
  validateUpdate: validateServiceUpdate,
  columns: columns('Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', '*Selector'),
  row: (object, context) => [...serviceCells(object, context)],
});
