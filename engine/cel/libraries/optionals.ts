/** Values that may be absent (cel-go cel/library.go, optional types). */
import { global, member, type Overload } from '../functions.ts';
import { bool, listOf, optionalOf, parameter } from '../types.ts';
import {
  CelError,
  celEqual,
  type CelMap,
  type CelObject,
  type CelValue,
  isList,
  isMap,
  isObject,
  numeric,
  sizeOf,
  typeOf,
  Unsigned,
} from '../values.ts';

export class CelOptional implements CelObject {
  readonly celType = 'optional_type';
  /** Undefined where there is none. */
  readonly value: CelValue | undefined;

  constructor(value?: CelValue) {
    this.value = value;
  }

  get size(): number {
    return this.value === undefined ? 1 : sizeOf(this.value);
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof CelOptional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return celEqual(this.value, other.value);
  }
}

const none = new CelOptional();

/** What a type has when nothing is said: such a value counts as absent. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true;
  if (value instanceof Unsigned) return value.value === 0n;
  if (value instanceof Uint8Array || isList(value)) return value.length === 0;
  if (isMap(value)) return value.keys().length === 0;
  return isObject(value) && (value.isZero?.() === true || ('nanos' in value && value.nanos === 0n));
}

function mustHave({ value }: CelOptional): CelValue {
  if (value === undefined) throw new CelError('optional.none() dereference');
  return value;
}

/** A field of a map or object, of an optional one too. */
export function optionalField(operand: CelValue, field: string): CelOptional {
  const value = operand instanceof CelOptional ? operand.value : operand;
  if (value === undefined) return none;
  if (isMap(value)) return new CelOptional(value.get(field));
  if (isObject(value) && value.field !== undefined) return new CelOptional(value.isSet?.(field) === false ? undefined : value.field(field));
  if (isList(value)) throw new CelError("unsupported index type 'string' in list");
  return none;
}

/** A place in a list. Throws CelError. */
export function indexOf(key: CelValue): bigint {
  const index = numeric(key);
  if (index === undefined) throw new CelError(`unsupported index type '${typeOf(key)}' in list`);
  if (typeof index === 'bigint') return index;
  if (!Number.isInteger(index)) throw new CelError(`unsupported index value ${index} in list`);
  return BigInt(index);
}

export function optionalIndex(operand: CelValue, key: CelValue): CelOptional {
  const value = operand instanceof CelOptional ? operand.value : operand;
  if (value === undefined) return none;
  if (isMap(value)) return new CelOptional((value as CelMap).get(key));
  if (!isList(value)) return none;
  const index = indexOf(key);
  return new CelOptional(index < 0 ? undefined : value[Number(index)]);
}

const t = parameter('T');
const o = optionalOf(t);

export const optionalFunctions: readonly Overload[] = [
  global('optional.of', [t], o, (value: CelValue) => new CelOptional(value)),
  global('optional.ofNonZeroValue', [t], o, (value: CelValue) => (isZero(value) ? none : new CelOptional(value))),
  global('optional.none', [], o, () => none),
  global('optional.unwrap', [listOf(o)], listOf(t), unwrapped),
  member('unwrapOpt', [listOf(o)], listOf(t), unwrapped),
  member('hasValue', [o], bool, ({ value }: CelOptional) => value !== undefined),
  member('value', [o], t, mustHave),
  member('or', [o, o], o, (first: CelOptional, second: CelOptional) => (first.value === undefined ? second : first)),
  member('orValue', [o, t], t, ({ value }: CelOptional, other: CelValue) => value ?? other),
  member('first', [listOf(t)], o, (list: readonly CelValue[]) => new CelOptional(list[0])),
  member('last', [listOf(t)], o, (list: readonly CelValue[]) => new CelOptional(list.at(-1))),
];

function unwrapped(list: readonly CelOptional[]): readonly CelValue[] {
  return list.flatMap(({ value }) => (value === undefined ? [] : [value]));
}
