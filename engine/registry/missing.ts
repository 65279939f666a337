/** What is answered of an object that is not there. */
import { type GroupResource, newBadRequest, newNotFound } from '../apimachinery/errors.ts';
import type { StatusError } from '../apimachinery/status.ts';
import { isPathSegmentName } from '../apimachinery/validation.ts';

/** NotFound; BadRequest where nothing can have that name, which upstream says when it makes a key of it (NamespaceKeyFunc). */
export function missing(groupResource: GroupResource, name: string): StatusError {
  const faults = isPathSegmentName(name);
  return faults.length === 0
    ? newNotFound(groupResource, name)
    : newBadRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${faults.join(';')}`);
}
