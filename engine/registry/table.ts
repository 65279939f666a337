/**
 * Objects as tables, the form `kubectl get` asks for. Mirrors apiserver pkg/registry/rest/table.go and the Table part of
 * pkg/endpoints/handlers/response.go.
 */
import type { KindDefinition, TableColumn, TableContext } from '../contracts/kind.ts';
import type { KubeObject, ListMeta, ObjectMeta } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import { orderedMeta } from './meta.ts';

/** `Unmanaged` is the metadata without who wrote which field, which is two thirds of it. */
export type IncludeObject = 'None' | 'Metadata' | 'Unmanaged' | 'Object';

/** What a table needs to know of a kind. */
export type Printed = Pick<KindDefinition, 'columns' | 'row' | 'rowOrder' | 'fieldAnnotations'>;

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** Null in all but the first Table of a watch. */
  readonly columnDefinitions: readonly JsonValue[] | null;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly JsonValue[];
  readonly object: KubeObject | null;
}

/** What a time reads that was never set. */
const neverText = '0001-01-01T00:00:00Z';

const defaultColumns: readonly TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name' },
  { name: 'Created At', type: 'date' },
];

/** Made once per resource and request. */
export class TableMaker {
  readonly #resource: { readonly kind: Printed };
  readonly #include: IncludeObject;
  readonly #version: string;
  readonly #context: TableContext;
  readonly #shown: (object: KubeObject) => KubeObject;
  readonly #describe: (column: string) => string;

  /** `shown` makes of an object what its reader may see of it; `describe` says what a column is for that does not say so itself. */
  constructor(
    resource: { readonly kind: Printed },
    include: IncludeObject,
    version: 'v1' | 'v1beta1',
    nowMs: number,
    shown: (object: KubeObject) => KubeObject = (object) => object,
    describe: (column: string) => string = () => '',
  ) {
    this.#describe = describe;
    this.#shown = shown;
    this.#resource = resource;
    this.#include = include;
    this.#version = `meta.k8s.io/${version}`;
    this.#context = { nowMs };
  }

  table(metadata: ListMeta, objects: readonly KubeObject[], withHeader = true): Table {
    const rows = objects.map((object) => this.row(object));
    return { kind: 'Table', apiVersion: this.#version, metadata, columnDefinitions: withHeader ? this.columns() : null, rows };
  }

  columns(): readonly JsonValue[] {
    const columns = this.#resource.kind.columns ?? defaultColumns;
    return columns.map((column) => ({
      name: column.name,
      type: column.type,
      format: column.format ?? (column.name === 'Name' ? 'name' : ''),
      description: column.description ?? this.#describe(column.name),
      priority: column.priority ?? 0,
    }));
  }

  row(object: KubeObject): TableRow {
    const { kind } = this.#resource;
    const cells =
      kind.row === undefined ? [object.metadata.name ?? '', object.metadata.creationTimestamp ?? neverText] : kind.row(object, this.#context);
    if (this.#include === 'None') return { cells, object: null };
    const shown = this.#shown(object);
    if (this.#include === 'Object') return { cells, object: shown };
    const partial = partialMetadata(shown, this.#version, kind);
    return { cells, object: this.#include === 'Unmanaged' ? unmanaged(partial) : partial };
  }
}

function unmanaged(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
}

/** Upstream takes the metadata of its internal object, which has fields for what some annotations stand for. */
export function partialMetadata(
  { metadata }: KubeObject,
  apiVersion: string,
  { fieldAnnotations }: Pick<KindDefinition, 'fieldAnnotations'>,
): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: fieldAnnotations === undefined ? metadata : without(metadata, fieldAnnotations) };
}

function without(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const { annotations, ...rest } = metadata;
  if (annotations === undefined) return metadata;
  const kept = Object.entries(annotations).filter(([name]) => !names.includes(name));
  return orderedMeta(kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) });
}
