/** Gives every node of a tree its type, or says what is wrong in upstream's words (cel-go checker). */
import type { FunctionTable } from './functions.ts';
import type { Expression } from './syntax.ts';
import {
  type Bindings,
  bool,
  bytes,
  type CelType,
  double,
  dyn,
  fits,
  int,
  joined,
  listOf,
  mapOf,
  optionalOf,
  string,
  substituted,
  typeText,
  uint,
} from './types.ts';
import { CelTypeValue, type CelValue, Unsigned } from './values.ts';

export interface Fault {
  readonly at: number;
  readonly message: string;
}

export interface Checked {
  readonly type: CelType;
  readonly types: ReadonlyMap<Expression, CelType>;
  readonly faults: readonly Fault[];
}

export type Scope = ReadonlyMap<string, CelType>;

/** The types of objects that may be written down, by their names. */
export type StructTypes = (name: string) => StructType | undefined;

export interface StructType {
  readonly type: CelType;
  /** Undefined for a field that the type does not have. */
  field(name: string): CelType | undefined;
  /** Throws CelError. */
  make(fields: ReadonlyMap<string, CelValue>): CelValue;
}

export function check(expression: Expression, variables: Scope, functions: FunctionTable, structs?: StructTypes): Checked {
  const checker = new Checker(functions, structs ?? (() => undefined));
  const type = checker.check(expression, variables);
  return { type, types: checker.types, faults: checker.faults.toSorted((a, b) => a.at - b.at) };
}

class Checker {
  readonly types = new Map<Expression, CelType>();
  readonly faults: Fault[] = [];
  readonly #functions: FunctionTable;
  readonly #structs: StructTypes;

  constructor(functions: FunctionTable, structs: StructTypes) {
    this.#functions = functions;
    this.#structs = structs;
  }

  check(expression: Expression, scope: Scope): CelType {
    const type = this.#typeOf(expression, scope);
    this.types.set(expression, type);
    return type;
  }

  /** What is wrong is noted once; the type is then anything. */
  #fault(at: number, message: string): CelType {
    this.faults.push({ at, message });
    return dyn;
  }

  #typeOf(expression: Expression, scope: Scope): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'name':
        return scope.get(expression.name) ?? this.#fault(expression.at, `undeclared reference to '${expression.name}' (in container '')`);
      case 'select':
        return this.#select(expression, scope);
      case 'call':
        return this.#call(expression, scope);
      case 'list':
        return listOf(this.#common(expression.elements, scope, expression.optional));
      case 'map': {
        const key = this.#common(
          expression.entries.map(([one]) => one),
          scope,
        );
        const value = this.#common(
          expression.entries.map(([, one]) => one),
          scope,
          expression.optional,
        );
        return mapOf(key, value);
      }
      case 'struct':
        return this.#struct(expression, scope);
      case 'present':
        return this.#present(expression, scope);
      case 'bind':
        return this.check(expression.body, new Map([...scope, [expression.variable, this.check(expression.value, scope)]]));
      case 'loop':
        return this.#loop(expression, scope);
    }
  }

  #struct({ name, fields, optional, at }: Expression & { readonly kind: 'struct' }, scope: Scope): CelType {
    const struct = this.#structs(name);
    if (struct === undefined) return this.#fault(at, `undeclared reference to '${name}' (in container '')`);
    for (const [i, [field, value, where]] of fields.entries()) {
      const given = this.check(value, scope);
      const isOptional = optional.has(i);
      if (isOptional && given.kind !== 'optional' && given.kind !== 'dyn')
        this.#fault(value.at, `expected type 'optional_type(${typeText(given)})' but found '${typeText(given)}'`);
      const type = isOptional && given.kind === 'optional' ? given.element : given;
      const wanted = struct.field(field);
      if (wanted === undefined) this.#fault(where, `undefined field '${field}'`);
      else if (!fits(wanted, type, new Map()))
        this.#fault(where, `expected type of field '${field}' is '${typeText(wanted)}' but provided type is '${typeText(type)}'`);
    }
    return struct.type;
  }

  #present({ target, variable, body, isFlat, at }: Expression & { readonly kind: 'present' }, scope: Scope): CelType {
    const type = this.check(target, scope);
    if (type.kind !== 'optional' && type.kind !== 'dyn') return this.#noMatch(at, isFlat ? 'optFlatMap' : 'optMap', true, [type]);
    const made = this.check(body, new Map([...scope, [variable, type.kind === 'optional' ? type.element : dyn]]));
    return isFlat ? made : optionalOf(made);
  }

  /** The type of all of them; what is optional gives its element. */
  #common(expressions: readonly Expression[], scope: Scope, optional?: ReadonlySet<number>): CelType {
    const typeAt = (one: Expression, i: number): CelType => {
      const type = this.check(one, scope);
      if (optional?.has(i) !== true) return type;
      if (type.kind === 'optional') return type.element;
      return type.kind === 'dyn' ? dyn : this.#fault(one.at, `expected type 'optional_type(dyn)' but found '${typeText(type)}'`);
    };
    const types = expressions.map(typeAt);
    return types.reduce<CelType>((all, type, i) => (i === 0 ? type : joined(all, type)), dyn);
  }

  #select({ operand, field, isTest, isOptional = false, at }: Expression & { readonly kind: 'select' }, scope: Scope): CelType {
    const whole = this.check(operand, scope);
    const type = whole.kind === 'optional' ? whole.element : whole;
    let found: CelType;
    if (type.kind === 'map') found = type.value;
    else if (type.kind === 'object') found = type.fields.get(field) ?? this.#fault(at, `undefined field '${field}'`);
    else if (type.kind === 'dyn' || type.kind === 'any') found = dyn;
    else found = this.#fault(at, `type '${typeText(type)}' does not support field selection`);
    if (isTest) return bool;
    return isOptional || whole.kind === 'optional' ? optionalOf(found) : found;
  }

  #loop(expression: Expression & { readonly kind: 'loop' }, scope: Scope): CelType {
    const { range, variable, second, filter, body, macro } = expression;
    const type = this.check(range, scope);
    const item = this.#element(type, range.at);
    const inner = new Map(scope);
    inner.set(variable, second !== undefined && type.kind === 'list' ? int : item);
    if (second !== undefined) inner.set(second, type.kind === 'map' ? type.value : item);
    if (filter !== undefined) this.#mustBeBool(filter, inner);
    if (macro === 'map') return listOf(this.check(body, inner));
    if (macro === 'transformMap') return mapOf(inner.get(variable) ?? dyn, this.check(body, inner));
    if (macro === 'transformMapEntry') return this.check(body, inner);
    this.#mustBeBool(body, inner);
    return macro === 'filter' ? listOf(inner.get(variable) ?? dyn) : bool;
  }

  #element(range: CelType, at: number): CelType {
    if (range.kind === 'list') return range.element;
    if (range.kind === 'map') return range.key;
    if (range.kind === 'dyn') return dyn;
    return this.#fault(at, `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
  }

  #mustBeBool(expression: Expression, scope: Scope): void {
    this.check(expression, scope);
    this.#expectBool(expression);
  }

  #expectBool(expression: Expression): void {
    const type = this.types.get(expression) ?? dyn;
    if (!fits(bool, type, new Map())) this.#fault(expression.at, `expected type 'bool' but found '${typeText(type)}'`);
  }

  #call({ name, target, args, at }: Expression & { readonly kind: 'call' }, scope: Scope): CelType {
    const given = [...(target === undefined ? [] : [target]), ...args].map((arg) => this.check(arg, scope));
    if (name === '_&&_' || name === '_||_') {
      for (const arg of args) this.#expectBool(arg);
      return bool;
    }
    const special = specialResult(name, given);
    if (special !== undefined) return special;
    const index = optionalIndexType(name, given);
    if (index !== undefined) return index;
    const overloads = this.#functions.get(name);
    if (overloads === undefined) {
      if (isSpecial(name)) return this.#noMatch(at, name, false, given);
      return this.#fault(at, `undeclared reference to '${name}' (in container '')`);
    }
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.isMember !== (target !== undefined) || overload.args.length !== given.length) continue;
      const bindings: Bindings = new Map();
      if (!overload.args.every((arg, i) => fits(arg, given[i] as CelType, bindings))) continue;
      const type = substituted(overload.result, bindings);
      result = result === undefined ? type : joined(result, type);
    }
    return result ?? this.#noMatch(at, name, target !== undefined, given);
  }

  #noMatch(at: number, name: string, isMember: boolean, given: readonly CelType[]): CelType {
    const texts = given.map(typeText);
    const shown = isMember ? `${texts[0] ?? ''}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
    return this.#fault(at, `found no matching overload for '${name}' applied to '${shown}'`);
  }
}

/** `list[?0]`, `map[?key]`, and an index of what is optional. */
function optionalIndexType(name: string, [operand = dyn]: readonly CelType[]): CelType | undefined {
  const isOptional = operand.kind === 'optional';
  if (name !== '_[?_]' && !(name === '_[_]' && isOptional)) return undefined;
  const inner = isOptional ? operand.element : operand;
  return optionalOf(inner.kind === 'list' ? inner.element : inner.kind === 'map' ? inner.value : dyn);
}

/** Operators that do not look at all of their operands. */
export function isSpecial(name: string): boolean {
  return name === '_&&_' || name === '_||_' || name === '_?_:_';
}

function specialResult(name: string, given: readonly CelType[]): CelType | undefined {
  const [first = dyn, second = dyn, third = dyn] = given;
  const isBool = (type: CelType): boolean => fits(bool, type, new Map());
  if (name !== '_?_:_' || !isBool(first)) return undefined;
  return fits(second, third, new Map()) ? joined(second, third) : undefined;
}

function literalType(value: CelValue): CelType {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'string') return string;
  if (typeof value === 'bigint') return int;
  if (typeof value === 'number') return double;
  if (typeof value === 'boolean') return bool;
  if (value instanceof Unsigned) return uint;
  if (value instanceof CelTypeValue) return { kind: 'type' };
  return value instanceof Uint8Array ? bytes : dyn;
}
