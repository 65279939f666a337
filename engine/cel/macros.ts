/** Calls that are macros: they become nodes of their own. Mirrors github.com/google/cel-go/parser/macro.go and ext. */
import { CelSyntaxError, type Expression, type LoopMacro } from './syntax.ts';

const loopMacros: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];
const transforms: readonly string[] = ['transformList', 'transformMap', 'transformMapEntry'];

/** A call, or `has()`. Throws CelSyntaxError. */
export function globalCall(name: string, args: readonly Expression[], at: number): Expression {
  const [only] = args;
  if (name !== 'has' || args.length !== 1 || only === undefined) return { kind: 'call', name, args, at };
  if (only.kind !== 'select') throw new CelSyntaxError('invalid argument to has() macro', only.at);
  return { ...only, isTest: true, at };
}

/** A call of a member, or a loop. Throws CelSyntaxError. */
export function memberCall(target: Expression, name: string, args: readonly Expression[], at: number, hasBindings: boolean): Expression {
  const [variable, second, third] = args;
  if (
    hasBindings &&
    target.kind === 'name' &&
    target.name === 'cel' &&
    name === 'bind' &&
    variable !== undefined &&
    second !== undefined &&
    third !== undefined
  ) {
    return { kind: 'bind', variable: nameOf(variable, 'cel.bind() variable names must be simple identifiers'), value: second, body: third, at };
  }
  if ((name === 'optMap' || name === 'optFlatMap') && variable !== undefined && second !== undefined && args.length === 2)
    return {
      kind: 'present',
      target,
      variable: nameOf(variable, `${name}() variable name must be a simple identifier`),
      body: second,
      isFlat: name === 'optFlatMap',
      at,
    };
  if (name === 'sortBy' && variable !== undefined && second !== undefined && args.length === 2) return sorted(target, variable, second, at);
  const two = twoVariables(target, name, args, at);
  if (two !== undefined) return two;
  const isLoop = loopMacros.includes(name) && (args.length === 2 || (name === 'map' && args.length === 3));
  if (!isLoop || variable === undefined || second === undefined) return { kind: 'call', name, target, args, at };
  const fault = name === 'map' || name === 'filter' ? 'argument is not an identifier' : 'argument must be a simple name';
  const loop = { kind: 'loop' as const, macro: name as LoopMacro, range: target, variable: nameOf(variable, fault), at };
  return third === undefined ? { ...loop, body: second } : { ...loop, filter: second, body: third };
}

/** As upstream expands it: a list is bound, and sorted by what is made of each element. */
function sorted(target: Expression, variable: Expression, body: Expression, at: number): Expression {
  const input = { kind: 'name' as const, name: '@__sortBy_input__', at };
  const keys = { kind: 'loop' as const, macro: 'map' as const, range: input, variable: nameOf(variable, 'argument is not an identifier'), body, at };
  const call = { kind: 'call' as const, name: '@sortByAssociatedKeys', target: input, args: [keys], at };
  return { kind: 'bind', variable: input.name, value: target, body: call, at };
}

/** Loops over index and value, or key and value. */
function twoVariables(range: Expression, name: string, args: readonly Expression[], at: number): Expression | undefined {
  const [first, second, third, fourth] = args;
  const isTest = ['all', 'exists', 'exists_one', 'existsOne'].includes(name) && args.length === 3;
  const isTransform = transforms.includes(name) && (args.length === 3 || args.length === 4);
  if ((!isTest && !isTransform) || first === undefined || second === undefined || third === undefined) return undefined;
  const names = [nameOf(first, 'argument must be a simple name'), nameOf(second, 'argument must be a simple name')] as const;
  if (names[0] === names[1]) throw new CelSyntaxError(`duplicate variable name: ${names[0]}`, second.at);
  const macros: { readonly [name: string]: LoopMacro } = { existsOne: 'exists_one', transformList: 'map' };
  const loop = {
    kind: 'loop' as const,
    macro: macros[name] ?? (name as LoopMacro),
    range,
    variable: names[0],
    second: names[1],
    at,
  };
  return fourth === undefined ? { ...loop, body: third } : { ...loop, filter: third, body: fourth };
}

function nameOf(expression: Expression, fault: string): string {
  if (expression.kind !== 'name') throw new CelSyntaxError(fault, expression.at);
  return expression.name;
}
