/** Templates of claims for devices. */
import type { ResourceClaimTemplate } from '../../../api/resource/v1beta1/types.gen.ts';
import type { ResourceClaimTemplate as StoredTemplate } from '../../../api/resource/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit } from '../../shared/defaulting.ts';
import { claimSpecFromStored, claimSpecToStored, convertedStorage, defaultClaim } from './conversion.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const resourceClaimTemplateKind = defineKind<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  schema: 'io.k8s.api.resource.v1beta1.ResourceClaimTemplate',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta1 ResourceClaimTemplate', deprecated: 35, removed: 38 }),
  storagePrefix: 'resourceclaimtemplates',
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'spec', defaultClaim)),
  storage: convertedStorage<ResourceClaimTemplate>(
    (object) => ({ ...object, spec: { ...object.spec, spec: claimSpecToStored(object.spec.spec) } }) as KubeObject,
    (object) => {
      const { spec } = object as StoredTemplate;
      return { ...object, spec: { ...spec, spec: claimSpecFromStored(spec.spec) } } as ResourceClaimTemplate;
    },
  ),
  hasGeneration: false,
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
