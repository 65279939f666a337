/** What Go's types are before anything is set. */
import type { JsonValue } from '../../base/json.ts';
import type { ScalarType } from '../schema.ts';
import type { CompiledField } from './compile.ts';

/** Of a field that is no list, map or message. */
export function zeroOf({ scalar }: CompiledField): JsonValue {
  return scalar === 'duration' ? '0s' : zeroOfScalar(scalar);
}

/** Null for what Go keeps behind pointers and in slices. */
export function zeroOfScalar(scalar: ScalarType | undefined): JsonValue {
  switch (scalar) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'quantity':
      return '0';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'double':
    case 'intOrString':
      return 0;
    default:
      return null;
  }
}

export function isZero(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false || value === null || value === 0n;
}

export function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}

/** In lists and maps storage has no bytes where nothing was given; a field of its own would be left out. */
export function zeroEntry(field: CompiledField): JsonValue {
  return field.scalar === 'bytes' ? '' : zeroOf(field);
}
