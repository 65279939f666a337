/** A kind as a release has it: its columns, categories and subresources, where they are others than now. */
import type { JsonValue } from '../base/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { assert } from '../base/assert.ts';
import type { KindDefinition, TableColumn, TableContext } from '../contracts/kind.ts';
import type { ReleaseColumn, ReleaseKind } from '../contracts/release.ts';

export function asRelease(kind: KindDefinition, told: ReleaseKind | undefined): KindDefinition {
  if (told === undefined) return kind;
  const { columns, categories, laterSubresources = [] } = told;
  const withColumns = columns === undefined ? kind : columns === 'none' ? { ...kind, hasTable: false } : printing(kind, columns);
  const subresources = Object.fromEntries(Object.entries(kind.subresources ?? {}).filter(([name]) => !laterSubresources.includes(name)));
  const { categories: listedUnder, ...uncategorized } = withColumns;
  return {
    ...uncategorized,
    ...(categories === false || listedUnder === undefined ? undefined : { categories: listedUnder }),
    ...(laterSubresources.length === 0 ? undefined : { subresources }),
  };
}

function printing(kind: KindDefinition, columns: readonly ReleaseColumn[] | 'default'): KindDefinition {
  if (columns === 'default') {
    const { columns: _columns, row: _row, ...rest } = kind;
    return rest;
  }
  const present = kind.columns ?? [];
  const cells = columns.map((column) => ({ column: typed(column, present), cell: cellOf(column, present) }));
  return {
    ...kind,
    columns: cells.map(({ column }) => column),
    row: (object: KubeObject, context: TableContext) => {
      const row = kind.row?.(object, context) ?? [];
      return cells.map(({ cell }) => cell(object, row));
    },
  };
}

function typed({ path: _path, counts: _counts, ...column }: ReleaseColumn, present: readonly TableColumn[]): TableColumn {
  return { type: 'string', ...present.find(({ name }) => name === column.name), ...column };
}

type Cell = (object: KubeObject, row: readonly JsonValue[]) => JsonValue;

function cellOf({ name, type, path, counts }: ReleaseColumn, present: readonly TableColumn[]): Cell {
  if (path !== undefined) return (object) => valueAt(object, path.split('.'), counts === true);
  const index = present.findIndex((column) => column.name === name);
  assert(index >= 0, `column ${name} is one of the present ones`);
  if (type !== 'integer' || present[index]?.type === 'integer') return (_object, row) => row[index] ?? null;
  // `3 (5m ago)` was `3`.
  return (_object, row) => Number.parseInt(String(row[index]), 10);
}

function valueAt(object: KubeObject, path: readonly string[], counts: boolean): JsonValue {
  const found = path.reduce<unknown>((value, key) => (value as { readonly [key: string]: unknown } | undefined)?.[key], object);
  if (counts) return Array.isArray(found) ? found.length : 0;
  return typeof found === 'string' ? found : '';
}
