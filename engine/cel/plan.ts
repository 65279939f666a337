/**
 * Makes of a checked tree what is evaluated: constant lists, maps and conversions become literals, and each call knows what it costs.
 * Mirrors cel-go's interpreter (planner and decOptimize), because what is folded costs nothing when it runs.
 */
import { isSpecial } from './checker.ts';
import { type FunctionTable, type Overload, type Spend } from './functions.ts';
import { evaluate, noLimits } from './evaluate.ts';
import type { Expression } from './syntax.ts';
import { type CelType, dyn, fits } from './types.ts';
import { compilePattern } from './patterns/program.ts';
import { PatternError } from './patterns/syntax.ts';
import { CelError, type CelValue, sizeOf, Unsigned } from './values.ts';

type Call = Expression & { readonly kind: 'call' };

const conversions: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint']);

/** Throws CelError where a constant cannot be converted. */
export function plan(expression: Expression, types: ReadonlyMap<Expression, CelType>, functions: FunctionTable): Expression {
  const of = (one: Expression): Expression => plan(one, types, functions);
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return expression;
    case 'select':
      return { ...expression, operand: of(expression.operand) };
    case 'call':
      return plannedCall(expression, of, types, functions);
    case 'list': {
      const elements = expression.elements.map(of);
      return folded({ ...expression, elements }, elements, functions);
    }
    case 'map': {
      const entries = expression.entries.map(([key, value]) => [of(key), of(value)] as const);
      return folded({ ...expression, entries }, entries.flat(), functions);
    }
    case 'struct':
      return { ...expression, fields: expression.fields.map(([name, value, at]) => [name, of(value), at] as const) };
    case 'present':
      return { ...expression, target: of(expression.target), body: of(expression.body) };
    case 'bind':
      return { ...expression, value: of(expression.value), body: of(expression.body) };
    case 'loop': {
      const filter = expression.filter === undefined ? {} : { filter: of(expression.filter) };
      return { ...expression, range: of(expression.range), ...filter, body: of(expression.body) };
    }
  }
}

/** A literal, when all that it is made of are. */
function folded(made: Expression, parts: readonly Expression[], functions: FunctionTable): Expression {
  if (parts.some(({ kind }) => kind !== 'literal')) return made;
  return { kind: 'literal', value: evaluate(made, new Map(), functions, noLimits).value, at: made.at };
}

function plannedCall(call: Call, of: (one: Expression) => Expression, types: ReadonlyMap<Expression, CelType>, functions: FunctionTable): Expression {
  const target = call.target === undefined ? {} : { target: of(call.target) };
  const args = call.args.map(of);
  const made = { ...call, ...target, args };
  if (call.name === 'find' || call.name === 'findAll') checkPattern(args[0]);
  if (isSpecial(call.name)) return made;
  if (conversions.has(call.name) && args.length === 1 && args[0]?.kind === 'literal') return folded(made, args, functions);
  const given = [...(call.target === undefined ? [] : [call.target]), ...call.args].map((one) => types.get(one) ?? dyn);
  const fitting = (functions.get(call.name) ?? []).filter(
    ({ isMember, args: wanted }) =>
      isMember === (call.target !== undefined) &&
      wanted.length === given.length &&
      wanted.every((type, i) => fits(type, given[i] as CelType, new Map())),
  );
  if (call.name === '@in' && fitting.length === 1) return membership(made, args[1] as Expression);
  return { ...made, spend: spendOf(fitting) };
}

/** Patterns that are searched with are made beforehand, where they are constants. Throws CelError. */
function checkPattern(pattern: Expression | undefined): void {
  if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string') return;
  try {
    compilePattern(pattern.value);
  } catch (error) {
    throw error instanceof PatternError ? new CelError(error.message) : error;
  }
}

/** Whether one of some constants is meant is looked up, and costs nothing; of none it is false. */
function membership(call: Call, list: Expression): Expression {
  const { value } = list.kind === 'literal' ? list : {};
  if (!Array.isArray(value)) return { ...call, spend: spendOnList };
  if (value.length === 0) return { kind: 'literal', value: false, at: call.at };
  return value.every(isPrimitive) ? { ...call, spend: () => 0 } : { ...call, spend: spendOnList };
}

/** A list is gone through, a map is asked. */
const spendOnList: Spend = ([, within]) => (Array.isArray(within) ? within.length : 1);

function isPrimitive(value: CelValue): boolean {
  return ['bigint', 'number', 'string', 'boolean'].includes(typeof value) || value === null || value instanceof Unsigned;
}

/** Which overload it will be has to be known beforehand, but for functions that cost the same whatever they are given. */
function spendOf(fitting: readonly Overload[]): Spend {
  const named = fitting.find(({ spendByName }) => spendByName !== undefined)?.spendByName;
  if (named !== undefined) return named;
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return one;
  const { spend, cost } = only;
  return spend ?? (cost === undefined ? one : (values) => cost(values.map(sizeOf)));
}

const one: Spend = () => 1;
