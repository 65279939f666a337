/** A kind as a release has it: its columns, categories and subresources, where they are others than now. */
import { deepEqual } from '../base/equal.ts';
import type { JsonValue } from '../base/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { assert } from '../base/assert.ts';
import type { KindDefinition, TableColumn, TableContext } from '../contracts/kind.ts';
import type { FieldErrorList } from '../apimachinery/field-errors.ts';
import type { EarlierFault } from '../contracts/release-faults.ts';
import type { ReleaseColumn, ReleaseKind } from '../contracts/release.ts';

export function asRelease(kind: KindDefinition, told: ReleaseKind | undefined): KindDefinition {
  if (told === undefined) return kind;
  const {
    columns,
    categories,
    showsGeneration,
    bodyVersions,
    orphansIn = [],
    insideVerbs,
    laterSubresources = [],
    laterDefaults = [],
    loses,
    updateChecks,
    returnsDeleted,
    listsNothing,
    changesByReading,
    judgedAsSent,
    misreads,
    nameValidation,
    judgesGenerateName,
    namesItself,
    wrongThen,
    judgesStatusThen,
    createsByStatusAlone,
    goesOnceGraceIsOver,
    isStoredOtherwise,
    leavesDefaults,
    gatedFields,
    versionGates,
    fills,
    laterLabels,
    emptyLabel,
  } = told;
  const withColumns = columns === undefined ? kind : columns === 'none' ? { ...kind, hasTable: false } : printing(kind, columns);
  const subresources = Object.fromEntries(Object.entries(kind.subresources ?? {}).filter(([name]) => !laterSubresources.includes(name)));
  const labels = labelsOf(kind, laterLabels, emptyLabel);
  const { categories: listedUnder, takesAnyGenerateName, selectableFields: _fields, fieldLabels: _refusal, ...uncategorized } = withColumns;
  return {
    ...uncategorized,
    ...(categories === false || listedUnder === undefined ? undefined : { categories: listedUnder }),
    ...(orphansIn.includes(kind.version) ? { defaultPropagation: 'Orphan' as const } : undefined),
    ...(bodyVersions === undefined ? undefined : { bodyVersions }),
    ...(insideVerbs === undefined ? undefined : { insideVerbs }),
    ...(showsGeneration === undefined ? undefined : { showsGeneration }),
    ...(laterSubresources.length === 0 ? undefined : { subresources }),
    ...(returnsDeleted === undefined ? undefined : { returnsDeleted }),
    ...(listsNothing === undefined ? undefined : { listsNothing }),
    ...(changesByReading === undefined ? undefined : { changesByReading }),
    ...(judgedAsSent === undefined ? undefined : { judgedAsSent }),
    ...(misreads === undefined ? undefined : { misreads: (object: KubeObject) => misreads(object, kind.version) }),
    ...(nameValidation === undefined ? undefined : { nameValidation }),
    ...(takesAnyGenerateName === undefined || judgesGenerateName === true ? undefined : { takesAnyGenerateName }),
    ...(namesItself === undefined ? undefined : { namesItself }),
    ...(wrongThen === undefined ? undefined : judgingThen(kind, wrongThen, judgesStatusThen === true)),
    ...(createsByStatusAlone === undefined ? undefined : { createsByStatusAlone }),
    ...(goesOnceGraceIsOver === undefined ? undefined : { goesOnceGraceIsOver }),
    ...(isStoredOtherwise === undefined ? undefined : { isStoredOtherwise }),
    ...(leavesDefaults === undefined ? undefined : { leavesDefaults: (object: KubeObject) => leavesDefaults(object, kind.version) }),
    ...(gatedFields === undefined ? undefined : { gatedFields: [...(kind.gatedFields ?? []), ...gatedFields] }),
    ...(versionGates === undefined ? undefined : { versionGates }),
    ...labels,
    ...(updateChecks === undefined ? undefined : { updateChecks }),
    ...(laterDefaults.length === 0 && loses === undefined && fills === undefined
      ? undefined
      : { defaults: filling(kind, laterDefaults, { loses, fills }) }),
  };
}

type WrongThen = NonNullable<ReleaseKind['wrongThen']>;

/** With what was wrong then among what is wrong now. */
function judgingThen(kind: KindDefinition, wrongThen: WrongThen, judgesStatus: boolean): Pick<KindDefinition, 'validate' | 'statusSubresource'> {
  const { validate, statusSubresource: status } = kind;
  const validateUpdate = typeof status === 'object' ? status.validateUpdate : undefined;
  return {
    validate: (object, context) => withThen(validate?.(object, context) ?? [], wrongThen(object, context)),
    ...(judgesStatus &&
      typeof status === 'object' && {
        statusSubresource: {
          ...status,
          validateUpdate: (next, old, context) => withThen(validateUpdate?.(next, old, context) ?? [], wrongThen(next, context)),
        },
      }),
  };
}

function withThen(now: FieldErrorList, then: readonly EarlierFault[]): FieldErrorList {
  return then.reduce((faults, { fault, before }) => {
    const place = before === undefined ? -1 : faults.findIndex(({ field }) => before.test(field));
    return place < 0 ? [...faults, fault] : faults.toSpliced(place, 0, fault);
  }, now);
}

function labelsOf(
  { selectableFields, fieldLabels, version }: KindDefinition,
  later: readonly string[] = [],
  empty: ReleaseKind['emptyLabel'],
): Pick<KindDefinition, 'selectableFields' | 'fieldLabels'> {
  if (empty?.versions.includes(version) === true)
    return { selectableFields: { [empty.label]: () => '' }, fieldLabels: { refusal: (label, groupVersion) => empty.refusal(label, groupVersion) } };
  if (selectableFields === undefined) return {};
  const left = Object.entries(selectableFields).filter(([label]) => !later.includes(label));
  return left.length === 0 ? {} : { selectableFields: Object.fromEntries(left), ...(fieldLabels !== undefined && { fieldLabels }) };
}

/** In a path: each item of a list. */
const everyItem = '*';

/** Defaults of now, but for those that came later, for what is not lost; and those that are no more. */
function filling(
  kind: KindDefinition,
  later: readonly (readonly string[])[],
  { loses, fills }: { readonly loses: ReleaseKind['loses'] | undefined; readonly fills: ReleaseKind['fills'] | undefined },
): (object: KubeObject) => KubeObject {
  return (object) => {
    const kept = loses?.(object, kind.version) ?? object;
    const filled = kind.defaults?.(kept) ?? kept;
    const known = later.reduce<unknown>((value, path) => emptied(value, kept, path), filled) as KubeObject;
    const left = fills?.(known) ?? known;
    return deepEqual(left, object) ? object : left;
  };
}

/** Without what is at the path, where `given` has nothing there; maps that this leaves empty go too. */
function emptied(value: unknown, given: unknown, path: readonly string[]): unknown {
  const [key = '', ...rest] = path;
  if (key === everyItem) {
    const items = Array.isArray(given) ? (given as readonly unknown[]) : [];
    return Array.isArray(value) ? value.map((item, index) => emptied(item, items[index], rest)) : value;
  }
  if (!isMap(value) || value[key] === undefined) return value;
  const before = isMap(given) ? given[key] : undefined;
  const inner = rest.length === 0 ? before : emptied(value[key], before, rest);
  const { [key]: _, ...others } = value;
  const isGone = inner === undefined || (isMap(inner) && before === undefined && Object.keys(inner).length === 0);
  return isGone ? others : { ...value, [key]: inner };
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

function typed({ path: _path, counts: _counts, says: _says, ...column }: ReleaseColumn, present: readonly TableColumn[]): TableColumn {
  return { type: 'string', ...present.find(({ name }) => name === column.name), ...column };
}

type Cell = (object: KubeObject, row: readonly JsonValue[]) => JsonValue;

function cellOf({ name, type, path, counts, says }: ReleaseColumn, present: readonly TableColumn[]): Cell {
  if (path !== undefined) return (object) => valueAt(object, path.split('.'), counts === true);
  const index = present.findIndex((column) => column.name === name);
  assert(index >= 0, `column ${name} is one of the present ones`);
  if (says !== undefined) return (object, row) => says(row[index] ?? null, object);
  if (type !== 'integer' || present[index]?.type === 'integer') return (_object, row) => row[index] ?? null;
  // `3 (5m ago)` was `3`.
  return (_object, row) => Number.parseInt(String(row[index]), 10);
}

function valueAt(object: KubeObject, path: readonly string[], counts: boolean): JsonValue {
  const found = path.reduce<unknown>((value, key) => (value as { readonly [key: string]: unknown } | undefined)?.[key], object);
  if (counts) return Array.isArray(found) ? found.length : 0;
  return typeof found === 'string' ? found : '';
}
