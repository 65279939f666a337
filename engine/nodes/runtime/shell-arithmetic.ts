/** `$((…))`: whole numbers of 64 bits. */
import type { Arithmetic } from './shell-code.ts';
import type { CommandContext } from './shell-commands.ts';
import { compileArithmetic } from './shell-compile.ts';
import { expandText, lookup, setVariable } from './shell-expand.ts';
import { ScriptFault } from './shell-faults.ts';

export function evaluate(expression: Arithmetic, context: CommandContext): number {
  switch (expression.type) {
    case 'number':
      return expression.value;
    case 'name':
      return evaluateText(lookup(expression.name, context) ?? '0', context);
    case 'word':
      return evaluateText(expandText(expression.word, context), context);
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
      return -value - 1;
    case '-':
      return -value;
    default:
      return value;
  }
}

function binary({ operator, left, right }: Extract<Arithmetic, { type: 'binary' }>, context: CommandContext): number {
  if (operator === '&&') return evaluate(left, context) !== 0 && evaluate(right, context) !== 0 ? 1 : 0;
  if (operator === '||') return evaluate(left, context) !== 0 || evaluate(right, context) !== 0 ? 1 : 0;
  const isAssignment = operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator);
  const a = operator === '=' ? 0 : evaluate(left, context);
  const b = evaluate(right, context);
  if (!isAssignment) return compute(operator, a, b);
  if (left.type !== 'name') throw new ScriptFault('arithmetic syntax error');
  const value = operator === '=' ? b : compute(operator.slice(0, -1), a, b);
  setVariable(left.name, wholeText(value), context);
  return value;
}

export function wholeText(value: number): string {
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
      return Math.trunc(a / divisor(b));
    case '%':
      return a % divisor(b);
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
      return inBits(a, b, (x, y) => x & y);
    case '|':
      return inBits(a, b, (x, y) => x | y);
    case '^':
      return inBits(a, b, (x, y) => x ^ y);
    case '<<':
      return inBits(a, b, (x, y) => x << (y & 63n));
    case '>>':
      return inBits(a, b, (x, y) => x >> (y & 63n));
    case ',':
      return b;
    default:
      throw new ScriptFault('arithmetic syntax error');
  }
}

function divisor(value: number): number {
  if (value === 0) throw new ScriptFault('divide by zero');
  return value;
}

function inBits(a: number, b: number, operate: (a: bigint, b: bigint) => bigint): number {
  return Number(BigInt.asIntN(64, operate(BigInt(a), BigInt(b))));
}

/** A number as C writes it, or as `base#digits`; undefined where it is none. */
function numberOf(text: string): number | undefined {
  if (text === '') return 0;
  if (text.length > numberCharsMax) return undefined;
  const [, sign = '', hex, octal, decimal, base, digits = ''] =
    /^([-+]?)(?:0[xX]([\da-fA-F]+)|0([0-7]+)|(0|[1-9]\d*)|(\d\d?)#(\w+))$/.exec(text) ?? [];
  const value =
    hex !== undefined
      ? Number(`0x${hex}`)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : base !== undefined && Number(base) >= 2 && Number(base) <= 36
          ? Number.parseInt(digits, Number(base))
          : Number(decimal);
  return Number.isFinite(value) ? (sign === '-' ? -value : value) : undefined;
}

/** What is longer is no number. */
const numberCharsMax = 400;

/** A number, or an expression as a variable may hold it; one that leads back to itself ends as what calls itself for ever. */
export function evaluateText(given: string, context: CommandContext): number {
  const text = given.trim();
  const value = numberOf(text);
  if (value !== undefined) return value;
  const expression = text.length > numberCharsMax || /[$`]/.test(text) ? undefined : compileArithmetic(text);
  if (expression === undefined || expression.type === 'word') throw new ScriptFault('arithmetic syntax error');
  return context.budget.nested(() => evaluate(expression, context));
}
