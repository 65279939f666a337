/**
 * Predicates over errors: which reason a thrown value has. An unknown reason is judged by its HTTP code. Mirrors the Is functions
 * of k8s.io/apimachinery pkg/api/errors.
 */
import { StatusError, type StatusCause } from './status.ts';

const knownReasons: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
]);

/** Empty when the value is no StatusError or has no reason. */
export function reasonForError(error: unknown): string {
  return error instanceof StatusError ? (error.status.reason ?? '') : '';
}

function hasReason(error: unknown, reason: string, code: number): boolean {
  if (!(error instanceof StatusError)) return false;
  const own = error.status.reason ?? '';
  return own === reason || (error.status.code === code && !knownReasons.has(own));
}

export function isNotFound(error: unknown): boolean {
  return hasReason(error, 'NotFound', 404);
}

export function isAlreadyExists(error: unknown): boolean {
  return reasonForError(error) === 'AlreadyExists';
}

export function isConflict(error: unknown): boolean {
  return hasReason(error, 'Conflict', 409);
}

export function isInvalid(error: unknown): boolean {
  return hasReason(error, 'Invalid', 422);
}

export function isGone(error: unknown): boolean {
  return hasReason(error, 'Gone', 410);
}

export function isResourceExpired(error: unknown): boolean {
  return reasonForError(error) === 'Expired';
}

export function isNotAcceptable(error: unknown): boolean {
  return hasReason(error, 'NotAcceptable', 406);
}

export function isUnsupportedMediaType(error: unknown): boolean {
  return hasReason(error, 'UnsupportedMediaType', 415);
}

export function isMethodNotSupported(error: unknown): boolean {
  return hasReason(error, 'MethodNotAllowed', 405);
}

export function isServiceUnavailable(error: unknown): boolean {
  return hasReason(error, 'ServiceUnavailable', 503);
}

export function isBadRequest(error: unknown): boolean {
  return hasReason(error, 'BadRequest', 400);
}

export function isUnauthorized(error: unknown): boolean {
  return hasReason(error, 'Unauthorized', 401);
}

export function isForbidden(error: unknown): boolean {
  return hasReason(error, 'Forbidden', 403);
}

export function isTimeout(error: unknown): boolean {
  return hasReason(error, 'Timeout', 504);
}

export function isServerTimeout(error: unknown): boolean {
  return reasonForError(error) === 'ServerTimeout';
}

export function isInternalError(error: unknown): boolean {
  return hasReason(error, 'InternalError', 500);
}

export function isTooManyRequests(error: unknown): boolean {
  return error instanceof StatusError && (error.status.reason === 'TooManyRequests' || error.status.code === 429);
}

export function isRequestEntityTooLarge(error: unknown): boolean {
  return error instanceof StatusError && (error.status.reason === 'RequestEntityTooLarge' || error.status.code === 413);
}

/** The first cause of that reason. */
export function statusCause(error: unknown, reason: string): StatusCause | undefined {
  return error instanceof StatusError ? error.status.details?.causes?.find((cause) => cause.reason === reason) : undefined;
}

export function hasStatusCause(error: unknown, reason: string): boolean {
  return statusCause(error, reason) !== undefined;
}

export function isTooLargeResourceVersion(error: unknown): boolean {
  return hasStatusCause(error, 'ResourceVersionTooLarge');
}

export function isUnexpectedServerError(error: unknown): boolean {
  return hasStatusCause(error, 'UnexpectedServerResponse');
}

/** The delay the server asks for, in seconds; undefined when it asks for none. */
export function suggestsClientDelay(error: unknown): number | undefined {
  if (!(error instanceof StatusError) || error.status.details === undefined) return undefined;
  const seconds = error.status.details.retryAfterSeconds ?? 0;
  return error.status.reason === 'ServerTimeout' || seconds > 0 ? seconds : undefined;
}
