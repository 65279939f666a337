/** Devices of a driver. */
import type { ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { sliceGates } from './slice-gates.ts';
import { validateSlice, validateSliceUpdate } from './slice-validation.ts';
import { withTaintTimes } from './taint-times.ts';

export const resourceSliceKind = defineKind<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1.ResourceSlice',
  storagePrefix: 'resourceslices',
  gatedFields: sliceGates,
  generationCountsGated: true,
  defaultsHere: withTaintTimes,
  selectableFields: { 'spec.nodeName': (object) => object.spec?.nodeName ?? '', 'spec.driver': (object) => object.spec?.driver ?? '' },
  fieldLabels: {
    withoutNamespace: true,
    refusal: (label, apiVersion) => `field label not supported for ${apiVersion}, Kind=ResourceSlice: ${label}`,
  },
  warnings: ({ spec: { driver } }) =>
    driver === driver.toLowerCase() ? [] : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`],
  validate: validateSlice,
  validateUpdate: validateSliceUpdate,
  columns: columns('Name', 'Node', 'Driver', 'Pool', 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    ageOf(object, context),
  ],
});
