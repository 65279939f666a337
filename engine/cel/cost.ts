/** What an expression costs at most, in upstream's units (cel-go checker/cost.go): a look at a variable or field 1, a new list 10, a map 30. */
import { isSpecial } from './checker.ts';
import type { FunctionTable } from './functions.ts';
import type { Expression } from './syntax.ts';
import { type CelType, dyn, fits } from './types.ts';

const listCost = 10;
const mapCost = 30;

export function costMax(expression: Expression, types: ReadonlyMap<Expression, CelType>, functions: FunctionTable): number {
  const of = (one: Expression): number => costMax(one, types, functions);
  const all = (many: readonly Expression[]): number => many.reduce((sum, one) => sum + of(one), 0);
  switch (expression.kind) {
    case 'literal':
      return 0;
    case 'name':
      return 1;
    case 'select':
      // A test for presence costs nothing, as Kubernetes has it.
      return of(expression.operand) + (expression.isTest ? 0 : 1);
    case 'list':
      return listCost + all(expression.elements);
    case 'map':
      return mapCost + all(expression.entries.flat());
    case 'present':
      return of(expression.target) + of(expression.body) + 1;
    case 'bind':
      return listCost + of(expression.value) + of(expression.body);
    case 'loop':
      return loopCost(expression, types, of);
    case 'call':
      return callCost(expression, types, functions, of);
  }
}

function loopCost(
  { range, macro, filter, body }: Expression & { readonly kind: 'loop' },
  types: ReadonlyMap<Expression, CelType>,
  of: (one: Expression) => number,
): number {
  const size = sizeOf(types.get(range) ?? dyn);
  const filtered = filter === undefined ? 0 : of(filter);
  if (macro === 'exists') return of(range) + size * (3 + 1 + of(body)) + 1;
  if (macro === 'all') return of(range) + size * (2 + 1 + of(body)) + 1;
  if (macro === 'exists_one') return of(range) + size * (of(body) + 2) + 2;
  return of(range) + listCost + size * (filtered + of(body) + listCost + 2) + 1;
}

function callCost(
  { name, target, args }: Expression & { readonly kind: 'call' },
  types: ReadonlyMap<Expression, CelType>,
  functions: FunctionTable,
  of: (one: Expression) => number,
): number {
  const all = [...(target === undefined ? [] : [target]), ...args];
  if (name === '_?_:_') return of(all[0] as Expression) + Math.max(of(all[1] as Expression), of(all[2] as Expression));
  const operands = all.reduce((sum, one) => sum + of(one), 0);
  if (isSpecial(name)) return operands;
  const given = all.map((one) => types.get(one) ?? dyn);
  const sizes = given.map(sizeOf);
  const fitting = (functions.get(name) ?? []).filter(
    ({ isMember, args: wanted }) =>
      isMember === (target !== undefined) && wanted.length === given.length && wanted.every((type, i) => fits(type, given[i] as CelType, new Map())),
  );
  return operands + fitting.reduce((most, { cost }) => Math.max(most, cost?.(sizes) ?? 1), 0);
}

/** Of numbers and the like 1. */
function sizeOf(type: CelType): number {
  if (type.sizeMax !== undefined) return type.sizeMax;
  return type.kind === 'string' || type.kind === 'bytes' || type.kind === 'list' || type.kind === 'map' || type.kind === 'dyn' || type.kind === 'any'
    ? Number.POSITIVE_INFINITY
    : 1;
}
