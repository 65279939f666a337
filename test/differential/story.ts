/**
 * A story: real writes to a few objects of one kind, and what is read of them afterwards. It follows from its number, leaves nothing behind, and is about
 * nothing that another story touches: its objects lie in a namespace that one story at a time has, or carry names of their own.
 */
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import { Random, type RandomStream } from '../../engine/base/random.ts';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { Base } from './bases.ts';
import { drawEdits } from './draw.ts';
import { applyEdit, isList } from './mutate.ts';
import type { Asked } from './reads.ts';
import { drawStep } from './steps.ts';
import { pick } from './values.ts';

export interface Story {
  readonly number: number;
  readonly base: Base;
  readonly place: Place;
  readonly steps: readonly Asked[];
}

/** Where its objects are. */
export interface Place {
  readonly base: Base;
  readonly namespace: string | undefined;
  readonly names: readonly string[];
  /** Path of the collection, and of that of all namespaces. */
  readonly collection: string;
  readonly everywhere: string;
  /** What the objects look like at first. */
  readonly object: JsonObject;
}

/** So many stories are told at once, each in its namespace. */
export const slots = 32;
export const namespaceOf = (slot: number): string => `diff-${slot}`;

/** Stories of kinds that are not here; what they write would change what others are answered, or is changed by the server itself. */
const toldOfNobody =
  /WebhookConfiguration|AdmissionPolicy|CustomResourceDefinition|APIService|^ComponentStatus$|^Binding$|FlowSchema|PriorityLevelConfiguration|ServiceCIDR|^StorageVersion$/;
/** Their objects share what there is one of: one story at a time. */
const sharing = /^(Service|IPAddress)$/;

function hasStories({ kind, fixture }: Base): boolean {
  return fixture !== undefined && !toldOfNobody.test(kind.kind);
}

/** Stories with the same word are told one after the other; those without go together. */
export function turnOf({ base, number }: Story): string {
  return sharing.test(base.kind.kind) ? base.kind.kind : `slot ${number % slots}`;
}

export function drawStory(seed: number, number: number, groups: readonly (readonly Base[])[]): Story {
  const random = new Random(seed * 1_000_003 + number).stream('story');
  const told = groups.map((bases) => bases.filter(hasStories)).filter((bases) => bases.length > 0);
  const base = pick(random, pick(random, told));
  const place = placeOf(base, number);
  const isChanged = random.next() < 0.35;
  const first = isChanged ? edited(random, place, base) : place.object;
  const count = 4 + random.integer(12);
  const names = random.next() < 0.3 ? place.names : place.names.slice(0, 1);
  const steps = [...names.map((name) => creation(random, place, first, name)), ...Array.from({ length: count }, () => drawStep(random, place))];
  return { number, base, place, steps };
}

function creation(random: RandomStream, place: Place, object: JsonObject, name: string): Asked {
  const query = random.next() < 0.3 ? 'fieldManager=one' : '';
  return {
    method: 'POST',
    path: place.collection,
    query,
    type: 'application/json',
    accept: 'application/json',
    body: withName(object, name),
  };
}

export function withName(object: JsonObject, name: string): JsonObject {
  const { metadata } = object;
  return { ...object, metadata: { ...(typeof metadata === 'object' && !isList(metadata) ? metadata : {}), name } as JsonValue };
}

/** With drawn changes, but for the name and what would give it another place. */
export function edited(random: RandomStream, { object }: Place, base: Base): JsonObject {
  let result: JsonValue = object;
  for (const edit of drawEdits(random, { ...base, object }, 'update')) if (!isForbidden(edit.path)) result = applyEdit(result, edit);
  return result as JsonObject;
}

export function isForbidden(path: readonly (string | number)[]): boolean {
  return (path[0] === 'metadata' && (path.length === 1 || /^(name|generateName|namespace)$/.test(String(path[1])))) || path.includes('globalDefault');
}

function placeOf(base: Base, number: number): Place {
  const { kind } = base;
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  const namespace = kind.namespaced ? namespaceOf(number % slots) : undefined;
  const stem = kind.kind === 'IPAddress' ? `10.77.${Math.floor(number / 200) % 250}.${number % 200}` : `s-${number}`;
  return {
    base,
    namespace,
    names: kind.kind === 'IPAddress' ? [0, 1, 2].map((i) => `${stem}${i}`) : ['a', 'b', 'c'].map((letter) => `${stem}-${letter}`),
    collection: `${root}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${kind.plural}`,
    everywhere: `${root}/${kind.plural}`,
    object: harmless(base.object),
  };
}

/** Without what would be a default for the objects of others. */
function harmless(object: JsonObject): JsonObject {
  const { globalDefault: _, ...rest } = object;
  const { annotations, ...meta } = (rest['metadata'] ?? {}) as { annotations?: JsonObject };
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !name.includes('is-default-class'));
  return { ...rest, metadata: kept.length === 0 ? meta : { ...meta, annotations: Object.fromEntries(kept) } };
}
