/** Reading the fields of a KubeSchedulerConfiguration. */
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** What is wrong with a configuration, in upstream's words where they are known. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** Throws ConfigurationError for a field that is none of these. */
export function strict(object: JsonObject, fields: readonly string[], path: string): void {
  const unknown = Object.keys(object).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new ConfigurationError(`strict decoding error: unknown field ${JSON.stringify(`${path}.${unknown}`)}`);
}

export function objectOf(value: JsonValue, path: string): JsonObject {
  if (isObject(value)) return value;
  throw new ConfigurationError(`${path}: an object is expected`);
}

/** A list of the document itself, as Go's decoder names it. */
export function topListOf(value: JsonValue, field: string, type: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  const given = isObject(value) ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw new ConfigurationError(`json: cannot unmarshal ${given} into Go struct field KubeSchedulerConfiguration.${field} of type []v1.${type}`);
}

export function arrayOf(value: JsonValue, path: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  throw new ConfigurationError(`${path}: a list is expected`);
}
