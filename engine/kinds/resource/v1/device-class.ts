/** Classes of devices. */
import type { DeviceClass } from '../../../api/resource/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { validateClass } from './validation.ts';

export const deviceClassKind = defineKind<DeviceClass>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  metaChecks: { update: 'MU' },
  plural: 'deviceclasses',
  singular: 'deviceclass',
  namespaced: false,
  nameValidation: 'longName',
  takesAnyGenerateName: true,
  schema: 'io.k8s.api.resource.v1.DeviceClass',
  storagePrefix: 'deviceclasses',
  gatedFields: [{ gates: ['DRAExtendedResource'], fields: ['spec.extendedResourceName'] }],
  validate: validateClass,
  validateUpdate: validateClass,
  columns: columns('Name', 'Age'),
  row: (object, context) => [nameOf(object), ageOf(object, context)],
});
