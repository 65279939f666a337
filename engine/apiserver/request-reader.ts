/** An HTTP request for a resource as a request to the pipeline: place, options, body. */
import type { SchemaRegistry } from '../apimachinery/schema.ts';
import type { ApiRequest, PatchType, Verb } from '../contracts/request.ts';
import type { RestStorage } from '../contracts/rest-storage.ts';
import type { Codec } from './codec.ts';
import type { Exchange } from './filters/filter.ts';
import { decodeDeleteOptions, decodeObject, decodePatch } from './http-body.ts';
import { headerOf } from './http-types.ts';
import { patchTypeOf } from './negotiation.ts';
import { readDeleteOptions, readListOptions, readWriteOptions } from './query-options.ts';
import type { ResourceInfo } from './request-info.ts';

export interface ReaderOptions {
  readonly codec: Codec;
  readonly schemas: SchemaRegistry;
}

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
    ...(listing ? { list: readListOptions(query) } : verb === 'get' ? { list: { resourceVersion: query.get('resourceVersion') ?? '' } } : undefined),
    query: Object.fromEntries(query),
  };
}

export function readRequest(exchange: Exchange, info: ResourceInfo, verb: Verb, storage: RestStorage, options: ReaderOptions): ApiRequest {
  const { request, query } = exchange;
  const { codec } = options;
  const base = toApiRequest(exchange, info, verb);
  const contentType = headerOf(request, 'content-type');
  switch (verb) {
    case 'create':
    case 'update': {
      const write = readWriteOptions(query, verb, undefined);
      const { object, warnings } = decodeObject(codec, request.body, contentType, storage.body, write.fieldValidation ?? 'Warn');
      return { ...base, write, body: object, decodeWarnings: warnings };
    }
    case 'patch': {
      const patchType: PatchType = patchTypeOf(contentType, typeof storage.kind.schema === 'string');
      const write = readWriteOptions(query, verb, patchType);
      const { document, warnings } = decodePatch(codec, request.body, patchType, write.fieldValidation ?? 'Warn');
      return { ...base, write, patchType, body: document, decodeWarnings: warnings };
    }
    case 'delete':
    case 'deletecollection':
      return {
        ...base,
        delete:
          request.body.length > 0
            ? decodeDeleteOptions(codec, request.body, contentType, options.schemas.mustGet(deleteOptionsSchema))
            : readDeleteOptions(query),
      };
    default:
      return base;
  }
}
