/**
 * Evaluates a checked tree, and counts what that costs as upstream does (cel-go interpreter/runtimecost.go): looking at a variable, a
 * field or an element costs 1, a new list 10, a new map 30, a call what it says. An operand of `&&` and `||` that fails does not matter
 * where the other one decides.
 */
import { isSpecial, type StructTypes } from './checker.ts';
import { dispatch, type FunctionTable } from './functions.ts';
import { CelOptional, optionalField, optionalIndex } from './libraries/optionals.ts';
import { elementAt, goName, iterated } from './standard.ts';
import type { Expression } from './syntax.ts';
import { CelError, celMap, type CelValue, isList, isMap, isObject } from './values.ts';

type Variables = ReadonlyMap<string, CelValue>;
type Call = Expression & { readonly kind: 'call' };
type Loop = Expression & { readonly kind: 'loop' };
type Item = readonly CelValue[];

export interface Limits {
  readonly costMax: number;
  /** Nodes that are looked at: some cost nothing. */
  readonly stepsMax: number;
}

export const noLimits: Limits = { costMax: Number.POSITIVE_INFINITY, stepsMax: Number.POSITIVE_INFINITY };

export interface Outcome {
  readonly value: CelValue;
  readonly cost: number;
}

const listCost = 10;
const mapCost = 30;
const structCost = 40;
/** Values that a value is made of, counted wherever they stand: lists that hold a list twice, which holds one twice, would never be compared. */
const partsMax = 1_000_000;
/** Of a loop's own parts, which upstream writes as an expression: what it has found so far, the condition to go on, adding to a list. */
const loopCosts = {
  all: { before: 2, step: 1 },
  exists: { before: 3, step: 1 },
  result: 1,
  counted: 2,
  appended: 2,
  inserted: 2,
} as const;

/** Throws CelError; also where it costs more than it may. */
export function evaluate(expression: Expression, variables: Variables, functions: FunctionTable, limits: Limits, structs?: StructTypes): Outcome {
  const evaluation = new Evaluation(functions, limits, structs ?? (() => undefined));
  try {
    return { value: evaluation.run(expression, variables), cost: evaluation.cost };
  } catch (error) {
    if (error instanceof CelError) error.cost = evaluation.cost;
    throw error;
  }
}

class Evaluation {
  cost = 0;
  readonly #functions: FunctionTable;
  readonly #structs: StructTypes;
  readonly #costMax: number;
  readonly #partCounts = new WeakMap<object, number>();
  #left: number;

  constructor(functions: FunctionTable, { costMax, stepsMax }: Limits, structs: StructTypes) {
    this.#functions = functions;
    this.#structs = structs;
    this.#costMax = costMax;
    this.#left = stepsMax;
  }

  #charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#costMax) throw new CostError();
  }

  /** What is made of these. Throws CelError where it would be too much. */
  #madeOf<T extends CelValue & object>(made: T, parts: readonly CelValue[]): T {
    let count = 1;
    for (const part of parts) count += (typeof part === 'object' && part !== null ? this.#partCounts.get(part) : undefined) ?? 1;
    if (count > partsMax) throw new CostError();
    this.#partCounts.set(made, count);
    return made;
  }

  #mapOf(entries: readonly (readonly [CelValue, CelValue])[]): CelValue {
    return this.#madeOf(
      celMap(entries),
      entries.map(([, value]) => value),
    );
  }

  /** `isBare`: as upstream asks for branches of `?:` and for keys, where a path costs 1 less. */
  run(expression: Expression, scope: Variables, isBare = false): CelValue {
    if (--this.#left < 0) throw new CostError();
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'name': {
        if (!isBare) this.#charge(1);
        const found = scope.get(expression.name);
        if (found === undefined) throw new CelError(`no such attribute(s): ${expression.name}`);
        return found;
      }
      case 'select':
        return this.#select(expression, scope, isBare);
      case 'call':
        return isSpecial(expression.name) ? this.#decide(expression, scope) : this.#call(expression, scope, isBare);
      case 'list':
        return this.#charged(listCost, () => {
          const made = expression.elements.flatMap((one, i) => this.#present(this.run(one, scope), expression.optional?.has(i) === true));
          return this.#madeOf(made, made);
        });
      case 'map':
        return this.#map(expression, scope);
      case 'struct':
        return this.#struct(expression, scope);
      case 'present':
        return this.#transformed(expression, scope);
      case 'bind':
        return this.run(expression.body, new Map([...scope, [expression.variable, this.run(expression.value, scope)]]));
      case 'loop':
        return this.#loop(expression, scope);
    }
  }

  /** What fails costs as much. */
  #charged<T>(cost: number, act: () => T): T {
    try {
      return act();
    } finally {
      this.#charge(cost);
    }
  }

  /** An element as a list takes it: what is absent and optional is left out. */
  #present(value: CelValue, isOptional: boolean): readonly CelValue[] {
    if (!isOptional) return [value];
    if (!(value instanceof CelOptional)) throw new CelError('no such overload');
    return value.value === undefined ? [] : [value.value];
  }

  #map({ entries, optional }: Expression & { readonly kind: 'map' }, scope: Variables): CelValue {
    const made = this.#charged(mapCost, () =>
      entries.flatMap(([key, value], i) => {
        const name = this.run(key, scope);
        return this.#present(this.run(value, scope), optional?.has(i) === true).map((one) => [name, one] as const);
      }),
    );
    return this.#mapOf(made);
  }

  #struct({ name, fields, optional }: Expression & { readonly kind: 'struct' }, scope: Variables): CelValue {
    const made = this.#charged(structCost, () =>
      fields.flatMap(([field, value], i) => this.#present(this.run(value, scope), optional.has(i)).map((one) => [field, one] as const)),
    );
    const struct = this.#structs(name);
    if (struct === undefined) throw new CelError(`unknown type: ${name}`);
    return struct.make(new Map(made));
  }

  /** Upstream asks `target.hasValue()`, then `target.value()`. */
  #transformed(expression: Expression & { readonly kind: 'present' }, scope: Variables): CelValue {
    const before = this.cost;
    const found = this.run(expression.target, scope);
    if (!(found instanceof CelOptional)) throw new CelError('no such overload');
    const asked = this.cost - before;
    this.#charge(1);
    if (found.value === undefined) {
      this.#charge(1);
      return found;
    }
    this.#charge(asked + 1);
    const made = this.run(expression.body, new Map([...scope, [expression.variable, found.value]]));
    if (expression.isFlat) return made;
    this.#charge(1);
    return new CelOptional(made);
  }

  #call(call: Call, scope: Variables, isBare: boolean): CelValue {
    const { name, target, args, spend } = call;
    if (name === '_[_]' || name === '_[?_]') return this.#index(call, scope, isBare);
    if (name === 'or' || name === 'orValue') return this.#otherwise(call, scope);
    const { values, fault } = this.#values(target === undefined ? args : [target, ...args], scope);
    let result: CelValue | undefined;
    // Upstream does not copy lists that are added, which costs next to nothing there; here each element is a step.
    if (name === '_+_') for (const one of values) this.#left -= isList(one) ? one.length : 0;
    if (this.#left < 0) throw new CostError();
    try {
      if (fault !== undefined) throw fault;
      result = dispatch(this.#functions, name, target !== undefined, values);
      if (name === '_+_' && isList(result)) this.#madeOf(result, result);
      return result;
    } finally {
      this.#charge(spend?.(values, result) ?? 1);
    }
  }

  /** All are asked, also after one that fails: that one counts as null. */
  #values(expressions: readonly Expression[], scope: Variables): { readonly values: readonly CelValue[]; readonly fault?: CelError } {
    let fault: CelError | undefined;
    const values = expressions.map((one) => {
      try {
        return this.run(one, scope);
      } catch (error) {
        if (!(error instanceof CelError) || error instanceof CostError) throw error;
        fault ??= error;
        return null;
      }
    });
    return fault === undefined ? { values } : { values, fault };
  }

  /** What an optional value is where it is absent is asked for only then. */
  #otherwise({ name, target, args }: Call, scope: Variables): CelValue {
    const first = this.run(target as Expression, scope);
    if (!(first instanceof CelOptional)) return first;
    if (first.value === undefined) return this.run(args[0] as Expression, scope);
    return name === 'or' ? first : first.value;
  }

  /** What a path begins with, when that is no variable, is charged as one. */
  #root(operand: Expression, scope: Variables, isBare: boolean): CelValue {
    const value = this.run(operand, scope, isBare);
    if (!isPath(operand) && !isBare) this.#charge(1);
    return value;
  }

  #index({ name, args }: Call, scope: Variables, isBare: boolean): CelValue {
    const [operand, index] = args as readonly [Expression, Expression];
    const value = this.#root(operand, scope, isBare);
    if (name === '_[?_]' || value instanceof CelOptional) {
      const found = optionalIndex(value, this.run(index, scope, true));
      if (found.value !== undefined) this.#charge(1);
      return found;
    }
    return this.#charged(1, () => {
      const at = this.run(index, scope, true);
      return isObject(value) && value.element !== undefined ? value.element(at) : elementAt(value, at);
    });
  }

  #select({ operand, field, isTest, isOptional = false }: Expression & { readonly kind: 'select' }, scope: Variables, isBare: boolean): CelValue {
    const value = this.#root(operand, scope, isBare || isTest);
    if (isOptional || value instanceof CelOptional) {
      const found = optionalField(value, field);
      if (found.value !== undefined || (isTest && !(value instanceof CelOptional && value.value === undefined))) this.#charge(1);
      return isTest ? found.value !== undefined : found;
    }
    this.#charge(1);
    if (isMap(value)) {
      if (isTest) return value.has(field);
      const found = value.get(field);
      if (found === undefined) throw new CelError(`no such key: ${field}`);
      return found;
    }
    const found = isObject(value) ? value.field?.(field) : undefined;
    if (isTest && isList(value)) throw new CelError("unsupported index type 'string' in list");
    if (isTest) return isObject(value) && value.isSet !== undefined ? value.isSet(field) : found !== undefined;
    if (found !== undefined) return found;
    if (isList(value)) throw new CelError("unsupported index type 'string' in list");
    throw new CelError(isObject(value) && value.field !== undefined ? `no such field: ${field}` : `no such key: ${field}`);
  }

  #decide({ name, args }: Call, scope: Variables): CelValue {
    const [first, second, third] = args as readonly [Expression, Expression, Expression];
    if (name === '_?_:_') {
      const condition = this.run(first, scope);
      if (typeof condition !== 'boolean') throw new CelError('no such overload');
      return this.run(condition ? second : third, scope, true);
    }
    return this.#either(
      name === '_||_',
      [first, second].map((one) => () => this.run(one, scope)),
    );
  }

  /** Whether one of them is `decisive`; an error only when none is. `passed` hears of one after which others were left. */
  #either(decisive: boolean, operands: readonly (() => CelValue)[], passed?: () => void): boolean {
    let fault: CelError | undefined;
    for (const [i, operand] of operands.entries()) {
      try {
        const value = operand();
        if (value === decisive) {
          if (i < operands.length - 1) passed?.();
          return decisive;
        }
        if (typeof value !== 'boolean') fault ??= new CelError('no such overload');
      } catch (error) {
        if (!(error instanceof CelError) || error instanceof CostError) throw error;
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return !decisive;
  }

  #loop(loop: Loop, scope: Variables): CelValue {
    const over = this.run(loop.range, scope);
    const items: readonly Item[] = loop.second === undefined ? iterated(over).map((item) => [item]) : pairs(over);
    const result = this.#looped(loop, items, scope);
    this.#charge(loopCosts.result);
    return result;
  }

  #looped({ macro, variable, second, filter, body }: Loop, items: readonly Item[], scope: Variables): CelValue {
    const inside = ([item, value]: Item): Variables =>
      new Map([...scope, [variable, item as CelValue], ...(second === undefined ? [] : [[second, value as CelValue] as const])]);
    const holds = (condition: Expression, item: Item): boolean => {
      const value = this.run(condition, inside(item));
      if (typeof value !== 'boolean') throw new CelError('no such overload');
      return value;
    };
    /** Each element that is kept, after what keeping it costs. */
    const each = <T>(condition: Expression | undefined, cost: number, made: (item: Item) => T): readonly T[] =>
      items.flatMap((item) => {
        if (condition !== undefined && !holds(condition, item)) return [];
        const one = made(item);
        this.#charge(cost);
        return [one];
      });
    const gathered = (list: readonly CelValue[]): CelValue => this.#madeOf(list, list);
    const { counted, appended, inserted } = loopCosts;
    switch (macro) {
      case 'all':
      case 'exists': {
        const { before, step } = loopCosts[macro];
        const asked = items.map((item) => () => {
          this.#charge(before + step);
          return this.run(body, inside(item));
        });
        return this.#either(macro === 'exists', asked, () => this.#charge(before));
      }
      case 'exists_one': {
        const found = each(body, counted, () => true);
        this.#charge(1);
        return found.length === 1;
      }
      case 'filter':
        return gathered(each(body, appended + 1 + listCost, ([item]) => item as CelValue));
      case 'map':
        return gathered(each(filter, appended + (body.kind === 'literal' ? 0 : listCost), (item) => this.run(body, inside(item))));
      case 'transformMap':
        return this.#mapOf(each(filter, inserted + 1, (item) => [item[0] as CelValue, this.run(body, inside(item))] as const));
      case 'transformMapEntry':
        return this.#mapOf(each(filter, inserted, (item) => entriesOf(this.run(body, inside(item)))).flat());
    }
  }
}

/** What upstream makes one attribute of: variables, fields, elements, and a choice between them. */
function isPath(expression: Expression): boolean {
  if (expression.kind === 'call') return ['_?_:_', '_[_]', '_[?_]'].includes(expression.name);
  return expression.kind === 'name' || expression.kind === 'select' || expression.kind === 'present';
}

function pairs(range: CelValue): readonly Item[] {
  if (isList(range)) return range.map((item, i) => [BigInt(i), item] as const);
  if (isMap(range)) return entriesOf(range);
  throw new CelError(`unsupported comprehension range type: ${goName(range)}`);
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
