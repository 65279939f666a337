/** Which message describes an object that is none of a registered resource: Status, Scale, options, partial metadata. */
import { getOwn } from '../base/dictionary.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { parseGroupVersion } from '../apimachinery/object.ts';
import type { ResourceTable } from '../registry/resource.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Upstream's API documents leave these out, because no path takes or gives them by default. */
const partialSchema: MessageSchema = {
  name: `${meta}.PartialObjectMetadata`,
  fields: [{ name: 'metadata', number: 1, type: { message: `${meta}.ObjectMeta` }, card: 'one', omitEmpty: true, pointer: false }],
};

const partialListSchema: MessageSchema = {
  name: `${meta}.PartialObjectMetadataList`,
  fields: [
    { name: 'metadata', number: 1, type: { message: `${meta}.ListMeta` }, card: 'one', omitEmpty: true, pointer: false },
    { name: 'items', number: 2, type: { message: `${meta}.PartialObjectMetadata` }, card: 'list', omitEmpty: false, pointer: false },
  ],
};

const partials: { readonly [kind: string]: MessageSchema } = { PartialObjectMetadata: partialSchema, PartialObjectMetadataList: partialListSchema };

export function schemaOf(
  object: { readonly kind: string; readonly apiVersion: string },
  table: ResourceTable,
  schemas: SchemaRegistry,
): MessageSchema {
  const { kind, apiVersion } = object;
  const gv = parseGroupVersion(apiVersion) ?? { group: '', version: 'v1' };
  const registered = table.findKind(gv.group, gv.version, kind);
  if (registered !== undefined) return registered.schema;
  if (gv.group === 'meta.k8s.io') return getOwn(partials, kind) ?? schemas.mustGet(`${meta}.${kind}`);
  if (gv.group === '' && (kind === 'Status' || kind.startsWith('API'))) return schemas.mustGet(`${meta}.${kind}`);
  const firstSegment = gv.group === '' ? 'core' : gv.group.split('.', 1)[0];
  return schemas.mustGet(`io.k8s.api.${firstSegment}.${gv.version}.${kind}`);
}
