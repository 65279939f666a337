/**
 * Values as Go's `%#v` writes them, by the types that they have there: what old releases show of an object in a refusal. Where a pointer
 * leads nobody can tell, so its address is always the same.
 */
import { decodeBase64 } from '../base/base64.ts';
import { getOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';
import { goQuote } from './quote.ts';
import { parseTime } from './time.ts';

/** Structs by their Go names: each field's name and type, in order, and `inline` where its members stand in JSON beside the others. What a name that is no struct stands for is a string that is a type. */
export interface GoTypes {
  readonly [type: string]: readonly string[] | string;
}

/** Where every pointer leads. */
export const goAddress = '0xc000010000';

/** `value` may have members under their names in JSON or in Go; what is not there is Go's zero. */
export function goSyntaxOf(types: GoTypes, type: string, value: JsonValue | undefined): string {
  if (type.startsWith('*')) return `(${type})(${isNone(value) ? 'nil' : goAddress})`;
  if (type === '[]byte') return bytes(value);
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
    default:
      return named(types, type, value);
  }
}

function named(types: GoTypes, type: string, value: JsonValue | undefined): string {
  const told = types[type];
  if (told === undefined) return goSyntaxOf(types, 'string', value);
  if (typeof told === 'string')
    return told.startsWith('map[') ? mapSyntax(types, type, told.slice(told.indexOf(']') + 1), value) : goSyntaxOf(types, told, value);
  const fields = told.map((row) => {
    const [name = '', fieldType = '', place] = row.split(' ');
    return `${name}:${goSyntaxOf(types, fieldType, place === 'inline' ? value : memberOf(value, name))}`;
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
  if (!Array.isArray(value) || value.length === 0) return `${type}(nil)`;
  return `${type}{${(value as readonly JsonValue[]).map((one) => goSyntaxOf(types, type.slice(2), one)).join(', ')}}`;
}

function mapSyntax(types: GoTypes, type: string, elements: string, value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${type}(nil)`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${type}{${entries.map(([key, inner]) => `${goQuote(key)}:${elements === 'resource.Quantity' ? quantity(inner, true) : goSyntaxOf(types, elements, inner)}`).join(', ')}}`;
}

function bytes(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return '[]byte(nil)';
  const decoded = decodeBase64(value);
  return decoded === undefined ? '[]byte(nil)' : `[]byte{${[...decoded].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

const scales: { readonly [suffix: string]: number } = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** What was parsed keeps its text when that is the canonical one, which it is wherever it has been decoded once. Nothing is taken for what is not there, unless somebody has said it (`isSaid`). */
function quantity(value: JsonValue | undefined, isSaid = false): string {
  const text = isNone(value) ? '' : String(value);
  const rest = 'd:resource.infDecAmount{Dec:(*inf.Dec)(nil)}';
  const binary = /^(-?\d+)([KMGTPE])i$/.exec(text);
  if (binary !== null) {
    const amount = BigInt(binary[1] ?? 0) * 1024n ** BigInt('KMGTPE'.indexOf(binary[2] ?? '') + 1);
    return `resource.Quantity{i:resource.int64Amount{value:${amount}, scale:0}, ${rest}, s:${goQuote(text)}, Format:"BinarySI"}`;
  }
  const [, digits = '0', suffix = ''] = /^(-?\d+)([numkMGTPE]?)$/.exec(text) ?? [];
  const format = text === '' || (text === '0' && !isSaid) ? '' : 'DecimalSI';
  const shown = format === '' ? '' : text;
  return `resource.Quantity{i:resource.int64Amount{value:${digits}, scale:${getOwn(scales, suffix) ?? 0}}, ${rest}, s:${goQuote(shown)}, Format:${goQuote(format)}}`;
}

function intOrString(value: JsonValue | undefined): string {
  const [kind, number, text] = typeof value === 'string' ? [1, 0, value] : [0, isNone(value) ? 0 : String(value), ''];
  return `intstr.IntOrString{Type:${kind}, IntVal:${number}, StrVal:${goQuote(text)}}`;
}

function isNone(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** `clusterIP` is ClusterIP in Go. */
function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const found = Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : (value as { readonly [key: string]: JsonValue })[found];
}
