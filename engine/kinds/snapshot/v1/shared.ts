/** What the kinds of snapshot.storage.k8s.io/v1 share. On a real cluster they are custom resources of the external-snapshotter. */
import { type FieldErrorList, type FieldPath, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import type { Messages } from '../../shared/added-schema.ts';
import { uncheckedRules } from '../../../apimachinery/unchecked-rules.ts';

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

/** A rule of the definition on an object, which is not shown. */
export function broken(at: FieldPath, message: string): FieldErrorList {
  const { badValue: _, ...silent } = invalid(at, null, message);
  return [silent];
}

/** A text that may be set once. */
export function changedText(at: FieldPath, name: string, [next, old]: readonly (string | undefined)[]): FieldErrorList {
  if (old === undefined || next === old) return [];
  return next === undefined ? broken(at, `${name} is required once set`) : [invalid(at.child(name), next, `${name} is immutable`)];
}

/** Rules are asked of what its schema has nothing against. */
export function judged(schemaFaults: FieldErrorList, rules: () => FieldErrorList): FieldErrorList {
  return schemaFaults.length > 0 ? [...schemaFaults, uncheckedRules()] : rules();
}
