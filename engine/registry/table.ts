/**
 * Objects as tables, the form `kubectl get` asks for. Mirrors apiserver pkg/registry/rest/table.go and the Table part of
 * pkg/endpoints/handlers/response.go.
 */
import type { KindDefinition, TableColumn, TableContext } from '../contracts/kind.ts';
import type { KubeObject, ListMeta } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** What a table needs to know of a kind. */
export type Printed = Pick<KindDefinition, 'columns' | 'row'>;

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly columnDefinitions?: readonly JsonValue[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly JsonValue[];
  readonly object?: KubeObject;
}

const nameText =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const createdText =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

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
    const header = withHeader ? { columnDefinitions: this.columns() } : undefined;
    return { kind: 'Table', apiVersion: this.#version, metadata, ...header, rows };
  }

  columns(): readonly JsonValue[] {
    const columns = this.#resource.kind.columns ?? defaultColumns;
    return columns.map((column) => ({
      name: column.name,
      type: column.type,
      format: column.format ?? (column.name === 'Name' ? 'name' : ''),
      description:
        column.description ??
        (column.name === 'Name' ? nameText : column.name === 'Age' || column.name === 'Created At' ? createdText : this.#describe(column.name)),
      priority: column.priority ?? 0,
    }));
  }

  row(object: KubeObject): TableRow {
    const { kind } = this.#resource;
    const cells = kind.row === undefined ? [object.metadata.name ?? '', object.metadata.creationTimestamp ?? ''] : kind.row(object, this.#context);
    if (this.#include === 'None') return { cells };
    const shown = this.#shown(object);
    return { cells, object: this.#include === 'Object' ? shown : partialMetadata(shown, this.#version) };
  }
}

export function partialMetadata(object: KubeObject, apiVersion: string): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
}
