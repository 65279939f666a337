/** Metadata as the strategies of kinds look at it, after the registry has (`MetaChecks`). */
import { type FieldErrorList, root } from '../apimachinery/field-errors.ts';
import type { ObjectMeta } from '../apimachinery/object.ts';
import { validateObjectMeta, validateObjectMetaUpdate, validateStandardFinalizers } from '../apimachinery/validation.ts';
import { isCustom, type KindDefinition } from '../contracts/kind.ts';
import { orderedMeta } from './meta.ts';

const path = root('metadata');

/** Whether finalizers without a domain pass. */
export function isLax(kind: KindDefinition): boolean {
  return isCustom(kind) || (kind.metaChecks?.create ?? 'M') !== 'M';
}

export function finalizerFaults({ finalizers }: ObjectMeta): FieldErrorList {
  return validateStandardFinalizers(finalizers, path.child('finalizers'));
}

/** The faults that the kind's own checks of an update tell. */
export function checksOfUpdate(kind: KindDefinition, next: ObjectMeta, old: ObjectMeta, tellsState: boolean): FieldErrorList {
  if (isCustom(kind)) return [];
  const { update = 'U', status = 'U' } = kind.metaChecks ?? {};
  return [...(tellsState ? status : update)].flatMap((check) => [
    ...(check.toLowerCase() === 'm'
      ? validateObjectMeta(next, kind.namespaced, kind.nameValidation ?? 'dns1123subdomain', path, old)
      : validateObjectMetaUpdate(next, old, path)),
    ...(check === check.toLowerCase() ? [] : finalizerFaults(next)),
  ]);
}

/** Of a write of the status: what it says of itself stays with the object. */
export function metaOfStatus(next: ObjectMeta, { labels, annotations, finalizers, ownerReferences }: ObjectMeta): ObjectMeta {
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...rest } = next;
  return orderedMeta({
    ...rest,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
  });
}
