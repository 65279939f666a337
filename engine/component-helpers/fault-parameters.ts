/** Parameters of faults against their tables: what is wrong with the given ones, and what is in force. */
import type { FaultTypeTable, ParameterTable } from '../api/sim/v1alpha1/fault-type.ts';
import { type FieldError, type FieldErrorList, type FieldPath, invalid, notSupported } from '../apimachinery/field-errors.ts';
import { parseDuration } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';

export type ParameterValues = { readonly [name: string]: JsonValue };

/** Given values over the defaults. */
export function parametersInForce({ parameters }: FaultTypeTable, given: ParameterValues = {}): ParameterValues {
  const entries = Object.entries(parameters).map(([name, table]): [string, JsonValue] => [name, given[name] ?? table.default]);
  return Object.fromEntries(entries);
}

export function validateParameters({ name, parameters }: FaultTypeTable, given: ParameterValues, path: FieldPath): FieldErrorList {
  return Object.keys(given).flatMap((parameter): FieldErrorList => {
    const table = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
    if (table === undefined) return [notSupportedParameter(path.child(parameter), name, Object.keys(parameters))];
    return validateParameter(table, given[parameter] ?? null, path.child(parameter));
  });
}

function notSupportedParameter(path: FieldPath, type: string, known: readonly string[]): FieldError {
  return invalid(path, type, known.length === 0 ? `${type} has no parameters` : `${type} has only the parameters ${known.join(', ')}`);
}

function validateParameter(table: ParameterTable, value: JsonValue, path: FieldPath): FieldErrorList {
  switch (table.type) {
    case 'duration': {
      const ms = typeof value === 'string' ? parseDuration(value) : undefined;
      if (ms === undefined) return [invalid(path, value, 'must be a duration such as 500ms or 10m')];
      const isWithin = ms >= (parseDuration(table.min) ?? 0) && ms <= (parseDuration(table.max) ?? 0);
      return isWithin ? [] : [invalid(path, value, `must be between ${table.min} and ${table.max}`)];
    }
    case 'number':
    case 'integer':
      return typeof value === 'number' && value >= table.min && value <= table.max && (table.type === 'number' || Number.isInteger(value))
        ? []
        : [invalid(path, value, `must be between ${table.min} and ${table.max}`)];
    case 'choice':
      return typeof value === 'string' && table.values.includes(value) ? [] : [notSupported(path, value, table.values)];
    case 'text':
      return typeof value === 'string' ? [] : [invalid(path, value, 'must be text')];
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((one, index) => validateElement(table.values, one as JsonValue, path.index(index)))
        : [invalid(path, value, 'must be a list')];
  }
}

function validateElement(values: readonly string[] | undefined, value: JsonValue, path: FieldPath): FieldErrorList {
  if (typeof value !== 'string' || value === '') return [invalid(path, value, 'must be text')];
  return values === undefined || values.includes(value) ? [] : [notSupported(path, value, values)];
}

/** Words as they stand in a query or a form. Undefined when they say nothing. */
export function parseParameter(table: ParameterTable, words: string): JsonValue | undefined {
  if (words === '') return undefined;
  if (table.type === 'number' || table.type === 'integer') return Number.isNaN(Number(words)) ? words : Number(words);
  if (table.type !== 'list') return words;
  return words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
