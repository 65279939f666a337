/** What Kubernetes' environments refuse beyond types: literals that can only fail, and lists and maps of mixed types. Mirrors cel-go cel/validator.go. */
import type { Fault } from './checker.ts';
import { formatFaults } from './libraries/format-check.ts';
import { isTimestampText } from './libraries/times.ts';
import { parseDurationNanos } from '../apimachinery/time.ts';
import { compilePattern } from './patterns/program.ts';
import { PatternError } from './patterns/syntax.ts';
import type { Expression } from './syntax.ts';
import { isExactly } from './type-variables.ts';
import { type CelType, dyn, typeText } from './types.ts';
import type { CelValue } from './values.ts';

type Types = ReadonlyMap<Expression, CelType>;

/** In the order of the text. */
export function validate(expression: Expression, types: Types): readonly Fault[] {
  return [...faultsOf(expression, types, false)].toSorted((a, b) => a.at - b.at);
}

/** `isExempt`: inside of what is formatted, where lists may be mixed. */
function* faultsOf(expression: Expression, types: Types, isExempt: boolean): Generator<Fault> {
  if (!isExempt && expression.kind === 'list') yield* mixed([expression.elements], expression.optional, types);
  if (!isExempt && expression.kind === 'map')
    yield* mixed([expression.entries.map(([key]) => key), expression.entries.map(([, value]) => value)], expression.optional, types);
  if (expression.kind === 'call') yield* literalFaults(expression, types);
  const isWithin = isExempt || (expression.kind === 'call' && expression.name === 'format');
  for (const part of partsOf(expression)) yield* faultsOf(part, types, isWithin);
}

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
      return [expression.operand];
    case 'call':
      return [...(expression.target === undefined ? [] : [expression.target]), ...expression.args];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flat();
    case 'struct':
      return expression.fields.map(([, value]) => value);
    case 'present':
      return [expression.target, expression.body];
    case 'bind':
      return [expression.value, expression.body];
    case 'loop':
      return [expression.range, ...(expression.filter === undefined ? [] : [expression.filter]), expression.body];
  }
}

/** Each column is of one type. Of lists the first that differs is told, of maps each. */
function* mixed(columns: readonly (readonly Expression[])[], optional: ReadonlySet<number> | undefined, types: Types): Generator<Fault> {
  for (const [column, expressions] of columns.entries()) {
    const isValues = column === columns.length - 1;
    let first: CelType | undefined;
    for (const [i, one] of expressions.entries()) {
      const whole = types.get(one) ?? dyn;
      const type = isValues && optional?.has(i) === true && whole.kind === 'optional' ? whole.element : whole;
      first ??= type;
      if (isExactly(first, type, false)) continue;
      yield { at: one.at, message: `expected type '${typeText(first)}' but found '${typeText(type)}'` };
      if (columns.length === 1) break;
    }
  }
}

function* literalFaults(call: Expression & { readonly kind: 'call' }, types: Types): Generator<Fault> {
  const { name, target, args } = call;
  const [first] = args;
  if (name === 'format' && target !== undefined) yield* formatFaults(call, types);
  if (first === undefined || first.kind !== 'literal') return;
  const isWrong =
    (name === 'duration' && target === undefined && !isDuration(first.value)) ||
    (name === 'timestamp' && target === undefined && !isTimestamp(first.value)) ||
    (name === 'matches' && target !== undefined && !isPattern(first.value));
  if (isWrong) yield { at: first.at, message: `invalid ${name} argument` };
}

function isDuration(value: CelValue): boolean {
  return typeof value === 'string' && parseDurationNanos(value) !== undefined;
}

function isTimestamp(value: CelValue): boolean {
  return typeof value === 'bigint' || (typeof value === 'string' && isTimestampText(value));
}

function isPattern(value: CelValue): boolean {
  if (typeof value !== 'string') return true;
  try {
    compilePattern(value);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}
