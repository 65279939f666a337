/** Names of what asks others: webhooks, initializers. Mirrors IsFullyQualifiedName of apimachinery pkg/util/validation. */
import { type FieldErrorList, type FieldPath, invalid, required } from './field-errors.ts';
import { isDNS1123Subdomain } from './formats.ts';

/** A name such as `labels.example.com`. */
export function validateFullyQualifiedName(name: string, path: FieldPath): FieldErrorList {
  if (!name) return [required(path)];
  const faults = isDNS1123Subdomain(name);
  if (faults.length > 0) return [invalid(path, name, faults.join(','))];
  return name.split('.').length < 3 ? [invalid(path, name, 'should be a domain with at least three segments separated by dots')] : [];
}
