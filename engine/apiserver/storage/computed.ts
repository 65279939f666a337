/** Storages of computed resources: read from the host or from history, watched where their source tells that it changed. */
import { newConflict, newNotFound } from '../../apimachinery/errors.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ComputedPage, ComputedResource } from '../../contracts/computed-resource.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { ApiRequest, ApiResult } from '../../contracts/request.ts';
import type { ListAnswer, ObjectBody, ObjectOperation, RestStorage } from '../../contracts/rest-storage.ts';
import type { MessageSchema } from '../../apimachinery/schema.ts';
import { makeSelection, type Selection } from '../../registry/selection.ts';
import { ComputedVersions } from './computed-versions.ts';
import { watchComputed } from './computed-watch.ts';

/** `firstVersion`: where versions of lists begin. */
export function computedStorage(resource: ComputedResource, firstVersion: number): RestStorage {
  const { kind } = resource;
  const versions = resource.subscribe === undefined && resource.follow === undefined ? undefined : new ComputedVersions(firstVersion);
  // Nothing of it is in the store: it is done once, when the attempt stands.
  const steering = (run: (request: ApiRequest) => KubeObject): ObjectOperation => ({ changesState: false, run: (request) => () => ok(run(request)) });
  const { update, patch } = resource;
  return {
    kind,
    subresource: '',
    body: bodyOf(resource),
    printed: kind,
    get: {
      changesState: false,
      run: (request, attempt) => {
        const read = (): KubeObject => found(resource, request, (question) => attempt.ask(question));
        const object = resource.asks === true ? read() : undefined;
        return () => ok(object ?? read());
      },
    },
    list: {
      changesState: false,
      run: (request, ask) => {
        const { limit = 0, ...options } = request.list ?? {};
        const selection = makeSelection(resource, options);
        if (resource.page !== undefined)
          return pageOf(resource.page(request.query ?? {}, request.namespace, { limit, continue: options.continue ?? '' }), selection);
        const current = (): readonly KubeObject[] =>
          resource.list(request.query ?? {}, request.namespace, ask).filter((object) => selection.matches(object));
        if (versions !== undefined) return versions.list({ ...options, limit: resource.limitsItself === true ? 0 : limit }, current);
        return { metadata: {}, items: current().map((object) => ({ object })) };
      },
    },
    ...(versions === undefined ? undefined : { watch: watchComputed(resource, versions) }),
    ...(update === undefined
      ? undefined
      : { update: steering((request) => update.call(resource, named(request, typed(resource, request)), request.identity)) }),
    ...(patch === undefined
      ? undefined
      : {
          patch: steering((request) => {
            if (request.patchFault !== undefined) throw new StatusError(request.patchFault);
            return patch.call(resource, request.name ?? '', (request.body ?? null) as JsonValue, request.patchType ?? 'merge', request.identity);
          }),
        }),
  };
}

function pageOf({ objects, continue: token, remaining }: ComputedPage, selection: Selection): ListAnswer {
  const more = { ...(token === undefined ? {} : { continue: token }), ...(remaining === undefined ? {} : { remainingItemCount: remaining }) };
  return { metadata: { resourceVersion: '0', ...more }, items: objects.filter((object) => selection.matches(object)).map((object) => ({ object })) };
}

function bodyOf({ kind, hasProtobuf }: ComputedResource): ObjectBody {
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    apiVersion: formatGroupVersion(kind),
    listKind: kind.listKind ?? `${kind.kind}List`,
    // Computed kinds bring their schema.
    schema: kind.schema as MessageSchema,
    foreign: false,
    hasProtobuf: hasProtobuf === true,
  };
}

function ok(object: KubeObject): ApiResult {
  return { code: 200, object, warnings: [] };
}

function found(resource: ComputedResource, request: ApiRequest, ask: Ask): KubeObject {
  const object = resource.get(request.name ?? '', request.query ?? {}, request.namespace, ask);
  if (object === undefined) throw newNotFound({ group: resource.kind.group, resource: resource.kind.plural }, request.name ?? '');
  return object;
}

function typed({ kind }: ComputedResource, { body }: ApiRequest): KubeObject {
  const object = body as KubeObject;
  return { ...object, kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: object.metadata ?? {} };
}

function named(request: ApiRequest, object: KubeObject): KubeObject {
  if ((object.metadata.name ?? '') === request.name) return object;
  throw newConflict(
    { group: request.group, resource: request.resource },
    request.name ?? '',
    `the name of the object (${object.metadata.name ?? ''}) does not match the name on the URL (${request.name ?? ''})`,
  );
}
