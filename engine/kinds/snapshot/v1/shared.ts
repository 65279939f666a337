/** What the kinds of snapshot.storage.k8s.io/v1 share. On a real cluster they are custom resources of the external-snapshotter. */
import { type FieldErrorList, type FieldPath, notSupported, required } from '../../../apimachinery/field-errors.ts';
import type { Messages } from '../../shared/added-schema.ts';

export const group = 'snapshot.storage.k8s.io';
export const prefix = 'io.k8s.storage.snapshot.v1';
export const errorMessages: Messages = { Error: { time: 'time*', message: 'string*' } };

export function policyFaults(at: FieldPath, policy: string | undefined): FieldErrorList {
  if (!policy) return [required(at)];
  return policy === 'Delete' || policy === 'Retain' ? [] : [notSupported(at, policy, ['Delete', 'Retain'])];
}

export function requiredText(at: FieldPath, value: string | undefined): FieldErrorList {
  return value ? [] : [required(at)];
}
