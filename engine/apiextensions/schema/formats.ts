/**
 * Formats of texts that schemas name, and which of them a release checks. Mirrors pkg/validation/strfmt of kube-openapi and
 * pkg/apiserver/validation/formats.go of apiextensions-apiserver: names are compared without dashes, and a format that is not known is
 * as if it were not there.
 */
import { isDate, isDateTime } from '../../apimachinery/date-text.ts';
import { parseCIDR, parseIP } from '../../apimachinery/ip.ts';
import { parseDurationNanos } from '../../apimachinery/time.ts';
import { isUrl } from '../../cel/libraries/urls.ts';
import { isEmail } from './email.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);
const hex = '[0-9a-fA-F]';
const uuid = (version: string, variant: string): Check =>
  matches(new RegExp(`^${hex}{8}-?${hex}{4}-?${version}${hex}{3}-?${variant}${hex}{3}-?${hex}{12}$`));
const colorPart = '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const cardPattern =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const hostPattern =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
const shortName = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const shortNamePattern = new RegExp(`^${shortName}$`);
const longNamePattern = new RegExp(`^${shortName}(?:\\.${shortName})*$`);

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isUrl],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && parseIP(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && parseIP(text)?.leadingZeros === false],
  ['cidr', (text) => parseCIDR(text) !== undefined],
  ['mac', isMac],
  ['uuid', uuid(hex, hex)],
  ['uuid3', uuid('3', hex)],
  ['uuid4', uuid('4', '[89abAB]')],
  ['uuid5', uuid('5', '[89abAB]')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matches(new RegExp(`^rgb\\([\\t\\n\\f\\r ]*${Array(3).fill(colorPart).join('[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*')}[\\t\\n\\f\\r ]*\\)$`)),
  ],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && shortNamePattern.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longNamePattern.test(text)],
]);

/** Without dashes. */
export const formatsOfToday: ReadonlySet<string> = new Set(checks.keys());

/** The format as validation sees it: empty where it is not checked for values of these types. */
export function checkedFormat(format: string, types: readonly string[], formats: ReadonlySet<string>): string {
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string') return formats.has(plainName(format)) ? format : '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  return '';
}

/** Undefined where nobody knows the format. */
export function formatCheck(format: string): Check | undefined {
  return checks.get(plainName(format));
}

function plainName(format: string): string {
  return format.replaceAll('-', '');
}

/** Lengths are judged in bytes; they come first, so that the pattern is never tried on a long text. */
function isHostname(text: string): boolean {
  if (text.length > 255 || Buffer.byteLength(text) > 255) return false;
  return hostPattern.test(text) && text.split('.').every((part) => Buffer.byteLength(part) <= 63);
}

/** Six or eight bytes, or twenty, in pairs or in fours. */
function isMac(text: string): boolean {
  const { length } = text;
  if (text[2] === ':' || text[2] === '-') {
    const mark = text[2];
    if (![6, 8, 20].includes((length + 1) / 3)) return false;
    return text.split(mark).every((pair) => /^[0-9a-fA-F]{2}$/.test(pair));
  }
  return text[4] === '.' && [6, 8, 20].includes((2 * (length + 1)) / 5) && text.split('.').every((four) => /^[0-9a-fA-F]{4}$/.test(four));
}

function isIsbn10(text: string): boolean {
  const plain = text.replace(/[\t\n\f\r -]/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(plain)) return false;
  const sum = [...plain].reduce((all, digit, place) => all + (place + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const plain = text.replace(/[\t\n\f\r -]/g, '');
  if (!/^[0-9]{13}$/.test(plain)) return false;
  const sum = [...plain.slice(0, 12)].reduce((all, digit, place) => all + (place % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return Number(plain[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const plain = text.replace(/[^0-9]/g, '');
  if (!cardPattern.test(plain)) return false;
  const sum = [...plain].reverse().reduce((all, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** A full last group has to be there, so the empty text is none. */
function isBase64(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return false;
  return true;
}

/** Abbreviations stand alone; a whole word may go on, as in `seconds`. */
const units: readonly { readonly names: readonly string[]; readonly start: string; readonly nanos: bigint }[] = [
  { names: ['ns'], start: 'nano', nanos: 1n },
  { names: ['us', 'µs'], start: 'micro', nanos: 1000n },
  { names: ['ms'], start: 'milli', nanos: 1_000_000n },
  { names: ['s'], start: 'sec', nanos: 1_000_000_000n },
  { names: ['m'], start: 'min', nanos: 60_000_000_000n },
  { names: ['h', 'hr'], start: 'hour', nanos: 3_600_000_000_000n },
  { names: ['d'], start: 'day', nanos: 86_400_000_000_000n },
  { names: ['w', 'wk'], start: 'week', nanos: 604_800_000_000_000n },
];
const durationPart = /(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const countMax = 9_223_372_036_854_775_807n;

/** Go's durations, and those of Scala: `2 days 3 hours`. */
function isDuration(text: string): boolean {
  return parseDurationNanos(text) !== undefined || parseWordyDuration(text) !== undefined;
}

/** Nanoseconds of a duration in words; they wrap around as 64 bits do. Undefined where no word is a unit. */
export function parseWordyDuration(text: string): bigint | undefined {
  let all: bigint | undefined;
  for (const [, count = '', word = ''] of text.matchAll(durationPart)) {
    const digits = count.replace(/^0+/, '');
    if (digits.length > 19 || BigInt(`0${digits}`) > countMax) return undefined;
    const unit = word.toLowerCase();
    const found = units.find(({ names, start }) => names.includes(unit) || unit.startsWith(start));
    if (found !== undefined) all = BigInt.asIntN(64, (all ?? 0n) + BigInt(`0${digits}`) * found.nanos);
  }
  return all;
}
