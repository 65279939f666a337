/**
 * Values of expressions as Go holds them once they leave CEL: in configurations to apply as they are (`Value` of cel-go), in JSON patches through
 * protobuf's Value. Mirrors pkg/cel/mutation/dynamic of apiserver, and ConvertToNative of cel-go common/types.
 */
import { goQuote } from '../apimachinery/quote.ts';
import { formatDurationNanos } from '../apimachinery/time.ts';
import { setOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';
import { CelOptional } from './libraries/optionals.ts';
import { CelDuration, CelTimestamp } from './libraries/times.ts';
import { CelTypeValue, type CelValue, isList, isMap, isObject, Unsigned } from './values.ts';

/** A value that is none of JSON, in Go's three ways to show it, and where it stands. */
export interface OddValue {
  readonly path: readonly (string | number)[];
  readonly print: string;
  readonly syntax: string;
  readonly type: string;
}

export interface NativeValue {
  /** An empty text where an odd value stands. */
  readonly json: JsonValue;
  readonly odd: readonly OddValue[];
}

/** Undefined for what has no such form: a map whose keys are no texts. */
export function nativeOf(value: CelValue): NativeValue | undefined {
  const odd: OddValue[] = [];
  const json = native(value, [], odd);
  return json === undefined ? undefined : { json, odd };
}

type Path = OddValue['path'];

function native(value: CelValue, path: Path, odd: OddValue[]): JsonValue | undefined {
  const shown = oddForms(value);
  if (shown !== undefined) {
    odd.push({ path, ...shown });
    return '';
  }
  // Protobuf's null is the number 0 of an enumeration.
  if (value === null) return 0;
  if (value instanceof CelOptional) return value.value === undefined ? null : native(value.value, path, odd);
  if (value instanceof CelTypeValue) return value.name;
  if (isList(value)) return allOf(value.map((one, index) => native(one, [...path, index], odd)));
  if (isMap(value))
    return entriesOf(
      value.keys().map((key) => [key, value.get(key)] as const),
      path,
      odd,
    );
  if (isObject(value)) return 'fields' in value ? entriesOf([...(value.fields as ReadonlyMap<string, CelValue>)], path, odd) : value.json?.();
  if (value instanceof Unsigned) return Number(value.value);
  return typeof value === 'bigint' ? Number(value) : (value as JsonValue);
}

function allOf(list: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  return list.every((one): one is JsonValue => one !== undefined) ? list : undefined;
}

function entriesOf(entries: readonly (readonly [CelValue, CelValue | undefined])[], path: Path, odd: OddValue[]): JsonValue | undefined {
  const object: { [name: string]: JsonValue } = {};
  for (const [key, one] of entries) {
    const json = typeof key === 'string' && one !== undefined ? native(one, [...path, key], odd) : undefined;
    if (json === undefined) return undefined;
    setOwn(object, key as string, json);
  }
  return object;
}

function oddForms(value: CelValue): Omit<OddValue, 'path'> | undefined {
  if (value instanceof Uint8Array) {
    const bytes = [...value];
    const syntax = `[]uint8{${bytes.map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
    return { print: `[${bytes.join(' ')}]`, syntax, type: '[]uint8' };
  }
  if (value instanceof CelDuration) return { print: formatDurationNanos(value.nanos), syntax: String(value.nanos), type: 'time.Duration' };
  return value instanceof CelTimestamp ? timeForms(value) : undefined;
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

function timeForms(time: CelTimestamp): Omit<OddValue, 'path'> {
  const [date = '', clock = ''] = time.toString().replace('Z', '').split('T');
  const [year, month, day] = date.split('-').map(Number);
  const [hour, minute, second = ''] = clock.split(':');
  const [seconds, fraction = ''] = second.split('.');
  const parts = [year, `time.${months[Number(month) - 1]}`, day, Number(hour), Number(minute), Number(seconds), Number(fraction.padEnd(9, '0'))];
  return { print: `${date} ${clock} +0000 UTC`, syntax: `time.Date(${parts.join(', ')}, time.UTC)`, type: 'time.Time' };
}

/** Names by which libraries refuse to become protobuf's, where they are not their types'. */
const libraryNames: ReadonlyMap<string, string> = new Map([
  ['kubernetes.Quantity', 'Quantity'],
  ['kubernetes.Semver', 'Semver'],
  ['kubernetes.URL', 'URL'],
  ['kubernetes.NamedFormat', 'Format'],
  ['net.IP', 'IP'],
  ['net.CIDR', 'CIDR'],
]);

/** Why a value has no form in JSON; undefined of all that have one. */
export function jsonFault(value: CelValue): string | undefined {
  if (value instanceof CelTypeValue) return "type conversion not supported for 'type'";
  if (value instanceof CelOptional) return value.value === undefined ? 'optional.none() dereference' : jsonFault(value.value);
  if (isList(value)) return firstOf(value, jsonFault);
  if (isMap(value)) return firstOf(value.keys(), (key) => keyFault(key) ?? jsonFault(value.get(key) ?? null));
  if (!isObject(value) || value instanceof CelDuration || value instanceof CelTimestamp) return undefined;
  if ('fields' in value) return firstOf([...(value.fields as ReadonlyMap<string, CelValue>).values()], jsonFault);
  return `type conversion error from ${goQuoted(libraryNames.get(value.celType) ?? value.celType)} to '*structpb.Value'`;
}

function keyFault(key: CelValue): string | undefined {
  if (typeof key === 'bigint') return "unsupported type conversion from 'int' to string";
  if (key instanceof Unsigned) return "unsupported type conversion from 'uint' to string";
  return typeof key === 'boolean' ? "type conversion error from bool to 'string'" : undefined;
}

function firstOf<T>(items: readonly T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function goQuoted(name: string): string {
  return `'${goQuote(name).slice(1, -1)}'`;
}
