/**
 * Errors of validation and the paths they point at. Mirrors k8s.io/apimachinery pkg/util/validation/field: the texts here end
 * up in `causes` and in the message of an Invalid status, word for word.
 */
import { goFloat, goJson, goQuote } from './quote.ts';
import type { JsonValue } from '../base/json.ts';

/** A path such as `spec.containers[0].ports[http]`. Building one is cheap; its text is made only when an error needs it. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #name: string;
  readonly #subscript: string | number | undefined;

  constructor(parent: FieldPath | undefined, name: string, subscript?: string | number) {
    this.#parent = parent;
    this.#name = name;
    this.#subscript = subscript;
  }

  child(name: string, ...more: readonly string[]): FieldPath {
    let path = new FieldPath(this, name);
    for (const next of more) path = new FieldPath(path, next);
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(this, '', index);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, '', key);
  }

  toString(): string {
    const before = this.#parent === undefined ? '' : this.#parent.toString();
    if (this.#subscript !== undefined) return `${before}[${this.#subscript}]`;
    return before === '' ? this.#name : `${before}.${this.#name}`;
  }
}

/** The start of a path: `root('spec')` or `root('spec', 'template')`. */
export function root(name: string, ...more: readonly string[]): FieldPath {
  let path = new FieldPath(undefined, name);
  for (const next of more) path = new FieldPath(path, next);
  return path;
}

export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** Absent where the message omits it. */
  readonly badValue?: unknown;
  readonly detail: string;
  /** What is told of a list or map that is there at all, though nothing be in it. */
  readonly evenEmpty?: true;
  /** What is told where a list or map is absent, and not where it is given with nothing in it. */
  readonly unlessEmpty?: true;
}

export type FieldErrorList = readonly FieldError[];

/** Stands in what a kind says of an update where the rest of what is wrong with metadata is told (`MetaChecks`); never told itself. */
export const metaPlace: FieldError = Object.freeze({ type: 'FieldValueInvalid', field: 'metadata', detail: '' });

const titles: { readonly [type in FieldErrorType]: string } = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

/** Types whose text never shows the value. */
const silent: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** `Invalid value: -1: must be greater than or equal to 0`: the error without its path. */
export function errorBody(error: FieldError): string {
  let text = titles[error.type];
  if (!silent.has(error.type) && 'badValue' in error) text += `: ${formatValue(error.badValue)}`;
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

/** `spec.replicas: Invalid value: -1: …`. */
export function errorText(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`;
}

/** The texts of all errors as Go's aggregate writes them: one bare, several in brackets, each text once. */
export function aggregateText(errors: FieldErrorList): string {
  return aggregateOf(errors.map(errorText));
}

/** The same of errors that are no fields'. */
export function aggregateOf(errors: readonly string[]): string {
  const texts = [...new Set(errors)];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** A bad value that is a double for upstream though it is whole: it is written as doubles are. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloat(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Double) return goFloat(value.value);
  return value === undefined ? 'null' : goJson(value as JsonValue);
}

function make(type: FieldErrorType, path: FieldPath, detail: string): FieldError {
  return { type, field: path.toString(), detail };
}

export function required(path: FieldPath, detail = ''): FieldError {
  return make('FieldValueRequired', path, detail);
}

export function invalid(path: FieldPath, badValue: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field: path.toString(), badValue, detail };
}

/** Of which the value is not shown. */
export function invalidUnshown(path: FieldPath, detail: string): FieldError {
  return make('FieldValueInvalid', path, detail);
}

export function typeInvalid(path: FieldPath, badValue: unknown, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field: path.toString(), badValue, detail };
}

export function duplicate(path: FieldPath, badValue: unknown): FieldError {
  return { type: 'FieldValueDuplicate', field: path.toString(), badValue, detail: '' };
}

export function notFound(path: FieldPath, badValue: unknown): FieldError {
  return { type: 'FieldValueNotFound', field: path.toString(), badValue, detail: '' };
}

/** Values stand sorted, as most of upstream's callers pass them. */
export function notSupported(path: FieldPath, badValue: unknown, validValues: Iterable<string>): FieldError {
  return notSupportedOf(path, badValue, [...validValues].sort());
}

/** Values stand as they are given. */
export function notSupportedOf(path: FieldPath, badValue: unknown, validValues: readonly string[]): FieldError {
  const values = validValues.map(goQuote);
  const detail = values.length === 0 ? '' : `supported values: ${values.join(', ')}`;
  return { type: 'FieldValueNotSupported', field: path.toString(), badValue, detail };
}

export function forbidden(path: FieldPath, detail: string): FieldError {
  return make('FieldValueForbidden', path, detail);
}

/** The same fault, which upstream finds in an empty list or map, too: others are found in what is stored, and nothing empty is. */
export function evenEmpty(fault: FieldError): FieldError {
  return { ...fault, evenEmpty: true };
}

/** The same fault, which upstream does not find where a list or map is there and empty. */
export function unlessEmpty(fault: FieldError): FieldError {
  return { ...fault, unlessEmpty: true };
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `maxBytes` below zero: the limit is not told. */
export function tooLong(path: FieldPath, maxBytes: number): FieldError {
  return make('FieldValueTooLong', path, maxBytes < 0 ? 'value is too long' : `may not be more than ${counted(maxBytes, 'byte')}`);
}

export function tooLongCharacters(path: FieldPath, maxCharacters: number): FieldError {
  return make('FieldValueTooLong', path, `may not be more than ${counted(maxCharacters, 'character')}`);
}

export function tooMany(path: FieldPath, actual: number, max: number): FieldError {
  const detail = max < 0 ? 'has too many items' : `must have at most ${counted(max, 'item')}`;
  return actual < 0 ? make('FieldValueTooMany', path, detail) : { type: 'FieldValueTooMany', field: path.toString(), badValue: actual, detail };
}

export function tooFew(path: FieldPath, actual: number, min: number): FieldError {
  return { type: 'FieldValueTooFew', field: path.toString(), badValue: actual, detail: `must have at least ${counted(min, 'item')}` };
}

export function internal(path: FieldPath, detail: string): FieldError {
  return make('InternalError', path, detail);
}
