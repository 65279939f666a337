/** Turns Go packages into message schemas under their OpenAPI names, resolving types across packages. */
import type { FieldSchema, MessageSchema, ScalarType, TypeRef } from '../../engine/apimachinery/schema.ts';
import type { GoField, GoPackage, GoStruct } from './go-types.ts';

export interface SourcePackage {
  /** Go import path, e.g. `k8s.io/api/core/v1`. */
  readonly path: string;
  /** OpenAPI prefix, e.g. `io.k8s.api.core.v1`. */
  readonly prefix: string;
  readonly go: GoPackage;
}

/** `tagged`: the Go tag says omitempty, which has no effect on structs but makes a field optional for people. */
export type BuiltField = FieldSchema & { readonly tagged: boolean };
export type BuiltMessage = Omit<MessageSchema, 'fields'> & { readonly fields: readonly BuiltField[] };

type Resolved = {
  readonly card: FieldSchema['card'];
  readonly type: TypeRef;
  readonly pointer: boolean;
  readonly wrapped?: boolean;
  readonly values?: readonly string[];
};

const scalars: Readonly<Record<string, ScalarType>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  int32: 'int32',
  int64: 'int64',
  uint8: 'uint32',
  uint32: 'uint32',
  uint64: 'uint64',
  float64: 'double',
  '[]byte': 'bytes',
};

const specials: Readonly<Record<string, ScalarType>> = {
  'k8s.io/apimachinery/pkg/apis/meta/v1.Time': 'time',
  'k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime': 'microTime',
  'k8s.io/apimachinery/pkg/apis/meta/v1.Duration': 'duration',
  'k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1': 'fieldsV1',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intOrString',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'rawExtension',
  'k8s.io/apimachinery/pkg/runtime.Object': 'rawExtension',
  'k8s.io/apimachinery/pkg/types.UID': 'string',
  'k8s.io/apimachinery/pkg/types.NodeName': 'string',
  ...schemaSpecials('v1'),
  ...schemaSpecials('v1beta1'),
};

/** Types of a schema that are JSON of more than one form. */
function schemaSpecials(version: string): Readonly<Record<string, ScalarType>> {
  const path = `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/${version}`;
  return {
    [`${path}.JSON`]: 'json',
    [`${path}.JSONSchemaPropsOrBool`]: 'jsonSchemaOrBool',
    [`${path}.JSONSchemaPropsOrArray`]: 'jsonSchemaOrArray',
    [`${path}.JSONSchemaPropsOrStringArray`]: 'jsonSchemaOrStrings',
  };
}

export function buildMessages(packages: readonly SourcePackage[]): readonly BuiltMessage[] {
  const byPath = new Map(packages.map((source) => [source.path, source]));
  return packages.flatMap((source) =>
    [...source.go.structs.values(), ...definedStructs(source, byPath)]
      .filter((struct) => specials[`${source.path}.${struct.name}`] === undefined)
      .map((struct) => buildMessage(source, struct, byPath)),
  );
}

/** `type MatchCondition v1.MatchCondition` is a struct of its own, with the fields of the other one; with fields of types of the other package it is not wanted yet. */
function definedStructs({ go }: SourcePackage, byPath: ReadonlyMap<string, SourcePackage>): readonly GoStruct[] {
  return [...go.defined].flatMap((name) => {
    const [alias = '', other = ''] = (go.named.get(name) ?? '').split('.');
    const struct = byPath.get(go.imports.get(alias) ?? '')?.go.structs.get(other);
    if (struct === undefined) return [];
    const foreign = struct.fields.find(({ goType }) => scalars[goType] === undefined);
    return foreign === undefined ? [{ ...struct, name }] : [];
  });
}

function buildMessage(source: SourcePackage, struct: GoStruct, byPath: ReadonlyMap<string, SourcePackage>): BuiltMessage {
  const fields = struct.fields.flatMap((field) => buildField(source, field, byPath));
  const atomic = struct.markers.includes('structType=atomic') || struct.markers.includes('mapType=atomic');
  return { name: `${source.prefix}.${struct.name}`, fields, ...(atomic ? { atomic: true } : {}) };
}

function buildField(source: SourcePackage, field: GoField, byPath: ReadonlyMap<string, SourcePackage>): readonly BuiltField[] {
  if (field.json === '' && field.goName === 'TypeMeta') return typeMeta;
  const resolved = resolve(source, field.goType, byPath);
  const marker = (key: string): string | undefined => field.markers.find((text) => text.startsWith(`${key}=`))?.slice(key.length + 1);
  const listType = marker('listType');
  const mapType = marker('mapType') ?? marker('structType');
  const keys = field.markers.filter((text) => text.startsWith('listMapKey=')).map((text) => text.slice('listMapKey='.length));
  return [
    {
      name: field.json === '' ? lowerFirst(field.goName) : field.json,
      number: field.number,
      type: resolved.type,
      card: resolved.card,
      omitEmpty: field.omitZero || (field.omitEmpty && !isStruct(resolved)),
      pointer: resolved.pointer,
      tagged: field.omitEmpty || field.omitZero,
      ...(field.json === '' ? { inline: true } : {}),
      ...(resolved.wrapped && !(resolved.card === 'list' && field.repeated) ? { wrapped: true } : {}),
      ...(field.patchStrategy ? { patchStrategy: field.patchStrategy } : {}),
      ...(field.patchMergeKey ? { patchMergeKey: field.patchMergeKey } : {}),
      ...(listType ? { listType: listType as NonNullable<FieldSchema['listType']> } : {}),
      ...(keys.length > 0 ? { listMapKeys: keys } : {}),
      ...(mapType ? { mapType: mapType as NonNullable<FieldSchema['mapType']> } : {}),
      ...goTypeOf(source, followed(source, field.goType), resolved),
      ...(isRequired(field) ? { required: true } : {}),
      ...(resolved.values === undefined ? {} : { values: resolved.values }),
    },
  ];
}

/** Only where it is not to be seen in what is resolved. */
function goTypeOf(source: SourcePackage, written: string, { card, type }: Resolved): { readonly goType?: string } {
  const goType = printed(source, written.replace(/^\*/, ''));
  if (typeof type !== 'string') return card === 'one' || goType.startsWith('[]') || goType.startsWith('map[string]') ? {} : { goType };
  if (card === 'one' && (structScalars.has(type) || type === 'bytes')) return {};
  const plain = goType.replace(/^map\[string\]|^\[\](?!byte)/, '');
  return scalars[plain] === undefined && !/^(resource\.Quantity|intstr\.|v1\.(Time|MicroTime))/.test(plain) ? { goType } : {};
}

/** Another name for a type (`type X = v1.X`) is that type. */
function followed({ go }: SourcePackage, written: string): string {
  const [, before = '', name = ''] = /^(.*?)(\w+)$/.exec(written) ?? [];
  const target = go.defined.has(name) ? undefined : go.named.get(name);
  return target === undefined || before.endsWith('.') ? written : before + target;
}

/** With the names of packages. */
function printed(source: SourcePackage, written: string): string {
  if (written.startsWith('[]') && scalars[written] === undefined) return `[]${printed(source, written.slice(2))}`;
  const [, key, value] = /^map\[([\w.]+)\](.+)$/.exec(written) ?? [];
  if (key !== undefined && value !== undefined) return `map[${printed(source, key)}]${printed(source, value)}`;
  if (scalars[written] !== undefined || written.startsWith('*')) return written;
  const [name = '', local] = written.split('.').reverse();
  const path = local === undefined ? source.path : (source.go.imports.get(local) ?? local);
  return `${path.slice(path.lastIndexOf('/') + 1)}.${name}`;
}

const typeMeta: readonly BuiltField[] = (['kind', 'apiVersion'] as const).map((name) => ({
  name,
  number: 0,
  type: 'string',
  card: 'one',
  omitEmpty: true,
  pointer: false,
  tagged: true,
}));

const structScalars: ReadonlySet<TypeRef> = new Set<TypeRef>([
  'time',
  'microTime',
  'duration',
  'quantity',
  'intOrString',
  'rawExtension',
  'json',
  'fieldsV1',
  'jsonSchemaOrBool',
  'jsonSchemaOrArray',
  'jsonSchemaOrStrings',
]);

/** Go's encoder leaves out no struct for being zero. */
function isStruct(resolved: Resolved): boolean {
  return resolved.card === 'one' && !resolved.pointer && (typeof resolved.type !== 'string' || structScalars.has(resolved.type));
}

function isRequired(field: GoField): boolean {
  if (field.markers.includes('required') || field.markers.includes('k8s:required')) return true;
  return !field.markers.includes('optional') && !field.markers.includes('k8s:optional') && !field.omitEmpty && field.json !== '';
}

function resolve(source: SourcePackage, goType: string, byPath: ReadonlyMap<string, SourcePackage>): Resolved {
  if (goType.startsWith('*')) return { ...resolve(source, goType.slice(1), byPath), pointer: true };
  const scalar = scalars[goType];
  if (scalar !== undefined) return { card: 'one', type: scalar, pointer: false };
  if (goType.startsWith('[]')) return { ...resolve(source, goType.slice(2), byPath), card: 'list', pointer: false, wrapped: false };
  const map = /^map\[[\w.]+\](.+)$/.exec(goType);
  if (map !== null) {
    const value = resolve(source, map[1] as string, byPath);
    return { ...value, card: value.card === 'list' ? 'mapOfLists' : 'map', pointer: false, wrapped: false };
  }
  return resolveNamed(source, goType, byPath);
}

function resolveNamed(source: SourcePackage, goType: string, byPath: ReadonlyMap<string, SourcePackage>): Resolved {
  const dot = goType.indexOf('.');
  const path = dot < 0 ? source.path : source.go.imports.get(goType.slice(0, dot));
  const name = dot < 0 ? goType : goType.slice(dot + 1);
  const special = specials[`${path}.${name}`];
  if (special !== undefined) return { card: 'one', type: special, pointer: false };
  const home = path === undefined ? undefined : byPath.get(path);
  if (home === undefined) throw new Error(`${source.path}: package of ${goType} is not read`);
  const isStruct = home.go.structs.has(name) || definedStructs(home, byPath).some((struct) => struct.name === name);
  if (isStruct) return { card: 'one', type: { message: `${home.prefix}.${name}` }, pointer: false };
  const target = home.go.named.get(name);
  if (target === undefined) throw new Error(`${source.path}: type ${goType} is not found`);
  const values = valuesOf(home, name, byPath);
  const resolved = { ...resolve(home, target, byPath), ...(values === undefined ? {} : { values }) };
  // `type ExtraValue []string` is a message with one repeated field on the wire.
  return resolved.card === 'list' ? { ...resolved, wrapped: true } : resolved;
}

/** Of a type that is marked as an enumeration, sorted. */
function valuesOf(home: SourcePackage, type: string, byPath: ReadonlyMap<string, SourcePackage>): readonly string[] | undefined {
  const textOf = ({ go }: SourcePackage, name: string): string => {
    const value = go.constants.get(name) ?? '';
    if (value.startsWith('"')) return value.slice(1, -1);
    const [alias = '', other = ''] = value.split('.');
    const source = byPath.get(go.imports.get(alias) ?? '');
    if (source === undefined) throw new Error(`${home.path}: the constant ${name} is ${value}, which is not read`);
    return textOf(source, other);
  };
  return home.go.enums
    .get(type)
    ?.map((name) => textOf(home, name))
    .sort();
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
