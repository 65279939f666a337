/** Gives every node of a tree its type, or says what is wrong in upstream's words (cel-go checker/checker.go). */
import type { FunctionTable } from './functions.ts';
import { typeNames } from './named-types.ts';
import { type Signature, operatorSignatures } from './signatures.ts';
import type { Expression } from './syntax.ts';
import { isExactly, moreGeneral, TypeVariables } from './type-variables.ts';
import { bool, bytes, type CelType, double, dyn, error, int, isAnything, listOf, mapOf, optionalOf, string, typeText, uint } from './types.ts';
import { CelTypeValue, type CelValue, Unsigned } from './values.ts';

export interface Fault {
  readonly at: number;
  readonly message: string;
}

export interface Checked {
  readonly type: CelType;
  readonly types: ReadonlyMap<Expression, CelType>;
  /** In the order in which they were found, at most as many as upstream tells. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

/** As many as upstream tells, before it says how many more there are. */
export const faultsMax = 100;

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
  return { type: checker.final(type), types: checker.finalTypes(), faults: checker.faults, faultCount: checker.faultCount };
}

type Of<K extends Expression['kind']> = Expression & { readonly kind: K };

class Checker {
  readonly faults: Fault[] = [];
  faultCount = 0;
  readonly #types = new Map<Expression, CelType>();
  readonly #variables = new TypeVariables();
  readonly #functions: FunctionTable;
  readonly #structs: StructTypes;

  constructor(functions: FunctionTable, structs: StructTypes) {
    this.#functions = functions;
    this.#structs = structs;
  }

  check(expression: Expression, scope: Scope): CelType {
    const type = this.#typeOf(expression, scope);
    this.#types.set(expression, type);
    return type;
  }

  /** Of nothing that is still open may be anything. */
  final(type: CelType): CelType {
    return this.#variables.resolved(type, true);
  }

  finalTypes(): ReadonlyMap<Expression, CelType> {
    return new Map([...this.#types].map(([one, type]) => [one, this.final(type)] as const));
  }

  /** What is wrong is noted once. */
  #fault(at: number, message: string): CelType {
    if (++this.faultCount <= faultsMax) this.faults.push({ at, message });
    return error;
  }

  #undeclared(at: number, name: string): CelType {
    return this.#fault(at, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(at: number, wanted: CelType, given: CelType): CelType {
    return this.#fault(at, `expected type '${typeText(wanted)}' but found '${typeText(given)}'`);
  }

  #typeOf(expression: Expression, scope: Scope): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'name':
        return scope.get(expression.name) ?? this.#undeclared(expression.at, expression.name);
      case 'select':
        return this.#select(expression, scope);
      case 'call':
        return this.#call(expression, scope);
      case 'list':
        return listOf(this.#common(expression.elements, scope, expression.optional) ?? this.#variables.fresh());
      case 'map':
        return this.#map(expression, scope);
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

  #map({ entries, optional }: Of<'map'>, scope: Scope): CelType {
    let [keys, values]: (CelType | undefined)[] = [];
    for (const [i, [key, value]] of entries.entries()) {
      keys = this.#joined(keys, this.check(key, scope));
      values = this.#joined(values, this.#elementType(value, scope, optional?.has(i) === true));
    }
    return mapOf(keys ?? this.#variables.fresh(), values ?? this.#variables.fresh());
  }

  #struct({ name, fields, optional, at }: Of<'struct'>, scope: Scope): CelType {
    const plain = name.replace(/^\./, '');
    const struct = this.#structs(plain);
    if (struct === undefined)
      return typeNames.has(plain) && !plain.startsWith('google.') ? this.#fault(at, `'${plain}' is not a message type`) : this.#undeclared(at, name);
    for (const [i, [field, value, where]] of fields.entries()) {
      const type = this.#elementType(value, scope, optional.has(i));
      const wanted = struct.field(field);
      if (wanted === undefined) this.#fault(where, `undefined field '${field}'`);
      else if (!this.#variables.assignable(wanted, type))
        this.#fault(where, `expected type of field '${field}' is '${typeText(wanted)}' but provided type is '${typeText(type)}'`);
    }
    return struct.type;
  }

  /** Of what is made into a list or an object; what is optional gives its element. */
  #elementType(expression: Expression, scope: Scope, isOptional: boolean): CelType {
    const type = this.check(expression, scope);
    if (!isOptional) return type;
    if (type.kind === 'optional') return type.element;
    if (type.kind !== 'dyn' && type.kind !== 'any') this.#mismatch(expression.at, optionalOf(type), type);
    return type;
  }

  /** The type of all of them; undefined where there are none. */
  #common(expressions: readonly Expression[], scope: Scope, optional?: ReadonlySet<number>): CelType | undefined {
    let all: CelType | undefined;
    for (const [i, one] of expressions.entries()) all = this.#joined(all, this.#elementType(one, scope, optional?.has(i) === true));
    return all;
  }

  #joined(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    return this.#variables.assignable(before, type) ? moreGeneral(before, type) : dyn;
  }

  #select({ operand, field, isTest, isOptional = false, at }: Of<'select'>, scope: Scope): CelType {
    const whole = this.#variables.resolved(this.check(operand, scope));
    const found = this.#fieldType(whole.kind === 'optional' ? whole.element : whole, field, at);
    if (isTest) return bool;
    return this.#variables.resolved(isOptional || whole.kind === 'optional' ? optionalOf(found) : found);
  }

  #fieldType(type: CelType, field: string, at: number): CelType {
    if (type.kind === 'map') return type.value;
    if (type.kind === 'object' && type.isClosed === true) return this.#fault(at, `unexpected failed resolution of '${type.name}'`);
    if (type.kind === 'object') return type.fields.get(field) ?? this.#fault(at, `undefined field '${field}'`);
    if (type.kind === 'parameter') this.#variables.assignable(dyn, type);
    else if (!isAnything(type)) this.#fault(at, `type '${typeText(type)}' does not support field selection`);
    return dyn;
  }

  #call({ name, target, args, at }: Of<'call'>, scope: Scope): CelType {
    const given = args.map((arg) => this.check(arg, scope));
    const whole = target === undefined ? given : [this.check(target, scope), ...given];
    if (name === '_&&_' || name === '_||_') return this.#both(args, given);
    return this.#overload(name, target !== undefined, whole, at);
  }

  #both(args: readonly Expression[], given: readonly CelType[]): CelType {
    const wrong = given.filter((type, i) => !this.#variables.assignable(type, bool) && this.#mismatch((args[i] as Expression).at, bool, type));
    return wrong.length === 0 ? bool : error;
  }

  /** What a call of these gives: the type of all overloads that take them. */
  #overload(name: string, isMember: boolean, given: readonly CelType[], at: number): CelType {
    const own = this.#functions.get(name) ?? [];
    const operators = operatorSignatures.get(name) ?? [];
    if (own.length + operators.length === 0) return this.#undeclared(at, name);
    let result: CelType | undefined;
    for (const overload of [...own, ...operators]) {
      if (overload.isMember !== isMember || overload.args.length !== given.length) continue;
      const type = this.#resultOf(overload, given);
      if (type === undefined) continue;
      if (result === undefined) result = type;
      else if (!isAny(result) && !isExactly(type, result)) result = dyn;
    }
    return result ?? this.#noMatch(at, name, isMember, given);
  }

  #resultOf({ args, result }: Signature, given: readonly CelType[]): CelType | undefined {
    const [made = dyn, ...wanted] = this.#variables.instantiated([result, ...args]);
    return this.#variables.allAssignable(given, wanted) ? this.#variables.resolved(made) : undefined;
  }

  #noMatch(at: number, name: string, isMember: boolean, given: readonly CelType[]): CelType {
    const texts = given.map((type) => typeText(this.final(type)));
    const shown = isMember ? `${texts[0] ?? ''}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
    return this.#fault(at, `found no matching overload for '${name}' applied to '${shown}'`);
  }

  /** As upstream writes it: a choice between what is made of the value, and nothing; the value stands there twice, and so does what is wrong with it. */
  #present({ target, variable, body, isFlat, at }: Of<'present'>, scope: Scope): CelType {
    const before = this.faultCount;
    const type = this.check(target, scope);
    const wrong = this.faults.slice(before);
    const untold = this.faultCount - before - wrong.length;
    const condition = this.#overload('hasValue', true, [type], at);
    for (const { at: where, message } of wrong) this.#fault(where, message);
    this.faultCount += untold;
    const value = this.#overload('value', true, [type], at);
    const made = this.check(body, new Map([...scope, [variable, value]]));
    const found = isFlat ? made : this.#overload('optional.of', false, [made], at);
    return this.#overload('_?_:_', false, [condition, found, this.#overload('optional.none', false, [], at)], at);
  }

  #loop(loop: Of<'loop'>, scope: Scope): CelType {
    const { range, variable, second, macro, at } = loop;
    const over = this.#variables.resolved(this.check(range, scope));
    const result = this.#startOf(macro);
    const [first, other] = this.#elementsOf(over, second !== undefined, range.at);
    const inner = new Map(scope).set(variable, first);
    if (second !== undefined) inner.set(second, other);
    const step = this.#step(loop, inner, first, result);
    if (!this.#variables.assignable(result, step)) this.#mismatch(at, result, step);
    return macro === 'exists_one' ? bool : this.#variables.resolved(result);
  }

  /** The type of what a loop makes, before its first turn. */
  #startOf(macro: Of<'loop'>['macro']): CelType {
    if (macro === 'all' || macro === 'exists') return bool;
    if (macro === 'exists_one') return int;
    if (macro === 'map' || macro === 'filter') return listOf(this.#variables.fresh());
    return mapOf(this.#variables.fresh(), this.#variables.fresh());
  }

  #elementsOf(over: CelType, isDouble: boolean, at: number): readonly [CelType, CelType] {
    if (over.kind === 'list') return isDouble ? [int, over.element] : [over.element, dyn];
    if (over.kind === 'map') return [over.key, over.value];
    if (over.kind === 'dyn' || over.kind === 'error' || over.kind === 'parameter') {
      this.#variables.assignable(dyn, over);
      return [dyn, dyn];
    }
    const text = typeText(over);
    const wrong = this.#fault(at, `expression of type '${text}' cannot be range of a comprehension (must be list, map, or dynamic)`);
    return [wrong, wrong];
  }

  /** What a turn of a loop makes of the result so far. Upstream writes macros as such turns, and words what is wrong as of them. */
  #step({ macro, filter, body, at }: Of<'loop'>, scope: Scope, item: CelType, result: CelType): CelType {
    const choice = (condition: CelType, made: CelType): CelType => this.#overload('_?_:_', false, [condition, made, result], at);
    const added = (type: CelType): CelType => this.#overload('_+_', false, [result, listOf(type)], at);
    const condition = filter === undefined ? undefined : this.check(filter, scope);
    const type = this.check(body, scope);
    switch (macro) {
      case 'all':
      case 'exists':
        return this.#both([body], [type]);
      case 'exists_one':
        return choice(type, int);
      case 'filter':
        return choice(type, added(item));
      case 'map':
        return condition === undefined ? added(type) : choice(condition, added(type));
      default: {
        const given = macro === 'transformMap' ? [result, item, type] : [result, type];
        const inserted = this.#overload('cel.@mapInsert', false, given, at);
        return condition === undefined ? inserted : choice(condition, inserted);
      }
    }
  }
}

function isAny({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'any';
}

/** Operators that do not look at all of their operands. */
export function isSpecial(name: string): boolean {
  return name === '_&&_' || name === '_||_' || name === '_?_:_';
}

function literalType(value: CelValue): CelType {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'string') return string;
  if (typeof value === 'bigint') return int;
  if (typeof value === 'number') return double;
  if (typeof value === 'boolean') return bool;
  if (value instanceof Unsigned) return uint;
  if (value instanceof CelTypeValue) return { kind: 'type', ...(value.of && { of: value.of }) };
  return value instanceof Uint8Array ? bytes : dyn;
}
