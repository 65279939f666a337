/** Words to text: variables, substitutions, arithmetic, splitting at blanks. */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { ShellBudget } from './shell-budget.ts';
import type { Arithmetic, Part, Word } from './shell-code.ts';
import type { CommandContext } from './shell-commands.ts';

/** Words of a command: unquoted expansions are split, empty ones vanish. */
export function expandWords(words: readonly Word[], context: CommandContext): string[] {
  const result: string[] = [];
  let chars = 0;
  for (const word of words) {
    const before = result.length;
    expandInto(result, word, context);
    for (let i = before; i < result.length; i++) chars += (result[i] ?? '').length + 1;
    context.budget.text(chars);
  }
  return result;
}

/** One text, without splitting: assignments, redirections, patterns. */
export function expandText(word: Word, context: CommandContext): string {
  let text = '';
  for (const part of word) {
    text += partText(part, context);
    context.budget.text(text.length);
  }
  return text;
}

/** Sets a variable, whatever its name, and counts what all of them hold. */
export function setVariable(name: string, value: string, { state, budget }: CommandContext): void {
  state.held += value.length - (getOwn(state.vars, name)?.length ?? -name.length);
  budget.text(state.held);
  setOwn(state.vars, name, value);
}

function expandInto(result: string[], word: Word, context: CommandContext): void {
  const [only] = word;
  if (word.length === 1 && only?.type === 'variable' && only.quoted && only.name === '@') {
    for (const arg of context.state.args.slice(1)) result.push(arg);
    return;
  }
  let current: string | undefined;
  for (const part of word) {
    const text = partText(part, context);
    context.budget.text((current?.length ?? 0) + text.length);
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
      return withoutTrailing(result.output, '\n');
    }
    case 'arithmetic':
      return wholeText(evaluate(part.expression, context));
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
      setVariable(part.name, text, context);
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
      return strip(value ?? '', operand(), part.operator, context.budget);
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
      return getOwn(state.vars, name) ?? getOwn(context.host.env(), name);
  }
}

function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** `#` and `%` take the shortest match away, `##` and `%%` the longest. */
function strip(value: string, pattern: string, operator: string, budget: ShellBudget): string {
  budget.text(value.length + pattern.length);
  const isPrefix = operator[0] === '#';
  if (!/[*?]/.test(pattern)) {
    if (isPrefix) return value.startsWith(pattern) ? value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
  }
  // Every length is tried, and each try may look at every character for every character of the pattern.
  budget.product(value.length, value.length);
  for (let tried = 0; tried <= value.length; tried++) {
    const length = operator.length === 2 ? value.length - tried : tried;
    if (isPrefix && matchesPattern(value.slice(0, length), pattern, budget)) return value.slice(length);
    if (!isPrefix && matchesPattern(value.slice(value.length - length), pattern, budget)) return value.slice(0, value.length - length);
  }
  return value;
}

/** Shell patterns with `*` and `?`, in linear space and without regular expressions. */
export function matchesPattern(text: string, pattern: string, budget: ShellBudget): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  let looks = 0;
  while (t < text.length) {
    if (++looks % looksPerCharge === 0) budget.text(looksPerCharge);
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

/** Looks at a character after which they are paid for. */
const looksPerCharge = 4_096;

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
      if (expression.operand.type === 'name') setVariable(expression.operand.name, wholeText(next), context);
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
    setVariable(left.name, wholeText(value), context);
    return value;
  }
  return compute(operator, evaluate(left, context), b);
}

function wholeText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}

/** Results have 64 bits and wrap around, as those of every shell; past 2^53 they are the nearest doubles. */
function compute(operator: string, a: number, b: number): number {
  const result = computeExactly(operator, a, b);
  if (Number.isSafeInteger(result)) return result;
  return Number.isFinite(result) ? Number(BigInt.asIntN(64, BigInt(Math.trunc(result)))) : 0;
}

function computeExactly(operator: string, a: number, b: number): number {
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
  if (text !== undefined && text.length > numberCharsMax) return 0;
  const value = Number(text === undefined || text.trim() === '' ? 0 : text);
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}

/** What is longer is no number. */
const numberCharsMax = 400;
