/** `changes` over the API. */
import type { Change } from '../../api/sim/v1alpha1/change.ts';
import { newBadRequest, newNotFound } from '../../apimachinery/errors.ts';
import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { SelectorError } from '../../apimachinery/labels.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { ComputedPage, ComputedQuery, ComputedResource, PageOptions } from '../../contracts/computed-resource.ts';
import { messageField, scalarField } from '../../kinds/sim/v1alpha1/schema-fields.ts';
import { checkRange, numberIn } from '../query-numbers.ts';
import { simGroup, virtualKind } from '../virtual-kind.ts';
import { type ChangeSources, showChange, showNote, storedNote } from './change.ts';
import { subjectFields } from './subject-fields.ts';

const limitDefault = 500;
const limitMax = 5_000;

export function changesResource(sources: ChangeSources): ComputedResource {
  return {
    kind: changeKind,
    get: (name) => getChange(sources, name),
    list: (query) => listChanges(sources, query, { limit: 0, continue: '' }).objects,
    page: (query, _namespace, options) => listChanges(sources, query, options),
  };
}

function getChange(sources: ChangeSources, name: string): Change {
  if (!/^\d{1,15}$/.test(name)) throw newBadRequest(`a change is named by its revision; got "${name}"`);
  const { notes } = sources.recorder;
  const note = notes.at(Number(name));
  if (note !== undefined) return showChange(note, sources);
  const stored = sources.storedChange(Number(name));
  if (stored !== undefined) return showChange(storedNote(Number(name), stored), sources);
  const first = notes.after(0).next().value;
  const forgotten = notes.forgottenUntilMs > 0 && first !== undefined && Number(name) < first.revision;
  if (forgotten)
    throw newNotFound({ group: simGroup, resource: 'changes' }, `${name} (changes up to ${formatTime(notes.forgottenUntilMs)} are forgotten)`);
  throw newNotFound({ group: simGroup, resource: 'changes' }, name);
}

/** Newest first; a page goes on below the revision that `continue` names. */
function listChanges(sources: ChangeSources, query: ComputedQuery, { limit, continue: token }: PageOptions): ComputedPage {
  const toMs = numberIn(query, 'to') ?? sources.nowMs();
  const fromMs = numberIn(query, 'from') ?? 0;
  checkRange(fromMs, toMs);
  if (!/^\d{0,15}$/.test(token)) throw newBadRequest(`continue=${token} is none of this list`);
  const below = token === '' ? Number.POSITIVE_INFINITY : Number(token);
  const most = Math.min(limit || limitDefault, limitMax);
  const isWanted = wanted(query);
  const objects: Change[] = [];
  for (const note of sources.recorder.notes.before(toMs)) {
    if (note.ms < fromMs) break;
    if (note.revision >= below || (query['object'] && note.row.id !== query['object'])) continue;
    const change = showNote(note);
    if (!isWanted(change)) continue;
    if (objects.length === most) return { objects, continue: String(objects.at(-1)?.status.revision ?? 0) };
    objects.push(change);
  }
  return { objects };
}

/** By the field selector; the pipeline has refused what is none. */
function wanted({ fieldSelector = '' }: ComputedQuery): (change: Change) => boolean {
  if (fieldSelector === '') return () => true;
  try {
    const selector = parseFieldSelector(fieldSelector);
    return (change) =>
      selector.matches((field) => (field === 'metadata.name' ? (change.metadata.name ?? '') : (getOwn(selectable, field)?.(change) ?? '')));
  } catch (error) {
    if (error instanceof SelectorError) throw newBadRequest(error.message);
    throw error;
  }
}

function of(field: (change: Change['status']) => string): (object: KubeObject) => string {
  return (object) => field((object as Change).status);
}

const selectable: { readonly [field: string]: (object: KubeObject) => string } = {
  'status.verb': of(({ verb }) => verb),
  'status.username': of(({ username }) => username),
  'status.subject.kind': of(({ subject }) => subject.kind),
  'status.subject.namespace': of(({ subject: { namespace = '' } }) => namespace),
  'status.subject.name': of(({ subject }) => subject.name),
};

const prefix = 'dev.wavetank.sim.v1alpha1';

const changeKind = {
  ...virtualKind('Change', 'changes', false, [messageField('status', 2, `${prefix}.ChangeStatus`)], {
    schemas: [
      { name: `${prefix}.ChangeSubject`, fields: subjectFields },
      {
        name: `${prefix}.ChangeStatus`,
        fields: [
          scalarField('revision', 1, 'int64', { required: true, description: 'Of the store; the name of the change.' }),
          scalarField('time', 2, 'microTime', { required: true, description: 'In virtual time.' }),
          scalarField('ms', 3, 'double', { required: true, description: 'The same in milliseconds.' }),
          scalarField('verb', 4, 'string', { required: true, description: 'create, update or delete.' }),
          messageField('subject', 5, `${prefix}.ChangeSubject`, { description: 'What was written.' }),
          scalarField('username', 6, 'string', { required: true, description: 'Who wrote it.' }),
          scalarField('actor', 7, 'string', { required: true, description: 'The same in short.' }),
          scalarField('userAgent', 8, 'string', { description: 'The client, where it came from outside and is remembered.' }),
          scalarField('request', 9, 'string', { description: 'Its name among apirequests.' }),
          scalarField('fieldManagers', 10, 'json', { description: 'Who the object says wrote it.' }),
          scalarField('summary', 11, 'string', { required: true, description: 'What happened, in a sentence.' }),
          scalarField('facts', 12, 'json', { description: 'What history noted of it, shortened.' }),
          scalarField('fields', 13, 'json', {
            description: 'Fields with their values before and after; absent where the objects are no longer remembered.',
          }),
          scalarField('moreFields', 14, 'int64', { description: 'How many fields changed beside these.' }),
          scalarField('causes', 15, 'json', { description: 'What it was done because of, directly.' }),
          scalarField('effects', 16, 'json', { description: 'Changes that were made because of it.' }),
          scalarField('moreEffects', 17, 'int64', { description: 'How many effects there are beside these.' }),
        ],
      },
    ],
    columns: ['Name', 'Time', 'Verb', 'Object', 'By', 'What'].map((name) => ({ name, type: 'string' })),
    row: (object) => {
      const { metadata, status } = object as Change;
      return [metadata.name ?? '', status.time, status.verb, status.subject.row, status.actor, status.facts.join('; ')];
    },
  }),
  selectableFields: selectable,
};
