/** Kinds that users add, with one schema for all versions or one for each. */
import type { CustomResourceDefinition } from '../../../api/apiextensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { customResourceDefinitionKind as stored } from '../v1/custom-resource-definition.ts';
import { versionFaults, withVersionFaults } from './version-faults.ts';
import { defaultDefinition, fromV1, toV1 } from './conversion.ts';

export const customResourceDefinitionKind = defineKind<CustomResourceDefinition>(
  olderForm(stored, {
    group: 'apiextensions.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition',
    deprecated: 16,
    removed: 22,
    defaults: defaultDefinition,
    versionFaults,
    withVersionFaults,
    toStored: toV1,
    fromStored: fromV1,
    movesFields: true,
  }),
);
