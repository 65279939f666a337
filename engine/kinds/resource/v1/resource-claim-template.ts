/** Templates of claims for devices. */
import type { ResourceClaimTemplate } from '../../../api/resource/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { defaultClaimSpec } from './defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { templateGates } from './claim-gates.ts';
import { validateTemplate, validateTemplateUpdate } from './validation.ts';

export const resourceClaimTemplateKind = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  metaChecks: { update: 'M U' },
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1.ResourceClaimTemplate',
  storagePrefix: 'resourceclaimtemplates',
  gatedFields: templateGates,
  hasGeneration: false,
  validate: validateTemplate,
  validateUpdate: validateTemplateUpdate,
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'spec', defaultClaimSpec)),
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
