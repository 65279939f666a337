/** What is said of a custom resource whose schema is broken, so that its rules (`x-kubernetes-validations`) were not asked. Mirrors apiextensions pkg/registry/customresource/validator.go. */
import { type FieldError, invalid, root } from './field-errors.ts';

export function uncheckedRules(): FieldError {
  const why = 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return invalid(root('<nil>'), null, why);
}
