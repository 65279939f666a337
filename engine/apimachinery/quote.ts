/**
 * Go's quoted text forms, for messages that upstream writes with %q, and the JSON that Go's encoder would write inside messages.
 * Mirrors strconv.Quote and encoding/json.
 */
import type { JsonValue } from '../base/json.ts';

/** Everything `strconv.Quote` leaves as it is, in the common case. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** Go's %q. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) out += quoteChar(char);
  return `${out}"`;
}

function quoteChar(char: string): string {
  const short = shortEscapes.get(char);
  if (short !== undefined) return short;
  if (!unprintable.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

const escaped: ReadonlyMap<string, string> = new Map([...shortEscapes].map(([char, escape]) => [escape, char]));

/** The text that `goQuote` put in quotes. */
export function goUnquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x..|u.{4}|U.{8}|.)/g, (escape) => escaped.get(escape) ?? String.fromCodePoint(Number.parseInt(escape.slice(2), 16)));
}

/** As Go's package time quotes what it cannot read: what is not printable ASCII byte by byte. */
export function timeQuote(text: string): string {
  let out = '"';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '"' || char === '\\') out += `\\${char}`;
    else out += code < 0x20 || code >= 0x80 ? bytesOf(char) : char;
  }
  return `${out}"`;
}

function bytesOf(char: string): string {
  return [...new TextEncoder().encode(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Go's %v of a double. */
export function goFloat(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && Number.isFinite(value) && (size < 1e-4 || size >= 1e6)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  return String(value);
}

const htmlEscapes: ReadonlyMap<string, string> = new Map([
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

/** JSON as Go's encoding/json writes it by default: without spaces, with <, > and & escaped. Keys keep their order. */
export function goJson(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return escapeHtml(JSON.stringify(value));
  if (isList(value)) return `[${value.map(goJson).join(',')}]`;
  const members = Object.entries(value).map(([key, item]) => `${escapeHtml(JSON.stringify(key))}:${goJson(item)}`);
  return `{${members.join(',')}}`;
}

/** As Go's encoder writes texts. */
export function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => htmlEscapes.get(char) ?? char);
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
