/** `test` and `[`: strings, numbers, files, `!`, `-a`, `-o` and parentheses. */
import type { CommandContext, SimpleCommand } from '../shell-commands.ts';
import { holdsOf } from '../shell-files.ts';

/** What a test cannot answer. */
class TestFault extends Error {}

const onFiles: ReadonlySet<string> = new Set([
  '-e',
  '-f',
  '-d',
  '-s',
  '-r',
  '-w',
  '-x',
  '-L',
  '-h',
  '-p',
  '-S',
  '-b',
  '-c',
  '-u',
  '-g',
  '-k',
  '-O',
  '-G',
  '-t',
]);
const compares: ReadonlySet<string> = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);

const test: SimpleCommand = (args, context, { err }) => {
  context.budget.text(args.length);
  try {
    return { status: answer(args, context) ? 0 : 1 };
  } catch (error) {
    if (!(error instanceof TestFault)) throw error;
    err(`${context.shellName}: ${error.message}\n`);
    return { status: 2 };
  }
};

const bracket: SimpleCommand = (args, context, streams) => {
  if (args.at(-1) === ']') return test(args.slice(0, -1), context, streams);
  streams.err(`${context.shellName}: missing ]\n`);
  return { status: 2 };
};

export const testTools: { readonly [name: string]: SimpleCommand } = { test, '[': bracket };

/** What few words ask says POSIX; more of them are read from left to right. */
function answer(words: readonly string[], context: CommandContext): boolean {
  const [a = '', b = '', c = ''] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return a !== '';
  if (words.length === 2 && a === '!') return b === '';
  if (words.length === 3 && compares.has(b)) return compare(a, b, c);
  const reader = new Reader(words, context);
  const holds = reader.either();
  if (reader.at < words.length) throw new TestFault(`${words[reader.at]}: unknown operand`);
  return holds;
}

class Reader {
  at = 0;
  readonly #words: readonly string[];
  readonly #context: CommandContext;

  constructor(words: readonly string[], context: CommandContext) {
    this.#words = words;
    this.#context = context;
  }

  either(): boolean {
    let holds = this.#both();
    while (this.#takes('-o')) holds = this.#both() || holds;
    return holds;
  }

  #both(): boolean {
    let holds = this.#one();
    while (this.#takes('-a')) holds = this.#one() && holds;
    return holds;
  }

  #takes(word: string): boolean {
    if (this.#words[this.at] !== word) return false;
    this.at++;
    return true;
  }

  #one(): boolean {
    let negations = 0;
    while (this.#words[this.at] === '!' && this.at + 1 < this.#words.length) {
      negations++;
      this.at++;
    }
    const holds = this.#plain();
    return negations % 2 === 0 ? holds : !holds;
  }

  #plain(): boolean {
    const [word, next, third] = this.#words.slice(this.at, this.at + 3);
    if (word === undefined) throw new TestFault('argument expected');
    if (next !== undefined && third !== undefined && compares.has(next)) {
      this.at += 3;
      return compare(word, next, third);
    }
    if (next !== undefined && compares.has(next)) throw new TestFault(`${next}: argument expected`);
    if (word === '(' && next !== undefined) {
      this.at++;
      const holds = this.#context.budget.nested(() => this.either());
      if (!this.#takes(')')) throw new TestFault('closing paren expected');
      return holds;
    }
    if (next !== undefined && (word === '-n' || word === '-z' || onFiles.has(word))) {
      this.at += 2;
      if (word === '-n' || word === '-z') return (next === '') === (word === '-z');
      return asksFile(word, next, this.#context);
    }
    this.at++;
    return word !== '';
  }
}

function asksFile(flag: string, path: string, context: CommandContext): boolean {
  if (flag === '-t') return (context.host.terminal?.() ?? null) !== null && /^[012]$/.test(path);
  return path !== '' && holdsOf(flag, path, context);
}

function compare(a: string, operator: string, b: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '-nt':
    case '-ot':
    case '-ef':
      throw new TestFault(`${operator}: times of files are not simulated`);
    default:
      return compareNumbers(numberOf(a), operator, numberOf(b));
  }
}

function numberOf(text: string): number {
  const trimmed = text.trim();
  if (!/^[-+]?\d{1,19}$/.test(trimmed))
    throw new TestFault(`${text}: ${trimmed === '' || !/^[-+]?\d/.test(trimmed) ? 'bad number' : 'out of range'}`);
  return Number(trimmed);
}

function compareNumbers(x: number, operator: string, y: number): boolean {
  switch (operator) {
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
    default:
      return x >= y;
  }
}
