/** Values of flags as Go reads them, with its words for what it cannot read (strconv, time.ParseDuration, spf13/pflag). */
import { parseCIDR, parseIP } from '../../apimachinery/ip.ts';
import { parseQuantity, QuantityError } from '../../apimachinery/quantity.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { readCsvRecord } from './go-csv.ts';
import { goInteger } from './go-integers.ts';
import { ValueError } from './value-error.ts';
import { goBool } from '../../apimachinery/go-bool.ts';

export type FlagType =
  | 'string'
  | 'bool'
  | 'int'
  | 'int32'
  | 'uint'
  | 'float'
  | 'float64'
  | 'duration'
  | 'ip'
  | 'strings'
  | 'ints'
  | 'gates'
  | 'labels'
  | 'severity'
  | 'certkey'
  | 'cidrs'
  | 'quantity'
  | 'vmodule'
  | 'version';

/** Which daemons read it: those of now, or those of release 1.13, built with Go 1.11. */
export type FlagDialect = 'present' | 'old';

const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const hexNumber = /^[+-]?0[xX]([\da-fA-F]+\.?[\da-fA-F]*|\.[\da-fA-F]+)[pP][+-]?\d+$/;
const specialNumber = /^([+-]?inf(inity)?|nan)$/i;
const float32Max = 3.4028235677973366e38;
const unitsOfTime = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h']);
const severities = new Set(['INFO', 'WARNING', 'ERROR', 'FATAL']);

/** Throws a ValueError for what the type does not take; gives the text that stands for the value. */
export function normalized(type: FlagType, text: string, dialect: FlagDialect = 'present'): string {
  switch (type) {
    case 'bool':
      return String(parseBool(text));
    case 'int':
    case 'int32':
      return String(goInteger(text, type === 'int32' ? 32 : 64, dialect));
    case 'uint':
      return verbosity(text, dialect);
    case 'severity':
      return severities.has(text.toUpperCase()) ? text : verbosity(text, 'old');
    case 'float':
      return parseFloating(text, float32Max, dialect);
    case 'float64':
      return parseFloating(text, Number.POSITIVE_INFINITY, dialect);
    case 'duration':
      checkDuration(text, dialect);
      return text;
    case 'ip':
      return address(text, dialect);
    case 'certkey':
      checkCertKey(text);
      return text;
    case 'cidrs':
      for (const part of text.split(',')) if (parseCIDR(part) === undefined) throw new ValueError(`invalid CIDR address: ${part}`);
      return text;
    case 'strings':
      readCsvRecord(text, dialect);
      return text;
    case 'ints':
      for (const part of text.split(',')) goInteger(part, 32, 'decimal');
      return text;
    case 'quantity':
      checkQuantity(text);
      return text;
    case 'vmodule':
      for (const part of text.split(',').filter((one) => one !== '')) checkPatternLevel(part, dialect);
      return text;
    case 'version':
      if (dialect === 'present' && text.startsWith('v') && !/^v\d+\.\d+\.\d+/.test(text))
        throw new ValueError(`illegal version string ${JSON.stringify(text)}`);
      return text === 'raw' || (dialect === 'present' && text.startsWith('v')) ? text : String(parseBool(text));
    case 'labels':
      for (const part of text.split('=').length === 2 ? [text] : text.split(','))
        if (!part.includes('=')) throw new ValueError(`${part} must be formatted as key=value`);
      return text;
    default:
      return text;
  }
}

function parseBool(text: string): boolean {
  const value = goBool(text);
  if (value === undefined) throw syntax('ParseBool', text);
  return value;
}

function verbosity(text: string, dialect: FlagDialect): string {
  if (dialect === 'old') return String(goInteger(text, 64, 'Atoi'));
  if (text.startsWith('-') || text.startsWith('+')) throw syntax('ParseUint', text);
  return String(goInteger(text, 32, 'ParseUint'));
}

/** `max` is the first number that is too large. */
function parseFloating(text: string, max: number, dialect: FlagDialect): string {
  if (specialNumber.test(text)) return /nan/i.test(text) ? 'NaN' : text.startsWith('-') ? '-Infinity' : 'Infinity';
  const isHex = dialect === 'present' && hexNumber.test(text);
  // Go of now takes underlines between digits.
  const plain = dialect === 'present' ? text.replaceAll(/(?<=\d)_(?=\d)/g, '') : text;
  if (!isHex && !decimalNumber.test(plain)) throw syntax('ParseFloat', text);
  const value = isHex ? hexValue(text) : Number(plain);
  if (Math.abs(value) >= max) throw new ValueError(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: value out of range`);
  return String(value);
}

/** `0x1.8p-2` */
function hexValue(text: string): number {
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]?0x/i, '').split(/p/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const value = Number.parseInt(`${whole}${fraction}` || '0', 16) * 2 ** (Number(exponent) - 4 * fraction.length);
  return text.startsWith('-') ? -value : value;
}

function address(text: string, dialect: FlagDialect): string {
  const trimmed = text.trim();
  const hasZeros = dialect === 'present' && /^[\d.]+$/.test(trimmed) && trimmed.split('.').some((part) => /^0\d/.test(part));
  if (trimmed === '' && dialect === 'present') return '';
  if (hasZeros || parseIP(withoutZeros(trimmed)) === undefined) throw new ValueError(`failed to parse IP: ${JSON.stringify(text)}`);
  return withoutZeros(trimmed);
}

/** Go 1.11 read `01.2.3.4` as a decimal address. */
function withoutZeros(text: string): string {
  return /^[\d.]+$/.test(text) ? text.replaceAll(/(^|\.)0+(?=\d)/g, '$1') : text;
}

function checkCertKey(text: string): void {
  const colon = text.indexOf(':');
  if ((colon < 0 ? text : text.slice(0, colon)).split(',').length !== 2)
    throw new ValueError('expected comma separated certificate and key file paths');
  if (colon >= 0 && text.slice(colon + 1).trim() === '') throw new ValueError('empty names list is not allowed');
}

function checkQuantity(text: string): void {
  try {
    parseQuantity(text);
  } catch (error) {
    throw error instanceof QuantityError ? new ValueError(error.message) : error;
  }
}

/** `pattern=N`: how much is logged by files of such a name. */
function checkPatternLevel(part: string, dialect: FlagDialect): void {
  const [pattern, level, ...more] = part.split('=');
  const isPair = level !== undefined && pattern !== '' && level !== '' && more.length === 0;
  if (dialect === 'old') {
    if (!isPair || !/^[+-]?\d+$/.test(level)) throw new ValueError('syntax error: expect comma-separated list of filename=N');
    if (level.startsWith('-')) throw new ValueError('negative value for vmodule level');
    return;
  }
  if (!isPair) throw new ValueError(`${JSON.stringify(part)} does not have the pattern=N format`);
  try {
    normalized('uint', level);
  } catch (error) {
    throw error instanceof ValueError ? new ValueError(`parsing verbosity in ${JSON.stringify(part)}: ${error.message}`) : error;
  }
}

function checkDuration(text: string, dialect: FlagDialect): void {
  if (parseDuration(text) !== undefined) return;
  const quoted = (said: string | undefined): string => (dialect === 'old' ? (said ?? '') : JSON.stringify(said));
  const [, number, unit] = /^[+-]?(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(text) ?? [];
  if (number === undefined) throw new ValueError(`time: invalid duration ${quoted(text)}`);
  if (unit === '') throw new ValueError(`time: missing unit in duration ${quoted(text)}`);
  if (!unitsOfTime.has(unit ?? '')) throw new ValueError(`time: unknown unit ${quoted(unit)} in duration ${quoted(text)}`);
  throw new ValueError(`time: invalid duration ${quoted(text)}`);
}

function syntax(parser: string, text: string): ValueError {
  return new ValueError(`strconv.${parser}: parsing ${JSON.stringify(text)}: invalid syntax`);
}
