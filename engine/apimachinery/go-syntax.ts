/**
 * Values as Go's `%#v` writes them, by the types that they have there: what old releases show of an object in a refusal. Where a pointer
 * leads nobody can tell, so its address is always the same.
 */
import { decodeBase64 } from '../base/base64.ts';
import { getOwn, setOwn } from '../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type GoQuantity, goQuantityOf } from './go-quantity.ts';
import { goFloat, goQuote } from './quote.ts';
import { parseTime } from './time.ts';

/**
 * Structs by their Go names: of each field, in order, its name, its type, the name under which clients write it (`-`: its members stand beside the others) and
 * that of Go's encoder (absent: the name in Go; `-`: as before). What a name that is no struct stands for is a string that is a type.
 */
export interface GoTypes {
  readonly [type: string]: readonly string[] | string;
}

/** Where every pointer leads. */
const goAddress = '0xc000010000';

/** `value` may have members under their names in JSON or in Go; what is not there is Go's zero. */
export function goSyntaxOf(types: GoTypes, type: string, value: JsonValue | undefined): string {
  return type === '[]byte' ? bytes(value, type) : innerSyntax(types, type, value);
}

/** Inside of a value bytes are numbers. */
function innerSyntax(types: GoTypes, type: string, value: JsonValue | undefined): string {
  if (type.startsWith('*')) return `(${type})(${isNone(value) ? 'nil' : goAddress})`;
  if (type === '[]byte') return bytes(value, '[]uint8');
  if (type.startsWith('[]')) return listSyntax(types, type, value);
  if (type.startsWith('map[')) return mapSyntax(types, type, type.slice(type.indexOf(']') + 1), value);
  switch (type) {
    case 'string':
      return goQuote(isNone(value) ? '' : String(value));
    case 'bool':
      return value === true ? 'true' : 'false';
    case 'int':
    case 'int32':
    case 'int64':
      return isNone(value) ? '0' : String(value);
    case 'resource.Quantity':
      return quantity(value);
    case 'intstr.IntOrString':
      return intOrString(value);
    case 'v1.Time':
      return time(value);
    case 'interface {}':
    case 'apiextensions.JSON':
      return goSyntaxOfJson(value ?? null);
    default:
      return named(types, type, value);
  }
}

/** As Go holds JSON of no type: in maps whose members stand in order. */
function goSyntaxOfJson(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
  if (Array.isArray(value)) return `[]interface {}{${(value as readonly JsonValue[]).map(goSyntaxOfJson).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${sorted.map(([key, inner]) => `${goQuote(key)}:${goSyntaxOfJson(inner)}`).join(', ')}}`;
}

function named(types: GoTypes, type: string, value: JsonValue | undefined): string {
  const told = getOwn(types, type);
  if (told === undefined) return innerSyntax(types, 'string', value);
  if (typeof told === 'string')
    return told.startsWith('map[') ? mapSyntax(types, type, told.slice(told.indexOf(']') + 1), value) : innerSyntax(types, told, value);
  const fields = told.map((row) => {
    const [name = '', fieldType = '', place = ''] = row.split(' ');
    return `${name}:${innerSyntax(types, fieldType, place === '-' ? value : memberOf(value, place, name))}`;
  });
  return `${type}{${fields.join(', ')}}`;
}

/** Seconds from year 1, which Go's times count from, to 1970. */
const secondsTo1970 = 62_135_596_800;

/** Of whole seconds. */
function time(value: JsonValue | undefined): string {
  const ms = typeof value === 'string' ? parseTime(value) : undefined;
  const [ext, location] = ms === undefined ? [0, 'nil'] : [Math.floor(ms / 1000) + secondsTo1970, goAddress];
  return `v1.Time{Time:time.Time{wall:0x0, ext:${ext}, loc:(*time.Location)(${location})}}`;
}

function listSyntax(types: GoTypes, type: string, value: JsonValue | undefined): string {
  if (!Array.isArray(value)) return `${type}(nil)`;
  return `${type}{${(value as readonly JsonValue[]).map((one) => innerSyntax(types, type.slice(2), one)).join(', ')}}`;
}

function mapSyntax(types: GoTypes, type: string, elements: string, value: JsonValue | undefined): string {
  const shown = type.replace('[]byte', '[]uint8');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${shown}(nil)`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${shown}{${entries.map(([key, inner]) => `${goQuote(key)}:${elements === 'resource.Quantity' ? quantity(inner, true) : innerSyntax(types, elements, inner)}`).join(', ')}}`;
}

function bytes(value: JsonValue | undefined, type: '[]byte' | '[]uint8'): string {
  if (typeof value !== 'string') return `${type}(nil)`;
  const decoded = decodeBase64(value);
  return decoded === undefined ? `${type}(nil)` : `${type}{${[...decoded].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

/** Nothing is taken for what is not there, unless somebody has said it (`isSaid`). */
function quantity(value: JsonValue | undefined, isSaid = false): string {
  const text = isNone(value) ? '' : String(value);
  if (text === '' || (text === '0' && !isSaid)) return quantitySyntax({ short: [0n, 0], long: undefined, text: '', format: '' });
  return quantitySyntax(goQuantityOf(text));
}

/** An amount that is there, in the form in which it was given. */
export function goSyntaxOfQuantity(text: string): string {
  return quantitySyntax(goQuantityOf(text));
}

/** An amount in list of resources: what is less than a thousandth counts as one, and is written anew. */
export function goSyntaxOfResource(text: string): string {
  const given = goQuantityOf(text);
  const [value, scale] = given.short ?? given.long ?? [0n, 0];
  if (given.short === undefined || scale >= milli) return quantitySyntax(given);
  const unit = 10n ** BigInt(milli - scale);
  const whole = value / unit;
  const rounded = value % unit === 0n ? whole : value < 0n ? whole - 1n : whole + 1n;
  return quantitySyntax({ ...given, short: [rounded, milli], text: '' });
}

const milli = -3;

function quantitySyntax({ short, long, text, format }: Omit<GoQuantity, 'format'> & { readonly format: string }): string {
  const [amount, scale] = short ?? [0n, 0];
  const far = `resource.infDecAmount{Dec:(*inf.Dec)(${long === undefined ? 'nil' : goAddress})}`;
  return `resource.Quantity{i:resource.int64Amount{value:${amount}, scale:${scale}}, d:${far}, s:${goQuote(text)}, Format:${goQuote(format)}}`;
}

function intOrString(value: JsonValue | undefined): string {
  const [kind, number, text] = typeof value === 'string' ? [1, 0, value] : [0, isNone(value) ? 0 : String(value), ''];
  return `intstr.IntOrString{Type:${kind}, IntVal:${number}, StrVal:${goQuote(text)}}`;
}

function isNone(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** By the name that clients use, or that of Go. */
function memberOf(value: JsonValue | undefined, place: string, name: string): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  return getOwn(value, place) ?? getOwn(value, name);
}

/** `value` as Go's encoder writes the type: names of Go where there are no tags, everything that is there, in order. */
export function goEncoded(types: GoTypes, type: string, value: JsonValue | undefined): JsonValue {
  if (type.startsWith('*')) return isNone(value) ? null : goEncoded(types, type.slice(1), value);
  const stands = getOwn(types, type);
  if (typeof stands === 'string') return goEncoded(types, stands, value);
  if (stands !== undefined) return encodedStruct(types, stands, value);
  if (type === '[]byte') return value ?? null;
  if (type.startsWith('[]')) return Array.isArray(value) ? (value as readonly JsonValue[]).map((one) => goEncoded(types, type.slice(2), one)) : null;
  if (type.startsWith('map[')) {
    const elements = type.slice(type.indexOf(']') + 1);
    const sorted = isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : undefined;
    return sorted === undefined ? null : Object.fromEntries(sorted.map(([key, one]) => [key, goEncoded(types, elements, one)]));
  }
  return isNone(value) ? zeroOf(type) : value;
}

function encodedStruct(types: GoTypes, rows: readonly string[], value: JsonValue | undefined): JsonObject {
  const out: { [name: string]: JsonValue } = {};
  for (const row of rows) {
    const [name = '', fieldType = '', place = '', tag = name] = row.split(' ');
    const inner = place === '-' ? value : memberOf(value, place, name);
    const [told = '', omits] = tag.split(',');
    const encoded = goEncoded(types, fieldType, inner);
    if (told === '-') Object.assign(out, encoded);
    else if (omits === undefined || !isEmpty(encoded, types, fieldType)) setOwn(out, told, encoded);
  }
  return out;
}

/** As `omitempty` means it: structs never are. */
function isEmpty(encoded: JsonValue, types: GoTypes, type: string): boolean {
  if (encoded === null) return getOwn(types, type) === undefined && type !== 'v1.Time' && type !== 'v1.MicroTime';
  if (type.startsWith('*')) return false;
  return encoded === '' || encoded === false || encoded === 0 || (/^\[\]|^map\[/.test(type) && Object.keys(encoded).length === 0);
}

function zeroOf(type: string): JsonValue {
  if (type === 'bool') return false;
  if (/^u?int\d*$|^float|^intstr\.IntOrString$/.test(type)) return 0;
  if (type === 'resource.Quantity') return '0';
  if (type === 'v1.Duration') return '0s';
  return /^v1\.(?:Micro)?Time$|^runtime\.|^interface/.test(type) ? null : '';
}
