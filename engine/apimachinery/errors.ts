/**
 * One constructor per reason of a failed request, with upstream's texts. Mirrors k8s.io/apimachinery pkg/api/errors and the few
 * makers of Status that live elsewhere upstream (apiserver negotiation, storage). The predicates stand in `error-reasons.ts`.
 */
import { aggregateText, errorBody, type FieldErrorList } from './field-errors.ts';
import { goQuote } from './quote.ts';
import { StatusError, type StatusCause, type StatusDetails } from './status.ts';

export * from './error-reasons.ts';

/** `deployments` of `apps`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `pods` or `deployments.apps`. */
function formatGroupResource(resource: GroupResource): string {
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}

/** `Pod` or `Deployment.apps`. */
function formatGroupKind(kind: GroupKind): string {
  return kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
}

export function newStatusError(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message } as const;
  const named = reason === '' ? head : { ...head, reason };
  return new StatusError(details === undefined ? { ...named, code } : { ...named, details, code });
}

/** Details in upstream's order, without what is empty. */
function detailsOf(name: string, group: string, kind: string, causes: readonly StatusCause[] = [], retryAfterSeconds = 0): StatusDetails {
  return {
    ...(name === '' ? undefined : { name }),
    ...(group === '' ? undefined : { group }),
    ...(kind === '' ? undefined : { kind }),
    ...(causes.length === 0 ? undefined : { causes }),
    ...(retryAfterSeconds === 0 ? undefined : { retryAfterSeconds }),
  };
}

function resourceDetails(resource: GroupResource, name: string, retryAfterSeconds = 0): StatusDetails {
  return detailsOf(name, resource.group, resource.resource, [], retryAfterSeconds);
}

export function newNotFound(resource: GroupResource, name: string): StatusError {
  return newStatusError(404, 'NotFound', `${formatGroupResource(resource)} ${goQuote(name)} not found`, resourceDetails(resource, name));
}

export function newAlreadyExists(resource: GroupResource, name: string, isGoing = false): StatusError {
  const message = `${isGoing ? 'object is being deleted: ' : ''}${formatGroupResource(resource)} ${goQuote(name)} already exists`;
  return newStatusError(409, 'AlreadyExists', message, resourceDetails(resource, name));
}

export function newGenerateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): StatusError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return newStatusError(409, 'AlreadyExists', message, resourceDetails(resource, name, retryAfterSeconds));
}

/** An empty reason reads `not authorized`. */
export function newUnauthorized(reason = ''): StatusError {
  return newStatusError(401, 'Unauthorized', reason === '' ? 'not authorized' : reason);
}

export function newForbidden(resource: GroupResource, name: string, why: string): StatusError {
  const text = formatGroupResource(resource);
  const subject = name === '' ? `${text} is ` : `${text} ${goQuote(name)} is `;
  const message = `${resource.group === '' && resource.resource === '' ? '' : subject}forbidden: ${why}`;
  return newStatusError(403, 'Forbidden', message, resourceDetails(resource, name));
}

export function newConflict(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${goQuote(name)}: ${why}`;
  return newStatusError(409, 'Conflict', message, resourceDetails(resource, name));
}

/** What a lost race of two writers reads. */
export const optimisticLockText = 'the object has been modified; please apply your changes to the latest version and try again';

export function newApplyConflict(causes: readonly StatusCause[], message: string): StatusError {
  return newStatusError(409, 'Conflict', message, detailsOf('', '', '', causes));
}

export function newResourceExpired(message: string): StatusError {
  return newStatusError(410, 'Expired', message);
}

export function newGone(message: string): StatusError {
  return newStatusError(410, 'Gone', message);
}

/** The same as `newResourceExpired`. */
export const newExpired = newResourceExpired;

/** Characters of all faults together: each of a hundred thousand items may be told what is as long as the request. */
const faultsLengthMax = 1 << 23;

/** So few are shown whatever they say. */
const faultsShown = 8;

/** Faults beyond that measure are left out. */
export function withinMeasure(errors: FieldErrorList): FieldErrorList {
  if (errors.length <= faultsShown) return errors;
  let length = 0;
  const end = errors.findIndex((error) => {
    const isBeyond = length >= faultsLengthMax;
    // The value that is shown counts too: each part of a text may be told with the whole of it.
    if (!isBeyond) length += error.field.length + errorBody(error).length;
    return isBeyond;
  });
  return end === -1 ? errors : errors.slice(0, end);
}

export function newInvalid(kind: GroupKind, name: string, all: FieldErrorList): StatusError {
  const errors = withinMeasure(all);
  const causes = errors.map((error) => {
    const cause = { reason: error.type, message: errorBody(error) };
    return error.field === '' ? cause : { ...cause, field: error.field };
  });
  const start = `${formatGroupKind(kind)} ${goQuote(name)} is invalid`;
  const message = errors.length === 0 ? start : `${start}: ${aggregateText(errors)}`;
  return newStatusError(422, 'Invalid', message, detailsOf(name, kind.group, kind.kind, causes));
}

export function newBadRequest(reason: string): StatusError {
  return newStatusError(400, 'BadRequest', reason);
}

export function newTooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return newStatusError(429, 'TooManyRequests', message, detailsOf('', '', '', [], retryAfterSeconds));
}

/** `Too many requests: …` without a delay. */
export function newTooManyRequestsError(message: string): StatusError {
  return newStatusError(429, 'TooManyRequests', `Too many requests: ${message}`);
}

export function newServiceUnavailable(reason: string): StatusError {
  return newStatusError(503, 'ServiceUnavailable', reason);
}

export function newMethodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`;
  return newStatusError(405, 'MethodNotAllowed', message, resourceDetails(resource, ''));
}

export function newServerTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`;
  return newStatusError(500, 'ServerTimeout', message, resourceDetails(resource, operation, retryAfterSeconds));
}

/** As a real server passes on what etcd says when its quota is used up: a Status without a reason. */
export function newNoSpace(): StatusError {
  return newStatusError(500, '', 'etcdserver: mvcc: database space exceeded');
}

export function newInternalError(error: Error | string): StatusError {
  const text = typeof error === 'string' ? error : error.message;
  return newStatusError(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] });
}

export function newTimeout(message: string, retryAfterSeconds = 0): StatusError {
  return newStatusError(504, 'Timeout', `Timeout: ${message}`, detailsOf('', '', '', [], retryAfterSeconds));
}

/** A read asked for a revision that the store has not reached. */
export function newTooLargeResourceVersion(
  minimum: number | bigint | string,
  current: number | bigint | string,
  retryAfterSeconds: number,
): StatusError {
  const text = 'Too large resource version';
  const causes = [{ reason: 'ResourceVersionTooLarge', message: text }];
  return newStatusError(504, 'Timeout', `Timeout: ${text}: ${minimum}, current: ${current}`, detailsOf('', '', '', causes, retryAfterSeconds));
}

export function newRequestEntityTooLarge(message: string): StatusError {
  return newStatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/** Takes the media types the server can write, or the whole message. */
export function newNotAcceptable(accepted: readonly string[] | string): StatusError {
  const message = typeof accepted === 'string' ? accepted : `only the following media types are accepted: ${accepted.join(', ')}`;
  return newStatusError(406, 'NotAcceptable', message);
}

/** Takes the media types the server can read, or the whole message. */
export function newUnsupportedMediaType(accepted: readonly string[] | string): StatusError {
  const known = 'the body of the request was in an unknown format - accepted media types include: ';
  return newStatusError(415, 'UnsupportedMediaType', typeof accepted === 'string' ? accepted : `${known}${accepted.join(', ')}`);
}

/** What one HTTP code means when the server said nothing of its own. `verb` is the HTTP method. */
function genericReason(code: number, verb: string, serverMessage: string): readonly [reason: string, message: string] {
  switch (code) {
    case 400:
      return ['BadRequest', 'the server rejected our request for an unknown reason'];
    case 401:
      return ['Unauthorized', 'the server has asked for the client to provide credentials'];
    case 403:
      return ['Forbidden', serverMessage];
    case 404:
      return ['NotFound', 'the server could not find the requested resource'];
    case 405:
      return ['MethodNotAllowed', 'the server does not allow this method on the requested resource'];
    case 406:
      return [
        'NotAcceptable',
        serverMessage === '' || serverMessage === 'unknown'
          ? 'the server was unable to respond with a content type that the client supports'
          : serverMessage,
      ];
    case 409:
      return [verb === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
    case 415:
      return ['UnsupportedMediaType', serverMessage];
    case 422:
      return ['Invalid', 'the server rejected our request due to an error in our request'];
    case 429:
      return ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'];
    case 503:
      return ['ServiceUnavailable', 'the server is currently unable to handle the request'];
    case 504:
      return ['Timeout', 'the server was unable to return a response in the time allotted, but may still be processing the request'];
    default:
      if (code >= 500) return ['InternalError', `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`];
      return ['', `the server responded with the status code ${code} but did not return more information`];
  }
}

export interface GenericServerResponse {
  readonly code: number;
  /** HTTP method. */
  readonly verb: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
  readonly unexpectedResponse?: boolean;
}

export function newGenericServerResponse(response: GenericServerResponse): StatusError {
  const { code, verb, name = '', serverMessage = '', retryAfterSeconds = 0 } = response;
  const resource = response.resource ?? { group: '', resource: '' };
  const [reason, start] = genericReason(code, verb, serverMessage);
  const text = formatGroupResource(resource);
  const message = text === '' ? start : `${start} (${verb.toLowerCase()} ${text}${name === '' ? '' : ` ${name}`})`;
  const causes = response.unexpectedResponse === true ? [{ reason: 'UnexpectedServerResponse', message: serverMessage }] : [];
  return newStatusError(code, reason, message, detailsOf(name, resource.group, resource.resource, causes, retryAfterSeconds));
}
