/** Values of templates: JSON, and undefined for what is not there. Mirrors text/template's truth and fmt's %v. */
import type { JsonValue } from '../../base/json.ts';

export type Value = JsonValue | undefined;

/** What is zero or empty is false. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return value !== false && value !== 0 && value !== 0n && value !== '';
}

/** As it is printed. */
export function show(value: Value): string {
  return value === undefined || value === null ? '<no value>' : inner(value);
}

function inner(value: Value): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(inner).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${key}:${inner((value as { readonly [key: string]: Value })[key])}`);
  return `map[${parts.join(' ')}]`;
}
