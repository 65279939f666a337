/** Conditions of both kinds have types, each its own. Mirrors kubernetes pkg/apis/flowcontrol/validation. */
import { duplicate, type FieldErrorList, type FieldPath, required } from '../../../apimachinery/field-errors.ts';

export function conditionFaults(conditions: readonly { readonly type?: string }[], path: FieldPath): FieldErrorList {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = '' }, index) => {
    const at = path.index(index).child('type');
    const faults = [...(seen.has(type) ? [duplicate(at, type)] : []), ...(type === '' ? [required(at)] : [])];
    seen.add(type);
    return faults;
  });
}
