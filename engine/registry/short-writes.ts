/**
 * Writes that say less than defaults fill in, where a release stored them as they came and filled in what was read: the next write that says
 * all is another object then, though nobody can see what it changed. What is stored here is always whole; a note among those who own its
 * fields, which clients of such releases do not see, says that there it is not.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import { assert } from '../base/assert.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { WriteCall } from './core.ts';
import { orderedMeta, withMeta } from './meta.ts';

const noteManager = 'wavetank:left-to-defaults';

/** `sent` is the object as its writer said it, before defaults. */
export function noteShort(call: WriteCall, sent: KubeObject): void {
  call.saysLess = call.subresource === undefined && call.resource.kind.leavesDefaults?.(sent) === true;
}

/** Of kinds that leave nothing to defaults the name is anybody's. */
export function isShort({ leavesDefaults }: KindDefinition, { metadata: { managedFields = [] } }: KubeObject): boolean {
  return leavesDefaults !== undefined && managedFields.some(({ manager }) => manager === noteManager);
}

/** The object without the note; the same one where it has none. */
export function asWhole(kind: KindDefinition, object: KubeObject): KubeObject {
  if (!isShort(kind, object)) return object;
  const managedFields = (object.metadata.managedFields ?? []).filter(({ manager }) => manager !== noteManager);
  return withMeta(object, orderedMeta({ ...object.metadata, managedFields }));
}

/** What is stored for the object that the call wrote. */
export function asWritten(call: WriteCall, object: KubeObject): KubeObject {
  const { kind, apiVersion } = call.resource;
  const whole = asWhole(kind, object);
  if (call.saysLess !== true) return whole;
  const note = { manager: noteManager, operation: 'Update', apiVersion } as const;
  assert(!isShort(kind, whole), 'what is noted is noted once');
  return withMeta(whole, orderedMeta({ ...whole.metadata, managedFields: [...(whole.metadata.managedFields ?? []), note] }));
}
