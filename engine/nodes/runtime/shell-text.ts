/** Small text arts of the shell: sleep arguments, printf, date formats, test. */
import type { ShellBudget } from './shell-budget.ts';

/** As one word of a script. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export function parseSleep(args: readonly string[]): number | undefined {
  let total = 0;
  for (const arg of args) {
    if (arg === 'infinity' || arg === 'inf') return Number.POSITIVE_INFINITY;
    const match = /^([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([smhd]?)$/.exec(arg);
    if (match === null) return undefined;
    const unit = match[2] === 'm' ? 60_000 : match[2] === 'h' ? 3_600_000 : match[2] === 'd' ? 86_400_000 : 1000;
    total += Number(match[1]) * unit;
  }
  return args.length === 0 ? undefined : total;
}

/** What a width asks for is paid for before it is made. */
export function printfText(format: string, args: readonly string[], budget: ShellBudget): string {
  let result = '';
  let next = 0;
  let made = 0;
  do {
    made += format.length;
    budget.text(made);
    const before = next;
    result += format.replaceAll(
      /\\(n|t|\\|r)|%(-?[0-9]*)([sdi%])/g,
      (_whole, escape: string | undefined, width: string | undefined, verb: string | undefined) => {
        if (escape !== undefined) return escape === 'n' ? '\n' : escape === 't' ? '\t' : escape === 'r' ? '\r' : '\\';
        if (verb === '%') return '%';
        const text = verb === 's' ? (args[next++] ?? '') : String(Math.trunc(Number(args[next++] ?? 0)));
        const wide = Math.abs(Number(width ?? 0));
        made += Math.max(wide, text.length);
        budget.text(made);
        if (width?.startsWith('-') === true) return text.padEnd(wide);
        return text.padStart(wide, width?.startsWith('0') === true ? '0' : ' ');
      },
    );
    if (next === before) break;
  } while (next < args.length);
  return result;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function formatDate(nowMs: number, format: string): string {
  const date = new Date(nowMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return format.replaceAll(/%([a-zA-Z%])/g, (whole, verb: string) => {
    switch (verb) {
      case 's':
        return String(Math.floor(nowMs / 1000));
      case 'Y':
        return String(date.getUTCFullYear());
      case 'm':
        return two(date.getUTCMonth() + 1);
      case 'd':
        return two(date.getUTCDate());
      case 'e':
        return String(date.getUTCDate()).padStart(2);
      case 'H':
        return two(date.getUTCHours());
      case 'M':
        return two(date.getUTCMinutes());
      case 'S':
        return two(date.getUTCSeconds());
      case 'N':
        return String(Math.round((nowMs % 1000) * 1000))
          .padStart(6, '0')
          .padEnd(9, '0');
      case 'T':
        return time;
      case 'F':
        return day;
      case 'a':
        return days[date.getUTCDay()] ?? '';
      case 'b':
        return months[date.getUTCMonth()] ?? '';
      case 'Z':
        return 'UTC';
      case 'z':
        return '+0000';
      case '%':
        return '%';
      default:
        return whole;
    }
  });
}

/** `test` and `[`: strings, numbers, files, `!`, `-a` and `-o`. */
export function testWords(words: readonly string[], exists: (path: string, flag: string) => boolean): boolean {
  return groups(words, '-o').some((either) => groups(either, '-a').every((both) => testOne(both, exists)));
}

/** The words between these operators; one at the very beginning is a word like any other. */
function groups(words: readonly string[], operator: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const word of words) {
    if (word === operator && (found.at(-1)?.length ?? 0) > 0) found.push([]);
    else found.at(-1)?.push(word);
  }
  return found;
}

function testOne(given: readonly string[], exists: (path: string, flag: string) => boolean): boolean {
  let negations = 0;
  while (given[negations] === '!' && given.length - negations > 1) negations++;
  const holds = testWithoutNot(given.slice(negations), exists);
  return negations % 2 === 0 ? holds : !holds;
}

function testWithoutNot(words: readonly string[], exists: (path: string, flag: string) => boolean): boolean {
  const [a = '', b = '', c = ''] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return a !== '';
  if (words.length === 2) {
    if (a === '-n') return b !== '';
    if (a === '-z') return b === '';
    return ['-e', '-f', '-r', '-s', '-d', '-x', '-w'].includes(a) && exists(b, a);
  }
  const [x, y] = [Number(a), Number(c)];
  switch (b) {
    case '=':
    case '==':
      return a === c;
    case '!=':
      return a !== c;
    case '-eq':
      return x === y;
    case '-ne':
      return x !== y;
    case '-lt':
      return x < y;
    case '-le':
      return x <= y;
    case '-gt':
      return x > y;
    case '-ge':
      return x >= y;
    default:
      return false;
  }
}
