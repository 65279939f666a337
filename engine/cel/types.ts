/** Types of CEL, and which of them fit where. Mirrors cel-go's checker/types.go. */
export type CelType = {
  /** How many characters or elements a value has at most, where that is known: what an expression can cost follows from it. */
  readonly sizeMax?: number;
} /** `error`: of what is wrong, so that it is told once. */ & (
  | { readonly kind: 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'null' | 'dyn' | 'any' | 'error' }
  /** Of types as values. */
  | { readonly kind: 'type'; readonly of?: CelType }
  /** Of a value that may be null. */
  | { readonly kind: 'wrapper'; readonly of: CelType }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  /** `isClosed`: of objects that checkers cannot look into, and say so. */
  | { readonly kind: 'object'; readonly name: string; readonly fields: Fields; readonly isClosed?: true }
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
export const error: CelType = { kind: 'error' };
export const listOf = (element: CelType): CelType => ({ kind: 'list', element });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value });
export const optionalOf = (element: CelType): CelType => ({ kind: 'optional', element });
export const typeOfType = (of: CelType): CelType => ({ kind: 'type', of });
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
    case 'type':
      return type.of === undefined ? 'type' : `type(${typeText(type.of)})`;
    case 'wrapper':
      return `wrapper(${typeText(type.of)})`;
    case 'error':
      return '!error!';
    default:
      return type.kind;
  }
}

/** What type parameters stand for so far. */
export type Bindings = Map<string, CelType>;

/** Whether a value of it may be of any type. */
export function isAnything({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'any' || kind === 'error';
}

/** Whether a value of `given`, a type without variables, may stand where `wanted` is asked for; binds the parameters of `wanted`. */
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
  if (isAnything(wanted) || isAnything(given)) return true;
  if (wanted.kind === 'wrapper' || given.kind === 'wrapper') {
    const isNull = wanted.kind === 'null' || given.kind === 'null';
    return isNull || fits(wanted.kind === 'wrapper' ? wanted.of : wanted, given.kind === 'wrapper' ? given.of : given, bindings);
  }
  if (given.kind === 'parameter') return true;
  if (wanted.kind === 'list') return given.kind === 'list' && fits(wanted.element, given.element, bindings);
  if (wanted.kind === 'optional') return given.kind === 'optional' && fits(wanted.element, given.element, bindings);
  if (wanted.kind === 'map') return given.kind === 'map' && fits(wanted.key, given.key, bindings) && fits(wanted.value, given.value, bindings);
  if (wanted.kind === 'object' || wanted.kind === 'opaque') return given.kind === wanted.kind ? given.name === wanted.name : given.kind === 'null';
  return wanted.kind === given.kind;
}
