/** Words to text: variables, substitutions, arithmetic, splitting at blanks. */
import type { Arithmetic, Part, Word } from './shell-code.ts';
import type { CommandContext } from './shell-commands.ts';

/** Words of a command: unquoted expansions are split, empty ones vanish. */
export function expandWords(words: readonly Word[], context: CommandContext): string[] {
  const result: string[] = [];
  for (const word of words) expandInto(result, word, context);
  return result;
}

/** One text, without splitting: assignments, redirections, patterns. */
export function expandText(word: Word, context: CommandContext): string {
  return word.map((part) => partText(part, context)).join('');
}

function expandInto(result: string[], word: Word, context: CommandContext): void {
  const [only] = word;
  if (word.length === 1 && only?.type === 'variable' && only.quoted && only.name === '@') {
    result.push(...context.state.args.slice(1));
    return;
  }
  let current: string | undefined;
  for (const part of word) {
    const text = partText(part, context);
    if (part.type === 'text' || part.quoted) {
      current = (current ?? '') + text;
      continue;
    }
    const pieces = text.split(/[ \t\n]+/);
    pieces.forEach((piece, i) => {
      if (i > 0 && current !== undefined) {
        result.push(current);
        current = undefined;
      }
      if (piece !== '') current = (current ?? '') + piece;
    });
  }
  if (current !== undefined) result.push(current);
}

function partText(part: Part, context: CommandContext): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'command': {
      const result = context.nested(part.code, '');
      context.state.status = result.exitCode;
      return result.output.replace(/\n+$/, '');
    }
    case 'arithmetic':
      return String(evaluate(part.expression, context));
    case 'variable':
      return variableText(part, context);
  }
}

function variableText(part: Extract<Part, { type: 'variable' }>, context: CommandContext): string {
  const value = lookup(part.name, context);
  const operand = (): string => (part.operand === undefined ? '' : expandText(part.operand, context));
  switch (part.operator) {
    case 'length':
      return String((value ?? '').length);
    case '-':
      return value ?? operand();
    case ':-':
      return value === undefined || value === '' ? operand() : value;
    case '=':
    case ':=': {
      if (value !== undefined && (value !== '' || part.operator === '=')) return value;
      const text = operand();
      context.state.vars[part.name] = text;
      return text;
    }
    case '+':
      return value === undefined ? '' : operand();
    case ':+':
      return value === undefined || value === '' ? '' : operand();
    case '#':
    case '##':
    case '%':
    case '%%':
      return strip(value ?? '', operand(), part.operator);
    default:
      return value ?? '';
  }
}

export function lookup(name: string, context: CommandContext): string | undefined {
  const { state } = context;
  switch (name) {
    case '?':
      return String(state.status);
    case '#':
      return String(Math.max(0, state.args.length - 1));
    case '@':
    case '*':
      return state.args.slice(1).join(' ');
    case '$':
      return '1';
    case 'RANDOM':
      return String((Math.imul(Math.floor(context.nowMs), 1103515245) >>> 16) % 32768);
    case 'SECONDS':
      return String(Math.floor(context.nowMs / 1000));
    default:
      if (/^[0-9]+$/.test(name)) return name === '0' ? (state.args[0] ?? 'sh') : state.args[Number(name)];
      return state.vars[name] ?? context.host.env()[name];
  }
}

function strip(value: string, pattern: string, operator: string): string {
  const lengths = Array.from({ length: value.length + 1 }, (_, i) => i);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    if (operator[0] === '#' && matchesPattern(value.slice(0, length), pattern)) return value.slice(length);
    if (operator[0] === '%' && matchesPattern(value.slice(value.length - length), pattern)) return value.slice(0, value.length - length);
  }
  return value;
}

/** Shell patterns with `*` and `?`, in linear space and without regular expressions. */
export function matchesPattern(text: string, pattern: string): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '?' || (pattern[p] !== '*' && pattern[p] === text[t]))) {
      t++;
      p++;
    } else if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

export function evaluate(expression: Arithmetic, context: CommandContext): number {
  switch (expression.type) {
    case 'number':
      return expression.value;
    case 'name':
      return toNumber(lookup(expression.name, context));
    case 'word':
      return toNumber(expandText(expression.word, context));
    case 'ternary':
      return evaluate(evaluate(expression.test, context) === 0 ? expression.no : expression.yes, context);
    case 'unary':
      return unary(expression, context);
    case 'binary':
      return binary(expression, context);
  }
}

function unary(expression: Extract<Arithmetic, { type: 'unary' }>, context: CommandContext): number {
  const value = evaluate(expression.operand, context);
  switch (expression.operator) {
    case '++':
    case '--': {
      const next = value + (expression.operator === '++' ? 1 : -1);
      if (expression.operand.type === 'name') context.state.vars[expression.operand.name] = String(next);
      return expression.prefix ? next : value;
    }
    case '!':
      return value === 0 ? 1 : 0;
    case '~':
      return ~value;
    case '-':
      return -value;
    default:
      return value;
  }
}

function binary({ operator, left, right }: Extract<Arithmetic, { type: 'binary' }>, context: CommandContext): number {
  if (operator === '&&') return evaluate(left, context) !== 0 && evaluate(right, context) !== 0 ? 1 : 0;
  if (operator === '||') return evaluate(left, context) !== 0 || evaluate(right, context) !== 0 ? 1 : 0;
  const b = evaluate(right, context);
  if (operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator) && left.type === 'name') {
    const value = operator === '=' ? b : compute(operator.slice(0, -1), evaluate(left, context), b);
    context.state.vars[left.name] = String(value);
    return value;
  }
  return compute(operator, evaluate(left, context), b);
}

function compute(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? 0 : Math.trunc(a / b);
    case '%':
      return b === 0 ? 0 : a % b;
    case '**': {
      let result = 1;
      for (let i = 0; i < b && i < 1024; i++) result *= a;
      return result;
    }
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a === b ? 0 : 1;
    case '<':
      return a < b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    default:
      return 0;
  }
}

function toNumber(text: string | undefined): number {
  const value = Number(text === undefined || text.trim() === '' ? 0 : text);
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}
