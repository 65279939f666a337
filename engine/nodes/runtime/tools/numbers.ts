/** `seq` and `expr`: numbers of scripts. */
import type { CommandContext, SimpleCommand } from '../shell-commands.ts';
import { compileExpression, type Expression, ExpressionFault } from './expressions.ts';
import { defineTool } from './options.ts';

const seq: SimpleCommand = defineTool({
  name: 'seq',
  options: 'ws:',
  usage: '[-w] [-s SEP] [FIRST [INC]] LAST',
  stopsEarly: true,
  atLeast: 1,
  run: (options, { budget }, { out, err }) => {
    const wrong = options.rest.find((text) => !/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text));
    if (wrong !== undefined || options.rest.length > 3) {
      err('BusyBox multi-call binary.\n\nUsage: seq [-w] [-s SEP] [FIRST [INC]] LAST\n');
      return { status: 1 };
    }
    const numbers = options.rest.map(Number);
    const from = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
    const by = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
    const to = numbers.at(-1) ?? 0;
    const decimals = Math.min(20, Math.max(...options.rest.map((text) => /\.(\d*)/.exec(text)?.[1]?.length ?? 0)));
    if (by === 0) {
      err(`seq: zero increment is not simulated\n`);
      return { status: 1 };
    }
    const count = Math.max(0, Math.floor((to - from) / by + 1e-9) + 1);
    const width = options.has('w') ? Math.max(from.toFixed(decimals).length, to.toFixed(decimals).length) : 0;
    budget.text(count * Math.max(width, from.toFixed(decimals).length, 1));
    const lines: string[] = [];
    for (let at = 0; at < count; at++) {
      const text = (from + at * by).toFixed(decimals);
      lines.push(text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0'));
    }
    const separator = options.value('s') ?? '\n';
    budget.text(count * separator.length);
    if (lines.length > 0) out(`${lines.join(separator)}\n`);
    return { status: 0 };
  },
});

/** What `expr` cannot answer. */
class ExprFault extends Error {}

const levels: readonly (readonly string[])[] = [['|'], ['&'], ['=', '==', '!=', '<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%'], [':']];

const expr: SimpleCommand = (args, context, { out, err }) => {
  if (args.length === 0) {
    err('expr: too few arguments\n');
    return { status: 2 };
  }
  try {
    const reader = new ExprReader(args[0] === '--' ? args.slice(1) : args, context);
    const value = reader.level(0);
    if (!reader.isOver) throw new ExprFault('syntax error');
    out(`${value}\n`);
    return { status: value === '' || /^-?0+$/.test(value) ? 1 : 0 };
  } catch (error) {
    if (!(error instanceof ExprFault)) throw error;
    err(`expr: ${error.message}\n`);
    return { status: 2 };
  }
};

class ExprReader {
  #at = 0;
  readonly #words: readonly string[];
  readonly #context: CommandContext;

  constructor(words: readonly string[], context: CommandContext) {
    this.#words = words;
    this.#context = context;
  }

  get isOver(): boolean {
    return this.#at === this.#words.length;
  }

  level(index: number): string {
    const operators = levels[index];
    if (operators === undefined) return this.#one();
    let left = this.level(index + 1);
    while (operators.includes(this.#words[this.#at] ?? '')) {
      const operator = this.#words[this.#at++] as string;
      left = calculate(left, operator, this.level(index + 1), this.#context);
    }
    return left;
  }

  #one(): string {
    const word = this.#words[this.#at++];
    if (word === undefined) throw new ExprFault('syntax error');
    if (word === '(') {
      const value = this.#context.budget.nested(() => this.level(0));
      if (this.#words[this.#at++] !== ')') throw new ExprFault('syntax error');
      return value;
    }
    if (word === 'length' && !this.isOver) return String([...this.#one()].length);
    if (word === 'match' && !this.isOver) return matched(this.#one(), this.#one(), this.#context);
    if (word === 'substr' && !this.isOver) {
      const [text, from, length] = [this.#one(), number(this.#one()), number(this.#one())];
      return from < 1 || length < 1 ? '' : text.slice(from - 1, from - 1 + length);
    }
    if (word === 'index' && !this.isOver) {
      const [text, set] = [this.#one(), this.#one()];
      this.#context.budget.product(text.length, set.length);
      return String([...text].findIndex((char) => set.includes(char)) + 1);
    }
    return word;
  }
}

function number(text: string): number {
  if (!/^-?\d{1,19}$/.test(text)) throw new ExprFault('non-numeric argument');
  return Number(text);
}

function calculate(a: string, operator: string, b: string, context: CommandContext): string {
  const isNothing = (text: string): boolean => text === '' || /^-?0+$/.test(text);
  switch (operator) {
    case '|':
      return isNothing(a) ? b : a;
    case '&':
      return isNothing(a) || isNothing(b) ? '0' : a;
    case ':':
      return matched(a, b, context);
    case '+':
      return whole(number(a) + number(b));
    case '-':
      return whole(number(a) - number(b));
    case '*':
      return whole(number(a) * number(b));
    case '/':
    case '%': {
      const [x, y] = [number(a), number(b)];
      if (y === 0) throw new ExprFault('division by zero');
      return whole(operator === '/' ? Math.trunc(x / y) : x % y);
    }
    default:
      return compared(a, operator, b) ? '1' : '0';
  }
}

function whole(value: number): string {
  return BigInt.asIntN(64, BigInt(value)).toString();
}

function compared(a: string, operator: string, b: string): boolean {
  const areNumbers = /^-?\d{1,19}$/.test(a) && /^-?\d{1,19}$/.test(b);
  const [x, y] = areNumbers ? [Number(a), Number(b)] : [a, b];
  switch (operator) {
    case '=':
    case '==':
      return x === y;
    case '!=':
      return x !== y;
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    default:
      return x >= y;
  }
}

/** What the first group matches at the beginning, or how many characters the whole does. */
function matched(text: string, pattern: string, { budget }: CommandContext): string {
  const expression = compiled(pattern);
  const match = expression.at(text, 0, budget);
  if (expression.groups > 0) return match?.groups[0] ?? '';
  return String(match === undefined ? 0 : match.end);
}

function compiled(pattern: string): Expression {
  try {
    return compileExpression(`^${pattern.replace(/^\^/, '')}`, { isExtended: false });
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    throw new ExprFault(error.message);
  }
}

export const numberTools: { readonly [name: string]: SimpleCommand } = { seq, expr };
