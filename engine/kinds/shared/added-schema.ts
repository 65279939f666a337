/**
 * Schemas of kinds that a real cluster has as custom resources and that are served natively here, in a short form: a member is a
 * scalar or another message's name, `[]` before it a list, `{}` a map, `[name]` a list of which `name` is the key; `!` behind it
 * requires it, `*` tells its zero from its absence.
 */
import type { FieldSchema, MessageSchema, ScalarType } from '../../apimachinery/schema.ts';
import { assert } from '../../base/assert.ts';

export type Messages = { readonly [message: string]: { readonly [field: string]: string } };

const scalars: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64', 'double', 'quantity', 'intOrString', 'time', 'json']);
const form = /^(\[\w*\]|\{\})?(\w+)([!*]?)$/;

/** The messages below `prefix`, e.g. `io.x-k8s.kwok.v1alpha1`. */
export function addedMessages(prefix: string, messages: Messages): readonly MessageSchema[] {
  return Object.entries(messages).map(([name, fields]) => ({ name: `${prefix}.${name}`, fields: fieldsOf(prefix, fields) }));
}

/** A whole object with `spec` and, where it is named, `status`; other members as they are given. */
export function addedObject(prefix: string, kind: string, members: { readonly [field: string]: string }): MessageSchema {
  const text: Pick<FieldSchema, 'number' | 'type' | 'card' | 'omitEmpty' | 'pointer'> = {
    number: 0,
    type: 'string',
    card: 'one',
    omitEmpty: true,
    pointer: false,
  };
  const metadata: FieldSchema = {
    ...text,
    name: 'metadata',
    number: 1,
    type: { message: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    omitEmpty: false,
  };
  return {
    name: `${prefix}.${kind}`,
    fields: [{ ...text, name: 'kind' }, { ...text, name: 'apiVersion' }, metadata, ...fieldsOf(prefix, members, 2)],
  };
}

function fieldsOf(prefix: string, fields: { readonly [field: string]: string }, first = 1): readonly FieldSchema[] {
  return Object.entries(fields).map(([name, notation], index) => {
    const [, around = '', type = '', mark] = form.exec(notation) ?? [];
    assert(type !== '', `${name}: ${notation} is a field`);
    const isScalar = scalars.has(type);
    const key = around.slice(1, -1);
    return {
      name,
      number: first + index,
      type: isScalar ? (type as ScalarType) : { message: `${prefix}.${type}` },
      card: around.startsWith('[') ? 'list' : around === '{}' ? 'map' : 'one',
      omitEmpty: mark !== '!',
      pointer: around === '' && (mark === '*' || !isScalar),
      ...(mark === '!' ? { required: true } : {}),
      ...(around.startsWith('[') ? (key === '' ? { listType: 'atomic' as const } : { listType: 'map' as const, listMapKeys: [key] }) : {}),
    };
  });
}
