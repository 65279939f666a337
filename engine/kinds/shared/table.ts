/**
 * Columns and cell texts that several kinds share. Mirrors the helpers of k8s.io/kubernetes pkg/printers/internalversion.
 */
import type { TableColumn, TableContext } from '../../contracts/kind.ts';
import { formatLabels, type LabelSet } from '../../apimachinery/labels.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { humanDuration, parseTime } from '../../apimachinery/time.ts';

const nameColumn: TableColumn = { name: 'Name', type: 'string', format: 'name' };
export const ageColumn: TableColumn = { name: 'Age', type: 'string' };

/** Text columns by name; a name that starts with `*` is shown with `-o wide` only. */
export function columns(...names: readonly (string | TableColumn)[]): readonly TableColumn[] {
  return names.map((entry) => {
    if (typeof entry !== 'string') return entry;
    if (entry === 'Name') return nameColumn;
    if (entry === 'Age') return ageColumn;
    return textColumn(entry);
  });
}

function textColumn(name: string): TableColumn {
  return name.startsWith('*') ? { name: name.slice(1), type: 'string', priority: 1 } : { name, type: 'string' };
}

/** A text column that the printer describes itself; the others have the words of the fields that they show. */
export function described(name: string, description: string): TableColumn {
  return { ...textColumn(name), description };
}

export function integerColumn(name: string, description?: string): TableColumn {
  return description === undefined ? { name, type: 'integer' } : { name, type: 'integer', description };
}

export function booleanColumn(name: string): TableColumn {
  return { name, type: 'boolean' };
}

export const containersColumn = described('*Containers', 'Names of each container in the template.');
export const imagesColumn = described('*Images', 'Images referenced by each container in the template.');
export const readyColumn = described('Ready', 'Number of the pod with ready state');

/** How long ago, e.g. `5m`; `<unknown>` without a time. */
export function since(time: string | null | undefined, context: TableContext): string {
  const ms = time ? parseTime(time) : undefined;
  return ms === undefined ? '<unknown>' : humanDuration(context.nowMs - ms);
}

export function ageOf(object: KubeObject, context: TableContext): string {
  return since(object.metadata.creationTimestamp, context);
}

export function nameOf(object: KubeObject): string {
  return object.metadata.name ?? '';
}

/** `a=b,c=d`, or `<none>`. */
export function labelsText(labels: LabelSet | undefined): string {
  return formatLabels(labels) || '<none>';
}

interface Named {
  readonly name?: string;
  readonly image?: string;
}

/** Names and images of containers, each joined by commas. */
export function containerCells(containers: readonly Named[] | undefined | null): readonly [names: string, images: string] {
  const list = containers ?? [];
  return [list.map((container) => container.name ?? '').join(','), list.map((container) => container.image ?? '').join(',')];
}

/** The first `max` texts, `<unset>` when there are none, and how many more there are. */
export function listWithMore(texts: readonly string[], max = 3): string {
  if (texts.length > max) return `${texts.slice(0, max).join(',')} + ${texts.length - max} more...`;
  return texts.join(',') || '<unset>';
}

export function text(value: string | number | null | undefined, absent: string): string {
  return value === undefined || value === null ? absent : String(value);
}

interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
}

export function loadBalancerText(ingress: readonly LoadBalancerIngress[] | undefined): string {
  return [...new Set((ingress ?? []).map((entry) => entry.ip || entry.hostname || '').filter((entry) => entry !== ''))].sort().join(',');
}

const accessModeShort: { readonly [mode: string]: string } = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export function accessModesText(modes: readonly string[] | undefined): string {
  return Object.entries(accessModeShort)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
