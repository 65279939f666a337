/** Storages that only take a POST: reviews, which answer a question, and bodies that do more than write a part of their object. */
import type { ObjectBody, RestStorage } from '../../contracts/rest-storage.ts';
import type { Resource } from '../../registry/resource.ts';
import type { SubresourceHandler } from '../../registry/subresource-handlers.ts';
import { foreignBody, ownBody } from './object-body.ts';
import type { StorageTools } from './storage-tools.ts';

/** TokenReview, SubjectAccessReview …: nothing is stored, nothing changes. */
export function reviewStorage(resource: Resource, { schemas, writer }: StorageTools): RestStorage {
  return {
    kind: resource.kind,
    subresource: '',
    body: ownBody(resource, schemas),
    printed: undefined,
    create: { changesState: false, run: (request, attempt) => writer.write(request, resource, attempt) },
  };
}

/** Binding, eviction, token. */
export function handlerStorages(resource: Resource, { registry, schemas, writer }: StorageTools): readonly RestStorage[] {
  const { group, version: own, plural, bodyVersions } = resource.kind;
  const isHere = (handler: SubresourceHandler): boolean =>
    handler.group === group && handler.resource === plural && (handler.version === undefined || handler.version === own);
  const handlers = registry.handlers.list().filter(isHere);
  const bodyOf = ({ subresource, bodyKind, alsoTakes, version: oneVersion }: SubresourceHandler): ObjectBody => {
    const version = bodyVersions?.[subresource];
    if (version !== undefined) return foreignBody({ ...bodyKind, version }, registry.table, schemas);
    return {
      ...foreignBody(bodyKind, registry.table, schemas),
      ...(alsoTakes && { alsoTakes }),
      ...(oneVersion !== undefined && { unnamed: true as const }),
    };
  };
  return handlers.map((handler) => ({
    kind: resource.kind,
    subresource: handler.subresource,
    body: handler.subresource === '' ? ownBody(resource, schemas) : bodyOf(handler),
    printed: undefined,
    create: { changesState: true, run: (request, attempt) => writer.write(request, resource, attempt, handler) },
  }));
}
