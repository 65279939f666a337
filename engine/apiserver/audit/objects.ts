/** Objects of requests and answers as an audit event shows them: JSON in the version of the request. Mirrors apiserver pkg/audit/request.go. */
import { formatGroupVersion, type KubeList, type KubeObject } from '../../apimachinery/object.ts';
import { encodeJson } from '../../apimachinery/serializer/json.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ApiRequest, ApiResult } from '../../contracts/request.ts';
import type { ListAnswer, RestStorage } from '../../contracts/rest-storage.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { IncludeObject } from '../../registry/table.ts';
import type { Encoded, Encoder } from '../encoder.ts';
import type { OutputForm } from '../negotiation.ts';
import type { AuditTrail } from './trail.ts';

/** What came as the body, once it has been understood. Without one there is nothing to tell. */
export function auditRequest(trail: AuditTrail, request: ApiRequest, storage: RestStorage, registry: ResourceRegistry): void {
  const { verb, body } = request;
  if (verb === 'create' || verb === 'update') {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const object = { kind: storage.body.kind, apiVersion: storage.body.apiVersion, ...(body as object) } as KubeObject;
    trail.refersTo(object);
    if (trail.wants('Request')) trail.requestObject(encodeJson(shown(trail, asDefaulted(object, storage, registry))));
  } else if (trail.wants('Request') && verb === 'patch') trail.requestObject(encodeJson((body ?? null) as JsonValue));
  else if (trail.wants('Request') && request.delete !== undefined) {
    const apiVersion = registry.core.ratcheted('AuditedDetails') ? 'meta.k8s.io/__internal' : formatGroupVersion(storage.kind);
    trail.requestObject(encodeJson({ kind: 'DeleteOptions', apiVersion, ...request.delete }));
  }
}

/** A body is decoded with its defaults, and of what is empty in it only that is told again which Go writes always. */
function asDefaulted(object: KubeObject, { kind, body, subresource }: RestStorage, { core }: ResourceRegistry): KubeObject {
  if (body.foreign || (subresource !== '' && subresource !== 'status')) return object;
  const resource = core.table.find(kind.group, kind.version, kind.plural);
  if (resource === undefined) return object;
  const defaulted = core.defaulted(object, resource);
  return resource.schema.custom === undefined ? core.machinery.canonicalize(defaulted, resource.schema, undefined, 'written') : defaulted;
}

/** How the client is answered; the event shows the same in JSON. */
export interface AnswerForm {
  readonly encoder: Encoder;
  readonly form: OutputForm;
  readonly storage: RestStorage;
  readonly include: IncludeObject;
  readonly path: string;
  /** A list of nothing is null. */
  readonly isNull?: boolean;
}

export function auditResult(trail: AuditTrail, { object }: ApiResult, { encoder, form, storage, include, path, isNull = false }: AnswerForm): void {
  if ('kind' in object && object.kind === 'Status') trail.answeredWith(object as Status);
  if (!trail.wants('RequestResponse')) return;
  const answer = shown(trail, object);
  const encoded =
    'items' in answer
      ? encoder.objectList(answer as KubeList, { form: asJson(form), storage, include, path }, isNull)
      : encoder.object(answer, asJson(form), storage, include);
  trail.responseObject(textOf(encoded));
}

export function auditList(trail: AuditTrail, answer: ListAnswer, { encoder, form, storage, include, path }: AnswerForm): void {
  if (!trail.wants('RequestResponse')) return;
  const items = trail.omitsManagedFields ? answer.items.map(({ object }) => ({ object: shown(trail, object) })) : answer.items;
  trail.responseObject(textOf(encoder.list({ ...answer, items }, asJson(form), storage, include, path)));
}

export function auditFailure(trail: AuditTrail, status: Status): void {
  trail.answeredWith(status);
  if (trail.wants('RequestResponse')) trail.responseObject(encodeJson(status));
}

/** Of a component's request, which meets no encoder. */
export function auditInsideResult(trail: AuditTrail, { object }: ApiResult): void {
  if ('kind' in object && object.kind === 'Status') trail.answeredWith(object as Status);
  if (!trail.wants('RequestResponse')) return;
  const answer = shown(trail, object);
  trail.responseObject(encodeJson('items' in answer ? { ...answer, items: (answer as KubeList).items.map(withoutType) } : answer));
}

function asJson(form: OutputForm): OutputForm {
  return { ...form, mediaType: 'application/json', pretty: false };
}

function textOf({ body }: Encoded): string {
  const text = typeof body === 'string' ? body : [...(body as Iterable<string>)].join('');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function shown<T extends object>(trail: AuditTrail, object: T): T {
  if (!trail.omitsManagedFields) return object;
  if ('items' in object) return { ...object, items: (object as unknown as KubeList).items.map(withoutManagedFields) };
  return withoutManagedFields(object as T & Partial<KubeObject>);
}

function withoutManagedFields<T extends { readonly metadata?: KubeObject['metadata'] }>(object: T): T {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withoutType({ kind: _kind, apiVersion: _apiVersion, ...rest }: KubeObject): object {
  return rest;
}
