/**
 * How go-yaml 2 writes a text: plain where it can, between single quotes where only its form forbids that, between double ones where it would be
 * read as something else, as a block where it has several lines; folded at the first space behind column 80. Mirrors its encode.go, resolve.go and
 * emitterc.go. Linear in the text.
 */

export interface TextPlace {
  /** Where on its line the text begins, in characters from 0. */
  readonly column: number;
  /** How far in its further lines stand. */
  readonly indent: number;
}

const columnMax = 80;
/** Begins with a letter or as a path does, and holds nothing that YAML gives a meaning there; the words that are no text stand below. */
const simple = /^[A-Za-z/](?:[!-9;-~]|:(?=[!-~])| (?=[!"$-~]))*$/;
const words = new Set(
  ['', '~', '.nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF', 'y Y yes Yes YES true True TRUE on On ON n N no No NO']
    .concat('false False FALSE off Off OFF null Null NULL')
    .flatMap((list) => list.split(' ')),
);
const wordLengthMax = 5;
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const dotted = /^\.\d+(?:[eE][-+]?\d+)?$/;
const otherInteger = /^[-+]?0(?:[xX][\da-fA-F]+|[bB][01]+|[oO][0-7]+)$/;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const time = /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;
/** What cannot be printed, as go-yaml sees it: beside control characters, all beyond the basic plane. A line feed can. */
const unprintable = /[^\P{Cc}\n]|[\ufeff\ufffe\uffff\u{10000}-\u{10ffff}]/u;
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\0': '0',
    '\x07': 'a',
    '\b': 'b',
    '\t': 't',
    '\n': 'n',
    '\v': 'v',
    '\f': 'f',
    '\r': 'r',
    '\x1b': 'e',
    '"': '"',
    '\\': '\\',
  }).concat([
    ['\x85', 'N'],
    ['\u2028', 'L'],
    ['\u2029', 'P'],
  ]),
);
const escaped = /["\\\p{Cc}\u2028\u2029\ufeff\ufffe\uffff\u{10000}-\u{10ffff}]/gu;
/** Longer ones, in bytes, may not stand as a key in one line. */
const keyBytesMax = 128;
/** Breaks that other readers take for none: such texts are escaped. */
const oddBreak = /[\u2028\u2029]/;

/** A text as the value of a key, or an item of a list. */
export function writeText(text: string, place: TextPlace): string {
  if (isSimple(text)) return folded(text, place, false);
  if (text.includes('\n')) return mayBeBlock(text) ? block(text, place) : doubleQuoted(text, place);
  if (isOther(text)) return doubleQuoted(text, place);
  if (mayBePlain(text)) return folded(text, place, false);
  return maySingleQuote(text) ? `'${folded(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, true)}'` : doubleQuoted(text, place);
}

/** A text as a key in one line; undefined where it cannot be one. */
export function writeKey(key: string): string | undefined {
  if (isSimple(key) && key.length <= keyBytesMax) return key;
  if (key.includes('\n') || new TextEncoder().encode(key).length > keyBytesMax) return undefined;
  // Plain, it would say that another map is meant.
  return key === '<<' ? '"<<"' : writeText(key, { column: Number.NEGATIVE_INFINITY, indent: 0 });
}

function isSimple(text: string): boolean {
  return simple.test(text) && (text.length > wordLengthMax || !words.has(text));
}

/** Whether it would be read as something that is no text, and is given in double quotes. */
function isOther(text: string): boolean {
  if (text.length <= wordLengthMax && words.has(text)) return true;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return dotted.test(text);
  if (first !== 0x2b && first !== 0x2d && (first < 0x30 || first > 0x39)) return false;
  if (sexagesimal.test(text) || isTime(text)) return true;
  const digits = text.replaceAll('_', '');
  return decimal.test(digits) ? Number.isFinite(Number(digits)) : otherInteger.test(digits) && isInRange(digits);
}

/** Whether 64 bits hold it. */
function isInRange(digits: string): boolean {
  const value = BigInt(digits.replace(/^[-+]/, ''));
  return digits.startsWith('-') ? value <= 1n << 63n : value < 1n << 64n;
}

function isTime(text: string): boolean {
  const found = time.exec(text);
  if (found === null) return false;
  const [year, month, day, ...clock] = found.slice(1).map((part) => (part === undefined ? 0 : Number(part))) as [number, number, number, ...number[]];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days && clock.every((value, index) => value < (index % 3 === 0 ? 24 : 60));
}

function mayBePlain(text: string): boolean {
  if (text.startsWith(' ') || text.endsWith(' ') || oddBreak.test(text) || unprintable.test(text)) return false;
  if (/^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?:[ \t]|$))/.test(text)) return false;
  return !/:(?:[ \t]|$)|[ \t]#/.test(text);
}

function maySingleQuote(text: string): boolean {
  return !unprintable.test(text) && !oddBreak.test(text);
}

function mayBeBlock(text: string): boolean {
  return !text.endsWith(' ') && !text.includes(' \n') && maySingleQuote(text);
}

/** A line ends at a space behind the column, unless another space stands beside it; `isQuoted`: neither at its first character nor its last. */
function folded(text: string, place: TextPlace, isQuoted: boolean): string {
  return fold(text, place, (at) => text[at + 1] !== ' ' && (!isQuoted || (at > 0 && at < text.length - 1)), '');
}

/** `mayEnd`: whether a line may end at the space there; `beforeSpace` is put in front of a space with which a line would begin. */
function fold(text: string, { column, indent }: TextPlace, mayEnd: (at: number) => boolean, beforeSpace: string): string {
  const first = Math.max(0, columnMax + 1 - column);
  if (text.length <= first || !text.includes(' ', first)) return text;
  const next = `\n${' '.repeat(indent)}`;
  const parts: string[] = [];
  let [from, now, isBehindSpace] = [0, column, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === ' ') {
      if (!isBehindSpace && now > columnMax && mayEnd(at)) {
        parts.push(text.slice(from, at), next, text[at + 1] === ' ' ? beforeSpace : '');
        from = at + 1;
        now = indent + (text[at + 1] === ' ' ? beforeSpace.length : 0);
      } else now++;
      isBehindSpace = true;
      continue;
    }
    isBehindSpace = false;
    // Two of them are one character.
    if (character < '\udc00' || character > '\udfff') now++;
  }
  return parts.join('') + text.slice(from);
}

function doubleQuoted(text: string, { column, indent }: TextPlace): string {
  const inner = text.replace(escaped, escapeOf);
  const place = { column: column + 1, indent };
  return `"${fold(inner, place, (at) => at > 0 && at < inner.length - 1, '\\')}"`;
}

function escapeOf(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return `\\${known}`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

/** Lines as they are; a mark says how many breaks stand at the end, and a digit that the first line begins with a space or is empty. */
function block(text: string, { indent }: TextPlace): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = text.replaceAll(/(^|\n)(?=[^\n])/g, `$1${' '.repeat(indent)}`);
  // The line that it stands on ends behind it.
  return `|${hint}${chomp}\n${lines.endsWith('\n') ? lines.slice(0, -1) : lines}`;
}

/** Whether one key stands before the other: letters behind all else, and numbers by what they count. Mirrors go-yaml's sorter.go. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  if (at >= a.length || at >= b.length) return a.length - b.length;
  const [one, other] = [characterAt(a, at), characterAt(b, at)];
  const [isLetter, isOtherLetter] = [letter.test(one), letter.test(other)];
  const byCode = (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  if (isLetter || isOtherLetter) return isLetter && isOtherLetter ? byCode : isLetter ? 1 : -1;
  const isInNumber = (one === '0' || other === '0') && isBehindDigits(a, at);
  const [digits, otherDigits] = [digitsAt(a, at), digitsAt(b, at)];
  const lead = isInNumber ? '1' : '0';
  const [value, otherValue] = [BigInt(lead + digits), BigInt(lead + otherDigits)];
  if (value !== otherValue) return value < otherValue ? -1 : 1;
  return digits.length === otherDigits.length ? byCode : digits.length - otherDigits.length;
}

const letter = /^\p{L}/u;

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Whether a number other than zero has begun before. */
function isBehindDigits(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0 && /\d/.test(text[before] as string); before--) if (text[before] !== '0') return true;
  return false;
}

function digitsAt(text: string, at: number): string {
  return /^\d*/.exec(text.slice(at, at + digitsMax))?.[0] ?? '';
}

/** More than any number that is told apart. */
const digitsMax = 512;

/** As Go shows what is no integer: with an exponent from a million on, and below a ten-thousandth. */
export function writeNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 64)) return BigInt(value).toString();
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
