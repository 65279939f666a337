/**
 * Conflicts between an applier and the managers whose fields it would change, and the words a client reads. Mirrors
 * k8s.io/apimachinery pkg/util/managedfields/internal/conflict.go.
 */
import { newApplyConflict } from '../errors.ts';
import { goQuote } from '../quote.ts';
import type { StatusError } from '../status.ts';
import type { ManagerEntry } from './entries.ts';
import { difference, type FieldSet, isEmptySet, pathTexts } from './field-set.ts';

export interface Conflict {
  readonly owner: ManagerEntry;
  readonly set: FieldSet;
}

/** The conflicts that stay when the allowed fields are taken out. */
export function withoutAllowed(conflicts: readonly Conflict[], allowed: FieldSet): readonly Conflict[] {
  return conflicts.map(({ owner, set }) => ({ owner, set: difference(set, allowed) })).filter(({ set }) => !isEmptySet(set));
}

function describe(entry: ManagerEntry): string {
  const named = `${goQuote(entry.manager)}${entry.subresource === '' ? '' : ` with subresource ${goQuote(entry.subresource)}`}`;
  return entry.operation === 'Update' ? `${named} using ${entry.apiVersion}` : named;
}

/** Upstream sorts them by what it knows managers by, which is JSON. */
function identifier({ manager, operation, apiVersion, subresource }: ManagerEntry): string {
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : '';
  const part = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{"manager":${JSON.stringify(manager)},"operation":"${operation}"${version}${part}}`;
}

export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const byOwner = conflicts
    .map(({ owner, set }) => ({ name: describe(owner), id: identifier(owner), paths: pathTexts(set) }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const causes = byOwner.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  );
  const [only] = byOwner;
  if (causes.length === 1 && only !== undefined)
    return newApplyConflict(causes, `Apply failed with 1 conflict: conflict with ${only.name}: ${only.paths[0] ?? ''}`);
  const lines = byOwner.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  return newApplyConflict(causes, `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`);
}
