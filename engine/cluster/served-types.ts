/** What expressions know of the kinds of a cluster: built-in ones by their schemas, custom ones by their definitions. */
import type { JSONSchemaProps } from '../api/apiextensions/v1/types.gen.ts';
import { knownKinds } from '../api/kinds.gen.ts';
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import { SchemaTypes } from '../apiextensions/rules/types.ts';
import { structuralOf } from '../apiextensions/schema/structural.ts';
import { type MessageLookup, messageType } from '../cel/message-types.ts';
import { type CelType, type Fields, string } from '../cel/types.ts';
import type { JsonObject } from '../base/json.ts';
import type { ServedTypes } from '../controller-runtime/controller.ts';

/** `openAPIV3Schema` of a custom kind. */
export type CustomSchema = (group: string, version: string, kind: string) => JsonObject | undefined;

export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** `resources`: those that are served, as of now. */
export function servedTypes(
  resources: () => readonly ServedResource[],
  schemas: Pick<SchemaRegistry, 'get'>,
  customSchema?: CustomSchema,
): ServedTypes {
  const lookup: MessageLookup = (name) => schemas.get(name);
  return {
    kindsOf: (group, version, resource) =>
      resources().filter((one) => (group === '' || one.group === group) && one.version === version && one.resource === resource),
    typeOf: (group, version, kind, name) => {
      const known = knownKinds.find((one) => one.group === group && one.version === version && one.kind === kind);
      const message = known === undefined ? undefined : lookup(known.schema);
      if (message !== undefined) return messageType(message, lookup, name);
      const schema = customSchema?.(group, version, kind);
      return schema && customType(schema as JSONSchemaProps, lookup, name);
    },
  };
}

/** Its metadata is that of all objects, whatever its definition says of it. */
function customType(schema: JSONSchemaProps, lookup: MessageLookup, name: string): CelType | undefined {
  const own = new SchemaTypes().typeOf(structuralOf({ ...schema, type: 'object' }), true, name);
  const message = lookup(objectMeta);
  if (own?.kind !== 'object' || message === undefined) return own;
  const metadata = messageType(message, lookup, `${name}.metadata`);
  const fields: Fields = {
    get: (field) => (field === 'metadata' ? metadata : field === 'apiVersion' || field === 'kind' ? string : own.fields.get(field)),
  };
  return { ...own, fields };
}
