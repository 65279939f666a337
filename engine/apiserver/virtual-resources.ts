/** Serves the verbs of virtual resources. */
import { newConflict, newMethodNotSupported, newNotFound } from '../apimachinery/errors.ts';
import { formatGroupVersion, type KubeList, type KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { ApiRequest, ApiResult } from '../contracts/request.ts';
import { assert, must } from '../base/assert.ts';
import type { VirtualResource } from './virtual.ts';

export class VirtualResources {
  readonly #resources = new Map<string, VirtualResource>();

  constructor(resources: readonly VirtualResource[]) {
    for (const resource of resources) this.register(resource);
  }

  register(resource: VirtualResource): void {
    const { group, version, plural } = resource.kind;
    const key = `${group}/${version}/${plural}`;
    assert(!this.#resources.has(key), `virtual resource ${key} is registered once`);
    this.#resources.set(key, resource);
  }

  find(group: string, version: string, plural: string): VirtualResource | undefined {
    return this.#resources.get(`${group}/${version}/${plural}`);
  }

  mustFind(group: string, version: string, plural: string): VirtualResource {
    return must(this.find(group, version, plural), `virtual resource ${plural}`);
  }

  list(): readonly VirtualResource[] {
    return [...this.#resources.values()];
  }

  handle(resource: VirtualResource, request: ApiRequest): ApiResult {
    switch (request.verb) {
      case 'get':
        return ok(found(resource, request, resource.get(request.name ?? '', request.query ?? {}, request.namespace)));
      case 'list':
        return { code: 200, object: listOf(resource, request), warnings: [] };
      case 'create':
        if (resource.create === undefined) break;
        return { ...ok(resource.create(typed(resource, request.body), request.identity, request.namespace)), code: 201 };
      case 'update':
        if (resource.update === undefined) break;
        return ok(resource.update(checked(request, typed(resource, request.body)), request.identity));
      case 'patch':
        if (resource.patch === undefined) break;
        return ok(resource.patch(request.name ?? '', (request.body ?? null) as JsonValue, request.patchType ?? 'merge', request.identity));
      case 'delete':
        if (resource.delete === undefined) break;
        return ok(found(resource, request, resource.delete(request.name ?? '', request.identity, request.namespace)));
    }
    throw newMethodNotSupported({ group: request.group, resource: request.resource }, request.verb);
  }
}

function ok(object: KubeObject): ApiResult {
  return { code: 200, object, warnings: [] };
}

function found(resource: VirtualResource, request: ApiRequest, object: KubeObject | undefined): KubeObject {
  if (object === undefined) throw newNotFound({ group: resource.kind.group, resource: resource.kind.plural }, request.name ?? '');
  return object;
}

function typed(resource: VirtualResource, body: ApiRequest['body']): KubeObject {
  const { kind } = resource;
  const object = body as KubeObject;
  return { ...object, kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: object.metadata ?? {} };
}

function checked(request: ApiRequest, object: KubeObject): KubeObject {
  if ((object.metadata.name ?? '') === request.name) return object;
  throw newConflict(
    { group: request.group, resource: request.resource },
    request.name ?? '',
    `the name of the object (${object.metadata.name ?? ''}) does not match the name on the URL (${request.name ?? ''})`,
  );
}

function listOf(resource: VirtualResource, request: ApiRequest): KubeList {
  const { kind } = resource;
  const items = resource.list(request.query ?? {}, request.namespace);
  return { kind: kind.listKind ?? `${kind.kind}List`, apiVersion: formatGroupVersion(kind), metadata: { resourceVersion: '0' }, items };
}
