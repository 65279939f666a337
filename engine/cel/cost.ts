/**
 * What an expression costs at most, in upstream's units (cel-go checker/cost.go): a look at a variable or field 1, a new list 10, a map 30.
 * How large a value is follows from what the expression says, or from where it stands: a path from a variable. Macros are priced as the
 * loops that upstream makes of them.
 */
import { type CallCost, callCost, type Given } from './call-costs.ts';
import { isSpecial } from './checker.ts';
import { type EntrySizes, fixedSize, type Size, times, unionOf, unionOfEntries, unknownSize } from './cost-sizes.ts';
import type { FunctionTable, Overload } from './functions.ts';
import type { Expression } from './syntax.ts';
import { type CelType, dyn, fits } from './types.ts';
import { CelTypeValue, isMap, Unsigned } from './values.ts';

/** A variable, then fields, `@items`, `@keys`, `@values`. */
export type SizePath = readonly string[];
/** How large what stands at a path is at most; undefined where nobody knows. */
export type SizesByPath = (path: SizePath) => number | undefined;

type Of<K extends Expression['kind']> = Expression & { readonly kind: K };

interface Local {
  readonly path: SizePath;
  readonly size?: Size | undefined;
  readonly entries?: EntrySizes | undefined;
}

const listCost = 10;
const mapCost = 30;
const structCost = 40;
const nowhere: SizePath = [];

export interface Priced {
  readonly expression: Expression;
  readonly types: ReadonlyMap<Expression, CelType>;
  readonly functions: FunctionTable;
  readonly sizes?: SizesByPath | undefined;
}

export function costMax({ expression, types, functions, sizes }: Priced): number {
  return new Coster(types, functions, sizes ?? (() => undefined)).cost(expression);
}

class Coster {
  readonly #types: ReadonlyMap<Expression, CelType>;
  readonly #functions: FunctionTable;
  readonly #byPath: SizesByPath;
  readonly #paths = new Map<Expression, SizePath>();
  readonly #sizes = new Map<Expression, Size>();
  readonly #entries = new Map<Expression, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(types: ReadonlyMap<Expression, CelType>, functions: FunctionTable, byPath: SizesByPath) {
    this.#types = types;
    this.#functions = functions;
    this.#byPath = byPath;
  }

  cost(e: Expression): number {
    switch (e.kind) {
      case 'literal':
        return e.value instanceof CelTypeValue ? this.#variable(e, [e.value.name]) : 0;
      case 'name':
        return this.#variable(e, this.#local(e.name)?.path ?? [e.name]);
      case 'select':
        return this.#select(e);
      case 'list': {
        const cost = this.#all(e.elements) + listCost;
        this.#entries.set(e, { isList: true, key: fixedSize(1), value: this.#union(e.elements) });
        return cost;
      }
      case 'map': {
        const cost = this.#all(e.entries.flat()) + mapCost;
        const [keys, values] = [e.entries.map(([key]) => key), e.entries.map(([, value]) => value)];
        this.#entries.set(e, { isList: false, key: this.#union(keys), value: this.#union(values) });
        return cost;
      }
      case 'struct':
        return this.#all(e.fields.map(([, value]) => value)) + structCost;
      case 'present':
        return this.#present(e);
      case 'bind':
        return this.#bind(e);
      case 'loop':
        return this.#loop(e);
      case 'call':
        return this.#call(e);
    }
  }

  #all(many: readonly Expression[]): number {
    return many.reduce((sum, one) => sum + this.cost(one), 0);
  }

  #union(many: readonly Expression[]): Size {
    const [first, ...rest] = many.map((one) => this.#sizeOf(one) ?? unknownSize);
    return rest.reduce(unionOf, first ?? fixedSize(0));
  }

  #variable(e: Expression, path: SizePath): number {
    this.#paths.set(e, path);
    return 1;
  }

  #type(e: Expression): CelType {
    return this.#types.get(e) ?? dyn;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #within<T>(locals: readonly (readonly [name: string, local: Local])[], act: () => T): T {
    for (const [name, local] of locals) this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
    const made = act();
    for (const [name] of locals) this.#locals.get(name)?.pop();
    return made;
  }

  #pathOf(e: Expression): SizePath {
    return (e.kind === 'name' ? this.#local(e.name)?.path : undefined) ?? this.#paths.get(e) ?? nowhere;
  }

  #sizeOf(e: Expression): Size | undefined {
    const known = this.#sizes.get(e) ?? sizeSaid(e);
    if (known !== undefined) return known;
    const path = this.#pathOf(e);
    const max = path.length === 0 ? undefined : this.#byPath(path);
    if (max !== undefined) {
      this.#sizes.set(e, { min: 0, max });
      return { min: 0, max };
    }
    if (isScalar(this.#type(e))) return fixedSize(1);
    return e.kind === 'name' ? this.#local(e.name)?.size : undefined;
  }

  #setSize(e: Expression, size: Size | undefined): void {
    if (size !== undefined) this.#sizes.set(e, size);
  }

  #entriesOf(e: Expression): EntrySizes | undefined {
    return this.#entries.get(e) ?? (e.kind === 'name' ? this.#local(e.name)?.entries : undefined);
  }

  #select(e: Of<'select'>): number {
    const { operand, isTest, isOptional = false, field } = e;
    const before = this.cost(operand);
    if (isTest) return before;
    if (isOptional) {
      this.#setSize(e, this.#sizeOf(e));
      return before + 1;
    }
    const { kind } = this.#type(operand);
    this.#paths.set(e, [...this.#pathOf(operand), field]);
    return before + (kind === 'map' || kind === 'object' || kind === 'parameter' ? 1 : 0);
  }

  /** As a choice between what the value is made into and nothing; the value is asked for twice. */
  #present(e: Of<'present'>): number {
    const asked = this.cost(e.target);
    const element = this.#type(e.target);
    const value: Local = { path: nowhere, size: element.kind === 'optional' && isScalar(element.element) ? fixedSize(1) : undefined };
    const body = this.#within([[e.variable, value]], () => this.cost(e.body));
    this.#sizes.set(e, isScalar(this.#type(e)) ? fixedSize(1) : unknownSize);
    return asked + 1 + (e.isFlat ? 0 : 1) + listCost + asked + 1 + body;
  }

  #bind(e: Of<'bind'>): number {
    const cost = listCost + this.cost(e.value);
    const local: Local = { path: this.#pathOf(e.value), size: this.#sizeOf(e.value), entries: this.#entriesOf(e.value) };
    return this.#within([[e.variable, local]], () => {
      const body = this.cost(e.body);
      this.#copySizes(e, e.body);
      return cost + body;
    });
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#setSize(to, this.#sizeOf(from));
    const entries = this.#entriesOf(from);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #iterated({ range, variable, second }: Of<'loop'>): readonly (readonly [string, Local])[] {
    const entries = this.#entriesOf(range);
    const isList = entries?.isList ?? this.#type(range).kind === 'list';
    const at = (step: string, size: Size | undefined): Local => ({ path: [...this.#pathOf(range), step], size });
    const [keys, values] = [at(isList ? '@indices' : '@keys', entries?.key), at(isList ? '@items' : '@values', entries?.value)];
    if (second === undefined) return [[variable, isList ? values : keys]];
    return [
      [variable, keys],
      [second, values],
    ];
  }

  #loop(e: Of<'loop'>): number {
    const { macro, filter, body, variable } = e;
    const before = this.cost(e.range);
    const item: Expression = { kind: 'name', name: variable, at: e.at };
    const { step, made } = this.#within(this.#iterated(e), () => ({
      step: loopStep(macro, filter === undefined ? 0 : this.cost(filter), this.cost(body)),
      made: macro === 'filter' ? this.#sizeOf(item) : macro === 'map' ? this.#sizeOf(body) : undefined,
    }));
    const count = this.#sizeOf(e.range) ?? unknownSize;
    if (macro === 'map' || macro === 'filter')
      this.#entries.set(e, { isList: true, key: fixedSize(1), value: unionOf(fixedSize(0), made ?? unknownSize) });
    this.#sizes.set(e, isMaking(macro) ? count : fixedSize(1));
    return before + loopEnds(macro) + times(count.max, step);
  }

  #call(e: Of<'call'>): number {
    const { name, target, args } = e;
    const [first] = args;
    if (name === 'dyn' && first !== undefined) {
      const cost = this.cost(first) + 1;
      this.#copySizes(e, first);
      return cost;
    }
    const all = [...(target === undefined ? [] : [target]), ...args];
    const costs = all.map((one) => this.cost(one));
    if (isSpecial(name)) return this.#decided(e, costs);
    const given = all.map((one) => this.#given(one));
    const fitting = (this.#functions.get(name) ?? []).filter((overload) => isFitting(overload, target !== undefined, given));
    // What looks into optional values has no overloads of its own here.
    let most = fitting.length === 0 ? 1 : 0;
    let size: Size | undefined;
    for (const overload of fitting) {
      const { cost, size: own } = this.#priced(e, overload, given);
      most = Math.max(most, cost);
      if (own !== undefined) size = size === undefined ? own : unionOf(size, own);
      size ??= this.#sizeOf(e);
    }
    this.#setSize(e, size);
    return costs.reduce((sum, cost) => sum + cost, most);
  }

  #priced(e: Of<'call'>, overload: Overload, given: readonly Given[]): CallCost {
    const [left, right] = e.args;
    if (e.name === '_+_' && left !== undefined && right !== undefined) {
      const entries = unionOfEntries(this.#entriesOf(left), this.#entriesOf(right));
      if (entries !== undefined) this.#entries.set(e, entries);
    }
    if (e.name !== '_[_]' || left === undefined) return callCost(overload, given);
    const size = this.#entriesOf(left)?.value;
    this.#paths.set(e, [...this.#pathOf(left), overload.args[0]?.kind === 'list' ? '@items' : '@values']);
    return { cost: 1, ...(size && { size }) };
  }

  /** `&&`, `||` and `?:`. */
  #decided(e: Of<'call'>, costs: readonly number[]): number {
    if (e.name !== '_?_:_') {
      this.#sizes.set(e, fixedSize(1));
      return costs.reduce((sum, cost) => sum + cost, 0);
    }
    const [condition = 0, yes = 0, no = 0] = costs;
    const [, left, right] = e.args as readonly [Expression, Expression, Expression];
    this.#setSize(e, unionOf(this.#sizeOf(left) ?? unknownSize, this.#sizeOf(right) ?? unknownSize));
    const entries = unionOfEntries(this.#entriesOf(left), this.#entriesOf(right));
    if (entries !== undefined) this.#entries.set(e, entries);
    return condition + Math.max(yes, no);
  }

  #given(expression: Expression): Given {
    const path = this.#pathOf(expression);
    const elements = (): Size => {
      const max = path.length === 0 ? undefined : this.#byPath([...path, '@items']);
      return max === undefined ? unknownSize : { min: 0, max };
    };
    return { expression, type: this.#type(expression), size: this.#sizeOf(expression) ?? unknownSize, elements };
  }
}

function isFitting(overload: Overload, isMember: boolean, given: readonly Given[]): boolean {
  const { args } = overload;
  if (overload.isMember !== isMember || args.length !== given.length) return false;
  const bindings = new Map<string, CelType>();
  return args.every((type, i) => fits(type, given[i]?.type ?? dyn, bindings));
}

/** What a turn of a loop costs: its condition, and its step. */
function loopStep(macro: Of<'loop'>['macro'], filter: number, body: number): number {
  switch (macro) {
    case 'all':
      return 2 + 1 + body;
    case 'exists':
      return 3 + 1 + body;
    case 'exists_one':
      return body + 2;
    case 'filter':
      return body + 2 + listCost + 1;
    case 'map':
      return filter + 2 + listCost + body;
    case 'transformMap':
      return filter + 3 + body;
    case 'transformMapEntry':
      return filter + 2 + body;
  }
}

/** What it costs to begin a loop, and to end it. */
function loopEnds(macro: Of<'loop'>['macro']): number {
  if (macro === 'map' || macro === 'filter') return listCost + 1;
  if (macro === 'transformMap' || macro === 'transformMapEntry') return mapCost + 1;
  return macro === 'exists_one' ? 2 : 1;
}

function isMaking(macro: Of<'loop'>['macro']): boolean {
  return macro === 'map' || macro === 'filter' || macro === 'transformMap' || macro === 'transformMapEntry';
}

/** The size that the expression itself has. */
function sizeSaid(e: Expression): Size | undefined {
  if (e.kind === 'list') return fixedSize(e.elements.length);
  if (e.kind === 'map') return fixedSize(e.entries.length);
  if (e.kind !== 'literal' || e.value instanceof CelTypeValue) return undefined;
  const { value } = e;
  if (typeof value === 'string') return fixedSize([...value].length);
  if (value instanceof Uint8Array) return fixedSize(value.length);
  const isOther = value !== null && typeof value === 'object' && !(value instanceof Unsigned);
  return isOther && (Array.isArray(value) || isMap(value)) ? undefined : fixedSize(1);
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'int', 'uint']);

/** Whether all values of a type are of one size. */
function isScalar(type: CelType): boolean {
  if (type.kind === 'optional') return isScalar(type.element);
  return scalars.has(type.kind) || (type.kind === 'opaque' && (type.name === 'timestamp' || type.name === 'duration'));
}
