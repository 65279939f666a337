/**
 * By which schema an object of a user's own kind is read: by that of the version that it names, served or not. Of a version that its definition does not have
 * nothing is known but metadata; of another kind or group everything is kept. Mirrors unstructuredSchemaCoercer of apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go.
 */
import { parseGroupVersion } from '../apimachinery/object.ts';
import type { CustomShape, MessageSchema } from '../apimachinery/schema.ts';
import type { JsonObject } from '../base/json.ts';
import type { ObjectBody } from '../contracts/rest-storage.ts';
import type { KnownKinds, Named } from './body-kinds.ts';

type Expected = Pick<ObjectBody, 'apiVersion' | 'group' | 'kind' | 'schema'>;

export function schemaNamed(named: Named, { schema, group, kind, apiVersion }: Expected, kinds: KnownKinds): MessageSchema {
  const own = schema.custom;
  if (own === undefined || (named.apiVersion === apiVersion && named.kind === kind)) return schema;
  const called = parseGroupVersion(named.apiVersion) ?? { group: named.apiVersion.replace(/\/$/, ''), version: '' };
  if (called.group !== group || named.kind !== kind) return { ...schema, custom: { ...typed(own), read: (object) => own.inOrder(object) } };
  const version = kinds.findKind(group, called.version, kind)?.schema;
  return version ?? { ...schema, custom: { ...typed(own), read: (object, unknown) => bare(object, unknown) } };
}

function typed(own: CustomShape): Omit<CustomShape, 'read'> {
  return { type: own.type, inOrder: (object) => own.inOrder(object) };
}

const known: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function bare(object: JsonObject, unknown: string[] | undefined): JsonObject {
  const names = Object.keys(object).sort();
  unknown?.push(...names.filter((name) => !known.has(name)));
  return Object.fromEntries(names.filter((name) => known.has(name)).map((name) => [name, object[name]])) as JsonObject;
}
