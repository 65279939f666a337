/**
 * `metadata.initializers` of old releases: who still has to complete an object before others see it, or why nobody will. Mirrors the
 * parts about them of apimachinery pkg/api/validation/objectmeta.go and pkg/util/initialization, as they were before 1.14.
 */
import { type FieldErrorList, type FieldPath, invalid } from './field-errors.ts';
import { validateFullyQualifiedName } from './fully-qualified-name.ts';
import type { Status } from './status.ts';

export interface Initializers {
  /** In order; null where a client said so, or nothing. */
  readonly pending?: readonly { readonly name: string }[] | null;
  /** Why it will never be complete. */
  readonly result?: Partial<Status>;
}

/** Whether somebody still has to complete the object. */
export function hasPending({ metadata: { initializers } }: { readonly metadata: { readonly initializers?: Initializers } }): boolean {
  return (initializers?.pending ?? []).length > 0;
}

const immutableText = 'field is immutable';

export function validateInitializers({ pending, result }: Initializers, path: FieldPath): FieldErrorList {
  const names = (pending ?? []).flatMap(({ name }, index) => validateFullyQualifiedName(name, path.child('pending').index(index).child('name')));
  return [...names, ...validateResult(result, path.child('result'))];
}

/** What may become of them. */
export function validateInitializersUpdate(next: Initializers | undefined, old: Initializers | undefined, path: FieldPath): FieldErrorList {
  if (next === undefined) return [];
  if (old === undefined) return [invalid(path, null, `${immutableText} once initialization has completed`)];
  if (old.result === undefined) return validateResult(next.result, path.child('result'));
  const isKept = JSON.stringify(next.result ?? null) === JSON.stringify(old.result);
  return isKept ? [] : [invalid(path.child('result'), next.result ?? null, immutableText)];
}

function validateResult(result: Initializers['result'], path: FieldPath): FieldErrorList {
  if (result === undefined || result.status === 'Failure') return [];
  return [invalid(path.child('status'), result.status ?? '', "must be 'Failure'")];
}
