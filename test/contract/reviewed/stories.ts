/**
 * Requests drawn by nobody: one for each rule found by reading upstream's validation and admission, with what the real API server answered.
 * Chance finds none of them, since it takes several fields that fit together, several objects, or somebody who may not do everything.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { withSortedKeys } from '../../../engine/apimachinery/serializer/key-order.ts';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import type { Answered, Side } from '../../differential/sides.ts';

/** Servers that are asked: of a release, with the plugins that it has on or with others too. */
export interface ReviewedServer {
  readonly name: string;
  readonly release: string | undefined;
  readonly options: Readonly<Record<string, string>>;
}

const plugins =
  'AlwaysPullImages,ExtendedResourceToleration,LimitPodHardAntiAffinityTopology,NamespaceExists,OwnerReferencesPermissionEnforcement,PodNodeSelector,PodTolerationRestriction,NodeRestriction';

export const reviewedServers: readonly ReviewedServer[] = [
  { name: '1.13', release: '1.13', options: {} },
  { name: '1.36', release: undefined, options: {} },
  {
    name: '1.13-plugins',
    release: '1.13',
    options: { 'enable-admission-plugins': `${plugins},SecurityContextDeny,DenyEscalatingExec,PodPreset` },
  },
  { name: '1.13-policies', release: '1.13', options: { 'enable-admission-plugins': 'PodSecurityPolicy' } },
  {
    name: '1.13-alpha',
    release: '1.13',
    options: { 'enable-admission-plugins': 'Initializers,PodPreset', 'feature-gates': 'Initializers=true', 'runtime-config': 'api/all=true' },
  },
  {
    name: '1.13-gates',
    release: '1.13',
    // Of these two one wants a flag more, and the other holds back what is made.
    options: { 'feature-gates': 'AllAlpha=true,BoundServiceAccountTokenVolume=false,Initializers=false', 'runtime-config': 'api/all=true' },
  },
  {
    name: '1.36-alpha',
    release: undefined,
    options: { 'feature-gates': 'AllAlpha=true,AllBeta=true', 'runtime-config': 'api/all=true' },
  },
  { name: '1.36-stable', release: undefined, options: { 'feature-gates': 'AllBeta=false' } },
  { name: '1.36-plugins', release: undefined, options: { 'enable-admission-plugins': `${plugins},DenyServiceExternalIPs` } },
];

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly type: string;
  readonly body?: JsonValue;
  /** The body is a text that is sent as it is. */
  readonly raw?: true;
  /** What answers may be; JSON where nothing is said. */
  readonly accept?: string;
  /** Who asks, if not the administrator, and behind a comma of which group. */
  readonly as?: string;
  /** As the real server said: its code, and what it told of a refusal. */
  readonly real?: Told;
}

export interface Told {
  readonly code: number;
  readonly refusal?: JsonValue;
  readonly warnings?: readonly string[];
  /** What is wanted and noted of the object that is answered, in stories that show it. */
  readonly object?: JsonValue;
}

export interface ReviewedStory {
  readonly name: string;
  /** Whether parts of the objects that are answered are told, or all there is of them (Tables, top-level fields, metadata). */
  readonly shows?: true | 'whole';
  readonly steps: readonly Step[];
}

function fileOf({ name }: ReviewedServer): string {
  return join(import.meta.dirname, `${name}.jsonl.gz`);
}

export function readStories(server: ReviewedServer): readonly ReviewedStory[] {
  const lines = gunzipSync(readFileSync(fileOf(server)))
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ReviewedStory);
}

export function writeStories(server: ReviewedServer, stories: readonly ReviewedStory[]): void {
  writeFileSync(fileOf(server), gzipSync(stories.map((story) => `${lineOf(story)}\n`).join(''), { level: 9 }));
}

/** What some tools take for the end of a line is escaped. */
function lineOf(story: ReviewedStory): string {
  return JSON.stringify(story).replaceAll(/[\u0085\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const create = { method: 'POST', query: '', type: 'application/json', accept: 'application/json' } as const;

/** A namespace with an account for what is asked. */
export async function prepare(side: Side): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'diff' } };
  await side.ask({ ...create, path: '/api/v1/namespaces', body: namespace });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await side.ask({ ...create, path: '/api/v1/namespaces/diff/serviceaccounts', body: account });
}

/** In place of a method: the server is left alone for a while. */
const settling = 'SETTLE';
const nothing: Told = { code: 0 };

/** What each step is answered. */
export async function tell(side: Side, { steps, shows }: ReviewedStory): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const { method, path, query, type, body, raw, accept = 'application/json', as } of steps) {
    if (method === settling) {
      await side.settle();
      told.push(nothing);
      continue;
    }
    const given = { ...(body === undefined ? {} : { body }), ...(raw && { raw }), ...(as === undefined ? {} : { as }) };
    told.push(toldOf(await side.ask({ method, path, query, type, accept, ...given }), shows));
  }
  return told;
}

const varying: readonly (readonly [RegExp, string])[] = [
  // Which of two names Go has for the scheme follows from how the server was built.
  [/pkg\/api\/legacyscheme\/scheme\.go:30/g, 'pkg/runtime/scheme.go:111'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, '<token>'],
  [/(?<=Too large resource version: \d+, current: )\d+/g, '<revision>'],
  [/(?<=kube-api-access-)[a-z0-9]{5}/g, '<random>'],
  [/(?<=podpreset-[a-z]":")\d+/g, '<revision>'],
  [/(?<=Too large resource version: \d+, current: )\d+/g, '<revision>'],
  [/(?<=resourceVersion: ")\d+/g, '<revision>'],
  [/(?<=in record \()\d+/g, '<revision>'],
  [/(?<=resourceVersion\\*":\\*")\d+/g, '<revision>'],
];

function toldOf({ code, text, headers: { warning = [] } }: Answered, shows: ReviewedStory['shows']): Told {
  const warnings = typeof warning === 'string' ? [warning] : warning;
  return { code, ...(warnings.length > 0 && { warnings }), ...(code < 400 ? shownOf(text, shows) : { refusal: refusalOf(text) }) };
}

/** Of an object, of each of a list, or of each that a watch tells. */
function shownOf(text: string, shows: ReviewedStory['shows']): Pick<Told, 'object'> {
  if (shows === undefined) return {};
  const same = sameText(text);
  if (shows === 'whole') return { object: wholeOf(same) };
  if (same.startsWith('{"type":"')) return { object: same.trimEnd().split('\n').map(eventOf) };
  const shown = readText(same);
  if (!isMap(shown)) return { object: shown };
  const { items } = shown;
  return { object: Array.isArray(items) ? items.map(partsOf) : partsOf(shown) };
}

const ownEverywhere: readonly (readonly [RegExp, string])[] = [
  [/(?<="resourceVersion":")\d+/g, '<revision>'],
  [/(?<="continue":")[^"]+/g, '<continue>'],
];

/** Keys of custom objects' metadata stand in another order there, and entries of managers in that of their times. */
function wholeOf(same: string): JsonValue {
  const text = ownEverywhere.reduce((left, [pattern, mark]) => left.replaceAll(pattern, mark), same);
  const whole = /^\{"type":"[A-Z]+","object"/.test(text) ? text.trimEnd().split('\n').map(readText) : readText(text);
  return inOrder(withSortedKeys(whole));
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] =>
    key === 'managedFields' && Array.isArray(inner) ? [key, inner.map((one) => JSON.stringify(one)).sort()] : [key, inOrder(inner)],
  );
  return Object.fromEntries(entries);
}

function eventOf(line: string): JsonValue {
  const { type = null, object = null } = JSON.parse(line) as JsonObject;
  return [type, type === 'ERROR' ? object : partsOf(object)];
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partsOf(object: JsonValue): JsonValue {
  if (!isMap(object)) return object;
  const { metadata, spec = null, data = null, status = null } = object;
  const { labels = null, annotations = null, finalizers = null, managedFields = [] } = (metadata ?? {}) as JsonObject;
  // Entries stand in the order of their times, which a second that ends may change; their keys, of custom objects, in alphabetical order.
  const owners = (managedFields as readonly JsonValue[]).map((entry) => JSON.stringify(withSortedKeys(entry))).sort();
  return { labels, annotations, finalizers, owners, spec, data, status };
}

/** What is no document stands for itself. */
function readText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

function sameText(text: string): string {
  return varying.reduce((left, [pattern, mark]) => left.replaceAll(pattern, mark), text);
}

function refusalOf(text: string): JsonValue {
  const told = readText(sameText(text));
  if (!isMap(told)) return told;
  const { message = null, reason = null, details } = told as { message?: string; reason?: string; details?: { causes?: JsonValue } };
  return [message, reason, details?.causes ?? null];
}
