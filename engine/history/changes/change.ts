/** One change as a computed object: who wrote what, the fields before and after, what it was done because of, and what came of it. */
import type { Change, ChangeEffect, ChangeStatus, ChangeSubject } from '../../api/sim/v1alpha1/change.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';
import { formatMicroTime } from '../../apimachinery/time.ts';
import { causesOf, packCauses, parseCause } from '../../base/causes.ts';
import { deepEqual } from '../../base/equal.ts';
import { directCauses } from '../causes.ts';
import type { ChangeNote } from '../change-notes.ts';
import { diffObjects, factsOf } from '../diff.ts';
import { hiddenPaths } from '../hidden-values.ts';
import type { HistoryRecorder } from '../recorder.ts';
import { newRow, type Row } from '../row.ts';
import { shortIdentity, writeSentence } from '../sentences.ts';
import type { ChangeMeta } from '../../store/store.ts';
import { simGroup } from '../virtual-kind.ts';
import { compareFields } from './field-changes.ts';

/** What the store still has of a write. */
export interface StoredChange {
  readonly key: string;
  readonly meta: ChangeMeta;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** The request from outside behind an input. */
export interface ChangeRequest {
  readonly name: string;
  readonly userAgent: string;
}

export interface ChangeSources {
  readonly recorder: HistoryRecorder;
  nowMs(): number;
  /** Undefined where it is no longer remembered, or not wholly. */
  storedChange(revision: number): StoredChange | undefined;
  /** Undefined where it is no longer remembered. */
  requestOf(input: number): ChangeRequest | undefined;
}

const limits = { fieldsMax: 200, textMax: 2_000, withBookkeeping: true } as const;
const effectsMax = 100;

/** Of what history does not note (Events, leases), as long as the store remembers it. */
export function storedNote(revision: number, { key, meta, before, after }: StoredChange): ChangeNote {
  const object = (after ?? before) as KubeObject;
  return {
    revision,
    row: newRow(key, object, () => undefined, meta.virtualMs, revision),
    action: after === undefined ? 'delete' : before === undefined ? 'create' : 'update',
    ms: meta.virtualMs,
    by: meta.identity,
    causes: packCauses(meta.causes),
    facts: before === undefined || after === undefined ? [] : factsOf(diffObjects(before, after)),
  };
}

/** In short, as lists have it. */
export function showNote(note: ChangeNote): Change {
  const { revision, row, action, ms, by, facts } = note;
  const status: ChangeStatus = {
    ...{ revision, time: formatMicroTime(ms), ms, verb: action, subject: subjectOf(row), username: by, actor: shortIdentity(by) },
    ...{ summary: writeSentence(note), facts: facts.slice() },
  };
  return { kind: 'Change', apiVersion: `${simGroup}/v1alpha1`, metadata: { name: String(revision) }, status };
}

export function showChange(note: ChangeNote, sources: ChangeSources): Change {
  const { metadata, status, ...rest } = showNote(note);
  const { shown, more } = effectsOf(note, sources.recorder);
  return {
    ...rest,
    metadata,
    status: {
      ...status,
      ...requestOf(note, sources),
      ...objectsOf(note, sources.storedChange(note.revision)),
      causes: directCauses(sources.recorder, note),
      effects: shown,
      ...(more === 0 ? {} : { moreEffects: more }),
    },
  };
}

export function subjectOf({ group, version, kind, namespace, name, uid, id }: Row): ChangeSubject {
  return { apiVersion: formatGroupVersion({ group, version }), kind, ...(namespace === '' ? {} : { namespace }), name, uid, row: id };
}

function requestOf({ causes }: ChangeNote, sources: ChangeSources): Pick<ChangeStatus, 'userAgent' | 'request'> {
  const input = causesOf(causes)
    .map(parseCause)
    .find((cause) => cause.type === 'input');
  const request = input?.type === 'input' ? sources.requestOf(input.input) : undefined;
  return request === undefined ? {} : { userAgent: request.userAgent, request: request.name };
}

function objectsOf({ row }: ChangeNote, stored: StoredChange | undefined): Pick<ChangeStatus, 'fields' | 'moreFields' | 'fieldManagers'> {
  if (stored === undefined) return {};
  const { before, after } = stored;
  const { fields, more } = compareFields(before, after, { ...limits, hidden: hiddenPaths(subjectOf(row)) });
  const managers = managersOf(before, after);
  return { fields, ...(more === 0 ? {} : { moreFields: more }), ...(managers.length === 0 ? {} : { fieldManagers: managers }) };
}

/** Those whose entry is another than before. */
function managersOf(before: KubeObject | undefined, after: KubeObject | undefined): readonly string[] {
  const [old, next] = [before?.metadata.managedFields ?? [], after?.metadata.managedFields ?? []];
  const changed = next.filter((entry) => !old.some((one) => one === entry || deepEqual(one, entry)));
  return [...new Set(changed.map(({ manager = '' }) => manager))].filter((manager) => manager !== '');
}

/** Changes that name this one as their cause, and those of a node's silence that it brought about. */
function effectsOf(note: ChangeNote, recorder: HistoryRecorder): { readonly shown: readonly ChangeEffect[]; readonly more: number } {
  const shown: ChangeEffect[] = [];
  let more = 0;
  for (const later of recorder.notes.after(note.revision)) {
    if (!isBecauseOf(later, note.revision, recorder)) continue;
    if (shown.length < effectsMax) shown.push(showEffect(later));
    else more++;
  }
  return { shown, more };
}

function isBecauseOf({ causes, ms }: ChangeNote, revision: number, { faults }: HistoryRecorder): boolean {
  // As they are kept: a write stands as its number.
  if (typeof causes === 'number') return causes === revision;
  if (typeof causes !== 'string' && causes.includes(revision)) return true;
  const others = typeof causes === 'string' ? [causes] : causes.filter((cause) => typeof cause === 'string');
  return others.some((text) => {
    if (!text.startsWith('silence:')) return false;
    const cause = parseCause(text);
    return cause.type === 'silence' && faults.find(cause.node, ms)?.createdRevision === revision;
  });
}

function showEffect(note: ChangeNote): ChangeEffect {
  const { revision, ms, row, action, by } = note;
  return { revision, ms, row: row.id, verb: action, by, text: writeSentence(note) };
}
