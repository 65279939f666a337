/** Names with dots: functions of libraries (`sets.contains(…)`), and types as values (`google.protobuf.Timestamp`). */
import type { FunctionTable } from './functions.ts';
import type { Expression } from './syntax.ts';
import { CelTypeValue } from './values.ts';

/** What types are called in expressions, and by their values. */
const typeNames: ReadonlyMap<string, string> = new Map(
  [
    ...['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'null_type', 'type', 'optional_type'],
    ...['google.protobuf.Timestamp', 'google.protobuf.Duration', 'kubernetes.URL', 'kubernetes.Quantity', 'kubernetes.Semver', 'net.IP', 'net.CIDR'],
  ].map((name) => [name, name] as const),
);

/** The tree with such names resolved; what a variable or a loop is called comes first. */
export function resolve(expression: Expression, names: ReadonlySet<string>, functions: FunctionTable): Expression {
  const of = (one: Expression, more: readonly (string | undefined)[] = []): Expression =>
    resolve(one, more.length === 0 ? names : new Set([...names, ...more.filter((name) => name !== undefined)]), functions);
  switch (expression.kind) {
    case 'literal':
      return expression;
    case 'name':
    case 'select': {
      const name = pathOf(expression);
      const type = name === undefined || names.has(rootOf(name)) ? undefined : typeNames.get(name);
      if (type !== undefined) return { kind: 'literal', value: new CelTypeValue(type), at: expression.at };
      return expression.kind === 'name' ? expression : { ...expression, operand: of(expression.operand) };
    }
    case 'call': {
      const args = expression.args.map((arg) => of(arg));
      if (expression.target === undefined) return { ...expression, args };
      const path = pathOf(expression.target);
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

function rootOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
