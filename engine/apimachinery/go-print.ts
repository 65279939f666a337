/**
 * Go's printed form of an API object, as upstream hashes it: field names and Go types written out, pointers followed, map keys sorted,
 * nothing left out. Mirrors k8s.io/utils/dump ForHash (spew's `%#v` without methods and addresses) of a value that was decoded from
 * protobuf: there is no empty list and no empty map, they are nil.
 */
import { goQuantityBody } from './go-quantity.ts';
import { goJson } from './quote.ts';
import type { JsonValue } from '../base/json.ts';

/** The Go types that a value is made of. `*`, `[]` and `map[…]` are spelled as Go does. */
export interface GoForms {
  readonly root: string;
  /** Each field: its JSON name (`-` for an embedded struct, whose fields lie in its owner), Go name and Go type. */
  readonly structs: { readonly [type: string]: readonly string[] };
  /** What a named type that is no struct stands for. */
  readonly named: { readonly [type: string]: string };
}

const nil = '<nil>';
/** Seconds from year 1, which Go's times count from, to 1970. */
const secondsTo1970 = 62_135_596_800;

/** The value as Go prints it, its type in front. */
export function printGo(forms: GoForms, value: unknown): string {
  return printTyped(forms, forms.root, value);
}

function printTyped(forms: GoForms, type: string, value: unknown): string {
  if (!type.startsWith('*')) return `(${type})${printBare(forms, type, value)}`;
  return `(${type})${isNil(value) ? nil : printBare(forms, type.slice(1), value)}`;
}

/** Without its type: elements of lists and maps are printed so. */
function printBare(forms: GoForms, type: string, value: unknown): string {
  if (type.startsWith('*')) return isNil(value) ? nil : `<*>${printBare(forms, type.slice(1), value)}`;
  if (type.startsWith('[]')) return printList(forms, type.slice(2), value);
  if (type.startsWith('map[')) return printMap(forms, type.slice(type.indexOf(']') + 1), value);
  switch (type) {
    case 'string':
      return isNil(value) ? '' : String(value);
    case 'bool':
      return value === true ? 'true' : 'false';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
      return isNil(value) ? '0' : String(value);
    case 'resource.Quantity':
      return goQuantityBody(isNil(value) ? '0' : String(value));
    case 'intstr.IntOrString':
      return intOrStringBody(value);
    case 'v1.Time':
      return timeBody(value);
    case 'v1.FieldsV1':
      return `{Raw:([]uint8)${isNil(value) ? nil : `[${new TextEncoder().encode(goJson(value as JsonValue)).join(' ')}]`}}`;
    default:
      return printNamed(forms, type, value);
  }
}

function printNamed(forms: GoForms, type: string, value: unknown): string {
  const stands = forms.named[type];
  if (stands !== undefined) return printBare(forms, stands, value);
  const rows = forms.structs[type];
  if (rows === undefined) throw new Error(`the Go type ${type} is not known`);
  const fields = rows.map((row) => {
    const [json = '', name = '', fieldType = ''] = row.split(' ');
    return `${name}:${printTyped(forms, fieldType, json === '-' ? value : memberOf(value, json))}`;
  });
  return `{${fields.join(' ')}}`;
}

function printList(forms: GoForms, type: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return nil;
  return `[${value.map((element: unknown) => printBare(forms, type, element)).join(' ')}]`;
}

function printMap(forms: GoForms, type: string, value: unknown): string {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return nil;
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${sorted.map(([key, member]: [string, unknown]) => `${key}:${printBare(forms, type, member)}`).join(' ')}]`;
}

function intOrStringBody(value: unknown): string {
  const [kind, number, text] = typeof value === 'string' ? [1, 0, value] : [0, isNil(value) ? 0 : String(value), ''];
  return `{Type:(intstr.Type)${kind} IntVal:(int32)${number} StrVal:(string)${text}}`;
}

/** What a process without a time zone of its own knows of its place: Go prints it with every time but the zero one. */
const location = [
  '(*time.Location){name:(string)UTC zone:([]time.zone)<nil> tx:([]time.zoneTrans)<nil> extend:(string)',
  'cacheStart:(int64)0 cacheEnd:(int64)0 cacheZone:(*time.zone)<nil>}',
].join(' ');

function timeBody(value: unknown): string {
  const isSet = typeof value === 'string';
  const seconds = isSet ? Math.floor(Date.parse(value) / 1000) + secondsTo1970 : 0;
  return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${seconds} loc:${isSet ? location : `(*time.Location)${nil}`}}}`;
}

function isNil(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
