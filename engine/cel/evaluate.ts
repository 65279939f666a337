/** Evaluates a checked tree. An operand of `&&` and `||` that fails does not matter where the other one decides. */
import { isSpecial } from './checker.ts';
import { dispatch, type FunctionTable } from './functions.ts';
import { iterated } from './standard.ts';
import type { Expression } from './syntax.ts';
import { CelError, celMap, type CelValue, isMap, isObject } from './values.ts';

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
        return expression.elements.map((one) => this.run(one, scope));
      case 'map':
        return celMap(expression.entries.map(([key, value]) => [this.run(key, scope), this.run(value, scope)] as const));
      case 'bind':
        return this.run(expression.body, new Map([...scope, [expression.variable, this.run(expression.value, scope)]]));
      case 'loop':
        return this.#loop(expression, scope);
    }
  }

  #call({ name, target, args }: Expression & { readonly kind: 'call' }, scope: Variables): CelValue {
    const values = [...(target === undefined ? [] : [target]), ...args].map((arg) => this.run(arg, scope));
    return dispatch(this.#functions.get(name) ?? [], target !== undefined, values);
  }

  #select({ operand, field, isTest }: Expression & { readonly kind: 'select' }, scope: Variables): CelValue {
    const value = this.run(operand, scope);
    if (isMap(value)) {
      if (isTest) return value.has(field);
      const found = value.get(field);
      if (found === undefined) throw new CelError(`no such key: ${field}`);
      return found;
    }
    const found = isObject(value) ? value.field?.(field) : undefined;
    if (isTest) return found !== undefined;
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

  #loop({ macro, range, variable, filter, body }: Expression & { readonly kind: 'loop' }, scope: Variables): CelValue {
    const items = iterated(this.run(range, scope));
    const inside = (item: CelValue): Variables => new Map([...scope, [variable, item]]);
    const holds = (condition: Expression, item: CelValue): boolean => {
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
    if (macro === 'filter') return items.filter((item) => holds(body, item));
    return items.filter((item) => filter === undefined || holds(filter, item)).map((item) => this.run(body, inside(item)));
  }
}

class CostError extends CelError {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
