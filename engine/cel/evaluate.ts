/** Evaluates a checked tree. An operand of `&&` and `||` that fails does not matter where the other one decides. */
import { isSpecial } from './checker.ts';
import { dispatch, type FunctionTable } from './functions.ts';
import { CelOptional, optionalField, optionalIndex } from './libraries/optionals.ts';
import { iterated } from './standard.ts';
import type { Expression } from './syntax.ts';
import { CelError, celMap, type CelValue, isList, isMap, isObject, mapKey } from './values.ts';

type Variables = ReadonlyMap<string, CelValue>;

/** Throws CelError; also once more than `stepsMax` nodes were looked at. */
export function evaluate(expression: Expression, variables: Variables, functions: FunctionTable, stepsMax: number): CelValue {
  return new Evaluation(functions, stepsMax).run(expression, variables);
}

class Evaluation {
  readonly #functions: FunctionTable;
  #left: number;

  constructor(functions: FunctionTable, stepsMax: number) {
    this.#functions = functions;
    this.#left = stepsMax;
  }

  run(expression: Expression, scope: Variables): CelValue {
    if (--this.#left < 0) throw new CostError();
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'name': {
        const found = scope.get(expression.name);
        if (found === undefined) throw new CelError(`no such attribute(s): ${expression.name}`);
        return found;
      }
      case 'select':
        return this.#select(expression, scope);
      case 'call':
        return isSpecial(expression.name) ? this.#decide(expression, scope) : this.#call(expression, scope);
      case 'list':
        return expression.elements.flatMap((one, i) => this.#present(this.run(one, scope), expression.optional?.has(i) === true));
      case 'map':
        return this.#map(expression, scope);
      case 'present': {
        const found = this.run(expression.target, scope);
        if (!(found instanceof CelOptional)) throw new CelError('no such overload');
        if (found.value === undefined) return found;
        const made = this.run(expression.body, new Map([...scope, [expression.variable, found.value]]));
        return expression.isFlat ? made : new CelOptional(made);
      }
      case 'bind':
        return this.run(expression.body, new Map([...scope, [expression.variable, this.run(expression.value, scope)]]));
      case 'loop':
        return this.#loop(expression, scope);
    }
  }

  /** An element as a list takes it: what is absent and optional is left out. */
  #present(value: CelValue, isOptional: boolean): readonly CelValue[] {
    if (!isOptional) return [value];
    if (!(value instanceof CelOptional)) throw new CelError('no such overload');
    return value.value === undefined ? [] : [value.value];
  }

  #map({ entries, optional }: Expression & { readonly kind: 'map' }, scope: Variables): CelValue {
    const made = entries.flatMap(([key, value], i) => {
      const name = this.run(key, scope);
      return this.#present(this.run(value, scope), optional?.has(i) === true).map((one) => [name, one] as const);
    });
    for (const [key] of made) if (mapKey(key) === undefined) throw new CelError('unsupported key type');
    return celMap(made);
  }

  #call({ name, target, args }: Expression & { readonly kind: 'call' }, scope: Variables): CelValue {
    const values = [...(target === undefined ? [] : [target]), ...args].map((arg) => this.run(arg, scope));
    if (name === '_[?_]') return optionalIndex(values[0] as CelValue, values[1] as CelValue);
    if (name === '_[_]' && values[0] instanceof CelOptional) return optionalIndex(values[0], values[1] as CelValue);
    return dispatch(this.#functions.get(name) ?? [], target !== undefined, values);
  }

  #select({ operand, field, isTest, isOptional = false }: Expression & { readonly kind: 'select' }, scope: Variables): CelValue {
    const value = this.run(operand, scope);
    if (isOptional || value instanceof CelOptional) {
      const found = optionalField(value, field);
      return isTest ? found.value !== undefined : found;
    }
    if (isMap(value)) {
      if (isTest) return value.has(field);
      const found = value.get(field);
      if (found === undefined) throw new CelError(`no such key: ${field}`);
      return found;
    }
    const found = isObject(value) ? value.field?.(field) : undefined;
    if (isTest) return isObject(value) && value.isSet !== undefined ? value.isSet(field) : found !== undefined;
    if (found === undefined) throw new CelError(isObject(value) ? `no such field: ${field}` : 'no such overload');
    return found;
  }

  #decide({ name, args }: Expression & { readonly kind: 'call' }, scope: Variables): CelValue {
    const [first, second, third] = args as readonly [Expression, Expression, Expression];
    if (name === '_?_:_') {
      const condition = this.run(first, scope);
      if (typeof condition !== 'boolean') throw new CelError('no such overload');
      return this.run(condition ? second : third, scope);
    }
    return this.#either(
      name === '_||_',
      [first, second].map((one) => () => this.run(one, scope)),
    );
  }

  /** Whether one of them is `decisive`; an error only when none is. */
  #either(decisive: boolean, operands: Iterable<() => CelValue>): boolean {
    let fault: CelError | undefined;
    for (const operand of operands) {
      try {
        const value = operand();
        if (value === decisive) return decisive;
        if (typeof value !== 'boolean') fault ??= new CelError('no such overload');
      } catch (error) {
        if (!(error instanceof CelError) || error instanceof CostError) throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return !decisive;
  }

  #loop({ macro, range, variable, second, filter, body }: Expression & { readonly kind: 'loop' }, scope: Variables): CelValue {
    const over = this.run(range, scope);
    const items = second === undefined ? iterated(over).map((item) => [item] as const) : pairs(over);
    const inside = ([item, value]: readonly CelValue[]): Variables =>
      new Map([...scope, [variable, item as CelValue], ...(second === undefined ? [] : [[second, value as CelValue] as const])]);
    const holds = (condition: Expression, item: readonly CelValue[]): boolean => {
      const value = this.run(condition, inside(item));
      if (typeof value !== 'boolean') throw new CelError('no such overload');
      return value;
    };
    if (macro === 'all' || macro === 'exists')
      return this.#either(
        macro === 'exists',
        items.map((item) => () => this.run(body, inside(item))),
      );
    if (macro === 'exists_one') return items.filter((item) => holds(body, item)).length === 1;
    if (macro === 'filter') return items.filter((item) => holds(body, item)).map(([item]) => item as CelValue);
    const kept = items.filter((item) => filter === undefined || holds(filter, item));
    if (macro === 'map') return kept.map((item) => this.run(body, inside(item)));
    if (macro === 'transformMap') return celMap(kept.map((item) => [item[0] as CelValue, this.run(body, inside(item))] as const));
    return celMap(kept.flatMap((item) => entriesOf(this.run(body, inside(item)))));
  }
}

function pairs(range: CelValue): readonly (readonly [CelValue, CelValue])[] {
  if (isList(range)) return range.map((item, i) => [BigInt(i), item] as const);
  return isMap(range) ? entriesOf(range) : iterated(range).map((item) => [item, item] as const);
}

function entriesOf(map: CelValue): readonly (readonly [CelValue, CelValue])[] {
  if (!isMap(map)) throw new CelError('no such overload');
  return map.keys().map((key) => [key, map.get(key) as CelValue] as const);
}

class CostError extends CelError {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
