/**
 * Schemas as upstream's internal type would be written as JSON: messages show them so. Mirrors pkg/apis/apiextensions/types_jsonschema.go,
 * whose members have no JSON names, and which writes all of them.
 */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { inOrder } from './rewrite.ts';
import { isSchema } from './structural.ts';

type Form = 'text' | 'flag' | 'pointer' | 'list' | 'schema' | 'schemas' | 'map' | 'items' | 'orBool' | 'dependencies' | 'docs' | 'rules';

const members: readonly (readonly [goName: string, member: keyof JSONSchemaProps, form: Form])[] = [
  ['ID', 'id', 'text'],
  ['Schema', '$schema', 'text'],
  ['Ref', '$ref', 'pointer'],
  ['Description', 'description', 'text'],
  ['Type', 'type', 'text'],
  ['Nullable', 'nullable', 'flag'],
  ['Format', 'format', 'text'],
  ['Title', 'title', 'text'],
  ['Default', 'default', 'pointer'],
  ['Maximum', 'maximum', 'pointer'],
  ['ExclusiveMaximum', 'exclusiveMaximum', 'flag'],
  ['Minimum', 'minimum', 'pointer'],
  ['ExclusiveMinimum', 'exclusiveMinimum', 'flag'],
  ['MaxLength', 'maxLength', 'pointer'],
  ['MinLength', 'minLength', 'pointer'],
  ['Pattern', 'pattern', 'text'],
  ['MaxItems', 'maxItems', 'pointer'],
  ['MinItems', 'minItems', 'pointer'],
  ['UniqueItems', 'uniqueItems', 'flag'],
  ['MultipleOf', 'multipleOf', 'pointer'],
  ['Enum', 'enum', 'list'],
  ['MaxProperties', 'maxProperties', 'pointer'],
  ['MinProperties', 'minProperties', 'pointer'],
  ['Required', 'required', 'list'],
  ['Items', 'items', 'items'],
  ['AllOf', 'allOf', 'schemas'],
  ['OneOf', 'oneOf', 'schemas'],
  ['AnyOf', 'anyOf', 'schemas'],
  ['Not', 'not', 'schema'],
  ['Properties', 'properties', 'map'],
  ['AdditionalProperties', 'additionalProperties', 'orBool'],
  ['PatternProperties', 'patternProperties', 'map'],
  ['Dependencies', 'dependencies', 'dependencies'],
  ['AdditionalItems', 'additionalItems', 'orBool'],
  ['Definitions', 'definitions', 'map'],
  ['ExternalDocs', 'externalDocs', 'docs'],
  ['Example', 'example', 'pointer'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'pointer'],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', 'flag'],
  ['XIntOrString', 'x-kubernetes-int-or-string', 'flag'],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', 'list'],
  ['XListType', 'x-kubernetes-list-type', 'pointer'],
  ['XMapType', 'x-kubernetes-map-type', 'pointer'],
  ['XValidations', 'x-kubernetes-validations', 'rules'],
];

/** The members that a schema says, by Go's names and in Go's order. */
export function membersSaid(schema: JSONSchemaProps): readonly string[] {
  return members
    .filter(([, member, form]) => {
      const value = schema[member] as JsonValue | undefined;
      if (value === undefined || value === null) return false;
      return form === 'text' ? value !== '' : form === 'flag' ? value === true : true;
    })
    .map(([goName]) => goName);
}

export function internalForm(schema: JSONSchemaProps): JsonObject {
  return Object.fromEntries(members.map(([goName, member, form]) => [goName, formOf((schema[member] ?? null) as JsonValue, form)]));
}

/** A single schema of items, or a list of them. */
export function internalItems(items: JsonValue | undefined): {
  readonly single: JSONSchemaProps | undefined;
  readonly list: readonly JSONSchemaProps[];
} {
  return {
    single: isSchema(items) ? (items as JSONSchemaProps) : undefined,
    list: Array.isArray(items) ? (items as readonly JSONSchemaProps[]) : [],
  };
}

function formOf(value: JsonValue, form: Form): JsonValue {
  switch (form) {
    case 'text':
      return value ?? '';
    case 'flag':
      return value === true;
    case 'pointer':
    case 'list':
      return inOrder(value);
    case 'schema':
      return schemaOrNull(value);
    case 'schemas':
      return Array.isArray(value) ? value.map((one) => internalForm(one as JSONSchemaProps)) : null;
    case 'map':
      return mapOf(value, schemaOrNull);
    case 'items':
      return value === null ? null : { Schema: schemaOrNull(value), JSONSchemas: formOf(Array.isArray(value) ? value : null, 'schemas') };
    case 'orBool':
      return value === null ? null : { Allows: value !== false, Schema: schemaOrNull(value) };
    case 'dependencies':
      return mapOf(value, (one) => ({ Schema: schemaOrNull(one), Property: Array.isArray(one) ? one : null }));
    case 'docs':
      return isObject(value) ? { Description: value['description'] ?? '', URL: value['url'] ?? '' } : null;
    case 'rules':
      return Array.isArray(value) ? value.map((rule) => ruleForm(rule as JsonObject)) : null;
  }
}

function schemaOrNull(value: JsonValue): JsonValue {
  return isObject(value) ? internalForm(value as JSONSchemaProps) : null;
}

function mapOf(value: JsonValue, form: (one: JsonValue) => JsonValue): JsonValue {
  if (!isObject(value)) return null;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, form(value[key] as JsonValue)]),
  );
}

/** A rule in that form. */
export function ruleForm(rule: JsonObject): JsonValue {
  return {
    Rule: rule['rule'] ?? '',
    Message: rule['message'] ?? '',
    MessageExpression: rule['messageExpression'] ?? '',
    Reason: rule['reason'] ?? null,
    FieldPath: rule['fieldPath'] ?? '',
    OptionalOldSelf: rule['optionalOldSelf'] ?? null,
  };
}
