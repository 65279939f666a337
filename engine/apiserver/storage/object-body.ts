/** The form of what a storage takes and gives: its own kind, or another one that the release's schemas describe. */
import { formatGroupVersion, type GroupVersionKind } from '../../apimachinery/object.ts';
import type { SchemaRegistry } from '../../apimachinery/schema.ts';
import type { ObjectBody } from '../../contracts/rest-storage.ts';
import type { Resource, ResourceTable } from '../../registry/resource.ts';
import { schemaOf } from '../schema-names.ts';

export function ownBody(resource: Resource, schemas: SchemaRegistry): ObjectBody {
  const { kind, apiVersion, listKind, schema } = resource;
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    apiVersion,
    listKind,
    schema,
    foreign: false,
    ...(kind.misreads === undefined ? undefined : { misreads: kind.misreads }),
    ...(kind.edition === undefined ? undefined : { edition: kind.edition }),
    hasProtobuf: typeof kind.schema === 'string' && schemas.get(kind.schema) !== undefined,
  };
}

export function foreignBody(gvk: GroupVersionKind, table: ResourceTable, schemas: SchemaRegistry): ObjectBody {
  const { group, version, kind } = gvk;
  const apiVersion = formatGroupVersion(gvk);
  return {
    group,
    version,
    kind,
    apiVersion,
    listKind: `${kind}List`,
    schema: schemaOf({ kind, apiVersion }, table, schemas),
    foreign: true,
    hasProtobuf: true,
  };
}
