/** All that a schema refuses as one fault of the whole object, as release 1.13 told it. Mirrors its apiextensions-apiserver pkg/registry/customresource/validator.go and go-openapi's errors. */
import type { FieldError, FieldErrorList } from '../../apimachinery/field-errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';

/** `faults`: one for each thing that the schema refuses. */
export function wholeFault(faults: FieldErrorList, object: KubeObject): FieldErrorList {
  if (faults.length === 0) return [];
  const lines = [...new Set(faults.map(lineOf))];
  const { managedFields: _unknownThen, ...metadata } = object.metadata;
  return [{ type: 'FieldValueInvalid', field: '[]', badValue: { ...object, metadata }, detail: ['validation failure list:', ...lines].join('\n') }];
}

function lineOf({ type, field, badValue, detail }: FieldError): string {
  const [most = ''] = /\d+/.exec(detail) ?? [];
  switch (type) {
    case 'FieldValueRequired':
      return `${field.includes('.') ? field : `.${field}`} in body is required`;
    case 'FieldValueNotSupported':
      return `${field} in body should be one of [${valuesIn(detail).join(' ')}]`;
    case 'FieldValueTooLong':
      return `${field} in body should be at most ${most} chars long`;
    case 'FieldValueTooMany':
      return `${field} in body should have at most ${most} ${Array.isArray(badValue) ? 'items' : 'properties'}`;
    default:
      return detail;
  }
}

/** Of `supported values: "a", "b"`. */
function valuesIn(detail: string): readonly string[] {
  return detail
    .replace(/^supported values: /, '')
    .split(', ')
    .map((value) => value.replace(/^"(.*)"$/, '$1'));
}
