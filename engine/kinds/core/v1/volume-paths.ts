/** Paths and modes of the files that volumes show. Mirrors validateLocalDescendingPath and its neighbours of pkg/apis/core/validation. */
import type { KeyToPath } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, invalid, required } from '../../../apimachinery/field-errors.ts';
import type { Faults } from './resource-validation.ts';

const modeText = 'must be a number between 0 and 0777 (octal), both inclusive';

export function validateMode(mode: number | undefined, path: FieldPath, out: Faults): void {
  if (mode !== undefined && (mode > 0o777 || mode < 0)) out.push(invalid(path, mode, modeText));
}

export function hasBacksteps(text: string): boolean {
  return text.includes('..') && text.split('/').includes('..');
}

export function noBacksteps(text: string, path: FieldPath, out: Faults): void {
  if (hasBacksteps(text)) out.push(invalid(path, text, "must not contain '..'"));
}

export function descending(text: string, path: FieldPath, out: Faults): void {
  if (text.startsWith('/')) out.push(invalid(path, text, 'must be a relative path'));
  noBacksteps(text, path, out);
}

/** Names that begin with two dots are the kubelet's. */
export function nonReserved(text: string, path: FieldPath, out: Faults): void {
  descending(text, path, out);
  if (text.startsWith('..') && !text.startsWith('../')) out.push(invalid(path, text, "must not start with '..'"));
}

export function validateItems(items: readonly KeyToPath[] | undefined, path: FieldPath, out: Faults): void {
  for (const [index, item] of (items ?? []).entries()) validateItem(item, path.index(index), out);
}

export function validateItem(item: KeyToPath, path: FieldPath, out: Faults): void {
  if (!item.key) out.push(required(path.child('key')));
  if (!item.path) out.push(required(path.child('path')));
  nonReserved(item.path ?? '', path.child('path'), out);
  validateMode(item.mode, path.child('mode'), out);
}
