/** Columns and the scale of custom kinds: both lead into the object by simple paths. Mirrors pkg/apis/apiextensions/validation. */
import type { CustomResourceColumnDefinition, CustomResourceSubresourceScale } from '../../../api/apiextensions/v1/types.gen.ts';
import { type FieldPath, invalid, required } from '../../../apimachinery/field-errors.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateScale(scale: CustomResourceSubresourceScale | undefined, path: FieldPath, out: Faults): void {
  if (!scale) return;
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  within(specReplicasPath, ['.spec.'], 'under .spec', path.child('specReplicasPath'), out);
  within(statusReplicasPath, ['.status.'], 'under .status', path.child('statusReplicasPath'), out);
  if (labelSelectorPath !== '')
    within(labelSelectorPath, ['.spec.', '.status.'], 'under either .spec or .status', path.child('labelSelectorPath'), out);
}

function within(text: string, starts: readonly string[], place: string, path: FieldPath, out: Faults): void {
  if (text === '') out.push(required(path));
  else if (!isSimple(text, path, out)) return;
  else if (!starts.some((start) => text.startsWith(start))) out.push(invalid(path, text, `should be a json path ${place}`));
}

export function validateColumns(columns: readonly CustomResourceColumnDefinition[] | undefined, path: FieldPath, out: Faults): void {
  for (const [index, { name, type, format, jsonPath }] of (columns ?? []).entries()) {
    const at = path.index(index);
    if (!name) out.push(required(at.child('name')));
    const types = `must be one of ${columnTypes.join(',')}`;
    if (!type) out.push(required(at.child('type'), types));
    else if (!columnTypes.includes(type)) out.push(invalid(at.child('type'), type, types));
    if (format && !columnFormats.includes(format)) out.push(invalid(at.child('format'), format, `must be one of ${columnFormats.join(',')}`));
    if (!jsonPath) out.push(required(at.child('JSONPath')));
    else isSimple(jsonPath, at.child('JSONPath'), out);
  }
}

function isSimple(text: string, path: FieldPath, out: Faults): boolean {
  if (text.startsWith('.')) return true;
  out.push(invalid(path, text, 'must be a simple json path starting with .'));
  return false;
}
