/**
 * What all kinds of kwok.x-k8s.io/v1alpha1 have in common. On a real cluster they are custom resources of KWOK
 * (kustomize/crd/bases); here they are served natively.
 */
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { FieldError, FieldErrorList, FieldPath } from '../../../apimachinery/field-errors.ts';
import { notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { defineKind, type KindDefinition } from '../../../contracts/kind.ts';
import { addedMessages, addedObject, type Messages } from '../../shared/added-schema.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';

const prefix = 'io.x-k8s.kwok.v1alpha1';

const conditions: Messages = {
  Condition: { type: 'string!', status: 'string!', lastTransitionTime: 'time!', reason: 'string!', message: 'string!' },
  Status: { conditions: '[type]Condition' },
};

export interface KwokKind<T extends KubeObject> {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly namespaced: boolean;
  /** `Spec` among them. */
  readonly messages: Messages;
  readonly defaults?: (object: T) => T;
  readonly validate: (spec: NonNullable<Spec<T>>) => FieldErrorList;
}

type Spec<T> = T extends { readonly spec?: infer S } ? S : never;

export function defineKindOfKwok<T extends KubeObject & { readonly spec?: object }>(given: KwokKind<T>): KindDefinition<T> {
  const { kind, plural, singular = kind.toLowerCase(), namespaced, defaults, messages } = given;
  const own = `${prefix}.${kind}`;
  const validate = (object: T): FieldErrorList =>
    object.spec === undefined ? [required(root('spec'))] : given.validate(object.spec as NonNullable<Spec<T>>);
  return defineKind<T>({
    group: 'kwok.x-k8s.io',
    version: 'v1alpha1',
    kind,
    plural,
    singular,
    namespaced,
    schema: addedObject(own, kind, { spec: 'Spec', status: 'Status' }),
    schemas: addedMessages(own, { ...messages, ...conditions }),
    storagePrefix: `kwok.x-k8s.io/${plural}`,
    statusSubresource: true,
    ...(defaults === undefined ? {} : { defaults }),
    validate,
    validateUpdate: validate,
    columns: columns('Name', 'Age'),
    row: (object, context) => [nameOf(object), ageOf(object, context)],
  });
}

/** Which objects a cluster-wide kind is about. */
export const selectorMessages: Messages = { Selector: { matchNamespaces: '[]string', matchNames: '[]string' } };

export function missing(at: FieldPath, value: unknown): readonly FieldError[] {
  return value === undefined || value === null || value === '' ? [required(at)] : [];
}

export function oneOf(at: FieldPath, value: string | undefined, known: readonly string[]): readonly FieldError[] {
  return value === undefined || known.includes(value) ? [] : [notSupported(at, value, known)];
}
