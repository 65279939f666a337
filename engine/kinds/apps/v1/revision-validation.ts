/** Controller revisions. Mirrors ValidateControllerRevision of pkg/apis/apps/validation. */
import type { ControllerRevision } from '../../../api/apps/v1/types.gen.ts';
import { type FieldErrorList, required, root } from '../../../apimachinery/field-errors.ts';
import { validateImmutableRaw, validateNonnegative } from '../../../apimachinery/validation.ts';

const dataPath = root('data');

export function validateRevision({ data, revision = 0 }: ControllerRevision): FieldErrorList {
  const missing = data === undefined || data === null ? [required(dataPath, 'data is mandatory')] : [];
  const isObject = typeof data === 'object' && !Array.isArray(data);
  const wrong = missing.length > 0 || isObject ? [] : [required(dataPath, 'data must be a valid JSON object')];
  return [...validateNonnegative(Number(revision), root('revision')), ...missing, ...wrong];
}

export function validateRevisionUpdate(next: ControllerRevision, old: ControllerRevision): FieldErrorList {
  return [...validateNonnegative(Number(next.revision ?? 0), root('revision')), ...validateImmutableRaw(next.data, old.data, dataPath)];
}
