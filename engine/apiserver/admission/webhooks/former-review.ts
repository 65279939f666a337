/** Reviews as release 1.13 asks for them: less is told of the request, and objects are those of the release. Mirrors its pkg/admission/plugin/webhook/request. */
import type { MessageSchema, SchemaRegistry } from '../../../apimachinery/schema.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { ResourceTable } from '../../../registry/resource.ts';
import type { AdmittedResource } from '../../admission.ts';
import type { FieldView } from '../../field-view.ts';
import type { VersionedObjects } from './webhooks.ts';

/** What a webhook is told in the place of a review. */
export type ToldReview = (review: JsonObject, objects: VersionedObjects) => JsonObject;

/** Names come with what is there already alone, and of what is deleted nothing is shown. */
export function formerReviews(view: Pick<FieldView, 'seen'>, table: Pick<ResourceTable, 'find'>, schemas: SchemaRegistry): ToldReview {
  return (review, { form, object, oldObject }) => {
    const schema = schemaOf(form, table, schemas);
    const shown = (one: KubeObject | undefined): JsonValue => {
      if (one === undefined) return null;
      return (schema === undefined ? one : view.seen(one, schema)) as unknown as JsonValue;
    };
    const {
      requestKind: _kind,
      requestResource: _resource,
      requestSubResource: _part,
      options: _options,
      name,
      ...request
    } = review['request'] as JsonObject;
    const { operation } = request;
    return {
      ...review,
      request: {
        ...request,
        ...(name === undefined || operation === 'CREATE' ? {} : { name }),
        object: shown(object),
        oldObject: operation === 'DELETE' ? null : shown(oldObject),
      },
    };
  };
}

/** Of bodies such as Scale, which are of another kind than what they are a part of, by the name of their type. */
function schemaOf(
  { group, version, resource, kind, kindGroup, kindVersion }: AdmittedResource,
  table: Pick<ResourceTable, 'find'>,
  schemas: SchemaRegistry,
): MessageSchema | undefined {
  const found = table.find(group, version, resource);
  if (found?.kind.kind === kind) return found.schema;
  return schemas.get(`io.k8s.api.${kindGroup === '' ? 'core' : (kindGroup.split('.')[0] ?? '')}.${kindVersion}.${kind}`);
}
