/**
 * Validation every kind shares: object metadata, labels, annotations, owner references, finalizers, managed fields, selectors. The
 * text formats come from `formats.ts` and `ip.ts`. Mirrors k8s.io/apimachinery pkg/api/validation and pkg/apis/meta/v1/validation.
 */
import {
  duplicate,
  type FieldError,
  type FieldErrorList,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  root,
  tooLong,
} from './field-errors.ts';
import * as formats from './formats.ts';
import { validateInitializers, validateInitializersUpdate } from './initializers.ts';
import type { Int64 } from '../base/int64.ts';
import type { LabelSelector } from './labels.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object.ts';
import { goQuote } from './quote.ts';
import { isWrittenAlike, semanticEqual } from './semantic-equal.ts';
import { fieldAt } from '../base/plain.ts';

export * from './formats.ts';
export * from './ip.ts';

export const immutableText = 'field is immutable';
export const negativeText = 'must be greater than or equal to 0';
export const totalAnnotationSizeLimit = 256 * 1024;

/** `wholePathSegment`: what a name is generated from is judged as if it were the name. */
export type NameRule = 'dns1123subdomain' | 'longName' | 'dns1123label' | 'dns1035label' | 'pathSegment' | 'wholePathSegment' | 'none';
type Labels = { readonly [key: string]: string };
/** Paths may be given as their segments. */
export type PathLike = FieldPath | readonly string[];

function toPath(path: PathLike): FieldPath {
  if (path instanceof FieldPath) return path;
  return root(path[0] ?? '', ...path.slice(1));
}

/** A generated name's prefix may end in a dash: what follows is judged as if it were a letter. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

/** Faults of a name under the rule of its kind. */
export function validateName(rule: NameRule, name: string, prefix: boolean): readonly string[] {
  const judged = prefix ? maskTrailingDash(name) : name;
  switch (rule) {
    case 'dns1123subdomain':
      return formats.isDNS1123Subdomain(judged);
    case 'longName':
      return formats.isLongName(judged);
    case 'dns1123label':
      return formats.isDNS1123Label(judged);
    case 'dns1035label':
      return formats.isDNS1035Label(judged);
    case 'pathSegment':
      return prefix ? formats.isPathSegmentPrefix(name) : formats.isPathSegmentName(name);
    case 'wholePathSegment':
      return formats.isPathSegmentName(name);
    case 'none':
      return [];
  }
}

export function validateNonnegative(value: number, path: FieldPath): FieldErrorList {
  return value < 0 ? [invalid(path, value, negativeText)] : [];
}

/** Absent and null are the same; otherwise deep equality. */
export function validateImmutableField(next: unknown, old: unknown, path: FieldPath): FieldErrorList {
  return semanticEqual(next ?? undefined, old ?? undefined) ? [] : [invalid(path, next ?? null, immutableText)];
}

/** Of any JSON, which is kept as it was written. */
export function validateImmutableRaw(next: unknown, old: unknown, path: FieldPath): FieldErrorList {
  return isWrittenAlike(next ?? undefined, old ?? undefined) ? [] : [invalid(path, next ?? null, immutableText)];
}

export function validateLabelName(name: string, path: FieldPath): FieldErrorList {
  return formats.isQualifiedName(name).map((fault) => invalid(path, name, fault));
}

export function validateLabels(labels: Labels | undefined, path: FieldPath): FieldErrorList {
  const faults: FieldError[] = [];
  for (const key in labels) {
    const value = fieldAt(labels, key) ?? '';
    for (const fault of formats.isQualifiedName(key)) faults.push(invalid(path, key, fault));
    for (const fault of formats.isValidLabelValue(value)) faults.push(invalid(path, value, fault));
  }
  return faults;
}

/** As upstream counts: in UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export function validateAnnotations(annotations: Labels | undefined, path: FieldPath): FieldErrorList {
  const faults: FieldError[] = [];
  let units = 0;
  for (const key in annotations) {
    for (const fault of formats.isQualifiedName(key.toLowerCase())) faults.push(invalid(path, key, fault));
    units += key.length + (fieldAt(annotations, key) ?? '').length;
  }
  // A UTF-16 unit is at most three bytes: counting bytes is needed near the limit only.
  if (annotations !== undefined && units * 3 > totalAnnotationSizeLimit) {
    const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
    if (bytes > totalAnnotationSizeLimit) faults.push(tooLong(path, totalAnnotationSizeLimit));
  }
  return faults;
}

function validateOwnerReference(reference: OwnerReference, path: FieldPath): FieldErrorList {
  const faults: FieldError[] = [];
  // As Go reads it: a group may be empty, a version not, and what has two slashes is neither.
  const [first = '', second, third] = (reference.apiVersion ?? '').split('/');
  const version = third === undefined ? (second ?? first) : '';
  if (version === '') faults.push(invalid(path.child('apiVersion'), reference.apiVersion ?? '', 'version must not be empty'));
  if (!reference.kind) faults.push(invalid(path.child('kind'), reference.kind ?? '', 'must not be empty'));
  if (!reference.name) faults.push(invalid(path.child('name'), reference.name ?? '', 'must not be empty'));
  if (!reference.uid) faults.push(invalid(path.child('uid'), reference.uid ?? '', 'must not be empty'));
  if (reference.apiVersion === 'v1' && reference.kind === 'Event')
    faults.push(invalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
  return faults;
}

function validateOwnerReferences(references: readonly OwnerReference[] | undefined, path: FieldPath): FieldErrorList {
  const faults: FieldError[] = [];
  let first = '';
  for (const reference of references ?? []) {
    faults.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (first === '') first = name;
    else
      faults.push(
        invalid(path, references, `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${name}`),
      );
  }
  return faults;
}

function validateFinalizerName(name: string, path: FieldPath): FieldErrorList {
  return formats.isQualifiedName(name).map((fault) => invalid(path, name, fault));
}

/** As they were checked before bare names were let pass: upstream's own, or with a domain. */
export function validateStandardFinalizers(finalizers: readonly string[] | undefined, path: FieldPath): FieldErrorList {
  return (finalizers ?? []).flatMap((name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [invalid(path.index(index), name, 'name is neither a standard finalizer name nor is it fully qualified')],
  );
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

export function validateFinalizers(finalizers: readonly string[] | undefined, path: FieldPath): FieldErrorList {
  if (finalizers === undefined || finalizers.length === 0) return [];
  const faults = finalizers.flatMap((name) => validateFinalizerName(name, path));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    faults.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return faults;
}

function validateNoNewFinalizers(next: readonly string[], old: readonly string[], path: FieldPath): FieldErrorList {
  const extra = [...new Set(next.filter((name) => !old.includes(name)))].sort();
  if (extra.length === 0) return [];
  const list = `[]string{${extra.map(goQuote).join(', ')}}`;
  return [forbidden(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`)];
}

/** At most 128 bytes, printable. */
export function validateFieldManager(manager: string, path: FieldPath): FieldErrorList {
  if (/^[\x20-\x7e]{0,128}$/.test(manager)) return [];
  const faults: FieldError[] = [];
  if (byteLength(manager) > 128) faults.push(tooLong(path, 128));
  let position = 0;
  for (const char of manager) {
    if (/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      faults.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(char);
  }
  return faults;
}

/** An entry that is the very one at its place in `judged` was judged before. */
function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
  judged: readonly ManagedFieldsEntry[] = [],
): FieldErrorList {
  const faults: FieldError[] = [];
  for (const [index, entry] of (entries ?? []).entries()) {
    if (entry === judged[index]) continue;
    const at = path.index(index);
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      faults.push(invalid(at.child('operation'), entry.operation ?? '', 'must be `Apply` or `Update`'));
    if (entry.fieldsType && entry.fieldsType !== 'FieldsV1') faults.push(invalid(at.child('fieldsType'), entry.fieldsType, 'must be `FieldsV1`'));
    faults.push(...validateFieldManager(entry.manager ?? '', at.child('manager')));
    if ((entry.subresource ?? '').length > 256) faults.push(tooLong(at.child('subresource'), 256));
  }
  return faults;
}

/** What is wrong with a name; of `prefix`, with what one is generated from. */
export type NameJudge = (name: string, prefix: boolean) => readonly string[];

/** Metadata of a new object, or of any object as a whole. Parts that are the very ones of `judged`, which is stored, were judged with it. */
export function validateObjectMeta(
  meta: ObjectMeta,
  namespaced: boolean,
  names: NameRule | NameJudge,
  at: PathLike,
  judged?: ObjectMeta,
): FieldErrorList {
  const path = toPath(at);
  const faults: FieldError[] = [];
  const judge: NameJudge = typeof names === 'string' ? (name, prefix) => validateName(names, name, prefix) : names;
  if (meta.generateName) {
    for (const fault of judge(meta.generateName, true)) faults.push(invalid(path.child('generateName'), meta.generateName, fault));
  }
  if (!meta.name) faults.push(required(path.child('name'), 'name or generateName is required'));
  else for (const fault of judge(meta.name, false)) faults.push(invalid(path.child('name'), meta.name, fault));
  if (namespaced && !meta.namespace) faults.push(required(path.child('namespace')));
  else if (namespaced)
    for (const fault of formats.isDNS1123Label(meta.namespace ?? '')) faults.push(invalid(path.child('namespace'), meta.namespace, fault));
  else if (meta.namespace) faults.push(forbidden(path.child('namespace'), 'not allowed on this type'));
  if (meta.generation !== undefined && meta.generation < 0) faults.push(invalid(path.child('generation'), meta.generation, negativeText));
  const { labels, annotations, ownerReferences, initializers, finalizers, managedFields } = meta;
  if (labels && labels !== judged?.labels) faults.push(...validateLabels(labels, path.child('labels')));
  if (annotations && annotations !== judged?.annotations) faults.push(...validateAnnotations(annotations, path.child('annotations')));
  if (ownerReferences && ownerReferences !== judged?.ownerReferences)
    faults.push(...validateOwnerReferences(ownerReferences, path.child('ownerReferences')));
  if (initializers) faults.push(...validateInitializers(initializers, path.child('initializers')));
  if (finalizers && finalizers !== judged?.finalizers) faults.push(...validateFinalizers(finalizers, path.child('finalizers')));
  if (managedFields && managedFields !== judged?.managedFields)
    faults.push(...validateManagedFields(managedFields, path.child('managedFields'), judged?.managedFields));
  return faults;
}

const immutableKeys = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** What a write may not change. Parts shared with the old object were judged before. */
export function validateObjectMetaUpdate(next: ObjectMeta, old: ObjectMeta, at: PathLike = ['metadata']): FieldErrorList {
  const path = toPath(at);
  const faults: FieldError[] = [...validateInitializersUpdate(next.initializers, old.initializers, path.child('initializers'))];
  if (old.deletionTimestamp && next.finalizers !== old.finalizers) {
    faults.push(...validateNoNewFinalizers(next.finalizers ?? [], old.finalizers ?? [], path.child('finalizers')));
  }
  if (!next.resourceVersion) faults.push(invalid(path.child('resourceVersion'), next.resourceVersion ?? '', 'must be specified for an update'));
  if ((next.generation ?? 0) < (old.generation ?? 0)) faults.push(invalid(path.child('generation'), next.generation ?? 0, 'must not be decremented'));
  for (const key of immutableKeys) {
    const textual = key === 'name' || key === 'namespace' || key === 'uid';
    const fallback = textual ? '' : null;
    if ((next[key] ?? fallback) !== (old[key] ?? fallback)) faults.push(invalid(path.child(key), next[key] ?? fallback, immutableText));
  }
  if (next.labels !== old.labels) faults.push(...validateLabels(next.labels, path.child('labels')));
  if (next.annotations !== old.annotations) faults.push(...validateAnnotations(next.annotations, path.child('annotations')));
  if (next.ownerReferences !== old.ownerReferences) faults.push(...validateOwnerReferences(next.ownerReferences, path.child('ownerReferences')));
  if (next.managedFields !== old.managedFields)
    faults.push(...validateManagedFields(next.managedFields, path.child('managedFields'), old.managedFields));
  return faults;
}

export interface LabelSelectorOptions {
  readonly allowInvalidLabelValue?: boolean;
}

/** A `LabelSelector` object in a spec. */
export function validateLabelSelector(selector: LabelSelector | undefined, path: FieldPath, options: LabelSelectorOptions = {}): FieldErrorList {
  if (selector === undefined || selector === null) return [];
  const faults: FieldError[] = [...validateLabels(selector.matchLabels, path.child('matchLabels'))];
  for (const [index, expression] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    const values = expression.values ?? [];
    if (expression.operator === 'In' || expression.operator === 'NotIn') {
      if (values.length === 0) faults.push(required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (expression.operator === 'Exists' || expression.operator === 'DoesNotExist') {
      if (values.length > 0) faults.push(forbidden(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else faults.push(invalid(at.child('operator'), expression.operator ?? '', 'not a valid selector operator'));
    faults.push(...validateLabelName(expression.key ?? '', at.child('key')));
    if (options.allowInvalidLabelValue === true) continue;
    for (const [place, value] of values.entries()) {
      for (const fault of formats.isValidLabelValue(value)) faults.push(invalid(at.child('values').index(place), value, fault));
    }
  }
  return faults;
}

interface ConditionLike {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: Int64;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const conditionReasonFmt = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const conditionReasonText =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";

function validateCondition(condition: ConditionLike, path: FieldPath): FieldErrorList {
  const { reason = '', message = '', status = '' } = condition;
  const faults: FieldError[] = [...validateLabelName(condition.type ?? '', path.child('type'))];
  if (status !== 'True' && status !== 'False' && status !== 'Unknown')
    faults.push(notSupported(path.child('status'), status, ['False', 'True', 'Unknown']));
  if ((condition.observedGeneration ?? 0) < 0)
    faults.push(invalid(path.child('observedGeneration'), condition.observedGeneration, 'must be greater than or equal to zero'));
  if (!condition.lastTransitionTime) faults.push(required(path.child('lastTransitionTime')));
  if (reason === '') faults.push(required(path.child('reason')));
  else if (!/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason)) {
    const fault = formats.regexError(conditionReasonText, conditionReasonFmt, 'my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB');
    faults.push(invalid(path.child('reason'), reason, fault));
  }
  if (reason.length > 1024) faults.push(tooLong(path.child('reason'), 1024));
  if (message.length > 32 * 1024) faults.push(tooLong(path.child('message'), 32 * 1024));
  return faults;
}

/** `metav1.Condition` lists. */
export function validateConditions(conditions: readonly ConditionLike[], path: FieldPath): FieldErrorList {
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const type = condition.type ?? '';
    const twice = seen.has(type) ? [duplicate(path.index(index).child('type'), type)] : [];
    seen.add(type);
    return [...twice, ...validateCondition(condition, path.index(index))];
  });
}
