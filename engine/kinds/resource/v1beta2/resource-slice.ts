/** Devices of a driver. */
import type { ResourceSlice } from '../../../api/resource/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { withTaintTimes } from '../v1/taint-times.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const resourceSliceKind = defineKind<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1beta2.ResourceSlice',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta2 ResourceSlice', deprecated: 36, removed: 39 }),
  storagePrefix: 'resourceslices',
  storage: storedAs('resource.k8s.io', 'v1beta2', 'v1'),
  defaultsHere: withTaintTimes,
  selectableFields: { 'spec.nodeName': (object) => object.spec?.nodeName ?? '', 'spec.driver': (object) => object.spec?.driver ?? '' },
  columns: columns('Name', 'Node', 'Driver', 'Pool', 'Age'),
  row: (object, context) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    ageOf(object, context),
  ],
});
