/** `printf` and `echo`. */
import type { CommandContext, SimpleCommand, Streams } from '../shell-commands.ts';

const simple: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
]);

/** `\n`, `\t`, `\012`, `\x0a`; `isEnded` where a `\c` says that nothing follows. Octal numbers have a zero more where `zero` says so. */
export function unescape(text: string, zero: boolean): { readonly text: string; readonly isEnded: boolean } {
  let isEnded = false;
  const pattern = zero ? /\\(?:0([0-7]{0,3})|x([\da-fA-F]{1,2})|([^]))/g : /\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|([^]))/g;
  const end = /(?:^|[^\\])(?:\\\\)*\\c/.exec(text);
  const shown = end === null ? text : text.slice(0, end.index + end[0].length - 2);
  if (end !== null) isEnded = true;
  const made = shown.replaceAll(pattern, (whole, octal: string | undefined, hex: string | undefined, char: string | undefined) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal === '' ? '0' : octal, 8) & 255);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return simple.get(char ?? '') ?? whole;
  });
  return { text: made, isEnded };
}

export const echo: SimpleCommand = (args, { budget }, { out }) => {
  let at = 0;
  let flags = '';
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) flags += (args[at] ?? '').slice(1);
  const text = args.slice(at).join(' ');
  budget.text(text.length);
  const isRead = flags.lastIndexOf('e') > flags.lastIndexOf('E');
  const shown = isRead ? unescape(text, true) : { text, isEnded: false };
  out(shown.text + (flags.includes('n') || shown.isEnded ? '' : '\n'));
  return { status: 0 };
};

const conversion = /%(?:%|([-+ #0]*)(\*|\d{1,9})?(?:\.(\*|\d{0,9}))?([a-zA-Z]))/g;

/** What a width asks for is paid for before it is made. */
export const printf: SimpleCommand = ([format, ...args], context, streams) => {
  if (format === undefined) {
    streams.err('printf: usage: printf FORMAT [ARG]...\n');
    return { status: 1 };
  }
  const given = format === '--' ? (args.shift() ?? '') : format;
  const run = new Printing(args, context, streams);
  do {
    const before = run.next;
    run.format(given);
    if (run.next === before) break;
  } while (run.next < args.length && !run.isEnded);
  streams.out(run.text);
  return { status: run.status };
};

class Printing {
  text = '';
  next = 0;
  status = 0;
  isEnded = false;
  readonly #args: readonly string[];
  readonly #context: CommandContext;
  readonly #streams: Streams;

  constructor(args: readonly string[], context: CommandContext, streams: Streams) {
    this.#args = args;
    this.#context = context;
    this.#streams = streams;
  }

  format(format: string): void {
    let from = 0;
    for (const match of format.matchAll(conversion)) {
      this.#plain(format.slice(from, match.index));
      if (this.isEnded) return;
      from = match.index + match[0].length;
      if (match[0] === '%%') this.#add('%');
      else this.#convert(match[0], match[1] ?? '', match[2], match[3], match[4] ?? '');
      if (this.isEnded) return;
    }
    this.#plain(format.slice(from));
  }

  #plain(text: string): void {
    const shown = unescape(text, false);
    this.isEnded = shown.isEnded;
    this.#add(shown.text);
  }

  #add(text: string): void {
    this.#context.budget.text(this.text.length + text.length);
    this.text += text;
  }

  #convert(whole: string, given: string, widthText: string | undefined, precisionText: string | undefined, verb: string): void {
    const width = widthText === '*' ? this.#number() : Number(widthText ?? 0);
    const precision = precisionText === '*' ? this.#number() : precisionText === undefined ? undefined : Number(precisionText);
    const flags = width < 0 ? `${given}-` : given;
    this.#context.budget.text(this.text.length + Math.abs(width) + (precision ?? 0));
    const body = this.#body(verb, flags, precision);
    if (body === undefined) {
      this.#streams.err(`printf: ${whole}: invalid format\n`);
      this.status = 1;
      this.isEnded = true;
      return;
    }
    const isNumber = /[diouxXfeEgG]/.test(verb);
    this.#add(padded(body, Math.abs(width), flags, isNumber && (precision === undefined || /[feEgG]/.test(verb))));
  }

  #body(verb: string, flags: string, precision: number | undefined): string | undefined {
    switch (verb) {
      case 's':
        return (this.#args[this.next++] ?? '').slice(0, precision);
      case 'b': {
        const shown = unescape(this.#args[this.next++] ?? '', true);
        this.isEnded = shown.isEnded;
        return shown.text.slice(0, precision);
      }
      case 'c':
        return (this.#args[this.next++] ?? '').slice(0, 1);
      case 'd':
      case 'i':
        return signed(wholeDigits(Math.abs(this.#number()), 10, precision), this.#last < 0, flags);
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        const value = BigInt.asUintN(64, BigInt(this.#number()));
        const digits = value.toString(verb === 'o' ? 8 : verb === 'u' ? 10 : 16).padStart(precision ?? 1, '0');
        const prefix = flags.includes('#') && value !== 0n ? (verb === 'o' ? '0' : verb === 'u' ? '' : '0x') : '';
        return verb === 'X' ? (prefix + digits).toUpperCase() : prefix + digits;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
        return signed(realDigits(Math.abs(this.#real()), verb, Math.min(100, precision ?? 6)), this.#last < 0, flags);
      default:
        return undefined;
    }
  }

  #last = 0;

  /** The next argument as a whole number: of C, or a character behind a quote. */
  #number(): number {
    const text = this.#args[this.next++] ?? '';
    this.#last = 0;
    if (/^['"]/.test(text)) return (this.#last = text.codePointAt(1) ?? 0);
    const [digits = '', sign = '', hex, octal] = /^\s*([-+]?)(?:0[xX]([\da-fA-F]+)|0([0-7]+)|\d+)/.exec(text.slice(0, 400)) ?? [];
    if (digits === '' || digits.length !== text.length) this.#refuse(text);
    if (digits !== '')
      this.#last = hex !== undefined ? Number(`0x${hex}`) : octal !== undefined ? Number.parseInt(octal, 8) : Math.abs(Number(digits));
    if (sign === '-') this.#last = -this.#last;
    this.#last = Math.max(-(2 ** 63), Math.min(2 ** 63, this.#last));
    return this.#last;
  }

  #real(): number {
    const text = this.#args[this.next++] ?? '0';
    this.#last = Number(text.slice(0, 400));
    if (text.trim() === '' || Number.isNaN(this.#last)) {
      this.#refuse(text);
      this.#last = 0;
    }
    return this.#last;
  }

  #refuse(text: string): void {
    this.#streams.out(this.text);
    this.text = '';
    this.#streams.err(`${this.#context.shellName}: invalid number '${text}'\n`);
    this.status = 1;
  }
}

function wholeDigits(value: number, base: number, precision: number | undefined): string {
  return BigInt(value)
    .toString(base)
    .padStart(precision ?? 1, '0');
}

function signed(digits: string, isNegative: boolean, flags: string): string {
  return (isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + digits;
}

function realDigits(value: number, verb: string, precision: number): string {
  if (!Number.isFinite(value)) return 'inf';
  const exponent = (text: string): string => text.replace(/e([-+])(\d)$/, 'e$10$2');
  const lower = verb.toLowerCase();
  if (lower === 'f') return value.toFixed(precision);
  if (lower === 'e') return inCase(exponent(value.toExponential(precision)), verb);
  const significant = Math.max(1, precision);
  const power = value === 0 ? 0 : Number(value.toExponential(significant - 1).split('e')[1]);
  const isSmall = power < -4 || power >= significant;
  const text = isSmall ? exponent(value.toExponential(significant - 1)) : value.toFixed(Math.max(0, significant - 1 - power));
  return inCase(text.includes('.') ? text.replace(/\.?0+(?=e|$)/, '') : text, verb);
}

function inCase(text: string, verb: string): string {
  return verb === verb.toUpperCase() ? text.toUpperCase() : text;
}

function padded(text: string, width: number, flags: string, takesZeros: boolean): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || !takesZeros) return text.padStart(width);
  const [sign = ''] = /^(?:[-+ ]|0x|0X)?/.exec(text) ?? [];
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}
