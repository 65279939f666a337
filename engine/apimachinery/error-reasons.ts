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

export function isGone(error: unknown): boolean {
  return hasReason(error, 'Gone', 410);
}

export function isUnsupportedMediaType(error: unknown): boolean {
  return hasReason(error, 'UnsupportedMediaType', 415);
}

export function isMethodNotSupported(error: unknown): boolean {
  return hasReason(error, 'MethodNotAllowed', 405);
}

export function isForbidden(error: unknown): boolean {
  return hasReason(error, 'Forbidden', 403);
}

/** The first cause of that reason. */
function statusCause(error: unknown, reason: string): StatusCause | undefined {
  return error instanceof StatusError ? error.status.details?.causes?.find((cause) => cause.reason === reason) : undefined;
}

export function hasStatusCause(error: unknown, reason: string): boolean {
  return statusCause(error, reason) !== undefined;
}

export function isTooLargeResourceVersion(error: unknown): boolean {
  return hasStatusCause(error, 'ResourceVersionTooLarge');
}

/** The delay the server asks for, in seconds; undefined when it asks for none. */
export function suggestsClientDelay(error: unknown): number | undefined {
  if (!(error instanceof StatusError) || error.status.details === undefined) return undefined;
  const seconds = error.status.details.retryAfterSeconds ?? 0;
  return error.status.reason === 'ServerTimeout' || seconds > 0 ? seconds : undefined;
}
