/** What a version alone allows and finds wrong, beside what is judged of an object as it is stored. */
import { allowedFields } from '../apimachinery/gated-fields.ts';
import type { FieldErrorList } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { assert } from '../base/assert.ts';
import type { WriteCall, WriteCore } from './core.ts';

/** The object, in the version of the request, with what may be said in that; what that alone finds wrong with it is noted. */
export function judgeVersion(core: WriteCore, call: WriteCall, object: KubeObject, live: KubeObject | undefined): KubeObject {
  const { resource, subresource } = call;
  const { versionFaults, versionGates } = resource.kind;
  assert(live === undefined || live.apiVersion === object.apiVersion, 'both are in the version of the request');
  // Also none: a call that is tried again is judged again.
  [call.versionFaults, call.saysMore] = [[], false];
  if (subresource !== undefined) return object;
  const context = core.context(call);
  const allowed = core.strategyOf(resource) === resource ? object : allowedFields(object, live, versionGates, context);
  call.versionFaults = versionFaults?.(allowed, context) ?? [];
  call.saysMore = allowed !== object;
  return allowed;
}

/** What was found in the object as it is stored, told, with what is wrong in the version alone. */
export function toldWithVersion(
  core: WriteCore,
  { versionFaults = [], resource: { kind } }: WriteCall,
  faults: FieldErrorList,
  schema: MessageSchema,
): FieldErrorList {
  if (faults.length === 0) return versionFaults;
  const told = core.told(faults, schema);
  if (versionFaults.length === 0) return told;
  return kind.withVersionFaults?.(told, versionFaults) ?? [...told, ...versionFaults];
}
