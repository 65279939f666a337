/** Values of flags as Go reads them, with its words for what it cannot read (strconv, time.ParseDuration, spf13/pflag). */
import { parseDuration } from '../../apimachinery/time.ts';
import { parseIP } from '../../apimachinery/ip.ts';
import { parseQuantity, QuantityError } from '../../apimachinery/quantity.ts';

export type FlagType =
  | 'string'
  | 'bool'
  | 'int'
  | 'int32'
  | 'uint'
  | 'float'
  | 'duration'
  | 'ip'
  | 'strings'
  | 'ints'
  | 'pairs'
  | 'certkey'
  | 'quantity'
  | 'vmodule'
  | 'version';

/** A text that is none of the type; the message is Go's. */
export class ValueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ValueError';
  }
}

const trueTexts = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);
const int32Max = 2 ** 31 - 1;
const wholeNumber = /^[+-]?\d+$/;
const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const unitsOfTime = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h']);

/** Throws a ValueError for what the type does not take; gives the text that stands for the value. */
export function normalized(type: FlagType, text: string): string {
  switch (type) {
    case 'bool':
      return String(parseBool(text));
    case 'int':
    case 'int32':
      return String(parseWhole('ParseInt', text, type === 'int32' ? int32Max : Number.MAX_SAFE_INTEGER));
    case 'uint':
      if (text.startsWith('-') || text.startsWith('+')) throw syntax('ParseUint', text);
      return String(parseWhole('ParseUint', text, int32Max));
    case 'float':
      if (!decimalNumber.test(text)) throw syntax('ParseFloat', text);
      return String(Number(text));
    case 'duration':
      checkDuration(text);
      return text;
    case 'ip':
      if (parseIP(text.trim()) === undefined) throw new ValueError(`failed to parse IP: ${JSON.stringify(text)}`);
      return text.trim();
    case 'certkey':
      if (text.split(':')[0]?.split(',').length !== 2) throw new ValueError('expected comma separated certificate and key file paths');
      return text;
    case 'ints':
      for (const part of text.split(',')) parseWhole('ParseInt', part.trim(), int32Max);
      return text;
    case 'quantity':
      checkQuantity(text);
      return text;
    case 'vmodule':
      for (const part of text.split(',').filter((one) => one !== '')) checkPatternLevel(part);
      return text;
    case 'version':
      if (text.startsWith('v') && !/^v\d+\.\d+\.\d+/.test(text)) throw new ValueError(`illegal version string ${JSON.stringify(text)}`);
      return text === 'raw' || text.startsWith('v') ? text : String(parseBool(text));
    case 'pairs':
      for (const part of text.split(','))
        if (part.trim() !== '' && !part.includes('=')) throw new ValueError(`missing bool value for ${part.trim()}`);
      return text;
    default:
      return text;
  }
}

export function parseBool(text: string): boolean {
  if (trueTexts.has(text)) return true;
  if (falseTexts.has(text)) return false;
  throw syntax('ParseBool', text);
}

function parseWhole(parser: string, text: string, max: number): number {
  if (!wholeNumber.test(text)) throw syntax(parser, text);
  const value = Number(text);
  if (Math.abs(value) > max) throw new ValueError(`strconv.${parser}: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}

function checkQuantity(text: string): void {
  try {
    parseQuantity(text);
  } catch (error) {
    throw error instanceof QuantityError ? new ValueError(error.message) : error;
  }
}

/** `pattern=N`: how much is logged by files of such a name. */
function checkPatternLevel(part: string): void {
  const [pattern, level, ...more] = part.split('=');
  if (level === undefined || pattern === '' || level === '' || more.length > 0)
    throw new ValueError(`${JSON.stringify(part)} does not have the pattern=N format`);
  try {
    normalized('uint', level);
  } catch (error) {
    throw error instanceof ValueError ? new ValueError(`parsing verbosity in ${JSON.stringify(part)}: ${error.message}`) : error;
  }
}

function checkDuration(text: string): void {
  if (parseDuration(text) !== undefined) return;
  const quoted = JSON.stringify(text);
  const [, number, unit] = /^[+-]?(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(text) ?? [];
  if (number === undefined) throw new ValueError(`time: invalid duration ${quoted}`);
  if (unit === '') throw new ValueError(`time: missing unit in duration ${quoted}`);
  if (!unitsOfTime.has(unit ?? '')) throw new ValueError(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`);
  throw new ValueError(`time: invalid duration ${quoted}`);
}

function syntax(parser: string, text: string): ValueError {
  return new ValueError(`strconv.${parser}: parsing ${JSON.stringify(text)}: invalid syntax`);
}
