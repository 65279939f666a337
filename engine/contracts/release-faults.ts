/** Faults of fields, as a release tells them otherwise than now. */
import type { FieldError } from '../apimachinery/field-errors.ts';

/** A fault of a field, before anything is refused for it. */
export interface FoundFault {
  readonly kind: string;
  /** That of the request. */
  readonly apiVersion: string;
  /** In an object that is being made. */
  readonly isNew: boolean;
  readonly field: string;
  /** `Invalid value: 0: must be positive`. */
  readonly text: string;
}

/** What was refused then and is not now. */
export interface EarlierFault {
  readonly fault: FieldError;
  /** Fields whose faults were told behind it; absent: it was told last. */
  readonly before?: RegExp;
}
