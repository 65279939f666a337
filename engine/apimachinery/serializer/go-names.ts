/** What Go calls the types of what is read, in the words of its decoder. */
import { isObject, type JsonValue } from '../../base/json.ts';
import { strictErrorsMax } from './walk.ts';
import type { CompiledField, CompiledMessage } from './compile.ts';

/** Upstream looks for version and kind first, and names the type in which it does. */
export const kindProbe = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

export const typeMetaOfGo = `into Go value of type ${kindProbe}`;

export function noTypeMeta(value: JsonValue): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind(value)}`;
}

/** Of a version or a kind that is no text. */
function noTypeMember(member: 'apiVersion' | 'kind', value: JsonValue): string {
  return `${noTypeMeta(value)} into Go struct field .${member} of type string`;
}

/** What keeps a document from saying of which version and kind it is, if anything does. */
export function unreadableNames(document: JsonValue): string | undefined {
  if (document === null) return undefined;
  if (!isObject(document)) return `${noTypeMeta(document)} ${typeMetaOfGo}`;
  const { apiVersion, kind } = document;
  for (const [member, value] of [
    ['apiVersion', apiVersion],
    ['kind', kind],
  ] as const)
    if (value !== undefined && value !== null && typeof value !== 'string') return noTypeMember(member, value);
  return typeof apiVersion === 'string' && apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

/** What Go's decoder calls a value of JSON. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}

export function shortName({ name }: { readonly name: string }): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** `v1.PodSpec`, as Go prints the type. */
export function goTypeOf(message: CompiledMessage): string {
  return message.name.split('.').slice(-2).join('.');
}

/** What a list or map whose Go type has a name of its own, or names in it, is made of; undefined where that is not told. */
export function namedElement({ goType = '' }: CompiledField): string | undefined {
  return /^(?:\[\]|map\[[^\]]*\])(.+)$/.exec(goType)?.[1];
}

export function elementType(field: CompiledField): string {
  if (field.card === 'mapOfLists') return '[]string';
  if (field.scalar === undefined) return goTypeOf(field.message());
  return field.scalar === 'quantity' ? 'resource.Quantity' : field.scalar === 'bytes' ? '[]uint8' : field.scalar;
}

/** What is told of unknown fields. */
export function named(unknown: readonly string[]): readonly string[] {
  return unknown.slice(0, strictErrorsMax).map((path) => `unknown field ${JSON.stringify(path)}`);
}
