/**
 * Which types may stand for which while an expression is checked, and what type variables stand for so far: `[]` is a list of something
 * that a later use tells. Mirrors cel-go checker/types.go and mapping.go. What a question that fails has bound is unbound again.
 */
import { type CelType, dyn, isAnything, listOf, mapOf, optionalOf, parameter, typeOfType } from './types.ts';

/** A type that says more than this says nothing: pairs of pairs of pairs would grow without end. */
const nodesMax = 1000;

export class TypeVariables {
  readonly #bound = new Map<string, CelType>();
  readonly #trail: (readonly [name: string, before: CelType | undefined])[] = [];
  #count = 0;

  fresh(): CelType {
    return parameter(`_var${this.#count++}`);
  }

  /** Whether a value of the one may stand where the other is asked for; the order decides what is bound. */
  assignable(one: CelType, other: CelType): boolean {
    return this.allAssignable([one], [other]);
  }

  /** Binds nothing unless all of them fit. */
  allAssignable(ones: readonly CelType[], others: readonly CelType[]): boolean {
    const before = this.#trail.length;
    if (ones.length === others.length && ones.every((one, i) => this.#isAssignable(one, others[i] as CelType))) return true;
    while (this.#trail.length > before) {
      const [name, bound] = this.#trail.pop() as readonly [string, CelType | undefined];
      if (bound === undefined) this.#bound.delete(name);
      else this.#bound.set(name, bound);
    }
    return false;
  }

  /** The type with what is bound in place of its variables, and `dyn` for those that are free where `freeIsDyn`. */
  resolved(type: CelType, freeIsDyn = false): CelType {
    let left = nodesMax;
    const of = (one: CelType): CelType => {
      if (--left < 0) return dyn;
      if (one.kind !== 'parameter') return withParts(one, of);
      const bound = this.#bound.get(one.name);
      if (bound !== undefined) return of(bound);
      return freeIsDyn ? dyn : one;
    };
    const made = of(type);
    return left < 0 ? dyn : made;
  }

  /** A signature with variables of its own in place of its parameters. */
  instantiated(types: readonly CelType[]): readonly CelType[] {
    const own = new Map<string, CelType>();
    const of = (one: CelType): CelType => {
      if (one.kind !== 'parameter') return withParts(one, of);
      const known = own.get(one.name) ?? this.fresh();
      own.set(one.name, known);
      return known;
    };
    return types.map(of);
  }

  #bind(name: string, type: CelType): void {
    this.#trail.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #isAssignable(one: CelType, other: CelType): boolean {
    if (other.kind === 'parameter') {
      const found = this.#substituted(one, other);
      if (found !== 'free') return found === 'fits';
    }
    if (one.kind === 'parameter') return this.#substituted(other, one) === 'fits';
    if (isAnything(one) || isAnything(other)) return true;
    if (one.kind === 'null') return isNullable(other);
    if (other.kind === 'null') return isNullable(one);
    const [a, b] = [unwrapped(one), unwrapped(other)];
    if (a.kind === 'type') return b.kind === 'type';
    const [mine, others] = [partsOf(a), partsOf(b)];
    return isSameShape(a, b) && mine.every((part, i) => this.#isAssignable(part, others[i] as CelType));
  }

  /** `free`: the variable stands for nothing yet and cannot stand for this. */
  #substituted(type: CelType, variable: CelType & { readonly kind: 'parameter' }): 'fits' | 'differs' | 'free' {
    if (isExactly(type, variable)) return 'fits';
    const bound = this.#bound.get(variable.name);
    if (bound !== undefined) {
      if (isExactly(type, bound)) return 'fits';
      if (!this.#isAssignable(type, bound)) return 'differs';
      const general = moreGeneral(type, bound);
      if (!this.#isWithin(variable.name, general)) this.#bind(variable.name, general);
      return 'fits';
    }
    if (this.#isWithin(variable.name, type)) return 'free';
    this.#bind(variable.name, type);
    return 'fits';
  }

  #isWithin(name: string, type: CelType): boolean {
    if (type.kind !== 'parameter') return partsOf(type).some((part) => this.#isWithin(name, part));
    if (type.name === name) return true;
    const bound = this.#bound.get(type.name);
    return bound !== undefined && this.#isWithin(name, bound);
  }
}

function partsOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case 'list':
    case 'optional':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'type':
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** The same type where no part of it changes, so that what is known of its size is kept. */
function withParts(type: CelType, of: (part: CelType) => CelType): CelType {
  const parts = partsOf(type);
  if (parts.length === 0) return type;
  const made = parts.map(of);
  if (made.every((part, i) => part === parts[i])) return type;
  const [first, second] = made as [CelType, CelType];
  if (type.kind === 'list') return listOf(first);
  if (type.kind === 'optional') return optionalOf(first);
  return type.kind === 'map' ? mapOf(first, second) : typeOfType(first);
}

function unwrapped(type: CelType): CelType {
  return type.kind === 'wrapper' ? type.of : type;
}

function isNullable({ kind }: CelType): boolean {
  return ['null', 'opaque', 'object', 'optional', 'wrapper'].includes(kind);
}

function isSameShape(one: CelType, other: CelType): boolean {
  if (one.kind !== other.kind || partsOf(one).length !== partsOf(other).length) return false;
  const isNamed = one.kind === 'object' || one.kind === 'opaque' || one.kind === 'parameter';
  return !isNamed || one.name === (other as typeof one).name;
}

/** Whether two types are the same, with `byName` also in the names of their variables. */
export function isExactly(one: CelType, other: CelType, byName = true): boolean {
  const [a, b] = [unwrapped(one), unwrapped(other)];
  if (a === b) return true;
  if (!byName && a.kind === 'parameter' && b.kind === 'parameter') return true;
  const others = partsOf(b);
  return isSameShape(a, b) && partsOf(a).every((part, i) => isExactly(part, others[i] as CelType, byName));
}

/** That of two types that says less; the second where neither does. */
export function moreGeneral(one: CelType, other: CelType): CelType {
  return saysLess(one, other) ? one : other;
}

function saysLess(one: CelType, other: CelType): boolean {
  const isOpen = ({ kind }: CelType): boolean => kind === 'dyn' || kind === 'any' || kind === 'parameter';
  if (isOpen(one)) return true;
  if (isOpen(other)) return false;
  const [a, b] = [unwrapped(one), unwrapped(other)];
  if (a.kind === 'type') return b.kind === 'type';
  const others = partsOf(b);
  return isSameShape(a, b) && partsOf(a).every((part, i) => saysLess(part, others[i] as CelType));
}
