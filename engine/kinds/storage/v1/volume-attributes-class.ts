/** Classes of volume attributes. Mirrors pkg/apis/storage/validation. */
import type { VolumeAttributesClass } from '../../../api/storage/v1/types.gen.ts';
import { type FieldError, type FieldErrorList, forbidden, invalid, metaPlace, required, root, tooLong } from '../../../apimachinery/field-errors.ts';
import { isQualifiedName } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';

const parametersMax = 512;
const parametersSizeMax = 256 * 1024;
const [driverPath, parametersPath] = [root('driverName'), root('parameters')];

export const volumeAttributesClassKind = defineKind<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  metaChecks: { update: 'U M' },
  plural: 'volumeattributesclasses',
  singular: 'volumeattributesclass',
  shortNames: ['vac'],
  namespaced: false,
  schema: 'io.k8s.api.storage.v1.VolumeAttributesClass',
  storagePrefix: 'volumeattributesclasses',
  validate: validateClass,
  validateUpdate: (next, old) => [
    ...(next.driverName === old.driverName ? [] : [forbidden(driverPath, 'updates to driverName are forbidden.')]),
    ...(semanticEqual(next.parameters, old.parameters) ? [] : [forbidden(parametersPath, 'updates to parameters are forbidden.')]),
    metaPlace,
    ...validateClass(next),
  ],
  columns: columns('Name', 'DriverName', 'Age'),
  row: (object, context) => [nameOf(object), object.driverName ?? '', ageOf(object, context)],
});

function validateClass({ driverName = '', parameters }: VolumeAttributesClass): FieldErrorList {
  const name =
    driverName === ''
      ? [required(driverPath)]
      : isQualifiedName(driverName.toLowerCase()).map((fault) => invalid(driverPath, driverName.toLowerCase(), fault));
  return [...name, ...validateParameters(parameters ?? {})];
}

function validateParameters(parameters: { readonly [name: string]: string }): FieldErrorList {
  const entries = Object.entries(parameters);
  if (entries.length > parametersMax) return [tooLong(parametersPath, parametersMax)];
  const out: FieldError[] = [];
  if (Object.hasOwn(parameters, '')) out.push(invalid(parametersPath, '', 'field can not be empty.'));
  const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > parametersSizeMax) out.push(tooLong(parametersPath, parametersSizeMax));
  if (entries.length === 0) out.push(required(parametersPath, 'must contain at least one key/value pair'));
  return out;
}
