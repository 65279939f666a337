/** Functions of an environment: overloads by name. */
import { noOverload } from './no-overload.ts';
import { type CelValue, isList, isMap, isObject, sizeOf, Unsigned } from './values.ts';
import type { CelType } from './types.ts';

export interface Overload {
  readonly name: string;
  /** Called as `target.name(…)`; the target is the first argument. */
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Throws CelError. */
  readonly call: (...args: readonly CelValue[]) => CelValue;
  /** What a call costs at most by the sizes of its arguments; 1 when absent. */
  readonly cost?: (sizes: readonly number[]) => number;
  /** What a call has cost; as `cost` says of the sizes that there were, when absent. */
  readonly spend?: Spend;
  /** The same where upstream goes by the name of the function, and not by the overload. */
  readonly spendByName?: Spend;
  /** How large the result can be. */
  readonly size?: (sizes: readonly number[]) => number;
}

/** What a call costs when it runs, in upstream's units (cel-go interpreter/runtimecost.go); the result is undefined where it failed. */
export type Spend = (values: readonly CelValue[], result: CelValue | undefined) => number;

/** How much a character costs to look at. */
export const traversalCost = 0.1;

/** Of a text or of bytes: looked through so many times. */
export const traversed =
  (times = 1, place = 0): Spend =>
  (values) =>
    Math.ceil(sizeOf(values[place] as CelValue) * times * traversalCost);

type Body<A extends readonly CelValue[]> = (...args: A) => CelValue;
type Extra = Pick<Overload, 'cost' | 'size' | 'spend' | 'spendByName'>;

/** The checker and `accepts` vouch for the types of the arguments, which a body names for itself. */
export function global<A extends readonly CelValue[]>(
  name: string,
  args: readonly CelType[],
  result: CelType,
  call: Body<A>,
  extra: Extra = {},
): Overload {
  return { name, isMember: false, args, result, call: call as unknown as Overload['call'], ...extra };
}

export function member<A extends readonly CelValue[]>(
  name: string,
  args: readonly CelType[],
  result: CelType,
  call: Body<A>,
  extra: Extra = {},
): Overload {
  return { ...global(name, args, result, call, extra), isMember: true };
}

export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

export function functionTable(...libraries: readonly (readonly Overload[])[]): FunctionTable {
  const table = new Map<string, Overload[]>();
  for (const overload of libraries.flat()) {
    const known = table.get(overload.name);
    if (known === undefined) table.set(overload.name, [overload]);
    else known.push(overload);
  }
  return table;
}

/** Calls the overload of a function that takes these values. Throws CelError. */
export function dispatch(functions: FunctionTable, name: string, isMember: boolean, args: readonly CelValue[]): CelValue {
  const overloads = functions.get(name) ?? [];
  for (const overload of overloads) {
    if (overload.isMember !== isMember || overload.args.length !== args.length) continue;
    if (overload.args.every((type, i) => accepts(type, args[i] as CelValue))) return overload.call(...args);
  }
  throw noOverload(name, args);
}

/** Of types whose values have longer names. */
const runtimeNames: ReadonlyMap<string, string> = new Map([
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);

export function accepts(type: CelType, value: CelValue): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'error':
    case 'parameter':
      return true;
    case 'wrapper':
      return value === null || accepts(type.of, value);
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof Unsigned;
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'null':
      return value === null;
    case 'list':
      // Of all elements one type is what lists mostly have.
      return isList(value) && (value.length === 0 || accepts(type.element, value[0] as CelValue));
    case 'map':
      return isMap(value);
    case 'type':
      return isObject(value) && value.celType === 'type';
    case 'optional':
      return isObject(value) && value.celType === 'optional_type';
    case 'opaque':
    case 'object':
      return isObject(value) && value.celType === (runtimeNames.get(type.name) ?? type.name);
  }
}
