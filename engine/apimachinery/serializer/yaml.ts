/**
 * YAML as sigs.k8s.io/yaml reads and writes it: the same values as JSON, plain scalars as in YAML 1.1 (yes, no, on, off are
 * booleans), timestamps stay text, keys in byte order.
 */
import {
  boolYaml11Tag,
  dump,
  floatYaml11Tag,
  intYaml11Tag,
  load,
  mapTag,
  mergeTag,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  YAML11_SCHEMA,
  YAMLException,
} from 'js-yaml';
import type { JsonValue } from '../object.ts';
import type { DecodedJson } from './json.ts';
import { DecodeError } from './scalars.ts';

const schema = new Schema([strTag, mapTag, seqTag, nullYaml11Tag, boolYaml11Tag, intYaml11Tag, floatYaml11Tag, mergeTag]);

/** Reads one document. Duplicate keys are named and the last one counts; throws DecodeError for what is not YAML. */
export function decodeYaml(text: string): DecodedJson {
  try {
    return { value: toJson(load(text, { schema })), duplicates: [] };
  } catch (error) {
    const duplicate = error instanceof YAMLException && /duplicated mapping key/.test(error.message);
    if (!duplicate) throw new DecodeError(`error converting YAML to JSON: yaml: ${describe(error)}`);
    return { value: toJson(load(text, { schema, json: true })), duplicates: [`yaml: ${describe(error)}`] };
  }
}

export function encodeYaml(value: unknown): string {
  return dump(value, { schema: YAML11_SCHEMA, sortKeys: true, seqNoIndent: true, lineWidth: -1, noRefs: true, skipInvalid: true, quoteStyle: 'double' });
}

/** JSON has text keys and no NaN. */
function toJson(value: unknown): JsonValue {
  if (value === undefined) return null;
  if (typeof value === 'number' && !Number.isFinite(value)) throw new DecodeError('error converting YAML to JSON: unsupported number');
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (Array.isArray(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
}

function describe(error: unknown): string {
  if (!(error instanceof YAMLException)) return error instanceof Error ? error.message : String(error);
  const line = error.mark === undefined ? '' : `line ${error.mark.line + 1}: `;
  return `${line}${error.reason}`;
}
