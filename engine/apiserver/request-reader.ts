/** An HTTP request for a resource as a request to the pipeline: place, options, body. */
import { newBadRequest } from '../apimachinery/errors.ts';
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import type { ApiRequest, Verb, WatchOptions } from '../contracts/request.ts';
import type { RestStorage } from '../contracts/rest-storage.ts';
import { type KnownKinds, otherKindFault } from '../registry/body-kinds.ts';
import type { Codec } from './codec.ts';
import type { FieldView } from './field-view.ts';
import type { Exchange } from './filters/filter.ts';
import { checkSize, decodeDeleteOptions, decodeObject, warned } from './http-body.ts';
import { decodePatch } from './patch-body.ts';
import { headerOf } from './http-types.ts';
import { bodyMediaType, mediaTypes as usualTypes, patchFormOf } from './negotiation.ts';
import type { ServedRelease } from './non-resource.ts';
import { readBool, readDeleteOptions, readListOptions, readWriteOptions } from './query-options.ts';
import type { ResourceInfo } from './request-info.ts';

export interface ReaderOptions {
  readonly codec: Codec;
  readonly schemas: SchemaRegistry;
  readonly release: ServedRelease;
  readonly view?: FieldView | undefined;
  /** What a body may call itself. */
  readonly kinds?: KnownKinds;
  featureEnabled(gate: string): boolean;
}

const changes: ReadonlySet<Verb> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const deleteOptionsSchema = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Everything but the body; the causes are known when the request enters. */
export function toApiRequest(exchange: Exchange, info: ResourceInfo, verb: Verb): ApiRequest {
  const { query, identity } = exchange;
  const listing = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
  return {
    verb,
    group: info.group,
    version: info.version,
    resource: info.resource,
    ...(info.subresource === '' ? undefined : { subresource: info.subresource }),
    ...(info.namespace === '' ? undefined : { namespace: info.namespace }),
    ...(info.name === '' ? undefined : { name: info.name }),
    identity,
    userAgent: exchange.negotiation.userAgent,
    causes: [],
    ...(listing
      ? { list: { ...listOptionsOf(query, info), ...(exchange.request.beginsWhole && { beginsWhole: true }) } }
      : verb === 'get'
        ? { list: { resourceVersion: query.get('resourceVersion') ?? '' } }
        : undefined),
    query: exchange.request.query === '' ? {} : Object.fromEntries(query),
  };
}

function listOptionsOf(query: URLSearchParams, { watchPath }: ResourceInfo): WatchOptions {
  const options = readListOptions(query);
  return watchPath && readBool(query, 'watch') !== true ? { ...options, byPath: true } : options;
}

export function readRequest(exchange: Exchange, info: ResourceInfo, verb: Verb, storage: RestStorage, options: ReaderOptions): ApiRequest {
  const { request, query } = exchange;
  const { codec, release, view } = options;
  const base = { ...toApiRequest(exchange, info, verb), ...(view === undefined ? undefined : { unseen: view }) };
  const { body } = storage;
  if (changes.has(verb) && query.has('dryRun') && !options.featureEnabled('DryRun')) throw newBadRequest('the dryRun alpha feature is disabled');
  const schema = view === undefined ? body.schema : view.schemaOf(body.schema);
  const contentType = headerOf(request, 'content-type');
  const mediaTypes = exchange.negotiation.served ?? usualTypes;
  switch (verb) {
    case 'create':
    case 'update': {
      // What is created is of a form that is taken, before what else is asked for is looked at.
      if (verb === 'create') bodyMediaType(contentType, mediaTypes);
      checkSize(request.body);
      const write = readWriteOptions(query, verb, undefined, release.judgesUnknownFields);
      const mediaType = bodyMediaType(contentType, mediaTypes);
      const { object, warnings, otherKind } = decodeObject(
        codec,
        request.body,
        mediaType,
        { ...body, schema },
        write.fieldValidation ?? 'Warn',
        options.kinds,
        // Before, versions were compared first, where a kind was named.
        { namelessOnly: !release.judgesUnknownFields },
      );
      // What is made loses it when it is stored; reviews, which are not, are refused for it.
      const sent = verb === 'create' ? object : (view?.unlinked(object) ?? object);
      // A change is refused for it once there is something to change; before that there is nothing else to say of it.
      if (otherKind !== undefined && verb === 'create') throw warned(otherKindFault(body, otherKind, { object: sent, schema }), warnings);
      return { ...base, write, body: sent, decodeWarnings: warnings, ...(otherKind === undefined ? undefined : { otherKind }) };
    }
    case 'patch': {
      const form = patchFormOf(contentType, { strategic: typeof storage.kind.schema === 'string', apply: release.servesApply, mediaTypes });
      const patchType = form.type;
      const write = readWriteOptions(query, verb, patchType, release.judgesUnknownFields);
      const validation = release.judgesUnknownFields ? (write.fieldValidation ?? 'Warn') : 'Ignore';
      const { document, strictErrors, fault } = decodePatch(codec, request.body, form, validation);
      if (fault !== undefined) return { ...base, write, patchType, patchFault: fault };
      return { ...base, write, patchType, body: view?.pruned(patchType, document, body.schema) ?? document, decodeWarnings: strictErrors };
    }
    case 'delete':
    case 'deletecollection':
      return {
        ...base,
        delete:
          request.body.length > 0
            ? decodeDeleteOptions(codec, request.body, () => bodyMediaType(contentType, mediaTypes), options.schemas.mustGet(deleteOptionsSchema))
            : readDeleteOptions(query, release.deletesByQuery),
      };
    default:
      return base;
  }
}
