/**
 * Stored objects that nobody can read any more: a version that their definition lost, or a webhook that does not convert. One object is refused with why.
 * Collections are read from upstream's watch cache, which never becomes ready over such an object: they are refused with 429, and why, unless they go past
 * the cache. Mirrors apiserver pkg/storage/cacher/delegator.go.
 */
import { newStatusError, newTooManyRequests } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { ListOptions } from '../contracts/request.ts';
import type { Resource } from './resource.ts';

/** Throws the 500 of an object that cannot be read. */
export function mustBeReadable({ kind }: Resource, stored: KubeObject): void {
  const why = kind.unreadable?.(stored);
  if (why !== undefined) throw new UnreadableError(why);
}

/** Why an object cannot be told in the version that is wanted. */
export class UnreadableError extends StatusError {
  constructor(why: string) {
    super(newStatusError(500, '', why).status);
  }
}

/** What `read` gives of a collection; in place of UnreadableError the cache's refusal. */
export function throughCache<T>(resource: Resource, options: ListOptions, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError) || passesCache(options)) throw error;
    throw notReady(resource, error);
  }
}

/** A cache that cannot be filled. */
export function notReady({ apiVersion, kind }: Resource, { message }: UnreadableError): StatusError {
  return newTooManyRequests(`storage is (re)initializing: failed to list ${apiVersion}, Kind=${kind.kind}: ${message}`, 1);
}

function passesCache({ continue: token, limit = 0, labelSelector, fieldSelector, resourceVersionMatch }: ListOptions): boolean {
  return Boolean(token) || resourceVersionMatch === 'Exact' || (limit > 0 && !labelSelector && !fieldSelector);
}
