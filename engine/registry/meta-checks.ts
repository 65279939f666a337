/** Metadata as the strategies of kinds look at it, after the registry has (`MetaChecks`). */
import { assert } from '../base/assert.ts';
import { type FieldErrorList, metaPlace, root } from '../apimachinery/field-errors.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import {
  type NameJudge,
  validateName,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateStandardFinalizers,
} from '../apimachinery/validation.ts';
import { isCustom, type KindDefinition, type StrategyContext } from '../contracts/kind.ts';
import { orderedMeta } from './meta.ts';

const path = root('metadata');

/** Whether finalizers without a domain pass. */
export function isLax(kind: KindDefinition): boolean {
  return isCustom(kind) || (kind.metaChecks?.create ?? 'M') !== 'M';
}

/** The names that the kind allows; the general rule first. */
export function nameJudge(kind: KindDefinition, object: KubeObject, context?: StrategyContext): NameJudge {
  const rule = (context && kind.nameRule?.(context)) ?? kind.nameValidation ?? 'dns1123subdomain';
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
  // The validator of custom kinds looks at what has changed of them, once more than the registry.
  if (isCustom(kind)) return [...metaFaults(kind, object, old, 'u'), ...judged];
  const { update = 'U', status = 'U' } = kind.metaChecks ?? {};
  const [first = '', rest = ''] = (tellsState ? status : update).split(' ');
  const place = judged.indexOf(metaPlace);
  const end = place < 0 ? judged.length : place;
  return [...metaFaults(kind, object, old, first), ...judged.slice(0, end), ...metaFaults(kind, object, old, rest), ...judged.slice(end + 1)];
}

/** The faults of an object that is made: those of its metadata first, unless the kind says where they stand. */
export function checksOfCreate(metaFaults: FieldErrorList, judged: FieldErrorList): FieldErrorList {
  const place = judged.indexOf(metaPlace);
  return place < 0 ? [...metaFaults, ...judged] : [...judged.slice(0, place), ...metaFaults, ...judged.slice(place + 1)];
}

/** What looks at metadata find: see `MetaChecks`. */
function metaFaults(kind: KindDefinition, object: KubeObject, old: ObjectMeta, checks: string, context?: StrategyContext): FieldErrorList {
  const next = object.metadata;
  return [...checks].flatMap((check) => [
    ...(check.toLowerCase() === 'm'
      ? validateObjectMeta(next, kind.namespaced, nameJudge(kind, object, context), path, old)
      : validateObjectMetaUpdate(next, old, path)),
    ...(check === check.toLowerCase() ? [] : finalizerFaults(next)),
  ]);
}

/** What the steps of a strategy find together, each step all that it is about; where none are told, what was found. `found`: what its rules of updates find; `unseen`: what fields say that a release does not have. */
export function stepwise(
  steps: string | undefined,
  kind: KindDefinition,
  next: KubeObject,
  {
    old,
    context,
    found,
    unseen,
  }: { readonly old: ObjectMeta; readonly context: StrategyContext; readonly found: FieldErrorList; readonly unseen: FieldErrorList },
): FieldErrorList {
  if (steps === undefined) return [...found, ...unseen];
  assert(/^[MmUuascd]*$/.test(steps), 'each step of a strategy is known');
  const asNew = /[scd]/.test(steps) ? (kind.validate?.(next, context) ?? []).filter((fault) => fault !== metaPlace) : [];
  const known = new Set(asNew.map(textOf));
  const more: { readonly [step: string]: FieldErrorList } = {
    s: [...asNew, ...unseen],
    a: [...found, ...unseen],
    c: found.filter((fault) => !known.has(textOf(fault))),
    d: steps.includes('d') ? withoutOnce(found, asNew) : [],
  };
  return [...steps].flatMap((step) => more[step] ?? metaFaults(kind, next, old, step, context));
}

/** What is found more often than it is known. */
function withoutOnce(found: FieldErrorList, known: FieldErrorList): FieldErrorList {
  const left = new Map<string, number>();
  for (const fault of known) left.set(textOf(fault), (left.get(textOf(fault)) ?? 0) + 1);
  const more = found.filter((fault) => {
    const times = left.get(textOf(fault)) ?? 0;
    left.set(textOf(fault), times - 1);
    return times <= 0;
  });
  assert(more.length + known.length >= found.length, 'what is known takes away itself, once each');
  return more;
}

function textOf({ type, field, detail }: FieldErrorList[number]): string {
  return `${type} ${field} ${detail}`;
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
