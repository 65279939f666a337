/** Expands the compact generated tables into message schemas, when first asked for: an engine that starts reads almost none of them. */
import type { FieldSchema, MessageSchema, TypeRef } from '../apimachinery/schema.ts';

interface Extras {
  readonly s?: string;
  readonly k?: string;
  readonly l?: string;
  readonly m?: readonly string[];
  readonly t?: string;
  readonly g?: string;
  readonly e?: readonly string[];
}

/** [name, number, type, card, flags, extras]; flags: 1 omitEmpty, 2 pointer, 4 inline, 8 required, 16 wrapped. */
type FieldRow = readonly [string, number, string, string, number, Extras?];
export type MessageRow = readonly [name: string, atomic: number, fields: readonly FieldRow[]];
export type TableLoader = () => readonly (readonly [string, number, readonly (readonly unknown[])[]])[];

const omitEmptyFlag = 1;
const pointerFlag = 2;
const inlineFlag = 4;
const requiredFlag = 8;
const wrappedFlag = 16;

export function expandMessage(prefix: string, [name, atomic, fields]: MessageRow): MessageSchema {
  return { name: `${prefix}.${name}`, fields: fields.map((row) => expandField(prefix, row)), ...(atomic ? { atomic: true } : {}) };
}

function expandField(prefix: string, [name, number, type, card, flags, extras]: FieldRow): FieldSchema {
  return {
    name,
    number,
    type: expandType(prefix, type),
    card: card as FieldSchema['card'],
    omitEmpty: (flags & omitEmptyFlag) !== 0,
    pointer: (flags & pointerFlag) !== 0,
    ...((flags & inlineFlag) !== 0 ? { inline: true } : {}),
    ...((flags & requiredFlag) !== 0 ? { required: true } : {}),
    ...((flags & wrappedFlag) !== 0 ? { wrapped: true } : {}),
    ...(extras?.s === undefined ? {} : { patchStrategy: extras.s }),
    ...(extras?.k === undefined ? {} : { patchMergeKey: extras.k }),
    ...(extras?.l === undefined ? {} : { listType: extras.l as NonNullable<FieldSchema['listType']> }),
    ...(extras?.m === undefined ? {} : { listMapKeys: extras.m }),
    ...(extras?.g === undefined ? {} : { goType: extras.g }),
    ...(extras?.e === undefined ? {} : { values: extras.e }),
    ...(extras?.t === undefined ? {} : { mapType: extras.t as NonNullable<FieldSchema['mapType']> }),
  };
}

function expandType(prefix: string, type: string): TypeRef {
  if (!type.includes('.')) return type as TypeRef;
  return { message: type.startsWith('.') ? prefix + type : type };
}
