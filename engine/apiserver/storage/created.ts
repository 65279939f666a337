/** Storages that only take a POST: reviews, which answer a question, and bodies that do more than write a part of their object. */
import type { RestStorage } from '../../contracts/rest-storage.ts';
import type { Resource } from '../../registry/resource.ts';
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
  const { group, plural } = resource.kind;
  const handlers = registry.handlers.list().filter((handler) => handler.group === group && handler.resource === plural);
  return handlers.map(({ subresource, bodyKind }) => ({
    kind: resource.kind,
    subresource,
    body: subresource === '' ? ownBody(resource, schemas) : foreignBody(bodyKind, registry.table, schemas),
    printed: undefined,
    create: { changesState: true, run: (request, attempt) => writer.write(request, resource, attempt) },
  }));
}
