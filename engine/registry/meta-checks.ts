/** Metadata as the strategies of kinds look at it, after the registry has (`MetaChecks`). */
import { type FieldErrorList, metaPlace, root } from '../apimachinery/field-errors.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import {
  type NameJudge,
  validateName,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateStandardFinalizers,
} from '../apimachinery/validation.ts';
import { isCustom, type KindDefinition } from '../contracts/kind.ts';
import { orderedMeta } from './meta.ts';

const path = root('metadata');

/** Whether finalizers without a domain pass. */
export function isLax(kind: KindDefinition): boolean {
  return isCustom(kind) || (kind.metaChecks?.create ?? 'M') !== 'M';
}

/** The names that the kind allows; the general rule first. */
export function nameJudge(kind: KindDefinition, object: KubeObject): NameJudge {
  const rule = kind.nameValidation ?? 'dns1123subdomain';
  return (name, prefix) => {
    if (prefix && kind.takesAnyGenerateName === true) return [];
    const faults = validateName(rule, name, prefix);
    return kind.nameFaults === undefined ? faults : [...faults, ...kind.nameFaults(name, object)];
  };
}

export function finalizerFaults({ finalizers }: ObjectMeta): FieldErrorList {
  return validateStandardFinalizers(finalizers, path.child('finalizers'));
}

/** The faults that the kind's own checks of an update tell, with `judged`, what it says besides. */
export function checksOfUpdate(
  kind: KindDefinition,
  object: KubeObject,
  old: ObjectMeta,
  tellsState: boolean,
  judged: FieldErrorList,
): FieldErrorList {
  if (isCustom(kind)) return judged;
  const { update = 'U', status = 'U' } = kind.metaChecks ?? {};
  const [first = '', rest = ''] = (tellsState ? status : update).split(' ');
  const place = judged.indexOf(metaPlace);
  const end = place < 0 ? judged.length : place;
  return [...metaFaults(kind, object, old, first), ...judged.slice(0, end), ...metaFaults(kind, object, old, rest), ...judged.slice(end + 1)];
}

function metaFaults(kind: KindDefinition, object: KubeObject, old: ObjectMeta, checks: string): FieldErrorList {
  const next = object.metadata;
  return [...checks].flatMap((check) => [
    ...(check.toLowerCase() === 'm'
      ? validateObjectMeta(next, kind.namespaced, nameJudge(kind, object), path, old)
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
