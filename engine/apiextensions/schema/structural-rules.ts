/**
 * What makes a schema structural: types are said outside of `allOf` and the like, and what is validated there is also named outside.
 * The texts of the faults are the message of the NonStructuralSchema condition too. Mirrors pkg/apiserver/schema/validation.go, complete.go
 * and the refusals of convert.go of apiextensions-apiserver.
 */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { errorText, type FieldError, type FieldErrorList, type FieldPath, forbidden, invalid, required } from '../../apimachinery/field-errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { FaultSink } from './fault-sink.ts';
import { isSchema, patternFault, type Structural } from './structural.ts';

type Faults = FaultSink;
type Level = 'root' | 'item' | 'field';

/** Sorted by text, as upstream has them. */
export function structuralFaults(s: Structural, path: FieldPath): FieldErrorList {
  const out = new FaultSink();
  judgeInvariants(s, 'root', path, out);
  judgeCompleteness(s, s, path, path, out);
  const texts = new Map(out.faults.map((fault) => [fault, errorText(fault)]));
  const textOf = (fault: FieldError): string => texts.get(fault) ?? '';
  return [...out.faults].sort((a, b) => (textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b))));
}

const refused: readonly (readonly [member: keyof JSONSchemaProps, name: string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
];

/** The first thing for which a schema cannot be read as a structural one at all; undefined where it can. */
export function unreadable(props: JSONSchemaProps): string | undefined {
  for (const [member, name] of refused) {
    const value = props[member] as JsonValue | undefined;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0 && member !== 'additionalItems';
    if (value !== undefined && value !== null && value !== '' && !isEmpty) return `OpenAPIV3Schema '${name}' is not supported`;
  }
  const nested = [props.not, ...(props.allOf ?? []), ...(props.anyOf ?? []), ...(props.oneOf ?? [])];
  for (const one of nested) {
    const fault = one && unreadable(one);
    if (fault !== undefined) return fault;
  }
  if (props['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (Array.isArray(props.items) && props.items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const below = [props.items, ...Object.values(props.properties ?? {}), props.additionalProperties];
  for (const one of below) {
    const fault = isSchema(one as JsonValue) ? unreadable(one as JSONSchemaProps) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function judgeInvariants(s: Structural, level: Level, path: FieldPath, out: Faults): void {
  const { items, additionalProperties, properties } = s;
  if (s.type === 'array' && items === undefined) out.push(required(path.child('items'), 'must be specified'));
  if (items !== undefined) judgeInvariants(items, 'item', path.child('items'), out);
  for (const [name, property] of properties) judgeInvariants(property, 'field', path.child('properties').key(name), out);
  if (additionalProperties !== undefined) {
    if (level === 'root') out.push(forbidden(path.child('additionalProperties'), 'must not be used at the root'));
    if (typeof additionalProperties === 'object') judgeInvariants(additionalProperties, 'field', path.child('additionalProperties'), out);
  }
  judgeExtensions(s, path, out);
  judgeValues(s, isIntOrString(s.anyOf), isIntOrString(s.allOf[0]?.anyOf ?? []), path, out);
  judgeType(s, level, path, out);
  if (s.embeddedResource && additionalProperties !== undefined)
    out.push(forbidden(path.child('additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'));
  judgeMeta(s, level, path, out);
  if (s.embeddedResource && !s.preserveUnknownFields && properties.size === 0) {
    const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    out.push(required(path.child('properties'), why));
  }
}

function judgeExtensions({ intOrString, preserveUnknownFields, embeddedResource }: Structural, path: FieldPath, out: Faults): void {
  const why = 'must be false if x-kubernetes-int-or-string is true';
  if (intOrString && preserveUnknownFields) out.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), true, why));
  if (intOrString && embeddedResource) out.push(invalid(path.child('x-kubernetes-embedded-resource'), true, why));
}

const untyped: { readonly [level in Level]: string } = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function judgeType(s: Structural, level: Level, path: FieldPath, out: Faults): void {
  const at = path.child('type');
  const embedded = 'must be object if x-kubernetes-embedded-resource is true';
  if (s.embeddedResource && s.type !== 'object') out.push(s.type === '' ? required(at, embedded) : invalid(at, s.type, embedded));
  else if (s.type === '' && !s.intOrString && !s.preserveUnknownFields) out.push(required(at, untyped[level]));
  if (level === 'root' && s.type !== '' && s.type !== 'object') out.push(invalid(at, s.type, 'must be object at the root'));
}

/** Kind and apiVersion are texts; of metadata only the names may be restricted. */
function judgeMeta(s: Structural, level: Level, path: FieldPath, out: Faults): void {
  const isResource = level === 'root' || s.embeddedResource;
  for (const name of ['kind', 'apiVersion']) {
    const property = isResource ? s.properties.get(name) : undefined;
    if (property !== undefined && property.type !== 'string')
      out.push(invalid(path.child('properties').key(name).child('type'), property.type, 'must be string'));
  }
  const metadata = s.properties.get('metadata');
  if (metadata === undefined) return;
  const at = path.child('properties').key('metadata');
  if (isResource && metadata.type !== 'object') out.push(invalid(at.child('type'), metadata.type, 'must be object'));
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    out.push(forbidden(at, why));
  }
}

function restrictsNamesOnly({ props, properties }: Structural): boolean {
  const others = [...properties.keys()].filter((name) => name !== 'name' && name !== 'generateName');
  return others.length === 0 && saysNothingBut(props, ['type', 'default', 'properties']);
}

/** Members that are there only where they say something, even where that is nothing. */
const pointers: ReadonlySet<string> = new Set(['additionalProperties', 'x-kubernetes-list-type', 'x-kubernetes-map-type']);

function saysNothingBut(props: JSONSchemaProps, members: readonly string[]): boolean {
  return Object.entries(props).every(([member, value]) => {
    if (members.includes(member) || value === undefined || value === null) return true;
    if (pointers.has(member)) return false;
    return value === '' || value === false || (Array.isArray(value) && value.length === 0);
  });
}

function isIntOrString(branches: readonly Structural[]): boolean {
  const [first, second] = branches;
  if (branches.length !== 2 || first?.type !== 'integer' || second?.type !== 'string') return false;
  // Within a branch, members that may not be is the same as nothing.
  return branches.every(({ props }) => saysNothingBut(props, props.additionalProperties === false ? ['type', 'additionalProperties'] : ['type']));
}

/** `anyOf` that only says integer or string is left alone, and so is one that begins `allOf`. */
function judgeValues(s: Structural, skipsAnyOf: boolean, skipsFirst: boolean, path: FieldPath, out: Faults): void {
  if (!skipsAnyOf) for (const [index, one] of s.anyOf.entries()) judgeNested(one, false, path.child('anyOf').index(index), out);
  for (const [index, one] of s.allOf.entries()) judgeNested(one, skipsFirst && index === 0, path.child('allOf').index(index), out);
  for (const [index, one] of s.oneOf.entries()) judgeNested(one, false, path.child('oneOf').index(index), out);
  if (s.not !== undefined) judgeNested(s.not, false, path.child('not'), out);
  const { source = '' } = s.pattern ?? {};
  const fault = source === '' ? undefined : patternFault(source);
  if (fault !== undefined) out.push(invalid(path.child('pattern'), source, `must be a valid regular expression, but isn't: ${fault}`));
}

function judgeNested(s: Structural, skipsAnyOf: boolean, path: FieldPath, out: Faults): void {
  judgeValues(s, skipsAnyOf, false, path, out);
  if (s.items !== undefined) judgeNested(s.items, false, path.child('items'), out);
  for (const [name, property] of s.properties) judgeNested(property, false, path.child('properties').key(name), out);
  const never = (isSaid: boolean, member: string, what: string): void => {
    if (isSaid) out.push(forbidden(path.child(member), `must be ${what} to be structural`));
  };
  never(s.type !== '', 'type', 'empty');
  never(s.additionalProperties !== undefined && s.additionalProperties !== false, 'additionalProperties', 'undefined');
  never(s.default !== undefined, 'default', 'undefined');
  never(Boolean(s.props.title), 'title', 'empty');
  never(Boolean(s.props.description), 'description', 'empty');
  never(s.nullable, 'nullable', 'false');
  never(s.preserveUnknownFields, 'x-kubernetes-preserve-unknown-fields', 'false');
  never(s.embeddedResource, 'x-kubernetes-embedded-resource', 'false');
  never(s.intOrString, 'x-kubernetes-int-or-string', 'false');
  never(s.listMapKeys.length > 0, 'x-kubernetes-list-map-keys', 'empty');
  never(s.listType !== undefined, 'x-kubernetes-list-type', 'undefined');
  never(s.mapType !== undefined, 'x-kubernetes-map-type', 'undefined');
  never(s.validations.length > 0, 'x-kubernetes-validations', 'empty');
  if (s.properties.has('metadata')) out.push(forbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context'));
}

/** What a branch validates has to be named by the structure: `at` is where, `by` the branch. */
function judgeCompleteness(branch: Structural, s: Structural, at: FieldPath, by: FieldPath, out: Faults): void {
  if (branch.not !== undefined) judgeBranch(branch.not, s, at, by.child('not'), out);
  for (const [index, one] of branch.allOf.entries()) judgeBranch(one, s, at, by.child('allOf').index(index), out);
  for (const [index, one] of branch.anyOf.entries()) judgeBranch(one, s, at, by.child('anyOf').index(index), out);
  for (const [index, one] of branch.oneOf.entries()) judgeBranch(one, s, at, by.child('oneOf').index(index), out);
}

function judgeBranch(branch: Structural, s: Structural | undefined, at: FieldPath, by: FieldPath, out: Faults): void {
  if (s === undefined) return out.push(required(at, `because it is defined in ${by}`));
  judgeCompleteness(branch, s, at, by, out);
  if (branch.items !== undefined) judgeBranch(branch.items, s.items, at.child('items'), by.child('items'), out);
  for (const [name, property] of branch.properties)
    judgeBranch(property, s.properties.get(name), at.child('properties').key(name), by.child('properties').key(name), out);
}
