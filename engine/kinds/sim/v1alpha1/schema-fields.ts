/** Short forms for the hand-written message schemas of this group. */
import type { FieldSchema, ScalarType } from '../../../apimachinery/schema.ts';

type Extras = Partial<Pick<FieldSchema, 'card' | 'pointer' | 'listType' | 'required' | 'description'>>;

export function scalarField(name: string, number: number, type: ScalarType, extras: Extras = {}): FieldSchema {
  return { name, number, type, card: 'one', omitEmpty: extras.required !== true, pointer: false, ...extras };
}

export function messageField(name: string, number: number, message: string, extras: Extras = {}): FieldSchema {
  return { name, number, type: { message }, card: 'one', omitEmpty: true, pointer: false, ...extras };
}

/** kind, apiVersion, metadata, spec and status of a whole object. */
export function objectFields(spec: string, status?: string): readonly FieldSchema[] {
  return [
    scalarField('kind', 0, 'string'),
    scalarField('apiVersion', 0, 'string'),
    {
      name: 'metadata',
      number: 1,
      type: { message: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      card: 'one',
      omitEmpty: false,
      pointer: false,
    },
    messageField('spec', 2, spec, { pointer: true }),
    ...(status === undefined ? [] : [messageField('status', 3, status, { pointer: true })]),
  ];
}
