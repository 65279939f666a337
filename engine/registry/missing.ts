/** What is answered of an object that is not there. */
import { type GroupResource, newBadRequest, newNotFound } from '../apimachinery/errors.ts';
import type { StatusError } from '../apimachinery/status.ts';
import { isPathSegmentName } from '../apimachinery/validation.ts';

/** NotFound; BadRequest where nothing can have that name. */
export function missing(groupResource: GroupResource, name: string): StatusError {
  return unnameable(name) ?? newNotFound(groupResource, name);
}

/** Throws BadRequest where nothing can have that name, which upstream says when it makes a key of it (NamespaceKeyFunc). */
export function checkNameable(name: string): void {
  const refusal = unnameable(name);
  if (refusal !== undefined) throw refusal;
}

function unnameable(name: string): StatusError | undefined {
  const faults = isPathSegmentName(name);
  return faults.length === 0 ? undefined : newBadRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${faults.join(';')}`);
}
