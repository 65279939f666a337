/** Metadata of objects that are made from a template (ValidateTemplateObjectMeta of pkg/apis/core/validation). */
import type { ObjectMeta } from '../../apimachinery/object.ts';
import { evenEmpty, type FieldErrorList, type FieldPath, forbidden } from '../../apimachinery/field-errors.ts';
import { validateAnnotations, validateLabels } from '../../apimachinery/validation.ts';

/** Everything but labels and annotations, in the order in which upstream declares it, with the name that it tells. */
const others: readonly (readonly [keyof ObjectMeta, string])[] = [
  ['name', 'name'],
  ['generateName', 'generateName'],
  ['namespace', 'namespace'],
  ['selfLink', 'selfLink'],
  ['uid', 'uID'],
  ['resourceVersion', 'resourceVersion'],
  ['generation', 'generation'],
  ['creationTimestamp', 'creationTimestamp'],
  ['deletionTimestamp', 'deletionTimestamp'],
  ['deletionGracePeriodSeconds', 'deletionGracePeriodSeconds'],
  ['ownerReferences', 'ownerReferences'],
  ['finalizers', 'finalizers'],
  ['managedFields', 'managedFields'],
];
const zeros: ReadonlySet<unknown> = new Set([undefined, null, '']);

export function validateTemplateObjectMeta(meta: ObjectMeta | undefined, path: FieldPath): FieldErrorList {
  if (meta === undefined) return [];
  return [
    ...validateAnnotations(meta.annotations, path.child('annotations')),
    ...validateLabels(meta.labels, path.child('labels')),
    ...others.flatMap(([field, told]) => (isSet(field, meta[field]) ? [evenEmpty(forbidden(path.child(told), 'cannot be set'))] : [])),
  ];
}

function isSet(field: keyof ObjectMeta, value: unknown): boolean {
  return !zeros.has(value) && !(field === 'generation' && Number(value) === 0);
}
