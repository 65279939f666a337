/** Templates of claims for devices. */
import type { ResourceClaimTemplate } from '../../../api/resource/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { defaultClaimSpec } from '../v1/defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const resourceClaimTemplateKind = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1beta2.ResourceClaimTemplate',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta2 ResourceClaimTemplate', deprecated: 36, removed: 39 }),
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'spec', defaultClaimSpec)),
  storagePrefix: 'resourceclaimtemplates',
  storage: storedAs('resource.k8s.io', 'v1beta2', 'v1'),
  hasGeneration: false,
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
