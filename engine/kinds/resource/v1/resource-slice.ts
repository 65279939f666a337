/** Devices of a driver. */
import type { ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
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
  prepareForCreate: (slice, { nowText }) => withTaintTimes(slice, nowText),
  prepareForUpdate: (next, _old, { nowText }) => withTaintTimes(next, nowText),
  selectableFields: { 'spec.nodeName': (object) => object.spec?.nodeName ?? '', 'spec.driver': (object) => object.spec?.driver ?? '' },
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
