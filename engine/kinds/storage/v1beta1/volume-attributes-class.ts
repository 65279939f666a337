/** Classes of volume attributes. */
import type { VolumeAttributesClass } from '../../../api/storage/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const volumeAttributesClassKind = defineKind<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  version: 'v1beta1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  singular: 'volumeattributesclass',
  shortNames: ['vac'],
  namespaced: false,
  schema: 'io.k8s.api.storage.v1beta1.VolumeAttributesClass',
  deprecation: deprecationText({
    of: 'storage.k8s.io/v1beta1 VolumeAttributesClass',
    deprecated: 34,
    removed: 37,
    instead: 'storage.k8s.io/v1 VolumeAttributesClass',
  }),
  storagePrefix: 'volumeattributesclasses',
  storage: storedAs('storage.k8s.io', 'v1beta1', 'v1'),
  columns: columns('Name', 'DriverName', 'Age'),
  row: (object, context) => [nameOf(object), object.driverName ?? '', ageOf(object, context)],
});
