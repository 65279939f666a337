/** `differences` over the API: what differs between two instants. */
import { type Difference, differenceTypes } from '../../api/sim/v1alpha1/change.ts';
import { newBadRequest } from '../../apimachinery/errors.ts';
import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { SelectorError } from '../../apimachinery/labels.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { formatMicroTime, formatTime, parseTime } from '../../apimachinery/time.ts';
import type { ComputedPage, ComputedQuery, ComputedResource, PageOptions } from '../../contracts/computed-resource.ts';
import { messageField, scalarField } from '../../kinds/sim/v1alpha1/schema-fields.ts';
import { subjectFields } from '../changes/subject-fields.ts';
import { checkRange, numberIn } from '../query-numbers.ts';
import type { HistoryRecorder } from '../recorder.ts';
import type { Row } from '../row.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import { SearchedText } from '../row-index/searched-text.ts';
import { type Compare, sortedWindow } from '../row-index/sorted-window.ts';
import { virtualKind } from '../virtual-kind.ts';
import { findDifferences, FindRoom, type Found } from './find.ts';
import { type AskedSpan, nameOf, PastObjects, showDifference } from './show.ts';

export interface DifferenceSources {
  readonly recorder: HistoryRecorder;
  readonly index: RowIndex;
  nowMs(): number;
}

const limitDefault = 500;
const limitMax = 2_000;
const spanDefaultMs = 600_000;
const allOfThem: PageOptions = { limit: 0, continue: '' };

interface RoomySources extends DifferenceSources {
  readonly room: FindRoom;
}

export function differencesResource(given: DifferenceSources): ComputedResource {
  const sources: RoomySources = { ...given, nowMs: () => given.nowMs(), room: new FindRoom() };
  return {
    kind: differenceKind,
    get: (name, query, namespace) => pageOf(sources, query, namespace, allOfThem, (row) => nameOf(row) === name).objects[0],
    list: (query, namespace) => pageOf(sources, query, namespace, allOfThem).objects,
    page: (query, namespace, options) => pageOf(sources, query, namespace, options),
    prepare: (most) => sources.index.prepare(most),
  };
}

function pageOf(
  sources: RoomySources,
  query: ComputedQuery,
  namespace: string | undefined,
  options: PageOptions,
  isNamed?: (row: Row) => boolean,
): ComputedPage {
  const { span, offset } = placeOf(sources, query, options.continue);
  const past = new PastObjects(sources.recorder, span);
  const { index } = sources;
  const isWanted = wantedRows(index.refresh(), query, namespace, isNamed);
  const found = findDifferences(index, span, { isWanted, differs: (row) => past.mayDiffer(row) }, sources.room);
  const places = ofTypes(found, query, sources.room.places.ofLength(found.slots.length));
  const end = offset + Math.min(options.limit || limitDefault, limitMax);
  const shown = sortedWindow(places, orderOf(index, found, query), offset, end, query['sort'] === 'object' ? undefined : found.lastMs);
  const objects = Array.from(shown, (place) => showDifference(found.tell(place), span, past));
  const remaining = places.length - end;
  return remaining > 0 ? { objects, continue: `${span.fromMs}:${span.toMs}:${end}`, remaining } : { objects };
}

/** A page that goes on is of the same two instants, which may have been relative to now. */
function placeOf(sources: DifferenceSources, query: ComputedQuery, token: string): { readonly span: AskedSpan; readonly offset: number } {
  const asked = spanOf(sources, query);
  if (token === '') return { span: asked, offset: 0 };
  const [fromMs, toMs, offset] = token.split(':').map(Number);
  if (fromMs === undefined || toMs === undefined || offset === undefined || !(fromMs >= 0 && toMs >= fromMs && offset >= 0))
    throw newBadRequest(`continue=${token} is none of this list`);
  const { from, to } = selected(query);
  return { span: { fromMs, toMs, from: from ?? formatMicroTime(fromMs), to: to ?? formatMicroTime(toMs) }, offset };
}

function spanOf(sources: DifferenceSources, query: ComputedQuery): AskedSpan {
  const { from, to } = selected(query);
  const toMs = instant(to, 'status.to') ?? numberIn(query, 'to') ?? sources.nowMs();
  const fromMs = instant(from, 'status.from') ?? numberIn(query, 'from') ?? Math.max(sources.recorder.startMs, toMs - spanDefaultMs);
  checkRange(fromMs, toMs);
  return { fromMs, toMs, from: from ?? formatMicroTime(fromMs), to: to ?? formatMicroTime(toMs) };
}

function instant(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  if (ms === undefined) throw newBadRequest(`${field}=${text} is no time: write it as ${formatTime(0)}`);
  return ms;
}

interface Selected {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly change: string | undefined;
}

/** Of the field selector what has to be known beforehand; the rest is left to the pipeline. */
function selected({ fieldSelector = '' }: ComputedQuery): Selected {
  if (fieldSelector === '') return { from: undefined, to: undefined, change: undefined };
  try {
    const fields = parseFieldSelector(fieldSelector);
    const [from, to, change] = ['status.from', 'status.to', 'status.change'].map((field) => fields.requiresExactMatch(field));
    return { from, to, change };
  } catch (error) {
    if (error instanceof SelectorError) throw newBadRequest(error.message);
    throw error;
  }
}

/** Undefined where all are. */
function wantedRows(
  index: RowIndex,
  { kind, search, namespace: asked }: ComputedQuery,
  namespace: string | undefined,
  isNamed: ((row: Row) => boolean) | undefined,
): ((slot: number) => boolean) | undefined {
  const tests: ((slot: number) => boolean)[] = [];
  if (namespace !== undefined) {
    // What has no namespace is listed in the one that is meant when none is named.
    const listed = [namespace, ...(namespace === 'default' ? [''] : [])].map((one) => index.findWord(one));
    tests.push((slot) => listed.includes(index.namespace(slot)));
  }
  if (asked) {
    const wanted = index.findWord(asked);
    tests.push((slot) => index.namespace(slot) === wanted);
  }
  if (kind) {
    const kinds = new Set(kind.split(',').map((one) => index.findWord(one)));
    tests.push((slot) => kinds.has(index.kind(slot)));
  }
  if (search) {
    const text = new SearchedText(index, search.toLowerCase());
    tests.push((slot) => text.isOf(slot));
  }
  if (isNamed !== undefined) tests.push((slot) => isNamed(index.row(slot)));
  return tests.length === 0 ? undefined : (slot) => tests.every((test) => test(slot));
}

/** Places of those that are asked for. The last first: what came last mostly changed last, and the first that are found are the first that are shown then. */
function ofTypes(found: Found, query: ComputedQuery, places: Int32Array): Int32Array {
  for (let place = 0; place < places.length; place++) places[place] = places.length - 1 - place;
  const type = query['change'] || selected(query).change;
  if (type === undefined) return places;
  const known: readonly string[] = differenceTypes;
  const types = type.split(',');
  const stranger = types.find((one) => !known.includes(one));
  if (stranger !== undefined) throw newBadRequest(`change=${stranger} is none of ${differenceTypes.join(', ')}`);
  return places.filter((place) => types.includes(found.tell(place).type));
}

function orderOf(index: RowIndex, { slots, lastMs }: Found, { sort = 'time' }: ComputedQuery): Compare {
  const rowAt = (place: number): Row => index.row(slots[place] as number);
  const byObject: Compare = (a, b) => compare(rowAt(a).namespace, rowAt(b).namespace) || compare(rowAt(a).id, rowAt(b).id);
  if (sort === 'object') return byObject;
  if (sort === 'time') return (a, b) => (lastMs[b] as number) - (lastMs[a] as number) || (a === b ? 0 : byObject(a, b));
  throw newBadRequest(`sort=${sort} is none of time, object`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const prefix = 'dev.wavetank.sim.v1alpha1';

function of(field: (status: Difference['status']) => string): (object: KubeObject) => string {
  return (object) => field((object as Difference).status);
}

const differenceKind = {
  ...virtualKind('Difference', 'differences', true, [messageField('status', 2, `${prefix}.DifferenceStatus`)], {
    schemas: [
      { name: `${prefix}.DifferenceSubject`, fields: subjectFields },
      {
        name: `${prefix}.DifferenceStatus`,
        fields: [
          scalarField('from', 1, 'string', { required: true, description: 'The first instant, in virtual time.' }),
          scalarField('to', 2, 'string', { required: true, description: 'The second.' }),
          scalarField('change', 3, 'string', { required: true, description: `${differenceTypes.join(', ')}.` }),
          messageField('subject', 4, `${prefix}.DifferenceSubject`, { description: 'What differs.' }),
          scalarField('fields', 5, 'json', { description: 'Its fields at the one instant and at the other, as far as they are remembered.' }),
          scalarField('moreFields', 6, 'int64', { description: 'How many fields differ beside these.' }),
          scalarField('facts', 7, 'json', { description: 'What history noted between, where the objects are no longer remembered.' }),
          scalarField('changes', 8, 'int64', { required: true, description: 'How often it was written between.' }),
          scalarField('events', 9, 'int64', { required: true, description: 'How many Events told of it.' }),
          scalarField('warnings', 10, 'int64', { required: true, description: 'How many of them were warnings.' }),
          scalarField('lastEvent', 11, 'string', { description: 'What the last warning said, or the last Event.' }),
          scalarField('revision', 12, 'int64', { description: 'Of the last change, its name among changes.' }),
          scalarField('ms', 13, 'double', { required: true, description: 'When the last change or Event was, in milliseconds of virtual time.' }),
          scalarField('actor', 14, 'string', { description: 'Who changed it last.' }),
          scalarField('isCut', 15, 'bool', { description: 'Marks of it were forgotten: there may have been more.' }),
          scalarField('state', 16, 'string', { description: 'How it stood at the second instant, where it was not there at the first.' }),
        ],
      },
    ],
    columns: ['Name', 'Change', 'What', 'Changes', 'Events', 'Warnings', 'Last', 'By', 'Revision'].map((name) => ({ name, type: 'string' })),
    row: (object) => {
      const { metadata, status } = object as Difference;
      const { change, changes, events, warnings, ms, actor = '<none>', revision } = status;
      const counts = [String(changes), String(events), String(warnings)];
      return [metadata.name ?? '', change, whatText(status), ...counts, formatTime(ms), actor, revision === undefined ? '<none>' : String(revision)];
    },
  }),
  selectableFields: {
    'status.from': of(({ from }) => from),
    'status.to': of(({ to }) => to),
    'status.change': of(({ change }) => change),
    'status.subject.kind': of(({ subject }) => subject.kind),
    'status.subject.namespace': of(({ subject: { namespace = '' } }) => namespace),
    'status.subject.name': of(({ subject }) => subject.name),
  },
};

const whatMax = 3;

/** The first fields, or how it stood, or what history noted last. */
function whatText({ fields, moreFields = 0, facts, state = '', lastEvent = '' }: Difference['status']): string {
  if (fields === undefined) return facts?.at(-1) ?? [state, lastEvent].filter((part) => part !== '').join('; ');
  const shown = fields.slice(0, whatMax).map(({ path, before = '(none)', after = '(none)' }) => `${path}: ${before} → ${after}`);
  const more = fields.length + moreFields - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ') || lastEvent;
}
