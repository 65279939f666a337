/** Devices of a driver. */
import type { ResourceSlice } from '../../../api/resource/v1beta1/types.gen.ts';
import type { ResourceSlice as StoredSlice } from '../../../api/resource/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { withBasicTaintTimes } from '../v1/taint-times.ts';
import { convertedStorage, sliceSpecFromStored, sliceSpecToStored } from './conversion.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const resourceSliceKind = defineKind<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1beta1.ResourceSlice',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta1 ResourceSlice', deprecated: 35, removed: 38 }),
  storagePrefix: 'resourceslices',
  storage: convertedStorage<ResourceSlice>(
    (object) => ({ ...object, spec: sliceSpecToStored(object.spec) }) as KubeObject,
    (object) => ({ ...object, spec: sliceSpecFromStored((object as StoredSlice).spec) }) as ResourceSlice,
  ),
  defaultsHere: withBasicTaintTimes,
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
