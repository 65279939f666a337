/** Kinds that users add. */
import type { CustomResourceDefinition } from '../../../api/apiextensions/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { defaultCustomResourceDefinition, keepStored, markTerminating, noteStored, prepareDefinition } from './defaults.ts';
import { definitionNameFaults, validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validation.ts';
import { definitionWarnings } from './warnings.ts';

export const customResourceDefinitionKind = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  metaChecks: { create: 'm', update: 'u', status: 'u' },
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  nameFaults: definitionNameFaults,
  schema: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  storagePrefix: 'apiextensions.k8s.io/customresourcedefinitions',
  storedVersion: 'v1beta1',
  hasGeneration: true,
  statusSubresource: { verbs: ['get', 'update', 'patch'], hasTable: false, validateUpdate: validateDefinitionStatus },
  defaults: defaultCustomResourceDefinition,
  settle: noteStored,
  prepareForCreate: prepareDefinition,
  prepareForUpdate: keepStored,
  markForDeletion: markTerminating,
  allowUnconditionalUpdate: false,
  validate: validateDefinition,
  validateUpdate: validateDefinitionUpdate,
  warnings: definitionWarnings,
});
