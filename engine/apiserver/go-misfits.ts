/** Values of wrong types in a configuration, in the words of Go's decoder (sigs.k8s.io/json), which names the struct and the type that it has for a field. */
import { durationFault } from '../apimachinery/duration-fault.ts';
import { goKind } from '../apimachinery/serializer/go-names.ts';
import { parseDuration } from '../apimachinery/time.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';

export interface GoStruct {
  readonly name: string;
  readonly fields: { readonly [name: string]: GoField };
}

/** Simple ones by the name of their type; a duration is a text that says how long. */
export type GoField = 'string' | 'bool' | 'duration' | { readonly list: GoStruct } | { readonly struct: GoStruct };

/** The first in the document's order; `version` is the package in which the structs are. */
export function goMisfit(document: JsonObject, type: GoStruct, version: string, path = ''): string | undefined {
  for (const [name, value] of Object.entries(document)) {
    const field = type.fields[name];
    if (field === undefined || value === null) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const fault = misfitOf(value, field, version, at, type);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function misfitOf(value: JsonValue, field: GoField, version: string, at: string, holder: GoStruct): string | undefined {
  const refusal = (type: string): string => `json: cannot unmarshal ${goKind(value)} into Go struct field ${holder.name}.${at} of type ${type}`;
  if (field === 'bool') return typeof value === 'boolean' ? undefined : refusal('bool');
  if (typeof field === 'string') {
    if (typeof value !== 'string') return refusal('string');
    return field === 'duration' && parseDuration(value) === undefined ? `time: ${durationFault(value)}` : undefined;
  }
  if ('struct' in field) return isObject(value) ? goMisfit(value, field.struct, version, at) : refusal(`${version}.${field.struct.name}`);
  if (!Array.isArray(value)) return refusal(`[]${version}.${field.list.name}`);
  for (const one of value as readonly JsonValue[]) {
    const wrong = one === null ? undefined : misfitOf(one, { struct: field.list }, version, at, holder);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
