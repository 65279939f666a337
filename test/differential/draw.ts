/** One request for a number: which seed, base and mutations it is made of follows from the number alone. */
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import { Random, type RandomStream } from '../../engine/base/random.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { benchSchemas } from '../support/api-bench.ts';
import { applyEdit, drawEdit, type Edit, isList } from './mutate.ts';
import type { Base } from './bases.ts';
import { readRequest, type Asked } from './reads.ts';
import { pick } from './values.ts';

export type Way = 'create' | 'update' | 'json' | 'merge' | 'strategic' | 'apply' | 'status' | 'read' | 'delete' | 'scale' | 'post';

export interface Drawn {
  readonly number: number;
  readonly base: Base;
  readonly way: Way;
  readonly edits: readonly Edit[];
  readonly query: string;
  readonly accept: string;
  readonly type: string;
  /** Of requests without an object. */
  readonly asked?: Asked;
}

const ways: readonly (readonly [Way, number])[] = [['create', 48], ['update', 17], ['json', 3], ['merge', 5], ['strategic', 4], ['apply', 4], ['status', 6], ['read', 7], ['delete', 4], ['scale', 1], ['post', 1]]; // biome-ignore format: a table
const total = ways.reduce((sum, [, weight]) => sum + weight, 0);
const wholeWays: ReadonlySet<Way> = new Set(['create', 'update', 'apply']);

/** `groups`: bases by kind. */
export function drawRequest(seed: number, number: number, groups: readonly (readonly Base[])[]): Drawn {
  const random = new Random(seed * 1_000_003 + number).stream('request');
  const base = pick(random, pick(random, groups));
  const way = base.fixture === undefined ? 'create' : drawWay(random);
  if (way === 'read' || way === 'delete' || way === 'post' || way === 'scale') {
    return { number, base, way, edits: [], query: '', accept: '', type: '', asked: readRequest(random, base, way) };
  }
  const query = drawQuery(random, way);
  const accept =
    random.next() < 0.97
      ? 'application/json'
      : pick(random, [
          'application/yaml',
          'application/json;as=Table;v=v1;g=meta.k8s.io',
          'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
          'text/html',
          '',
        ]);
  return {
    number,
    base,
    way,
    edits: drawEdits(random, base, way),
    query,
    accept,
    type: wholeWays.has(way) && random.next() < 0.02 ? 'text/plain' : '',
  };
}

function drawWay(random: RandomStream): Way {
  let dice = random.next() * total;
  for (const [way, weight] of ways) {
    dice -= weight;
    if (dice < 0) return way;
  }
  return 'create';
}

function drawQuery(random: RandomStream, way: Way): string {
  const parts = ['dryRun=All'];
  if (way === 'apply') parts.push(`fieldManager=${pick(random, ['other', 'other', 'diff'])}`, ...(random.next() < 0.5 ? ['force=true'] : []));
  if (random.next() < 0.25) parts.push(`fieldValidation=${pick(random, ['Strict', 'Warn', 'Ignore', 'Warn'])}`);
  if (random.next() < 0.01)
    parts.push(pick(random, ['fieldManager=a%00b', 'dryRun=Some', 'force=true', `fieldManager=${'x'.repeat(129)}`, 'fieldValidation=Odd']));
  return parts.join('&');
}

export function drawEdits(random: RandomStream, base: Base, way: Way): readonly Edit[] {
  const name = typeof base.kind.schema === 'string' ? benchSchemas.mustGet(base.kind.schema) : base.kind.schema;
  const edits: Edit[] = [];
  let object: JsonValue = base.object;
  if (base.id.startsWith('golden')) {
    const cut = goldenCuts(random, object);
    for (const edit of cut) object = applyEdit(object, edit);
    edits.push(...cut);
  }
  const dice = random.next();
  const count = way === 'create' && dice < 0.04 ? 0 : dice < 0.75 ? 1 : dice < 0.92 ? 2 : 3;
  const schema = way === 'status' ? (name.fields.find((field) => field.name === 'status') ?? undefined) : undefined;
  for (let i = 0; i < count; i++) {
    if (way === 'status' && typeof schema?.type === 'object' && random.next() < 0.8) {
      const status = ((object as JsonObject)['status'] ?? {}) as JsonObject;
      const inner = drawEdit(random, status, benchSchemas.mustGet(schema.type.message), benchSchemas);
      if (inner === undefined) continue;
      const edit = { ...inner, path: ['status', ...inner.path] };
      object = applyEdit(object, edit);
      edits.push(edit);
      continue;
    }
    const edit = drawEdit(random, object, name, benchSchemas);
    if (edit === undefined) continue;
    object = applyEdit(object, edit);
    edits.push(edit);
  }
  return edits;
}

/** Most of a populated object is left out, so that what is wrong with the rest can be told apart. */
function goldenCuts(random: RandomStream, object: JsonValue): readonly Edit[] {
  const cuts: Edit[] = [{ rule: 'golden', path: ['status'] }];
  const keep = 0.25 + random.next() * 0.6;
  const walk = (value: JsonValue, path: readonly (string | number)[]): void => {
    if (isList(value)) return value.forEach((inner, i) => walk(inner, [...path, i]));
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value as JsonObject)) {
      if (path.length === 0 && (name === 'status' || name === 'apiVersion' || name === 'kind' || name === 'metadata')) continue;
      if (random.next() > keep && path.length > 0) cuts.push({ rule: 'golden', path: [...path, name] });
      else walk(inner, [...path, name]);
    }
  };
  walk(object, []);
  return cuts;
}

/** The request itself. `version` is the fixture's resourceVersion on the side that is asked. */
export function requestOf(drawn: Drawn, edits: readonly Edit[] = drawn.edits): Asked {
  if (drawn.asked !== undefined) return drawn.asked;
  const { base, way, query, accept } = drawn;
  const collection = collectionOf(base);
  let object = named(base, way);
  const isConditional = (way === 'update' || way === 'status') && drawn.number % 10 < 9;
  if (isConditional) object = { ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion: versionHere } };
  for (const edit of edits) object = applyEdit(object, edit) as JsonObject;
  const type = drawn.type === '' ? undefined : drawn.type;
  if (way === 'create') return { method: 'POST', path: collection, query, accept, type: type ?? 'application/json', body: object };
  const path = `${collection}/${base.fixture ?? base.fresh}`;
  switch (way) {
    case 'update':
      return { method: 'PUT', path, query, accept, type: type ?? 'application/json', body: object };
    case 'status':
      return {
        method: drawn.number % 2 === 0 ? 'PUT' : 'PATCH',
        path: `${path}/status`,
        query,
        accept,
        type: drawn.number % 2 === 0 ? 'application/json' : 'application/merge-patch+json',
        body: drawn.number % 2 === 0 ? object : patchOf(base, edits),
      };
    case 'json':
      return { method: 'PATCH', path, query, accept, type: 'application/json-patch+json', body: edits.map(operationOf(base)) };
    case 'apply':
      return { method: 'PATCH', path, query, accept, type: 'application/apply-patch+yaml', body: object };
    default:
      return {
        method: 'PATCH',
        path,
        query,
        accept,
        type: `application/${way === 'merge' ? 'merge' : 'strategic-merge'}-patch+json`,
        body: patchOf(base, edits),
      };
  }
}

export function collectionOf({ kind, namespace }: Base): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  return `${root}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${kind.plural}`;
}

/** With the name of the fixture, or that of what is created. */
export function named(base: Base, way: Way): JsonObject {
  const name = way === 'create' ? base.fresh : (base.fixture ?? base.fresh);
  return { ...base.object, metadata: { ...(base.object['metadata'] as JsonObject), name } };
}

/** Stands in a body for the resourceVersion that the fixture has on the side that is asked. */
export const versionHere = '$version';

/** The nested object that a merge of the edits is; a list on the way is written whole. */
export function patchOf(base: Pick<Base, 'object'>, edits: readonly Edit[]): JsonObject {
  let patch: JsonValue = {};
  let object: JsonValue = base.object;
  for (const edit of edits) {
    object = applyEdit(object, edit);
    const list = edit.path.findIndex((key) => typeof key === 'number');
    const path = list < 0 ? edit.path : edit.path.slice(0, list);
    const value = list < 0 ? (edit.value ?? null) : (at(object, path) ?? null);
    patch = applyEdit(patch, { path, value });
  }
  return patch as JsonObject;
}

export function operationOf(base: Pick<Base, 'object'>) {
  return ({ path, value }: Edit): JsonObject => {
    const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    if (value === undefined) return { op: 'remove', path: pointer };
    return { op: at(base.object, path) === undefined ? 'add' : 'replace', path: pointer, value };
  };
}

function at(object: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string | number]: JsonValue })[key];
  }
  return value;
}
