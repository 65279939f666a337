/** Values as the YAML that a real server puts into the protobuf forms of its documents. Mirrors the emitter and stringv of go.yaml.in/yaml/v3. */
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';

/** With a line break at its end. */
export function yamlValue(value: JsonValue): string {
  return `${blockLines(value, 0).join('\n')}\n`;
}

/** The lines of a value that stands `indent` blanks in, with these blanks. */
function blockLines(value: JsonValue, indent: number): readonly string[] {
  if (isEmptyOrScalar(value)) {
    const [first, ...others] = scalarLines(value, indent);
    return [' '.repeat(indent) + first, ...others];
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((item) => itemLines(item, indent));
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => memberLines(key, inner, indent));
}

function itemLines(item: JsonValue, indent: number): readonly string[] {
  const [first = '', ...others] = blockLines(item, indent + 2);
  return [`${' '.repeat(indent)}- ${first.slice(indent + 2)}`, ...others];
}

function memberLines(key: string, value: JsonValue, indent: number): readonly string[] {
  const name = ' '.repeat(indent) + scalarText(key);
  if (!isEmptyOrScalar(value)) return [`${name}:`, ...blockLines(value, nextIndent(indent))];
  const [first, ...others] = scalarLines(value, indent);
  return [`${name}: ${first}`, ...others];
}

function isEmptyOrScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** To the next multiple of four. */
function nextIndent(indent: number): number {
  return 4 * Math.floor((indent + 4) / 4);
}

function scalarLines(value: JsonValue, indent: number): readonly [string, ...string[]] {
  if (typeof value !== 'string') return [JSON.stringify(value)];
  if (!value.includes('\n') || !isBlock(value)) return [scalarText(value)];
  const blanks = ' '.repeat(nextIndent(indent));
  const hint = /^[ \n]/.test(value) ? '4' : '';
  const chomp = value.endsWith('\n') ? (value.endsWith('\n\n') || value === '\n' ? '+' : '') : '-';
  const lines = (chomp === '-' ? value : value.slice(0, -1)).split('\n');
  return [`|${hint}${chomp}`, ...lines.map((line) => (line === '' ? '' : blanks + line))];
}

/** No blank at the end of a line, and nothing that is not printed. */
function isBlock(text: string): boolean {
  return !/ (\n|$)/.test(text) && !unprintable.test(text.replaceAll('\n', ''));
}

function scalarText(value: string): string {
  if (meansMore(value)) return doubleQuoted(value);
  if (isPlain(value)) return value;
  return unprintable.test(value) ? doubleQuoted(value) : `'${value.replaceAll("'", "''")}'`;
}

const unprintable = /[\p{Cc}\ufeff\ufffe\uffff]/u;
const words: ReadonlySet<string> = new Set(
  ['y', 'yes', 'on', 'n', 'no', 'off', 'true', 'false', 'null', '.nan', '.inf', '+.inf', '-.inf'].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  ]),
);
const numbers = [
  /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/,
  /^[-+]?0(x[0-9a-fA-F]+|o?[0-7]+|b[01]+)$/,
  /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/,
  /^\d{4}-\d\d?-\d\d?([Tt ].*)?$/,
];

/** Whether it would be read as something else than text. */
function meansMore(text: string): boolean {
  if (text === '' || text === '~' || text === '<<' || words.has(text)) return true;
  const digits = text.replaceAll('_', '');
  return /^[-+.0-9]/.test(text) && numbers.some((form) => form.test(text) || form.test(digits));
}

/** Whether it can stand without quotes in a block. */
function isPlain(text: string): boolean {
  if (/^(---|\.\.\.)/.test(text) || /^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[?:-]( |$)/.test(text)) return false;
  return !/^ | $|: |:$| #|[\u2028\u2029]/.test(text) && !unprintable.test(text);
}

const escapes: { readonly [char: string]: string } = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** With escapes of YAML. */
function doubleQuoted(text: string): string {
  const body = text.replace(/["\\\p{Cc}\ufeff]/gu, (char) => getOwn(escapes, char) ?? escaped(char.charCodeAt(0)));
  return `"${body}"`;
}

function escaped(code: number): string {
  return code < 256 ? `\\x${code.toString(16).toUpperCase().padStart(2, '0')}` : `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
