/**
 * What a delete means for an object: removed at once, marked and left to somebody (grace), or held by finalizers. Pure decisions;
 * `delete.ts` carries them out. Mirrors apiserver pkg/registry/rest/delete.go and the finalizer part of generic/registry/store.go.
 */
import { assert } from '../base/assert.ts';
import { formatTime } from '../apimachinery/time.ts';
import { type Int64, secondsToMs } from '../base/int64.ts';
import { newConflict } from '../apimachinery/errors.ts';
import type { KindDefinition, StrategyContext } from '../contracts/kind.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import type { DeleteOptions } from '../contracts/request.ts';
import { withMeta } from './meta.ts';

export interface GraceDecision {
  /** The object must be marked (again) with a deletion timestamp. */
  readonly graceful: boolean;
  /** A graceful deletion is under way and this request changes nothing. */
  readonly pending: boolean;
  /** The object as marked. */
  readonly object: KubeObject;
  readonly graceSeconds: Int64;
}

/** Storage prefixes whose delete answers with the object instead of a Status (upstream's ReturnDeletedObject). */
const answersWithObject: ReadonlySet<string> = new Set([
  'pods',
  'services/specs',
  'persistentvolumes',
  'persistentvolumeclaims',
  'serviceaccounts',
  'podtemplates',
  'resourcequotas',
  'namespaces',
  'resourceclaims',
  'resourceclaimtemplates',
  'resourceslices',
  'deviceclasses',
  'devicetaintrules',
  'resourcepoolstatusrequests',
  'csidrivers',
  'csinodes',
  'storageclasses',
  'volumeattachments',
  'volumeattributesclasses',
]);

export function returnsDeletedObject(kind: KindDefinition): boolean {
  if (kind.returnsDeleted !== undefined) return kind.returnsDeleted;
  return answersWithObject.has(kind.storagePrefix);
}

/** What clients are told that leave it to the kind whether dependents go too, by storage prefix. */
const orphanWarnings: ReadonlyMap<string, string> = new Map([
  [
    'jobs',
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  ],
]);

export function orphanWarning(kind: KindDefinition, options: DeleteOptions): string | undefined {
  const isLeftOpen = options.propagationPolicy === undefined && options.orphanDependents === undefined;
  return isLeftOpen && kind.defaultPropagation === 'Orphan' ? orphanWarnings.get(kind.storagePrefix) : undefined;
}

/** Storage prefixes of kinds whose Delete looks at preconditions itself. */
const judgesItself: ReadonlySet<string> = new Set(['namespaces', 'apiextensions.k8s.io/customresourcedefinitions']);

function checkOwnPreconditions({ group, plural }: KindDefinition, meta: ObjectMeta, wanted: NonNullable<DeleteOptions['preconditions']>): void {
  assert(meta.uid, 'what is deleted was stored');
  for (const [field, label] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const [asked, there = ''] = [wanted[field], meta[field]];
    if (asked === undefined || asked === there) continue;
    throw newConflict(
      { group, resource: plural },
      meta.name ?? '',
      `Precondition failed: ${label} in precondition: ${asked}, ${label} in object meta: ${there}`,
    );
  }
}

export function checkPreconditions(kind: KindDefinition, object: KubeObject, options: DeleteOptions): void {
  const wanted = options.preconditions;
  if (wanted === undefined) return;
  const meta = object.metadata;
  if (judgesItself.has(kind.storagePrefix)) return checkOwnPreconditions(kind, meta, wanted);
  const named = { group: kind.group, resource: kind.kind };
  if (wanted.uid !== undefined && wanted.uid !== meta.uid) {
    throw newConflict(
      named,
      meta.name ?? '',
      `the UID in the precondition (${wanted.uid}) does not match the UID in record (${meta.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== meta.resourceVersion) {
    throw newConflict(
      named,
      meta.name ?? '',
      `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${meta.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

/** A negative grace period counts as one second, in releases that bound them. */
export function decideGrace(kind: KindDefinition, object: KubeObject, asked: DeleteOptions, context: StrategyContext): GraceDecision {
  const isNegative = asked.gracePeriodSeconds !== undefined && asked.gracePeriodSeconds < 0;
  const options = isNegative && context.ratcheted('BoundedGraces') ? { ...asked, gracePeriodSeconds: 1 } : asked;
  const none: GraceDecision = { graceful: false, pending: false, object, graceSeconds: 0 };
  if (kind.gracefulDelete === undefined) return none;
  const meta = object.metadata;
  if (meta.deletionTimestamp !== undefined) {
    const current = meta.deletionGracePeriodSeconds ?? 0;
    if (current === 0) return none;
    const period = options.gracePeriodSeconds;
    if (period === undefined || period >= current) return { graceful: false, pending: true, object, graceSeconds: current };
    return shorten(object, current, period, context);
  }
  const period = kind.gracefulDelete(object, options, context);
  if (period === undefined) return none;
  const due = Math.floor((context.nowMs + secondsToMs(period)) / 1000) * 1000;
  return { graceful: true, pending: false, graceSeconds: period, object: markDeleted(object, formatTime(due), period) };
}

function shorten(object: KubeObject, current: Int64, wanted: Int64, context: StrategyContext): GraceDecision {
  assert(wanted < current, 'a grace period only shrinks');
  let period = wanted;
  let due = Date.parse(object.metadata.deletionTimestamp as string) + secondsToMs(period) - secondsToMs(current);
  assert(Number.isFinite(due), 'what is marked says when it goes');
  if (due < context.nowMs && context.ratcheted('BoundedGraces')) {
    due = context.nowMs;
    if (period !== 0) period = 1;
  }
  const meta: ObjectMeta = { ...object.metadata, deletionTimestamp: formatTime(due), deletionGracePeriodSeconds: period };
  return { graceful: true, pending: false, graceSeconds: period, object: withMeta(object, meta) };
}

/** Sets the deletion timestamp and bumps the generation where there is one. */
function markDeleted(object: KubeObject, due: string, graceSeconds: Int64): KubeObject {
  assert(object.metadata.deletionTimestamp === undefined, 'an object is marked once');
  assert(due !== '', 'a mark says when the object goes');
  const generation = object.metadata.generation ?? 0;
  return withMeta(object, {
    ...object.metadata,
    ...(generation > 0 ? { generation: generation + 1 } : undefined),
    deletionTimestamp: due,
    deletionGracePeriodSeconds: graceSeconds,
  });
}

/** For objects that have no grace of their own but are held by finalizers. `renews`: each deletion sets the time anew. */
export function markHeld(object: KubeObject, nowText: string, renews: boolean): KubeObject {
  const meta = object.metadata;
  if (meta.deletionTimestamp !== undefined) {
    const deletionTimestamp = renews ? nowText : meta.deletionTimestamp;
    const isSame = meta.deletionGracePeriodSeconds === 0 && deletionTimestamp === meta.deletionTimestamp;
    return isSame ? object : withMeta(object, { ...meta, deletionTimestamp, deletionGracePeriodSeconds: 0 });
  }
  return markDeleted(object, nowText, 0);
}

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/** The finalizers the garbage collector needs; the same reference when nothing changes. */
export function collectionFinalizers(kind: KindDefinition, object: KubeObject, options: DeleteOptions): readonly string[] {
  const current = object.metadata.finalizers ?? none;
  const policy = effectivePolicy(kind, current, options);
  const next = current.filter((finalizer) => finalizer !== orphan && finalizer !== foreground);
  if (policy === 'Orphan') next.push(orphan);
  if (policy === 'Foreground') next.push(foreground);
  const before = new Set(current);
  return next.length === current.length && next.every((finalizer) => before.has(finalizer)) ? current : next;
}

const none: readonly string[] = [];

function effectivePolicy(kind: KindDefinition, finalizers: readonly string[], options: DeleteOptions): string {
  if (kind.defaultPropagation === 'Unsupported') return 'Background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : (kind.unorphanedPropagation ?? 'Background');
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  for (const finalizer of finalizers) {
    if (finalizer === orphan) return 'Orphan';
    if (finalizer === foreground) return 'Foreground';
  }
  return kind.defaultPropagation ?? 'Background';
}

/** Whether an update that wrote `next` over `old` completes a deletion. */
export function completesDeletion(kind: KindDefinition, next: KubeObject, old: KubeObject): boolean {
  if (old.metadata.deletionTimestamp === undefined) return false;
  if ((next.metadata.finalizers?.length ?? 0) > 0) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? (kind.goesOnceGraceIsOver === true ? 1 : 0)) > 0) return false;
  return kind.hasOtherFinalizers?.(next) !== true;
}
