/** Templates of claims for devices. */
import type { ResourceClaimTemplate } from '../../../api/resource/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';

export const resourceClaimTemplateKind = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1beta1.ResourceClaimTemplate',
  storagePrefix: 'resourceclaimtemplates',
  storage: storedAs('resource.k8s.io', 'v1beta1', 'v1'),
  hasGeneration: false,
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
