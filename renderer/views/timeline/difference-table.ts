/** Differences as lines of a table that is pasted elsewhere: one for each field, values separated by tabs. */
import type { Difference } from '../../../engine/api/sim/v1alpha1/change.ts';

const columns = [
  'time',
  'change',
  'kind',
  'namespace',
  'name',
  'field',
  'before',
  'after',
  'writes',
  'events',
  'warnings',
  'by',
  'revision',
] as const;
/** A spreadsheet takes what begins so for a formula. */
const formula = /^[=+\-@]/;

export function toTable(items: readonly Difference[]): string {
  return [columns.join('\t'), ...items.flatMap(linesOf)].join('\n');
}

function linesOf({ status }: Difference): readonly string[] {
  const { subject, change, changes, events, warnings, fields = [], facts = [], lastEvent = '', state = '', actor = '', revision = '', ms } = status;
  const head = [new Date(ms).toISOString(), change, subject.kind, subject.namespace ?? '', subject.name];
  const tail = [changes, events, warnings, actor, revision];
  const said =
    fields.length > 0
      ? fields.map(({ path, before = '', after = '' }) => [path, before, after])
      : [[facts.join('; ') || [state, lastEvent].filter((part) => part !== '').join('; '), '', '']];
  return said.map((what) => [...head, ...what, ...tail].map((value) => cell(String(value))).join('\t'));
}

/** Tabs and line ends would be other cells. */
function cell(text: string): string {
  const flat = text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
  return formula.test(flat) && !/^-?[\d.]+$/.test(flat) ? `'${flat}` : flat;
}
