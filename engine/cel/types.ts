/** Types of CEL, and which of them fit where. Mirrors cel-go's checker/types.go. */
export type CelType = {
  /** How many characters or elements a value has at most, where that is known: what an expression can cost follows from it. */
  readonly sizeMax?: number;
} & (
  | { readonly kind: 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'null' | 'dyn' | 'any' | 'type' }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'object'; readonly name: string; readonly fields: Fields }
  /** Of a value that may be absent. */
  | { readonly kind: 'optional'; readonly element: CelType }
  /** Known by its functions alone. */
  | { readonly kind: 'opaque'; readonly name: string }
  | { readonly kind: 'parameter'; readonly name: string }
);

/** The types of fields by their names. */
export interface Fields {
  get(name: string): CelType | undefined;
}

export const bool: CelType = { kind: 'bool' };
export const int: CelType = { kind: 'int' };
export const uint: CelType = { kind: 'uint' };
export const double: CelType = { kind: 'double' };
export const string: CelType = { kind: 'string' };
export const bytes: CelType = { kind: 'bytes' };
export const dyn: CelType = { kind: 'dyn' };
/** Known by the names that checkers print; values name themselves in full. */
export const timestamp: CelType = { kind: 'opaque', name: 'timestamp' };
export const duration: CelType = { kind: 'opaque', name: 'duration' };
export const any: CelType = { kind: 'any' };
export const listOf = (element: CelType): CelType => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const optionalOf = (element: CelType): CelType => ({ kind: 'optional', element });
export const parameter = (name: string): CelType => ({ kind: 'parameter', name });

/** As upstream prints it. */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeText(type.element)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'optional':
      return `optional_type(${typeText(type.element)})`;
    case 'object':
    case 'opaque':
    case 'parameter':
      return type.name;
    default:
      return type.kind;
  }
}

/** What type parameters stand for so far. */
export type Bindings = Map<string, CelType>;

/** Whether a value of `given` may stand where `wanted` is asked for; binds the parameters of `wanted`. */
export function fits(wanted: CelType, given: CelType, bindings: Bindings): boolean {
  if (wanted.kind === 'parameter') {
    const bound = bindings.get(wanted.name);
    if (bound === undefined || bound.kind === 'dyn') {
      bindings.set(wanted.name, given);
      return true;
    }
    if (fits(bound, given, bindings)) return true;
    return false;
  }
  if (wanted.kind === 'dyn' || wanted.kind === 'any' || given.kind === 'dyn' || given.kind === 'any') return true;
  if (given.kind === 'parameter') return true;
  if (wanted.kind === 'list') return given.kind === 'list' && fits(wanted.element, given.element, bindings);
  if (wanted.kind === 'optional') return given.kind === 'optional' && fits(wanted.element, given.element, bindings);
  if (wanted.kind === 'map') return given.kind === 'map' && fits(wanted.key, given.key, bindings) && fits(wanted.value, given.value, bindings);
  if (wanted.kind === 'object' || wanted.kind === 'opaque') return given.kind === wanted.kind ? given.name === wanted.name : given.kind === 'null';
  return wanted.kind === given.kind;
}

export function substituted(type: CelType, bindings: Bindings): CelType {
  if (type.kind === 'parameter') return bindings.get(type.name) ?? dyn;
  if (type.kind === 'list') return listOf(substituted(type.element, bindings));
  if (type.kind === 'optional') return optionalOf(substituted(type.element, bindings));
  return type.kind === 'map' ? mapOf(substituted(type.key, bindings), substituted(type.value, bindings)) : type;
}

/** The type of both; dyn where they differ. */
export function joined(a: CelType, b: CelType): CelType {
  return fits(a, b, new Map()) ? (a.kind === 'dyn' ? b : a) : dyn;
}
