/**
 * What history remembers of one life of one object: a row of the timeline, as plain data. Absent texts are '' and absent numbers 0,
 * so that all rows and marks have one shape in memory.
 */
import type { TimelineMark, TimelineSegment } from '../api/sim/v1alpha1/timeline.ts';
import { parseGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import { flag, list, nullable, number, record, text } from '../base/codecs.ts';
import { type Area, areaCodec, noArea } from './area.ts';
import { type Mark, markCount, type Marks, marksCodec, markType, type MarkType, removeMark, withMark } from './marks.ts';
import type { State } from './states.ts';

export interface Segment {
  readonly fromMs: number;
  toMs: number;
  readonly state: string;
  /** Absent where a state has no readiness. */
  readonly ready: boolean | null;
  /** What is not as it should be, in a word; '' when nothing is. */
  readonly reason: string;
}

export interface Row {
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly key: string;
  readonly createdMs: number;
  readonly createdRevision: number;
  owner: string;
  node: string;
  deletedMs: number;
  lastRevision: number;
  segments: readonly Segment[];
  /** Of what keeps pods. */
  area: Area;
  marks: Marks;
  /** Marks that were forgotten to keep the row small. */
  dropped: number;
}

const segmentCodec = record<Segment>({ fromMs: number, toMs: number, state: text, ready: nullable(flag), reason: text });

export const rowCodec = record<Row>({
  id: text,
  group: text,
  version: text,
  kind: text,
  resource: text,
  namespace: text,
  name: text,
  uid: text,
  key: text,
  createdMs: number,
  createdRevision: number,
  owner: text,
  node: text,
  deletedMs: number,
  lastRevision: number,
  segments: list(segmentCodec),
  area: areaCodec,
  marks: marksCodec,
  dropped: number,
});

/** Names the resource of a kind, e.g. `('apps', 'ReplicaSet')` → `replicasets`. */
export type ResourceOf = (group: string, kind: string) => string | undefined;

/** The same, each found once: a plural stays what it is, and a kind that is not there yet is asked for again. */
export function rememberedResourceOf(resourceOf: ResourceOf): ResourceOf {
  const known = new Map<string, string>();
  return (group, kind) => {
    const key = `${group}/${kind}`;
    const resource = known.get(key) ?? resourceOf(group, kind);
    if (resource !== undefined) known.set(key, resource);
    return resource;
  };
}

const marksMax = 200;
const segmentsMax = 400;

/** `pods/default/web-1`, `jobs.batch/default/x`, `nodes/pool-0`. */
function rowId(group: string, resource: string, namespace: string | undefined, name: string): string {
  const type = resourceType({ group, resource });
  return (namespace ? [type, namespace, name] : [type, name]).join('/');
}

/** A resource with its group: `pods`, `jobs.batch`. */
export function resourceType({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function rowIdOf(
  object: { readonly apiVersion: string; readonly kind: string },
  namespace: string | undefined,
  name: string,
  resourceOf: ResourceOf,
): string {
  const group = parseGroupVersion(object.apiVersion)?.group ?? '';
  return rowId(group, resourceOf(group, object.kind) ?? guessResource(object.kind), namespace, name);
}

/** For kinds that nobody registered. */
function guessResource(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

export function newRow(key: string, object: KubeObject, resourceOf: ResourceOf, ms: number, revision: number): Row {
  const { group, version } = parseGroupVersion(object.apiVersion) ?? { group: '', version: object.apiVersion };
  const { namespace = '', name = '', uid = '' } = object.metadata;
  const resource = resourceOf(group, object.kind) ?? guessResource(object.kind);
  return {
    id: rowId(group, resource, namespace, name),
    group,
    version,
    kind: object.kind,
    resource,
    namespace,
    name,
    uid: uid === '' ? `${key}@${revision}` : uid,
    key,
    createdMs: ms,
    createdRevision: revision,
    owner: ownerOf(object, resourceOf),
    node: '',
    deletedMs: 0,
    lastRevision: revision,
    segments: [],
    area: noArea,
    marks: [],
    dropped: 0,
  };
}

/** Row id of the controller, or of the only owner where none controls. */
export function ownerOf(object: KubeObject, resourceOf: ResourceOf): string {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.length === 0) return '';
  const owner = owners.find((one) => one.controller === true) ?? owners[0];
  if (owner === undefined) return '';
  return rowIdOf(owner, owner.kind === 'Node' ? undefined : object.metadata.namespace, owner.name, resourceOf);
}

/** Adds a mark; a full row forgets its oldest mark of the least telling type. */
export function addMark(row: Row, mark: Mark): void {
  row.marks = withMark(row.marks, mark);
  if (markCount(row.marks) <= marksMax) return;
  row.dropped++;
  removeMark(row.marks, leastTelling(row.marks));
}

function leastTelling(marks: Marks): number {
  const last = markCount(marks) - 1;
  return firstOf(marks, last, 'update', 'status') ?? firstOf(marks, last, 'condition', 'event') ?? 1;
}

function firstOf(marks: Marks, end: number, ...wanted: readonly MarkType[]): number | undefined {
  for (let index = 0; index < end; index++) if (wanted.includes(markType(marks, index))) return index;
  return undefined;
}

/** Begins a segment when the state differs from the one that lasts. */
export function enterState(row: Row, ms: number, { state, ready, reason }: State): void {
  const { segments } = row;
  const last = segments[segments.length - 1];
  if (last !== undefined) {
    if (last.state === state && last.ready === ready && last.reason === reason) return;
    last.toMs = ms;
  }
  // A pod has three or four: a list that grows by itself would keep room for seventeen.
  row.segments = segments.concat({ fromMs: ms, toMs: 0, state, ready, reason }).slice(-segmentsMax);
}

export function endRow(row: Row, ms: number): void {
  const last = row.segments[row.segments.length - 1];
  if (last !== undefined) last.toMs = ms;
  row.deletedMs = ms;
}

export function showSegment({ fromMs, toMs, state, ready, reason }: Segment): TimelineSegment {
  return { fromMs, ...(toMs === 0 ? {} : { toMs }), state, ...(ready === null ? {} : { ready }), ...(reason === '' ? {} : { reason }) };
}

export function showMark({ ms, type, revision, text, level, by }: Mark): TimelineMark {
  return { ms, type, ...(revision === 0 ? {} : { revision }), text, ...(level === '' ? {} : { level }), ...(by === '' ? {} : { by }) };
}
