/** Names with dots: functions of libraries (`sets.contains(…)`), and types as values (`google.protobuf.Timestamp`). */
import type { FunctionTable } from './functions.ts';
import type { Expression } from './syntax.ts';
import { typeNames } from './named-types.ts';
import { CelTypeValue } from './values.ts';

/** The tree with such names resolved; what a variable or a loop is called comes first. */
export function resolve(expression: Expression, names: ReadonlySet<string>, functions: FunctionTable): Expression {
  const of = (one: Expression, more: readonly (string | undefined)[] = []): Expression =>
    resolve(one, more.length === 0 ? names : new Set([...names, ...more.filter((name) => name !== undefined)]), functions);
  switch (expression.kind) {
    case 'literal':
      return expression;
    case 'name':
    case 'select': {
      const name = absolute(pathOf(expression));
      // Some variables have a dot in their name.
      if (expression.kind === 'select' && name !== undefined && names.has(name)) return { kind: 'name', name, at: expression.at };
      const type = name === undefined || names.has(rootOf(name)) ? undefined : typeNames.get(name);
      if (type !== undefined) return { kind: 'literal', value: new CelTypeValue(name as string, type), at: expression.at };
      if (expression.kind === 'select') return { ...expression, operand: of(expression.operand) };
      return name !== undefined && names.has(name) ? { ...expression, name } : expression;
    }
    case 'call': {
      const args = expression.args.map((arg) => of(arg));
      const own = absolute(expression.name) as string;
      if (expression.target === undefined) return { ...expression, name: functions.has(own) ? own : expression.name, args };
      const path = absolute(pathOf(expression.target));
      const name = path === undefined ? '' : `${path}.${expression.name}`;
      if (path !== undefined && !names.has(rootOf(path)) && functions.has(name)) return { kind: 'call', name, args, at: expression.at };
      return { ...expression, target: of(expression.target), args };
    }
    case 'list':
      return { ...expression, elements: expression.elements.map((one) => of(one)) };
    case 'map':
      return { ...expression, entries: expression.entries.map(([key, value]) => [of(key), of(value)] as const) };
    case 'struct':
      return { ...expression, fields: expression.fields.map(([name, value, at]) => [name, of(value), at] as const) };
    case 'present':
      return { ...expression, target: of(expression.target), body: of(expression.body, [expression.variable]) };
    case 'bind':
      return { ...expression, value: of(expression.value), body: of(expression.body, [expression.variable]) };
    case 'loop': {
      const inner = [expression.variable, expression.second];
      const filter = expression.filter === undefined ? {} : { filter: of(expression.filter, inner) };
      return { ...expression, range: of(expression.range), ...filter, body: of(expression.body, inner) };
    }
  }
}

/** `a.b.c`; undefined for what is no such path. */
function pathOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name;
  if (expression.kind !== 'select' || expression.isTest || expression.isOptional === true) return undefined;
  const before = pathOf(expression.operand);
  return before === undefined ? undefined : `${before}.${expression.field}`;
}

/** A dot in front says that nothing is before it. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('.') === true ? path.slice(1) : path;
}

function rootOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
