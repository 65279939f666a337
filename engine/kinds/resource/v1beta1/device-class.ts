/** Classes of devices. */
import type { DeviceClass } from '../../../api/resource/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const deviceClassKind = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  singular: 'deviceclass',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1beta1.DeviceClass',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1beta1 DeviceClass', deprecated: 35, removed: 38 }),
  storagePrefix: 'deviceclasses',
  storage: storedAs('resource.k8s.io', 'v1beta1', 'v1'),
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
