/** Types that are no plain messages: how a field of each names it, and what its definition says. Mirrors their OpenAPISchemaType methods upstream. */
import type { JsonObject } from '../../base/json.ts';
import type { ScalarType } from '../../apimachinery/schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Scalars that OpenAPI writes in place. */
export const inlineTypes: { readonly [type in ScalarType]?: JsonObject } = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { format: 'int32', type: 'integer' },
  int64: { format: 'int64', type: 'integer' },
  uint32: { format: 'int64', type: 'integer' },
  uint64: { format: 'int64', type: 'integer' },
  double: { format: 'double', type: 'number' },
  bytes: { format: 'byte', type: 'string' },
};

/** Scalars that have a definition of their own. */
export const namedTypes: { readonly [type in ScalarType]?: string } = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: `${meta}.Time`,
  microTime: `${meta}.MicroTime`,
  duration: `${meta}.Duration`,
  fieldsV1: `${meta}.FieldsV1`,
  rawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  json: `${extensions}.JSON`,
  jsonSchemaOrBool: `${extensions}.JSONSchemaPropsOrBool`,
  jsonSchemaOrArray: `${extensions}.JSONSchemaPropsOrArray`,
  jsonSchemaOrStrings: `${extensions}.JSONSchemaPropsOrStringArray`,
};

export interface SpecialDefinition {
  readonly v2: JsonObject;
  readonly v3: JsonObject;
}

function same(schema: JsonObject): SpecialDefinition {
  return { v2: schema, v3: schema };
}

export const specialDefinitions: ReadonlyMap<string, SpecialDefinition> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { v2: { type: 'string' }, v3: { oneOf: [{ type: 'string' }, { type: 'number' }] } }],
  [
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    { v2: { format: 'int-or-string', type: 'string' }, v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] } },
  ],
  [`${meta}.Time`, same({ format: 'date-time', type: 'string' })],
  [`${meta}.MicroTime`, same({ format: 'date-time', type: 'string' })],
  [`${meta}.Duration`, same({ type: 'string' })],
  [`${meta}.FieldsV1`, same({ type: 'object' })],
  [`${meta}.Patch`, same({ type: 'object' })],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', same({ type: 'object' })],
  [`${extensions}.JSON`, same({})],
  [`${extensions}.JSONSchemaPropsOrBool`, same({})],
  [`${extensions}.JSONSchemaPropsOrArray`, same({})],
  [`${extensions}.JSONSchemaPropsOrStringArray`, same({})],
]);
